use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::chess::Color;
use crate::cli::era::find;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::{ReadingArgs, ReportFormat};
use crate::cli::screen::{Screen, counted};
use crate::digest::Digest;
use crate::event::{EventId, Stage, What};
use crate::finding::{Finding, Place};
use crate::ledger::Disk;
use crate::projection::{Chosen, Era, Game, GameState, Projection};

/// Say for every game of an era how it was chosen.
///
/// A cell of the first batch, a cell of a newcomer, a draw of the ladder, or a
/// person who said so. Before the era is closed a draw can be held against who
/// was eligible; once its seed is revealed, against the seed. Exit code 1 where
/// a game was not chosen, or not as the rules choose.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The era [default: the one that goes on, or the only one].
    era: Option<String>,

    /// Text for people, or JSON for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// How the games of an era were chosen.
#[derive(Serialize)]
struct Report {
    era: String,
    draws: Draws,
    games: Vec<Row>,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Draws {
    made: usize,
    /// Those that wait for their game, by number.
    waiting: Vec<u64>,
    is_seed_revealed: bool,
    /// Whether the era was closed without it.
    is_seed_lost: bool,
    /// How many the seed gives; nothing before it is revealed.
    borne_out: Option<usize>,
}

#[derive(Serialize)]
struct Row {
    game: EventId,
    white: String,
    black: String,
    stage: &'static str,
    chosen: String,
    is_chosen: bool,
    is_by_allocator: bool,
    end: &'static str,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut writers: BTreeMap<EventId, String> = BTreeMap::new();
    let mut closings: BTreeMap<EventId, EventId> = BTreeMap::new();
    let (projection, _) = args
        .reading
        .project_with(disk, |_, event| match &event.what {
            What::GameStarted(started) if started.stage == Stage::Manual => {
                writers.insert(event.id(), event.by.to_string());
            }
            What::EraClosed(closed) => {
                closings.insert(closed.era, event.id());
            }
            _ => {}
        })?;
    let era = find(&projection, args.era.as_deref())?;
    let games: Vec<_> = games(&projection, era).collect();
    let rows = games
        .iter()
        .map(|game| row(&projection, era, game, &writers));
    let report = Report {
        era: era.started.name.to_string(),
        draws: draws(era),
        games: rows.collect(),
        findings: findings(&projection, era, &games, closings.get(&era.id)),
    };
    match args.format {
        ReportFormat::Json => screen.document(&report)?,
        ReportFormat::Text => show(&report, screen),
    }
    let is_clean = report.games.iter().all(|row| row.is_chosen)
        && report
            .draws
            .borne_out
            .is_none_or(|n| n == report.draws.made);
    Ok(match Exit::of(&report.findings) {
        Exit::Clean if !is_clean => Exit::Blocked,
        exit => exit,
    })
}

/// The games that systems played in an era, in the order they were started.
fn games<'p>(projection: &'p Projection, era: &Era) -> impl Iterator<Item = &'p Game> {
    let era = era.id;
    let games = projection.games.iter();
    games.filter(move |game| {
        game.era == Some(era) && game.started.stage.is_between_systems()
            || game.cell().is_some_and(|cell| {
                // The first batch may have begun before its era.
                let placed = projection.eras.placed_by(&cell.schedule);
                game.started.stage == Stage::Placement && placed.map(|era| era.id) == Some(era)
            })
    })
}

fn row(
    projection: &Projection,
    era: &Era,
    game: &Game,
    writers: &BTreeMap<EventId, String>,
) -> Row {
    let chosen = projection.chosen(era, game);
    Row {
        game: game.id,
        white: projection.name_of(game.seat(Color::White)),
        black: projection.name_of(game.seat(Color::Black)),
        stage: game.started.stage.as_str(),
        chosen: match chosen {
            Chosen::FirstBatch { cell } => format!("first batch, game {}", cell + 1),
            Chosen::Newcomer { newcomer, cell } => {
                let name = projection.name_of(&newcomer);
                format!("placement of {name}, game {}", cell + 1)
            }
            Chosen::Drawn { number } => format!("draw {number}"),
            Chosen::Manual => format!(
                "by hand, by {}",
                writers.get(&game.id).map_or("nobody", String::as_str)
            ),
            Chosen::Nothing => "not chosen".to_owned(),
        },
        is_chosen: chosen.is_chosen(),
        is_by_allocator: chosen.is_by_allocator(),
        end: match game.state {
            GameState::Playing => "goes on",
            GameState::Finished { .. } if game.is_excluded => "excluded",
            GameState::Finished { result, .. } => result.as_str(),
            GameState::Aborted { .. } => "aborted",
        },
    }
}

fn draws(era: &Era) -> Draws {
    let waiting = era.draws.iter().filter(|draw| draw.game.is_none());
    let borne_out = era.seed.as_ref().map(|seed| {
        let draws = era.draws.iter();
        draws.filter(|draw| era.bears_out(draw, seed)).count()
    });
    Draws {
        made: era.draws.len(),
        waiting: waiting.map(|draw| draw.made.number.get()).collect(),
        is_seed_revealed: era.seed.is_some(),
        is_seed_lost: era.is_closed && era.seed.is_none(),
        borne_out,
    }
}

/// What is wrong with events that choose, or that were chosen.
fn findings(
    projection: &Projection,
    era: &Era,
    games: &[&Game],
    closing: Option<&EventId>,
) -> Vec<Finding> {
    let ids = games.iter().map(|game| game.id);
    let ids = ids
        .chain(era.draws.iter().map(|draw| draw.id))
        .chain(era.newcomers.iter().map(|newcomer| newcomer.schedule))
        .chain([era.id])
        .chain(closing.copied());
    let ids: BTreeSet<Digest> = ids.map(|id| *id.digest()).collect();
    let found = projection.findings.iter().filter(|finding| {
        let Place { event, .. } = &finding.place;
        event.is_some_and(|event| ids.contains(&event))
    });
    found.cloned().collect()
}

fn show(report: &Report, screen: &mut Screen<'_>) {
    for row in &report.games {
        let Row {
            white,
            black,
            chosen,
            end,
            ..
        } = row;
        let id = row.game.digest().short();
        screen.line(&format!("{id}  {white} - {black}  {end}  {chosen}"));
    }
    let n_by_allocator = report
        .games
        .iter()
        .filter(|row| row.is_by_allocator)
        .count();
    let n_unchosen = report.games.iter().filter(|row| !row.is_chosen).count();
    screen.line(&format!(
        "era {}: {}, {n_by_allocator} of them chosen by the allocator, {} by hand, {n_unchosen} by nothing",
        report.era,
        counted(report.games.len(), "game"),
        report.games.len() - n_by_allocator - n_unchosen,
    ));
    let draws = &report.draws;
    for number in &draws.waiting {
        screen.line(&format!("draw {number} has no game yet"));
    }
    screen.line(&match draws.borne_out {
        None if draws.is_seed_lost => format!(
            "{} made; the seed is lost, and none can be checked against it",
            counted(draws.made, "draw")
        ),
        None => format!(
            "{} made; the seed is not revealed yet",
            counted(draws.made, "draw")
        ),
        Some(all) if all == draws.made => {
            format!("all {} are what the seed gives", counted(all, "draw"))
        }
        Some(some) => format!(
            "only {some} of {} are what the seed gives",
            counted(draws.made, "draw")
        ),
    });
    screen.findings(&report.findings);
}
