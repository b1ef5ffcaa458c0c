//! A disk under a process that dies: so many changes are made, of the next one a
//! part, and then nothing works any more.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use scoresheet::ledger::{Disk, Entry, FolderLock, Mode, Storage, StorageFile};

/// A disk under a process that dies.
pub(crate) struct Mortal {
    disk: Disk,
    life: Arc<Life>,
}

/// What is left of a process.
struct Life {
    /// Changes until it dies.
    left: AtomicU64,
    /// How much of the last change is still made.
    last: Part,
}

/// A part of a change. A third of the head's slot is a torn slot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Third,
    Whole,
}

pub(crate) fn dead() -> io::Error {
    io::Error::other("the process was killed")
}

impl Life {
    fn is_over(&self) -> io::Result<()> {
        match self.left.load(Ordering::Relaxed) {
            0 => Err(dead()),
            _ => Ok(()),
        }
    }

    /// Makes a change, whole or in part, and dies if it was the last one.
    fn change<T>(&self, made: impl FnOnce(Part) -> io::Result<T>) -> io::Result<T> {
        self.is_over()?;
        if self.left.fetch_sub(1, Ordering::Relaxed) != 1 {
            return made(Part::Whole);
        }
        made(self.last)?;
        Err(dead())
    }

    /// Makes a change that has no parts.
    fn step(&self, made: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.change(|part| match part {
            Part::Third => Ok(()),
            Part::Whole => made(),
        })
    }
}

impl Mortal {
    pub(crate) fn new(disk: Disk, changes: u64, last: Part) -> Self {
        let left = AtomicU64::new(changes);
        Self {
            disk,
            life: Arc::new(Life { left, last }),
        }
    }
}

impl Storage for Mortal {
    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        self.life.is_over()?;
        self.disk.read(path, bytes_max)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        self.life.is_over().and_then(|()| self.disk.list(folder))
    }

    fn open(&self, path: &str, mode: Mode) -> io::Result<Box<dyn StorageFile>> {
        self.life.is_over()?;
        let file = match mode {
            Mode::New => self.life.change(|_| self.disk.open(path, mode)),
            Mode::Read | Mode::Write => self.disk.open(path, mode),
        }?;
        let life = Arc::clone(&self.life);
        Ok(Box::new(MortalFile { file, life }))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.life.step(|| self.disk.create_folder(path))
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.life.step(|| self.disk.rename_new(from, to))
    }

    fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        self.life.step(|| self.disk.replace(from, to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        // Looking in vain for what is to be removed changes nothing.
        self.disk.read(path, u64::MAX)?;
        self.life.step(|| self.disk.remove(path))
    }

    // A process that is killed loses nothing that it wrote; waiting for the
    // disk would only make the test slow.
    fn sync_folder(&self, _: &str) -> io::Result<()> {
        self.life.is_over()
    }

    fn try_lock(&self) -> io::Result<Option<FolderLock>> {
        self.disk.try_lock()
    }

    fn describe(&self) -> String {
        self.disk.describe()
    }
}

struct MortalFile {
    file: Box<dyn StorageFile>,
    life: Arc<Life>,
}

impl StorageFile for MortalFile {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.life.is_over()?;
        self.file.read_at(offset, into)
    }

    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.life.change(|part| {
            let n_bytes = match part {
                Part::Third => bytes.len() / 3,
                Part::Whole => bytes.len(),
            };
            self.file.write_all_at(offset, &bytes[..n_bytes])
        })
    }

    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.life.step(|| self.file.set_length(bytes))
    }

    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.life.is_over()
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
