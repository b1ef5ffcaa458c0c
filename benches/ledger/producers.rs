use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use scoresheet::event::{Event, Verified};
use scoresheet::ledger::{SharedWriter, Writer};

use crate::append::sqlite;
use crate::lines::{at, by, new_ledger};
use crate::table::{median_pair, row};

const PRODUCERS: usize = 64;

pub(crate) fn rows(lines: &[Verified<Event>], rounds: usize) {
    let lines = &lines[..lines.len().min(PRODUCERS * 200)];
    let pair = median_pair(rounds, || bare(lines), || shared(lines));
    row("64 producers; bare group commit", lines.len(), pair);
    let pair = median_pair(rounds, || sqlite(lines, PRODUCERS), || shared(lines));
    row("64 producers; SQLite, batches of 64", lines.len(), pair);
}

/// Every producer hands a line to one thread, which writes and syncs whatever
/// waits, and tells each.
fn bare(lines: &[Verified<Event>]) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let file = File::create_new(folder.path().join("raw")).unwrap();
    let (to_writer, waiting) = channel::<(Vec<u8>, std::sync::mpsc::SyncSender<()>)>();
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut offset = 0;
            while let Ok(first) = waiting.recv() {
                let mut bytes = Vec::new();
                let mut told = Vec::new();
                for (line, tell) in std::iter::once(first).chain(waiting.try_iter()) {
                    bytes.extend(line);
                    told.push(tell);
                }
                file.write_all_at(&bytes, offset).unwrap();
                file.sync_data().unwrap();
                offset += bytes.len() as u64;
                for tell in told {
                    tell.send(()).unwrap();
                }
            }
        });
        for share in lines.chunks(lines.len().div_ceil(PRODUCERS)) {
            let to_writer: Sender<_> = to_writer.clone();
            scope.spawn(move || {
                let (tell, told) = sync_channel(1);
                for line in share {
                    let line = format!("{}\n", line.line()).into_bytes();
                    to_writer.send((line, tell.clone())).unwrap();
                    told.recv().unwrap();
                }
            });
        }
        drop(to_writer);
    });
    start.elapsed()
}

/// Every producer makes events and appends one at a time.
fn shared(lines: &[Verified<Event>]) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let disk = new_ledger(&folder.path().join("ledger"));
    let (writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let shared = SharedWriter::new(writer);
    let start = Instant::now();
    thread::scope(|scope| {
        for share in lines.chunks(lines.len().div_ceil(PRODUCERS)) {
            let shared = &shared;
            scope.spawn(move || {
                for event in share {
                    let event = Verified::write(Event::clone(event)).unwrap();
                    shared.append(vec![event]).unwrap();
                }
            });
        }
    });
    start.elapsed()
}
