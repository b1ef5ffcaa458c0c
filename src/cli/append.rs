use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::{ReportFormat, fold};
use crate::cli::screen::{Screen, counted, hint};
use crate::cli::writing::WritingArgs;
use crate::ledger::{Disk, Door, Prefix};

/// Append events to the ledger.
///
/// Takes JSON lines, one event a line in canonical form, and appends all of
/// them or none: the first line that is no event refuses the whole input, with
/// its line, its column and what was expected. When the command returns, the
/// events are on disk for good.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file with the lines, or - for standard input.
    file: PathBuf,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, ledger: &Path, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let disk = Disk::new(ledger);
    // Without a ledger the input is of no interest.
    let prefix = Prefix::open(&disk)?;
    let batch = Door::default().take(&read(&args.file)?)?;
    let (mut projection, _) = fold(&prefix, prefix.size())?;
    let known = projection.findings.len();
    for event in &batch {
        projection.apply(event);
    }
    let Some(receipt) = args.writing.append(&disk, &batch, screen)? else {
        return Ok(Exit::Clean);
    };
    for finding in &projection.findings[known..] {
        hint(&format!(
            "appended, but the evidence contradicts itself now:\n{finding}"
        ));
    }
    match args.format {
        ReportFormat::Text => screen.line(&format!(
            "appended {} from index {}; the ledger has {}, root {}",
            counted(batch.len(), "event"),
            receipt.first_index,
            counted(receipt.size, "event"),
            receipt.root
        )),
        ReportFormat::Json => {
            let ids: Vec<_> = batch.iter().map(|event| event.id().to_string()).collect();
            screen.line(&format!(
                "{:#}",
                serde_json::json!({
                    "first_index": receipt.first_index,
                    "ids": ids,
                    "root": receipt.root.to_string(),
                    "size": receipt.size,
                })
            ));
        }
    }
    Ok(Exit::Clean)
}

fn read(file: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(CliError::io("read standard input"))?;
    } else {
        bytes = std::fs::read(file).map_err(CliError::io(format!("read {}", file.display())))?;
    }
    Ok(bytes)
}
