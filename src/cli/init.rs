use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::cli::writing::WritingArgs;
use crate::event::{LedgerOpened, Origin};
use crate::ledger::{Disk, create};

/// Make a new ledger.
///
/// The folder appears whole or not at all; its first event is `ledger.opened`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder to make [default: that of --ledger].
    dir: Option<PathBuf>,

    /// The name of the ledger for ever, best a schema-less URL such as
    /// example.org/chess/ledger-1 [default: local/ and the folder's name].
    #[arg(long, value_parser = parse_origin)]
    origin: Option<Origin>,

    #[command(flatten)]
    writing: WritingArgs,
}

fn parse_origin(text: &str) -> Result<Origin, String> {
    text.parse().map_err(str::to_owned)
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let disk = match &args.dir {
        Some(dir) => disk.elsewhere(dir),
        None => disk.clone(),
    };
    let folder = disk.root();
    let origin = match &args.origin {
        Some(origin) => origin.clone(),
        None => default_origin(folder)?,
    };
    let opened = args.writing.event(LedgerOpened {
        origin: origin.clone(),
    })?;
    if args.writing.dry_run {
        screen.event(&opened);
        return Ok(Exit::Clean);
    }
    let receipt = create(&disk, origin.clone(), opened.at, args.writing.by().clone())?;
    screen.line(&format!(
        "made the ledger {origin} in {}: 1 event, root {}",
        folder.display(),
        receipt.root
    ));
    Ok(Exit::Clean)
}

/// Names a ledger after its folder, for people who only try things out.
fn default_origin(folder: &Path) -> Result<Origin, CliError> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '-'
            }
        })
        .collect();
    format!("local/{plain}").parse().map_err(|error: &str| {
        CliError::Input(format!(
            "no origin for this folder: {error}; give one with --origin"
        ))
    })
}
