use crate::board::{CostsBy, Format, costs, placement, render, render_costs};
use crate::canonical::Day;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
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
struct CostsArgs {
    /// What the rows are: the parts of the costs, or who asked with which
    /// thinking setup.
    #[arg(long, value_enum, default_value = "part")]
    by: By,

    /// The first UTC day, such as 2026-11-29 [default: the first with a cost].
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    from: Option<Day>,

    /// The last UTC day [default: the last with a cost].
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    until: Option<Day>,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum By {
    Part,
    System,
}

pub(crate) fn parse_day(text: &str) -> Result<Day, String> {
    text.parse()
        .map_err(|error: crate::canonical::ParseDayError| error.to_string())
}

fn parse_format(text: &str) -> Result<Format, String> {
    text.parse()
        .map_err(|error: crate::board::ParseFormatError| error.to_string())
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.board {
        Board::Placement(args) => run_placement(args, disk, screen),
        Board::Costs(args) => run_costs(args, disk, screen),
    }
}

fn run_costs(args: &CostsArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    if let (Some(from), Some(until)) = (args.from, args.until)
        && until < from
    {
        return Err(CliError::Input(format!(
            "--until {until} is before --from {from}; give the earlier day as --from"
        )));
    }
    let by = match args.by {
        By::Part => CostsBy::Part,
        By::System => CostsBy::System,
    };
    let (projection, source) = args.reading.project(disk)?;
    let board = costs(&projection, by, args.from, args.until, source);
    screen.data(&render_costs(&board, args.format));
    Ok(Exit::Clean)
}

fn run_placement(
    args: &PlacementArgs,
    disk: &Disk,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let (projection, source) = args.reading.project(disk)?;
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
