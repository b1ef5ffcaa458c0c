use crate::board::{
    AnchoredBoard, Format, LadderBoard, people, people_figures, placement, render, render_anchored,
};
use crate::cli::compute::{ComputeArgs, print_compute};
use crate::cli::costs::{CostsArgs, print_costs};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::positions::{PositionsArgs, print_positions};
use crate::cli::puzzles::{PuzzlesArgs, print_puzzles};
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::event::{Name, ScheduleRule};
use crate::ledger::Disk;
use crate::projection::Projection;

/// Print a board, rebuilt from the events.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    board: Board,
}

#[derive(Debug, clap::Subcommand)]
enum Board {
    /// Ratings against anchors of fixed rating: each system alone, from its own
    /// games.
    Anchored(AnchoredArgs),
    /// The ladder of a rating era: who stands where, game by game.
    Ladder(LadderArgs),
    /// People who play against systems, by Elo.
    People(PeopleArgs),
    /// Placement ratings of a cohort: all its games as one Glicko-2 period.
    Placement(PlacementArgs),
    /// Puzzles: who solved how many of a dataset.
    Puzzles(PuzzlesArgs),
    /// Positions: who answered a list with how many legal moves.
    Positions(PositionsArgs),
    /// What the evidence took: calls, tokens, and time of games, workers, answers and
    /// queues.
    Compute(ComputeArgs),
    /// The cost breakdown: what everything cost, across rating eras, in total
    /// and along UTC days.
    Costs(CostsArgs),
}

#[derive(Debug, clap::Args)]
struct AnchoredArgs {
    /// The cohort [default: the only one with anchors].
    cohort: Option<String>,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

#[derive(Debug, clap::Args)]
struct PlacementArgs {
    /// The cohort [default: the only round robin there is].
    cohort: Option<String>,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

#[derive(Debug, clap::Args)]
struct LadderArgs {
    /// The era [default: the last one that was started].
    era: Option<String>,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

#[derive(Debug, clap::Args)]
struct PeopleArgs {
    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn parse_format(text: &str) -> Result<Format, String> {
    text.parse()
        .map_err(|error: crate::board::ParseFormatError| error.to_string())
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.board {
        Board::Anchored(args) => print_anchored(args, disk, screen),
        Board::Ladder(args) => ladder(args, disk, screen),
        Board::People(args) => print_people(args, disk, screen),
        Board::Placement(args) => print_placement(args, disk, screen),
        Board::Puzzles(args) => print_puzzles(args, disk, screen),
        Board::Positions(args) => print_positions(args, disk, screen),
        Board::Compute(args) => print_compute(args, disk, screen),
        Board::Costs(args) => print_costs(args, disk, screen),
    }
}

fn print_anchored(
    args: &AnchoredArgs,
    disk: &Disk,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    // Moves and calls are looked at, which a snapshot has forgotten.
    let (projection, source) = args.reading.project(disk)?;
    let cohort = match &args.cohort {
        Some(cohort) => cohort.clone(),
        None => only_anchored(&projection)?,
    };
    let board = AnchoredBoard::of(&projection, &cohort, source)?;
    screen.data(&render_anchored(&board, args.format)?);
    Ok(Exit::Clean)
}

/// The cohort that is meant where none is named: the only one with anchors.
pub(crate) fn only_anchored(projection: &Projection) -> Result<String, CliError> {
    let names = projection.schedules.cohort_names();
    let has_anchors = |name: &&Name| {
        let schedule = projection.schedules.cohort(name.as_str());
        schedule.is_some_and(|one| one.committed.rule.has_anchors())
    };
    let names: Vec<_> = names.filter(has_anchors).map(Name::as_str).collect();
    match names.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => Err(CliError::Input(
            "the ledger has no cohort with anchors yet".to_owned(),
        )),
        names => Err(CliError::Input(format!(
            "name one of the cohorts with anchors: {}",
            names.join(", ")
        ))),
    }
}

fn ladder(args: &LadderArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (projection, source) = args.reading.project_from_snapshot(disk)?;
    let names: Vec<_> = projection
        .eras
        .iter()
        .map(|era| era.started.name.as_str())
        .collect();
    let era = match &args.era {
        Some(name) => projection.eras.named(name),
        None => projection.eras.iter().last(),
    };
    let Some(era) = era else {
        let there = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        let wanted = args
            .era
            .as_ref()
            .map_or("no era", |_| "no era of this name");
        let size = source.size;
        return Err(CliError::Input(format!(
            "{wanted} before event {size}; there is: {there}"
        )));
    };
    let board = LadderBoard::of(&projection, era, source);
    screen.data(&board.render(args.format)?);
    Ok(Exit::Clean)
}

fn print_people(args: &PeopleArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (projection, _) = args.reading.project_from_snapshot(disk)?;
    let (table, figures) = (people(&projection)?, people_figures(&projection)?);
    match args.format {
        Format::Text if table.rows().is_empty() => screen.line("nobody is registered"),
        Format::Text | Format::Markdown => screen.data(table.markdown().as_bytes()),
        Format::Csv => screen.data(&figures.csv()),
        Format::Json => screen.line(&format!("{:#}", serde_json::json!(figures.objects()))),
    }
    Ok(Exit::Clean)
}

fn print_placement(
    args: &PlacementArgs,
    disk: &Disk,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let (projection, source) = args.reading.project_from_snapshot(disk)?;
    let cohort = match &args.cohort {
        Some(cohort) => cohort.clone(),
        None => only_cohort(&projection)?,
    };
    let board = placement(&projection, &cohort, source)?;
    screen.data(&render(&board, args.format)?);
    Ok(Exit::Clean)
}

/// The cohort that is meant where none is named: the only round robin. Games of
/// a newcomer are a cohort too, and no pool that anybody asks for unnamed.
fn only_cohort(projection: &Projection) -> Result<String, CliError> {
    let schedule_of = |name: &Name| projection.schedules.cohort(name.as_str());
    let has_anchors =
        |name: &Name| schedule_of(name).is_some_and(|one| one.committed.rule.has_anchors());
    let names = projection.schedules.cohort_names();
    let names = names.filter(|name| !has_anchors(name));
    let (newcomers, pools): (Vec<_>, Vec<_>) = names.partition(|name| {
        schedule_of(name).is_some_and(|one| one.committed.rule == ScheduleRule::Newcomer)
    });
    let in_words = |names: &[&Name]| {
        let names: Vec<_> = names.iter().map(|name| name.as_str()).collect();
        names.join(", ")
    };
    let message = match (pools.as_slice(), newcomers.as_slice()) {
        ([only], _) => return Ok(only.to_string()),
        ([], []) => "the ledger has no such cohort yet".to_owned(),
        (pools, []) => format!("name one of the cohorts: {}", in_words(pools)),
        (pools, newcomers) => format!(
            "name one of the cohorts: {} (there are also those of newcomers: {})",
            in_words(pools),
            in_words(newcomers)
        ),
    };
    Err(CliError::Input(message))
}
