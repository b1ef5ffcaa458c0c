use std::path::Path;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::ledger::{Checkpoint, Disk, issue_checkpoint};

/// Issue a checkpoint: origin, size and root of the ledger, as a text to keep.
///
/// The text is a C2SP tlog-checkpoint without signatures. It is stored under
/// checkpoints/ in the ledger and printed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    reading: ReadingArgs,

    /// Print the checkpoint and store nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, ledger: &Path, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (_, source) = args.reading.project(ledger)?;
    let named = source.checkpoint();
    let checkpoint = Checkpoint::new(source.origin, named);
    if !args.dry_run {
        issue_checkpoint(&Disk::new(ledger), &checkpoint)?;
    }
    screen.data(checkpoint.to_string().as_bytes());
    Ok(Exit::Clean)
}
