use crate::board::{Format, LadderBoard, people, placement, render};
use crate::cli::costs::{CostsArgs, print_costs};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::{ReadingArgs, ReportFormat};
use crate::cli::screen::Screen;
use crate::ledger::Disk;

/// Print a board, rebuilt from the events.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    board: Board,
}

#[derive(Debug, clap::Subcommand)]
enum Board {
    /// The ladder of a rating era: who stands where, game by game.
    Ladder(LadderArgs),
    /// People who play against systems, by Elo.
    People(PeopleArgs),
    /// Placement ratings of a cohort: all its games as one Glicko-2 period.
    Placement(PlacementArgs),
    /// The cost breakdown: what everything cost, across rating eras, in total
    /// and along UTC days.
    Costs(CostsArgs),
}

#[derive(Debug, clap::Args)]
struct PlacementArgs {
    /// The cohort [default: the only one there is].
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
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn parse_format(text: &str) -> Result<Format, String> {
    text.parse()
        .map_err(|error: crate::board::ParseFormatError| error.to_string())
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.board {
        Board::Ladder(args) => ladder(args, disk, screen),
        Board::People(args) => print_people(args, disk, screen),
        Board::Placement(args) => print_placement(args, disk, screen),
        Board::Costs(args) => print_costs(args, disk, screen),
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
    let table = people(&projection)?;
    match args.format {
        ReportFormat::Text if table.rows().is_empty() => screen.line("nobody is registered"),
        ReportFormat::Text => screen.data(table.markdown().as_bytes()),
        ReportFormat::Json => screen.line(&format!("{:#}", serde_json::json!(table.objects()))),
    }
    Ok(Exit::Clean)
}

fn print_placement(
    args: &PlacementArgs,
    disk: &Disk,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let (projection, source) = args.reading.project_from_snapshot(disk)?;
    let names: Vec<_> = projection.schedules.cohort_names().collect();
    let cohort = match (&args.cohort, names.as_slice()) {
        (Some(cohort), _) => cohort.clone(),
        (None, [only]) => only.to_string(),
        (None, []) => return Err(CliError::Input("the ledger has no cohort yet".to_owned())),
        (None, names) => {
            let names: Vec<_> = names.iter().map(ToString::to_string).collect();
            return Err(CliError::Input(format!(
                "name one of the cohorts: {}",
                names.join(", ")
            )));
        }
    };
    let board = placement(&projection, &cohort, source)?;
    screen.data(&render(&board, args.format)?);
    Ok(Exit::Clean)
}
