use std::io;
use std::path::PathBuf;

use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::open_input;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted, hint, progress_bar};
use crate::cli::waive::standing_in;
use crate::cli::writing::report;
use crate::event::{By, Event, Verified, What};
use crate::finding::{Code, Place};
use crate::ledger::{
    Disk, Known, Packs, Prefix, PrivateRoll, Spool, Writer, open_packed, read_blob,
};
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

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    // Without a ledger the input is of no interest.
    Prefix::open(disk)?;
    // Only where something looks like a credential are the waivers worth the reading.
    let mut batch = Spool::fill(open_input(&args.file)?, || standing_in(disk))?;
    if args.dry_run {
        refuse_contradictions(args, disk, &mut batch)?;
        for event in batch.events().map_err(unread())? {
            screen.event(&event.map_err(unread())?);
        }
        return Ok(Exit::Clean);
    }
    // The lines carry their own time and author; these are for a recovery. The
    // lock is taken first: what the batch is held against stays true.
    let (mut writer, recoveries) = Writer::open(disk, WallClock, &author()?)?;
    report(&recoveries);
    refuse_contradictions(args, disk, &mut batch)?;
    let bar = progress_bar("appending");
    bar.set_length(batch.count());
    let events = batch.events().map_err(unread())?;
    let receipt = writer.append_each(events.inspect(|_| bar.inc(1)))?;
    bar.finish_and_clear();
    match args.format {
        ReportFormat::Text => screen.line(&format!(
            "appended {} from index {}; the ledger has {}, root {}",
            counted(batch.count(), "event"),
            receipt.first_index,
            counted(receipt.size, "event"),
            receipt.root
        )),
        ReportFormat::Json => {
            let ids = batch.events().map_err(unread())?;
            let ids = ids.map(|event| event.map(|event| event.id().to_string()));
            let ids: Vec<_> = ids.collect::<Result<_, _>>().map_err(unread())?;
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

fn unread() -> impl FnOnce(io::Error) -> CliError {
    CliError::io("read the input again")
}

/// Who records a recovery that opening for an append found necessary.
fn author() -> Result<By, CliError> {
    "scoresheet/append"
        .parse()
        .map_err(|error: &str| CliError::Input(error.to_owned()))
}

/// Holds a batch against the ledger: its references, and the state of its games.
fn refuse_contradictions(args: &Args, disk: &Disk, batch: &mut Spool) -> Result<(), CliError> {
    let prefix = Prefix::open(disk)?;
    let mut known = Known::default();
    let mut projection = Projection::forgetful();
    let place = |event: &Verified<Event>| Place::event(*event.id().digest());
    let mut no_room = Ok(());
    prefix.read(prefix.size(), |_, event| {
        // What is wrong before the batch is not its doing.
        if let Err(error) = known.take(&event, place(&event)) {
            no_room = Err(error);
        }
        projection.apply(&event);
    })?;
    let no_room_to = || CliError::io("keep the ids in a temporary file (see TMPDIR)");
    no_room.map_err(no_room_to())?;
    let has_store = PrivateRoll::open(disk)?.has_store();
    let packs = Packs::open(disk)?;
    for (number, event) in (1..).zip(batch.events().map_err(unread())?) {
        let event = event.map_err(unread())?;
        refuse_kind(number, &event)?;
        for digest in event.what.blobs() {
            read_blob(disk, digest).map_err(|error| {
                CliError::Input(format!("line {number}: {error}; nothing was appended"))
            })?;
        }
        if has_store {
            for body in event.what.bodies() {
                open_packed(disk, &packs, body).map_err(|error| {
                    CliError::Input(format!(
                        "line {number} names the private body {}: {error}; nothing was appended",
                        body.sha256
                    ))
                })?;
            }
        }
        let before = projection.findings.len();
        let found = known.take(&event, place(&event));
        let mut findings = found.map_err(no_room_to())?;
        projection.apply(&event);
        findings.extend(projection.findings.drain(before..));
        let Some(blocker) = findings.iter().find(|finding| finding.is_blocker()) else {
            continue;
        };
        // Two facts never share a line, whatever else may be wrong with them.
        if args.with_findings && blocker.code != Code::DuplicateEvent {
            hint(&format!("line {number} contradicts the ledger:\n{blocker}"));
            continue;
        }
        let way_out = if blocker.code == Code::DuplicateEvent {
            ""
        } else {
            " (--with-findings appends it all the same)"
        };
        return Err(CliError::Input(format!(
            "line {number} contradicts the ledger; nothing was appended{way_out}\n  expected: {}\n  found:    {}",
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
        What::PrivateErased(_) => "scoresheet erase",
        What::CohortFrozen(_) => "scoresheet freeze",
        What::ReleasePublished(_) => "scoresheet release publish",
        _ => return Ok(()),
    };
    Err(CliError::Input(format!(
        "line {number}: {} is written by {command}; nothing was appended",
        event.what.kind().name
    )))
}
