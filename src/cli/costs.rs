use crate::board::{CostsBy, Format, costs, render_costs};
use crate::canonical::Day;
use crate::cli::board::parse_format;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::ledger::Disk;

/// What `board costs` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct CostsArgs {
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

/// Prints the cost breakdown.
pub(crate) fn print_costs(
    args: &CostsArgs,
    disk: &Disk,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
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
    let (projection, source) = args.reading.project_from_snapshot(disk)?;
    let board = costs(&projection, by, args.from, args.until, source);
    screen.data(&render_costs(&board, args.format));
    Ok(Exit::Clean)
}
