use crate::board::{Format, PuzzleBoard, render_puzzles};
use crate::cli::board::parse_format;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::ledger::Disk;

#[derive(Debug, clap::Args)]
pub(crate) struct PuzzlesArgs {
    /// The dataset [default: the only one].
    #[arg(long, value_name = "NAME")]
    dataset: Option<String>,

    /// The protocol, by name or id [default: the only one under which the dataset
    /// was answered].
    #[arg(long, value_name = "NAME")]
    protocol: Option<String>,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn print_puzzles(
    args: &PuzzlesArgs,
    disk: &Disk,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    // The costs of single calls are looked at, which a snapshot may have forgotten.
    let (projection, source) = args.reading.project(disk)?;
    let (dataset, protocol) = (args.dataset.as_deref(), args.protocol.as_deref());
    let board = PuzzleBoard::of(&projection, dataset, protocol, source)?;
    screen.data(&render_puzzles(&board, args.format)?);
    Ok(Exit::Clean)
}
