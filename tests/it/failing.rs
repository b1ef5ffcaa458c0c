//! Every call of the system fails once, and for good: a clear error, no half
//! line, nothing lost, and the next append works.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use scoresheet::event::{Event, Verified};
use scoresheet::finding::Code;
use scoresheet::ledger::{
    Checkpoint, Disk, Entry, FolderLock, Layout, LedgerError, Mode, Prefix, Storage, StorageFile,
    Waivers, Writer, create_in, issue_checkpoint, put_blob, verify,
};
use tempfile::TempDir;

use crate::ledger::{expenses, files, time};

/// How a call fails.
#[derive(Clone, Copy, Debug)]
enum Failure {
    Error(io::ErrorKind),
    /// Of what is written a part lands, and then the disk is full.
    Short,
}

/// What is done at the call with this number, from 0.
type Meddle = dyn Fn(usize) -> Option<Failure> + Send + Sync;

/// A real disk with somebody who meddles with its calls.
#[derive(Clone)]
pub(crate) struct MeddledDisk {
    disk: Disk,
    layout: Layout,
    n_calls: Arc<AtomicUsize>,
    meddle: Arc<Meddle>,
}

impl MeddledDisk {
    fn new(
        disk: Disk,
        layout: Layout,
        meddle: impl Fn(usize) -> Option<Failure> + Send + Sync + 'static,
    ) -> Self {
        Self {
            disk,
            layout,
            n_calls: Arc::default(),
            meddle: Arc::new(meddle),
        }
    }

    fn failure(&self) -> Option<Failure> {
        (self.meddle)(self.n_calls.fetch_add(1, Ordering::Relaxed))
    }

    fn call<T>(&self, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.failure() {
            None => call(),
            Some(Failure::Error(kind)) => Err(kind.into()),
            Some(Failure::Short) => Err(io::ErrorKind::StorageFull.into()),
        }
    }
}

impl Storage for MeddledDisk {
    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        self.call(|| self.disk.read(path, bytes_max))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        self.call(|| self.disk.list(folder))
    }

    fn open(&self, path: &str, mode: Mode) -> io::Result<Box<dyn StorageFile>> {
        let file = self.call(|| self.disk.open(path, mode))?;
        Ok(Box::new(MeddledFile {
            disk: self.clone(),
            file,
        }))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.call(|| self.disk.create_folder(path))
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.call(|| self.disk.rename_new(from, to))
    }

    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        self.call(|| self.disk.replace(from, to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.call(|| self.disk.remove(path))
    }

    fn sync_folder(&self, path: &str) -> io::Result<()> {
        // Nobody cuts the power here: waiting for the disk would only take time.
        self.call(|| self.disk.list(path).map(drop))
    }

    fn try_lock(&self) -> io::Result<Option<FolderLock>> {
        self.call(|| self.disk.try_lock())
    }

    fn describe(&self) -> String {
        self.disk.describe()
    }

    fn layout(&self) -> Layout {
        self.layout
    }
}

struct MeddledFile {
    disk: MeddledDisk,
    file: Box<dyn StorageFile>,
}

impl StorageFile for MeddledFile {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.disk.call(|| self.file.read_at(offset, into))
    }

    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match self.disk.failure() {
            None => self.file.write_all_at(offset, bytes),
            Some(Failure::Error(kind)) => Err(kind.into()),
            Some(Failure::Short) => {
                self.file.write_all_at(offset, &bytes[..bytes.len() / 2])?;
                Err(io::ErrorKind::StorageFull.into())
            }
        }
    }

    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.disk.call(|| self.file.set_length(bytes))
    }

    fn length(&self) -> io::Result<u64> {
        self.disk.call(|| self.file.length())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.call(|| Ok(()))
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.disk.call(|| self.file.try_lock())
    }

    fn is_locked(&self) -> io::Result<bool> {
        self.disk.call(|| self.file.is_locked())
    }

    fn still_at(&self, path: &str) -> io::Result<bool> {
        self.disk.call(|| self.file.still_at(path))
    }
}

/// Segments of four lines: a batch soon crosses into the next one.
const LAYOUT: Layout = Layout::of_level(2);

fn untouched(path: &Path) -> MeddledDisk {
    MeddledDisk::new(Disk::new(path), LAYOUT, |_| None)
}

fn open<'a>(storage: &'a dyn Storage, at: &str) -> Result<Writer<'a>, LedgerError> {
    Ok(Writer::open(storage, time(at), &"test".parse().unwrap())?.0)
}

/// How a ledger is found that is written to next.
#[derive(Clone, Copy, Debug)]
enum Start {
    Sound,
    TornTail,
    TornHead,
}

/// A ledger of three events.
fn ledger(start: Start) -> TempDir {
    let folder = TempDir::new().unwrap();
    let disk = untouched(folder.path());
    let at = "2026-11-29T12:00:00.000Z";
    let origin = "example.org/f".parse().unwrap();
    create_in(&disk, &origin, time(at), &"test".parse().unwrap()).unwrap();
    let mut writer = open(&disk, at).unwrap();
    writer.append(&expenses(0, 2)).unwrap();
    let edit = |name: &str, edit: fn(&mut Vec<u8>)| {
        let path = folder.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        edit(&mut bytes);
        fs::write(path, bytes).unwrap();
    };
    match start {
        Start::Sound => {}
        Start::TornTail => edit("events/000000.jsonl", |bytes| bytes.extend(b"{\"at\"")),
        Start::TornHead => edit("head", |bytes| bytes[4096..4200].fill(0)),
    }
    folder
}

