use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::mpsc::{SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use scoresheet::event::{Event, Verified};
use scoresheet::ledger::{SharedWriter, Writer};

use crate::lines::{at, by, new_ledger, text};
use crate::sqlite::Table;
use crate::table::{median_pair, row};

const PRODUCERS: usize = 64;

pub(crate) fn rows(lines: &[Verified<Event>], rounds: usize) {
    let lines = &lines[..lines.len().min(PRODUCERS * 200)];
    let pair = median_pair(rounds, || bare(lines), || shared(lines));
    row("64 producers; bare group commit", lines.len(), pair);
    let pair = median_pair(rounds, || table(lines), || shared(lines));
    row("64 producers; SQLite", lines.len(), pair);
}

/// Every producer hands a line to one thread, which writes and syncs whatever
/// waits, and tells each.
fn bare(lines: &[Verified<Event>]) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let file = File::create_new(folder.path().join("raw")).unwrap();
    let mut offset = 0;
    handed_over(lines, move |batch| {
        let bytes = text(batch.iter().copied());
        file.write_all_at(&bytes, offset).unwrap();
        file.sync_data().unwrap();
        offset += bytes.len() as u64;
    })
}

/// The same, with a table in place of the file.
fn table(lines: &[Verified<Event>]) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let mut table = Table::new(folder.path());
    handed_over(lines, move |batch| table.insert(batch.iter().copied()))
}

type Handed<'a> = (&'a Verified<Event>, SyncSender<()>);

fn handed_over(
    lines: &[Verified<Event>],
    mut commit: impl FnMut(&[&Verified<Event>]) + Send,
) -> Duration {
    let (to_writer, waiting) = channel::<Handed<'_>>();
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(move || {
            while let Ok(first) = waiting.recv() {
                let group = std::iter::once(first).chain(waiting.try_iter());
                let (batch, told): (Vec<_>, Vec<_>) = group.unzip();
                commit(&batch);
                for tell in told {
                    tell.send(()).unwrap();
                }
            }
        });
        for share in lines.chunks(lines.len().div_ceil(PRODUCERS)) {
            let to_writer = to_writer.clone();
            scope.spawn(move || {
                let (tell, told) = sync_channel(1);
                for line in share {
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
