use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::{WritingArgs, report};
use crate::ledger::{Disk, Writer};

/// Clean up after an interruption: what the next append would do first.
///
/// Bytes that nobody was promised go to quarantine, a torn slot of the head is
/// made whole, and an event records each. Where there is nothing to do, nothing
/// is changed; where what was acknowledged is not there any more, it is refused.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    if args.writing.dry_run {
        return Err(CliError::Input(
            "what would be recorded is known once it is done; scoresheet verify says what there is to do".to_owned(),
        ));
    }
    let (writer, recoveries) = Writer::open(disk, args.writing.at(), args.writing.by())?;
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