fn copy(from: &Path) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, bytes) in files(from) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// The lines of a ledger, which must be whole.
fn lines(storage: &dyn Storage) -> Vec<String> {
    let prefix = Prefix::open(storage).unwrap();
    let mut lines = Vec::new();
    let each = |_, event: Verified<Event>| lines.push(event.line().to_owned());
    prefix.read(prefix.size(), each).unwrap();
    lines
}

/// Opens, appends across segments, puts a blob and a checkpoint; says which
/// lines were acknowledged.
fn work(storage: &dyn Storage, acknowledged: &mut Vec<String>) -> Result<(), LedgerError> {
    let mut writer = open(storage, "2026-11-29T13:00:00.000Z")?;
    for batch in [expenses(10, 1), expenses(20, 6)] {
        let result = writer.append(&batch);
        if result.is_err() {
            let again = writer.append(&expenses(90, 1));
            assert!(matches!(again, Err(LedgerError::Poisoned)), "{again:?}");
        }
        result?;
        acknowledged.extend(batch.iter().map(|event| event.line().to_owned()));
    }
    put_blob(storage, b"a blob", &Waivers::default())?;
    let prefix = Prefix::open(storage)?;
    let checkpoint = Checkpoint {
        origin: prefix.description().origin.clone(),
        size: prefix.size(),
        root: prefix.root(),
    };
    issue_checkpoint(storage, &checkpoint)
}

/// What must hold after a call failed. The second batch is whole or not there.
fn check_after(path: &Path, before: &[String], acknowledged: &[String], context: &str) {
    let disk = untouched(path);
    let opened = open(&disk, "2026-11-29T14:00:00.000Z");
    drop(opened.unwrap_or_else(|error| panic!("{context}: {error}")));
    let lines = lines(&disk);
    for line in before.iter().chain(acknowledged) {
        let count = lines.iter().filter(|there| *there == line).count();
        assert_eq!(count, 1, "{context}: {line}");
    }
    let batch = expenses(20, 6);
    let n_there = batch
        .iter()
        .filter(|event| lines.contains(&event.line().to_owned()));
    assert!(matches!(n_there.count(), 0 | 6), "{context}: half a batch");
    let mut writer = open(&disk, "2026-11-29T15:00:00.000Z").unwrap();
    writer.append(&expenses(30, 1)).unwrap();
    drop(writer);
    // The blob may be there, and the event that would name it is not.
    let verification = verify(&disk, &|_, _| (), &mut |_, _| ()).unwrap();
    let is_wrong = |code: Code| !matches!(code, Code::UnexpectedFile | Code::ClockBackwards);
    let wrong = verification
        .findings
        .iter()
        .find(|finding| is_wrong(finding.code));
    assert_eq!(wrong, None, "{context}");
}

#[test]
fn every_call_of_the_storage_may_fail_once_and_for_good() {
    let failures = [
        (Failure::Error(io::ErrorKind::Other), false),
        (Failure::Error(io::ErrorKind::Other), true),
        (Failure::Error(io::ErrorKind::Interrupted), false),
        (Failure::Error(io::ErrorKind::StorageFull), false),
        (Failure::Error(io::ErrorKind::StorageFull), true),
        (Failure::Short, false),
        (Failure::Short, true),
    ];
    let before = lines(&untouched(ledger(Start::Sound).path()));
    let mut n_failed = 0;
    for start in [Start::Sound, Start::TornTail, Start::TornHead] {
        let start_folder = ledger(start);
        for (failure, is_for_good) in failures {
            for at in 0.. {
                let folder = copy(start_folder.path());
                let meddle = move |number| {
                    let fails = number == at || is_for_good && at < number;
                    fails.then_some(failure)
                };
                let disk = MeddledDisk::new(Disk::new(folder.path()), LAYOUT, meddle);
                let mut acknowledged = Vec::new();
                let worked = work(&disk, &mut acknowledged);
                let context = format!("{start:?} {failure:?} for good: {is_for_good} call {at}");
                check_after(folder.path(), &before, &acknowledged, &context);
                if disk.n_calls.load(Ordering::Relaxed) <= at {
                    worked.unwrap();
                    break;
                }
                n_failed += 1;
                let is_clear = matches!(worked, Ok(()) | Err(LedgerError::Io { .. }));
                assert!(is_clear, "{context}: {worked:?}");
            }
        }
    }
    println!("{n_failed} failed calls");
    assert!(500 < n_failed);
}

#[test]
fn a_head_that_is_replaced_at_any_moment_takes_nothing_with_it() {
    let start = ledger(Start::Sound);
    for at in 0.. {
        let folder = copy(start.path());
        let path = folder.path().to_path_buf();
        let meddle = move |number| {
            if number == at {
                let head = path.join("head");
                fs::copy(&head, path.join("other")).unwrap();
                fs::rename(path.join("other"), head).unwrap();
            }
            None
        };
        let disk = MeddledDisk::new(Disk::new(folder.path()), LAYOUT, meddle);
        let appended = open(&disk, "2026-11-29T13:00:00.000Z").and_then(|mut writer| {
            let batch = expenses(20, 6);
            writer.append(&batch)
        });
        let is_over = disk.n_calls.load(Ordering::Relaxed) <= at;
        let n_lines = lines(&untouched(folder.path())).len();
        match appended {
            Ok(receipt) => assert_eq!(n_lines, usize::try_from(receipt.size).unwrap(), "{at}"),
            Err(LedgerError::HeadReplaced { .. }) => {}
            Err(error) => panic!("{at}: {error}"),
        }
        drop(open(&untouched(folder.path()), "2026-11-29T14:00:00.000Z").unwrap());
        let n_lines = lines(&untouched(folder.path())).len();
        assert!((3..=10).contains(&n_lines), "{at}: {n_lines}");
        if is_over {
            break;
        }
    }
}
