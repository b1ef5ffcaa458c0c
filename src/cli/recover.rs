use crate::canonical::Time;
use crate::cli::clock::Asked;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::{parse_by, parse_time, report};
use crate::event::By;
use crate::ledger::{Disk, Writer};

/// Clean up after an interruption: what the next append would do first.
///
/// Bytes that nobody was promised go to quarantine, a torn slot of the head is
/// made whole, and an event records each. Where there is nothing to do, nothing
/// is changed; where what was acknowledged is not there any more, it is refused.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The time of the events, such as 2026-11-29T20:48:00.123Z [default: now].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Time>,

    /// Who writes: printable ASCII without spaces.
    #[arg(long, value_name = "NAME", default_value = "maintainer", value_parser = parse_by)]
    by: By,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (writer, recoveries) = Writer::open(disk, Asked(args.time), &args.by)?;
    report(&recoveries);
    let events = counted(writer.size(), "event");
    screen.line(&if recoveries.is_empty() {
        format!("nothing to recover: {events}, root {}", writer.root())
    } else {
        let recorded = counted(recoveries.len(), "interruption");
        format!(
            "recorded {recorded}; the ledger has {events}, root {}",
            writer.root()
        )
    });
    Ok(Exit::Clean)
}
