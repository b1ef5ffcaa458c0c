use crate::canonical::Count;
use crate::cli::desk::Desk;
use crate::cli::era::{find, seed_error};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::WritingArgs;
use crate::event::{DrawMade, EventId, Stage};
use crate::ledger::{Disk, open_seed};
use crate::projection::{Draw, Era, NextGame, Projection};

/// Say what a ladder plays next.
///
/// A game that goes on comes first, then those of the first batch, those of
/// newcomers, and a draw that waits for its game. Where none does, a draw is made from the era's seed
/// and appended as `draw.made`; the next `scoresheet run` plays it. A draw is
/// made once: asked again, this shows it. Exit code 1 where nothing can be
/// played now.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The era [default: the one that goes on].
    era: Option<String>,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let projection = desk.projection();
    let era = find(projection, args.era.as_deref())?;
    if let Some(line) = goes_on(projection, era) {
        screen.line(&line);
        return Ok(Exit::Clean);
    }
    let (number, eligible) = match projection.next_game(era, desk.at()) {
        NextGame::Nothing(why) => {
            screen.line(&format!("nothing: {why}"));
            return Ok(Exit::Blocked);
        }
        NextGame::Cell {
            stage,
            schedule,
            index,
            seats,
        } => {
            let pair = pair(projection, &seats.white, &seats.black);
            let schedule = projection.schedules.schedule(&schedule);
            let (cohort, cells) = schedule.map_or(("?", 0), |schedule| {
                (schedule.committed.cohort.as_str(), schedule.cells.len())
            });
            let what = match stage {
                Stage::Newcomer => "placement of a newcomer",
                _ => "first batch",
            };
            let number = index + 1;
            screen.line(&format!(
                "{what} {cohort}, game {number} of {cells}: {pair}"
            ));
            return Ok(Exit::Clean);
        }
        NextGame::Drawn { draw, white, black } => {
            let pair = pair(projection, &white, &black);
            let draw = era.draws.iter().find(|made| made.id == draw);
            let number = draw.map_or(Count::ZERO, |draw| draw.made.number);
            screen.line(&format!("draw {number} waits for its game: {pair}"));
            return Ok(Exit::Clean);
        }
        NextGame::Draw { number, eligible } => (number, eligible),
    };
    let seed = open_seed(disk, &era.started.seed_sha256).map_err(seed_error)?;
    let draw = Draw::new(era.id, number, &eligible, era.rule.reach.get());
    let choice = draw.choose(&seed).ok_or_else(|| {
        CliError::Evidence("no two of the eligible systems can play one another".to_owned())
    })?;
    let among = counted(eligible.len(), "system");
    let made = DrawMade {
        black: choice.black,
        eligible,
        era: era.id,
        number: Count::saturating(number),
        picked: choice.picked,
        white: choice.white,
    };
    desk.say(made)?;
    if desk.commit(screen)? {
        let projection = desk.projection();
        let pair = pair(projection, &choice.white, &choice.black);
        let picked = projection.name_of(&choice.picked);
        screen.line(&format!(
            "draw {number} among {among}: {pair} ({picked} was picked)"
        ));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

/// The game that a run goes on with before it plays anything else.
fn goes_on(projection: &Projection, era: &Era) -> Option<String> {
    let mut playing = projection.games.playing();
    let game =
        playing.find(|game| game.era == Some(era.id) && game.started.stage.is_between_systems())?;
    let seats = &game.started.seats;
    Some(format!(
        "game {} goes on after {} plies: {}",
        game.id.digest().short(),
        game.moves.len(),
        pair(projection, &seats.white, &seats.black)
    ))
}

fn pair(projection: &Projection, white: &EventId, black: &EventId) -> String {
    let [white, black] = [white, black].map(|system| projection.name_of(system));
    format!("{white} - {black}")
}
