use std::path::{Path, PathBuf};

use crate::canonical::Clock as _;
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted, hint};
use crate::cli::writing::report;
use crate::event::{By, Event, Verified, What};
use crate::finding::Place;
use crate::ledger::{Disk, Door, Known, Prefix, Writer, read_blob};
use crate::projection::Projection;

/// Append events to the ledger.
///
/// Takes JSON lines, one event a line in canonical form, and appends all of
/// them or none: the first line that is no event refuses the whole input, with
/// its line, its column and what was expected. So does a line that would
/// contradict what the ledger holds: nothing can take it out again. When the
/// command returns, the events are on disk for good.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file with the lines, or - for standard input.
    file: PathBuf,

    /// Append also what contradicts the ledger: it will block every audit.
    #[arg(long)]
    with_findings: bool,

    /// Print the lines that would be appended, and append nothing.
    #[arg(long)]
    dry_run: bool,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(crate) fn run(args: &Args, ledger: &Path, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let disk = Disk::new(ledger);
    // Without a ledger the input is of no interest.
    Prefix::open(&disk)?;
    let batch = Door::default().take(&read_input(&args.file)?)?;
    if args.dry_run {
        refuse_contradictions(args, &disk, &batch)?;
        for event in &batch {
            screen.line(event.line());
        }
        return Ok(Exit::Clean);
    }
    // The lines carry their own time and author; these are for a recovery. The
    // lock is taken first: what the batch is held against stays true.
    let (mut writer, recoveries) = Writer::open(&disk, WallClock.now(), &author()?)?;
    report(&recoveries);
    refuse_contradictions(args, &disk, &batch)?;
    let receipt = writer.append(&batch)?;
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

/// Who records a recovery that opening for an append found necessary.
fn author() -> Result<By, CliError> {
    "scoresheet/append"
        .parse()
        .map_err(|error: &str| CliError::Input(error.to_owned()))
}

/// Holds a batch against the ledger: its references, and the state of its games.
fn refuse_contradictions(
    args: &Args,
    disk: &Disk,
    batch: &[Verified<Event>],
) -> Result<(), CliError> {
    let prefix = Prefix::open(disk)?;
    let mut known = Known::default();
    let mut projection = Projection::default();
    let place = |event: &Verified<Event>| Place::event(*event.id().digest());
    prefix.read(prefix.size(), |_, event| {
        // What is wrong before the batch is not its doing.
        drop(known.take(&event, place(&event)));
        projection.apply(&event);
    })?;
    for (number, event) in (1..).zip(batch) {
        refuse_kind(number, event)?;
        for digest in event.what.blobs() {
            read_blob(disk, digest).map_err(|error| {
                CliError::Input(format!("line {number}: {error}; nothing was appended"))
            })?;
        }
        let before = projection.findings.len();
        let mut findings = known.take(event, place(event));
        projection.apply(event);
        findings.extend(projection.findings.drain(before..));
        let Some(blocker) = findings.iter().find(|finding| finding.is_blocker()) else {
            continue;
        };
        if args.with_findings {
            hint(&format!("line {number} contradicts the ledger:\n{blocker}"));
            continue;
        }
        return Err(CliError::Input(format!(
            "line {number} contradicts the ledger; nothing was appended (--with-findings appends it all the same)\n  expected: {}\n  found:    {}",
            blocker.expected, blocker.found
        )));
    }
    Ok(())
}

/// Some facts are made by the command that writes them, with files beside them.
fn refuse_kind(number: usize, event: &Verified<Event>) -> Result<(), CliError> {
    let command = match &event.what {
        What::LedgerOpened(_) => "scoresheet init",
        What::RecoveryRecorded(_) => "the ledger itself, when it is opened",
        What::CohortFrozen(_) => "scoresheet freeze",
        What::ReleasePublished(_) => "scoresheet release publish",
        _ => return Ok(()),
    };
    Err(CliError::Input(format!(
        "line {number}: {} is written by {command}; nothing was appended",
        event.what.kind().name
    )))
}
