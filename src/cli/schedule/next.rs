use serde_json::{Value, json};

use crate::cli::desk::Desk;
use crate::cli::era::{find, seed_error};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::WritingArgs;
use crate::event::{DrawMade, EventId, Stage};
use crate::ledger::{Disk, open_seed};
use crate::projection::{Era, Game, NextGame, Projection};

/// Say what a ladder plays next; where that takes a draw, make it.
///
/// A game that goes on comes first, then those of the first batch, those of
/// newcomers, and a draw that waits for its game. To say so nothing is
/// written. Where there is none of them, a draw is made from the era's seed
/// and WRITTEN, as `draw.made`; the next `scoresheet run` plays it. A draw is
/// made once: asked again, this shows it. With --dry-run it is shown and not
/// written. Exit code 1 where nothing can be played now.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The era [default: the one that goes on].
    era: Option<String>,

    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let projection = desk.projection();
    let era = find(projection, args.era.as_deref())?;
    if let Some(game) = goes_on(projection, era) {
        say(args, screen, &game_in_words(projection, game), || {
            game_json(projection, game)
        });
        return Ok(Exit::Clean);
    }
    let next = projection.next_game(era, desk.at());
    let NextGame::Draw { number, eligible } = next else {
        say(args, screen, &in_words(projection, era, &next), || {
            next_json(projection, era, &next)
        });
        return Ok(match next {
            NextGame::Nothing(_) => Exit::Blocked,
            _ => Exit::Clean,
        });
    };
    let seed = open_seed(disk, &era.started.seed_sha256).map_err(seed_error)?;
    let among = counted(eligible.len(), "system");
    let made = era.draw(number, eligible, &seed).ok_or_else(|| {
        CliError::Evidence("no two of the eligible systems can play one another".to_owned())
    })?;
    let draw = desk.say(made.clone())?;
    if desk.commit(screen)? {
        let projection = desk.projection();
        let pair = pair(projection, &made.white, &made.black);
        let picked = projection.name_of(&made.picked);
        let text = format!("draw {number} among {among}: {pair} ({picked} was picked)");
        say(args, screen, &text, || made_json(projection, draw, &made));
        if args.format == ReportFormat::Text {
            desk.report(screen);
        }
    }
    Ok(Exit::Clean)
}

fn say(args: &Args, screen: &mut Screen<'_>, text: &str, json: impl FnOnce() -> Value) {
    match args.format {
        ReportFormat::Text => screen.line(text),
        ReportFormat::Json => screen.line(&format!("{:#}", json())),
    }
}

/// The game that a run goes on with before it plays anything else.
fn goes_on<'p>(projection: &'p Projection, era: &Era) -> Option<&'p Game> {
    let mut playing = projection.games.playing();
    playing.find(|game| game.era == Some(era.id) && game.started.stage.is_between_systems())
}

fn game_in_words(projection: &Projection, game: &Game) -> String {
    let seats = &game.started.seats;
    format!(
        "game {} goes on after {} plies: {}",
        game.id.digest().short(),
        game.moves.len(),
        pair(projection, &seats.white, &seats.black)
    )
}

/// Says what comes next.
pub(crate) fn in_words(projection: &Projection, era: &Era, next: &NextGame) -> String {
    match next {
        NextGame::Nothing(why) => format!("nothing: {why}"),
        NextGame::Cell {
            stage,
            schedule,
            index,
            seats,
        } => {
            let what = match stage {
                Stage::Newcomer => "placement of a newcomer",
                _ => "first batch",
            };
            let (cohort, cells) = cells_of(projection, schedule);
            let pair = pair(projection, &seats.white, &seats.black);
            format!("{what} {cohort}, game {} of {cells}: {pair}", index + 1)
        }
        NextGame::Drawn { draw, white, black } => {
            let number = number_of(era, draw);
            let pair = pair(projection, white, black);
            format!("draw {number} waits for its game: {pair}")
        }
        NextGame::Draw { number, eligible } => {
            format!("draw {number} among {}", counted(eligible.len(), "system"))
        }
    }
}

fn next_json(projection: &Projection, era: &Era, next: &NextGame) -> Value {
    match next {
        NextGame::Nothing(why) => json!({ "next": "nothing", "why": why }),
        NextGame::Cell {
            stage,
            schedule,
            index,
            seats,
        } => {
            let (cohort, cells) = cells_of(projection, schedule);
            json!({
                "black": projection.name_of(&seats.black),
                "cells": cells,
                "cohort": cohort,
                "index": index,
                "next": "cell",
                "schedule": schedule,
                "stage": stage.as_str(),
                "white": projection.name_of(&seats.white),
            })
        }
        NextGame::Drawn { draw, white, black } => json!({
            "black": projection.name_of(black),
            "draw": draw,
            "next": "draw",
            "number": number_of(era, draw),
            "white": projection.name_of(white),
        }),
        NextGame::Draw { number, eligible } => json!({
            "eligible": eligible,
            "next": "draw_to_make",
            "number": number,
        }),
    }
}

fn made_json(projection: &Projection, draw: EventId, made: &DrawMade) -> Value {
    json!({
        "black": projection.name_of(&made.black),
        "draw": draw,
        "next": "draw",
        "number": made.number,
        "picked": projection.name_of(&made.picked),
        "white": projection.name_of(&made.white),
    })
}

fn game_json(projection: &Projection, game: &Game) -> Value {
    let seats = &game.started.seats;
    json!({
        "black": projection.name_of(&seats.black),
        "game": game.id,
        "next": "goes_on",
        "plies": game.moves.len(),
        "stage": game.started.stage.as_str(),
        "white": projection.name_of(&seats.white),
    })
}

/// The name of a cohort, and how many cells it has.
fn cells_of<'p>(projection: &'p Projection, schedule: &EventId) -> (&'p str, usize) {
    let schedule = projection.schedules.schedule(schedule);
    schedule.map_or(("?", 0), |schedule| {
        (schedule.committed.cohort.as_str(), schedule.cells.len())
    })
}

fn number_of(era: &Era, draw: &EventId) -> u64 {
    let draw = era.draws.iter().find(|made| made.id == *draw);
    draw.map_or(0, |draw| draw.made.number.get())
}

fn pair(projection: &Projection, white: &EventId, black: &EventId) -> String {
    let [white, black] = [white, black].map(|system| projection.name_of(system));
    format!("{white} - {black}")
}
