use crate::board::{Format, PositionBoard, PositionQuery, render_positions};
use crate::cli::board::parse_format;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::ledger::Disk;

#[derive(Debug, clap::Args)]
pub(crate) struct PositionsArgs {
    /// The list [default: the only one].
    #[arg(long, value_name = "NAME")]
    dataset: Option<String>,

    /// The protocol, by name or id [default: the only one under which the list was
    /// answered].
    #[arg(long, value_name = "NAME")]
    protocol: Option<String>,

    /// The condition [default: the only one under which it was answered there].
    #[arg(long, value_name = "NAME")]
    condition: Option<String>,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn print_positions(
    args: &PositionsArgs,
    disk: &Disk,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    // The tokens of single calls are looked at, which a snapshot may have forgotten.
    let (projection, source) = args.reading.project(disk)?;
    let query = PositionQuery {
        dataset: args.dataset.as_deref(),
        protocol: args.protocol.as_deref(),
        condition: args.condition.as_deref(),
    };
    let board = PositionBoard::of(&projection, query, source);
    let board = board.map_err(|error| CliError::Input(error.to_string()))?;
    screen.data(&render_positions(&board, args.format)?);
    Ok(Exit::Clean)
}
