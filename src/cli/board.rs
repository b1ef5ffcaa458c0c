use crate::board::{Format, placement, render};
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

fn parse_format(text: &str) -> Result<Format, String> {
    text.parse()
        .map_err(|error: crate::board::ParseFormatError| error.to_string())
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Board::Placement(args) = &args.board;
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
