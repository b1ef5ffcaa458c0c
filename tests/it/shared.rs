//! Group commit: many producers, one writer.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use scoresheet::event::{Event, Verified};
use scoresheet::ledger::{
    Disk, Entry, FolderLock, LedgerError, Mode, Prefix, SharedWriter, Storage, StorageFile, Writer,
};

use crate::ledger::{Bench, by, expenses, noon};

/// A disk that counts syncs of files, and fails each from a number on.
struct Counting {
    disk: Disk,
    syncs: Arc<Syncs>,
}

struct Syncs {
    made: AtomicU64,
    fail_from: AtomicU64,
}

struct CountingFile {
    file: Box<dyn StorageFile>,
    syncs: Arc<Syncs>,
}

impl Counting {
    fn new(bench: &Bench) -> Self {
        let syncs = Syncs {
            made: AtomicU64::new(0),
            fail_from: AtomicU64::new(u64::MAX),
        };
        Self {
            disk: bench.disk(),
            syncs: Arc::new(syncs),
        }
    }

    /// From now on so many syncs go well, and no more.
    fn fail_after(&self, syncs: u64) {
        let from = self.syncs.made.load(Ordering::SeqCst) + syncs;
        self.syncs.fail_from.store(from, Ordering::SeqCst);
    }
}

impl Storage for Counting {
    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        self.disk.read(path, bytes_max)
    }
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        self.disk.list(folder)
    }
    fn open(&self, path: &str, mode: Mode) -> io::Result<Box<dyn StorageFile>> {
        Ok(Box::new(CountingFile {
            file: self.disk.open(path, mode)?,
            syncs: Arc::clone(&self.syncs),
        }))
    }
    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.disk.create_folder(path)
    }
    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.rename_new(from, to)
    }
    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.replace(from, to)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.disk.remove(path)
    }
    fn sync_folder(&self, path: &str) -> io::Result<()> {
        self.disk.sync_folder(path)
    }
    fn try_lock(&self) -> io::Result<Option<FolderLock>> {
        self.disk.try_lock()
    }
    fn describe(&self) -> String {
        self.disk.describe()
    }
}

impl StorageFile for CountingFile {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(offset, into)
    }
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(offset, bytes)
    }
    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.file.set_length(bytes)
    }
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }
    fn sync(&mut self) -> io::Result<()> {
        let made = self.syncs.made.fetch_add(1, Ordering::SeqCst);
        if self.syncs.fail_from.load(Ordering::SeqCst) <= made {
            return Err(io::Error::other("the disk is gone"));
        }
        self.file.sync()
    }
    fn try_lock(&self) -> io::Result<bool> {
        self.file.try_lock()
    }
    fn is_locked(&self) -> io::Result<bool> {
        self.file.is_locked()
    }
    fn still_at(&self, path: &str) -> io::Result<bool> {
        self.file.still_at(path)
    }
}

/// The ids that stand in a ledger, in order.
fn ids(bench: &Bench) -> Vec<String> {
    let disk = bench.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut ids = Vec::new();
    prefix
        .read(prefix.size(), |_, event| ids.push(event.id().to_string()))
        .unwrap();
    ids
}

const PRODUCERS: usize = 16;
const ROUNDS: usize = 40;

#[test]
fn what_many_producers_append_at_once_stands_there_once_where_their_receipts_say() {
    let bench = Bench::new();
    let disk = Counting::new(&bench);
    let (writer, _) = Writer::open(&disk, noon(), &by()).unwrap();
    let shared = SharedWriter::new(writer);
    let said: Vec<(u64, Vec<Verified<Event>>)> = thread::scope(|scope| {
        let shared = &shared;
        let produce = |producer: usize| {
            scope.spawn(move || {
                let batch = |round| {
                    let batch = expenses(1000 * producer + 3 * round, 1 + round % 3);
                    let receipt = shared.append(batch.clone()).unwrap();
                    (receipt.first_index, batch)
                };
                (0..ROUNDS).map(batch).collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = (0..PRODUCERS).map(produce).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let size = shared.into_writer().size();
    let ids = ids(&bench);
    assert_eq!(u64::try_from(ids.len()), Ok(size));
    let mut seen = BTreeSet::new();
    for (first_index, batch) in said {
        for (index, event) in (first_index..).zip(batch) {
            let index = usize::try_from(index).unwrap();
            assert_eq!(ids[index], event.id().to_string());
            assert!(seen.insert(index), "two receipts for event {index}");
        }
    }
    assert_eq!(seen.len() + 1, ids.len(), "all but ledger.opened");
    assert_eq!(bench.findings(), vec![]);
    // Two syncs a commit: fewer than half of what each alone would take.
    let alone = u64::try_from(2 * PRODUCERS * ROUNDS).unwrap();
    assert!(disk.syncs.made.load(Ordering::SeqCst) < alone / 2);
}

#[test]
fn of_producers_that_say_the_same_at_once_one_is_taken_and_the_others_are_told() {
    let bench = Bench::new();
    let disk = bench.disk();
    let (writer, _) = Writer::open(&disk, noon(), &by()).unwrap();
    let shared = SharedWriter::new(writer);
    let barrier = Barrier::new(PRODUCERS);
    let taken: usize = thread::scope(|scope| {
        let append = |producer: usize| {
            let (shared, barrier) = (&shared, &barrier);
            scope.spawn(move || {
                barrier.wait();
                // One line that all have, between two that nobody else has.
                let batch = [
                    expenses(10 + 2 * producer, 1),
                    expenses(5, 1),
                    expenses(11 + 2 * producer, 1),
                ];
                match shared.append(batch.concat()) {
                    Ok(_) => 1,
                    Err(LedgerError::Duplicate { line: 2, .. }) => 0,
                    Err(error) => panic!("{error}"),
                }
            })
        };
        let threads: Vec<_> = (0..PRODUCERS).map(append).collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    });
    assert_eq!((taken, ids(&bench).len()), (1, 4));
    shared.append(expenses(500, 1)).unwrap();
    assert_eq!(bench.findings(), vec![]);
}

#[test]
fn when_a_commit_fails_everybody_is_told_and_nobody_waits_for_ever() {
    for fails_from in 0..6 {
        let bench = Bench::new();
        let disk = Counting::new(&bench);
        let (writer, _) = Writer::open(&disk, noon(), &by()).unwrap();
        disk.fail_after(fails_from);
        let shared = SharedWriter::new(writer);
        let acknowledged: BTreeSet<String> = thread::scope(|scope| {
            let append = |producer: usize| {
                let shared = &shared;
                scope.spawn(move || {
                    let batches = (0..ROUNDS).map(|round| expenses(1000 * producer + round, 1));
                    let acknowledged = batches.filter_map(|batch| {
                        let id = batch[0].id().to_string();
                        shared.append(batch).ok().map(|_| id)
                    });
                    acknowledged.collect::<Vec<_>>()
                })
            };
            let threads: Vec<_> = (0..PRODUCERS).map(append).collect();
            threads
                .into_iter()
                .flat_map(|t| t.join().unwrap())
                .collect()
        });
        assert!(matches!(
            shared.append(expenses(99_999, 1)),
            Err(LedgerError::Poisoned)
        ));
        drop(shared);
        // The system may have kept what it reported as failed; nothing else.
        Writer::open(&bench.disk(), noon(), &by()).unwrap();
        let there: BTreeSet<String> = ids(&bench).into_iter().collect();
        assert!(acknowledged.is_subset(&there), "from sync {fails_from}");
        assert_eq!(bench.findings(), vec![]);
    }
}
