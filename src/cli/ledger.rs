use std::path::PathBuf;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::refuse_inside;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, counted, hint};
use crate::ledger::{Disk, Prefix, export_tiles};

/// Take the ledger as a whole elsewhere.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    Export(ExportArgs),
}

/// Write the ledger as static C2SP tlog-tiles, for any tile client.
///
/// A web server that serves the folder as it is serves the log. Exports the
/// newest signed checkpoint, or the newest stored one, or the ledger as it
/// stands, unsigned, where none is stored. A new folder appears complete or not at all; one that holds an
/// earlier export of this ledger is added to, and what is there must be the same.
#[derive(Debug, clap::Args)]
struct ExportArgs {
    /// The folder to write.
    folder: PathBuf,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Step::Export(args) = &args.step;
    refuse_inside(disk, &args.folder)?;
    let size = args.reading.size(disk)?;
    let written = export_tiles(disk, &Disk::new(&args.folder), size)?;
    let there = written.checkpoint();
    if !written.is_signed() {
        hint(
            "the checkpoint is unsigned: nobody vouches for it; scoresheet checkpoint --key signs one",
        );
    }
    let later = Prefix::open(disk)?.size() - there.size;
    if later != 0 {
        hint(&format!(
            "{} stand behind the checkpoint and were not exported; scoresheet checkpoint issues a newer one",
            counted(later, "event")
        ));
    }
    screen.line(&format!(
        "exported {}, {}, root {} to {}",
        there.origin,
        counted(there.size, "event"),
        there.root,
        args.folder.display()
    ));
    Ok(Exit::Clean)
}
