use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

use scoresheet::event::{Event, Verified};
use scoresheet::ledger::{Door, Writer};

use crate::lines::{at, by, new_ledger, text};
use crate::sqlite::Table;
use crate::table::{median_pair, row};

pub(crate) fn rows(lines: &[Verified<Event>], rounds: usize) {
    for batch in [1, 64, 4096] {
        let lines = &lines[..lines.len().min(batch * 300)];
        let pair = median_pair(rounds, || raw_append(lines, batch), || append(lines, batch));
        row(
            &format!("durable append, batches of {batch}"),
            lines.len(),
            pair,
        );
        let pair = median_pair(rounds, || sqlite(lines, batch), || append(lines, batch));
        row("the same; SQLite", lines.len(), pair);
    }
    let pair = median_pair(rounds, || sqlite(lines, 4096), || through_the_door(lines));
    row(
        "batches of 4096 through the door; SQLite",
        lines.len(),
        pair,
    );
}

/// Writes and syncs the same bytes, and nothing else.
fn raw_append(lines: &[Verified<Event>], batch: usize) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let file = File::create_new(folder.path().join("raw")).unwrap();
    let mut offset = 0;
    let start = Instant::now();
    for batch in lines.chunks(batch) {
        let bytes = text(batch);
        file.write_all_at(&bytes, offset).unwrap();
        file.sync_data().unwrap();
        offset += bytes.len() as u64;
    }
    start.elapsed()
}

fn append(lines: &[Verified<Event>], batch: usize) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let disk = new_ledger(&folder.path().join("ledger"));
    let (mut writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let start = Instant::now();
    for batch in lines.chunks(batch) {
        writer.append(batch).unwrap();
    }
    start.elapsed()
}

/// Lines as text, scanned for secrets, parsed, and appended.
fn through_the_door(lines: &[Verified<Event>]) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let disk = new_ledger(&folder.path().join("ledger"));
    let (mut writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let inputs: Vec<Vec<u8>> = lines
        .chunks(4096)
        .map(|batch| {
            let lines: Vec<_> = batch.iter().map(Verified::line).collect();
            lines.join("\n").into_bytes()
        })
        .collect();
    let start = Instant::now();
    for input in inputs {
        let batch = Door::default().take(&input).unwrap();
        writer.append(&batch).unwrap();
    }
    start.elapsed()
}

/// The same lines as rows of a table.
fn sqlite(lines: &[Verified<Event>], batch: usize) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let mut table = Table::new(folder.path());
    let start = Instant::now();
    for batch in lines.chunks(batch) {
        table.insert(batch);
    }
    start.elapsed()
}
