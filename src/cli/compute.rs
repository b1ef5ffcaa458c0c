use crate::board::{ComputeBoard, Format, render_compute};
use crate::cli::board::parse_format;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::ledger::Disk;
use crate::projection::Compute;

#[derive(Debug, clap::Args)]
pub(crate) struct ComputeArgs {
    /// A cohort or dataset, or `ladder` [default: everything].
    of: Option<String>,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn print_compute(
    args: &ComputeArgs,
    disk: &Disk,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let mut compute = Compute::default();
    let each = |_, event: &_| compute.take(event);
    let (projection, source) = args.reading.project_with(disk, each)?;
    let board = ComputeBoard::of(&projection, &compute, args.of.as_deref(), source);
    let board = board.map_err(|error| CliError::Input(error.to_string()))?;
    screen.data(&render_compute(&board, args.format));
    Ok(Exit::Clean)
}
