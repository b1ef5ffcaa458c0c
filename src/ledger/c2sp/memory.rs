//! What a key has signed last, in a file of its own.

use std::collections::BTreeMap;
use std::io;

use crate::digest::{Digest, Root};
use crate::event::Origin;
use crate::ledger::c2sp::spelling::{decode_hash, encode, parse_decimal};
use crate::ledger::keep::replace_file;
use crate::ledger::writer::lock;
use crate::ledger::{Checkpoint, LedgerError, Mode, Storage, StorageFile};

/// The first line of the file.
const TITLE: &str = "scoresheet memory 1";
/// Thousands of logs.
const MEMORY_BYTES_MAX: u64 = 1 << 20;

/// The largest checkpoint of each log that a key has signed.
///
/// A file in a folder, with a lock beside it that is held for as long as this
/// lives:
///
/// ```text
/// scoresheet memory 1
/// 17 sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08= example.org/log
/// sha256 90aa…
/// ```
///
/// The digest is over the lines before it. A file that is not whole is refused:
/// who forgets what was signed may sign its opposite.
pub struct Memory<'a> {
    storage: &'a dyn Storage,
    name: String,
    /// The name with its folder, for messages.
    path: String,
    latest: BTreeMap<Origin, (u64, Root)>,
    /// Held; the file itself is replaced and cannot be the lock.
    lock: Box<dyn StorageFile>,
    lock_name: String,
}

/// Whether there is something to be remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// The file must be there.
    Known,
    /// The file must not be there: the key has signed nothing.
    New,
}

impl<'a> Memory<'a> {
    /// Opens the file of this name in a folder, and waits for whoever has it open.
    ///
    /// # Errors
    ///
    /// What the system says, or that the file is not as `begin` demands, or not
    /// as it was written.
    pub fn open(storage: &'a dyn Storage, name: &str, begin: Begin) -> Result<Self, LedgerError> {
        let path = format!("{}/{name}", storage.describe());
        let lock_name = format!("{name}.lock");
        let lock = take_lock(storage, &lock_name)?;
        if storage
            .open(name, Mode::Read)
            .is_ok_and(|file| !file.has_one_name().unwrap_or(true))
        {
            let why = "the file has another name (a hard link), under which it would not change; make it a file of its own";
            return Err(refused(path, io::ErrorKind::InvalidInput, why));
        }
        let latest = match (storage.read(name, MEMORY_BYTES_MAX), begin) {
            (Ok(_), Begin::New) => {
                let why = "it exists already, so the key may have signed before; go on with it";
                return Err(refused(path, io::ErrorKind::AlreadyExists, why));
            }
            (Ok(file), Begin::Known) => parse(&file).ok_or_else(|| {
                let why = "it is not as it was written; restore it from a trusted copy, or what the key signs next may contradict what it signed";
                refused(path.clone(), io::ErrorKind::InvalidData, why)
            })?,
            (Err(error), Begin::New) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            (Err(error), Begin::Known) if error.kind() == io::ErrorKind::NotFound => {
                let why = "there is no such file, and the key may have signed before; restore it from a trusted copy, or, for a key that has signed nothing yet, begin it: --new";
                return Err(refused(path, io::ErrorKind::NotFound, why));
            }
            (Err(error), _) => return Err(LedgerError::io("read", path)(error)),
        };
        Ok(Self {
            storage,
            name: name.to_owned(),
            path,
            latest,
            lock,
            lock_name,
        })
    }

    /// Writes what is remembered, durably: of a key that has signed nothing yet
    /// a file that says so.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn store(&self) -> Result<(), LedgerError> {
        self.write(&self.latest)
    }

    fn write(&self, latest: &BTreeMap<Origin, (u64, Root)>) -> Result<(), LedgerError> {
        // Where somebody removed the lock, somebody else may have it too.
        let is_held = self.lock.still_at(&self.lock_name);
        if !is_held.map_err(LedgerError::io("look at", &self.path))? {
            let why = "its lock was removed while it was held; nothing was signed";
            return Err(refused(self.path.clone(), io::ErrorKind::WouldBlock, why));
        }
        replace_file(self.storage, &self.name, text_of(latest).as_bytes()).map_err(|error| {
            match error {
                LedgerError::Io { action, source, .. } => {
                    LedgerError::io(action, &self.path)(source)
                }
                other => other,
            }
        })
    }

    /// The size and root that were signed last for this log.
    pub fn latest(&self, origin: &Origin) -> Option<(u64, Root)> {
        self.latest.get(origin).copied()
    }

    /// Remembers a checkpoint, durably, before it is signed. A smaller one than
    /// is known changes nothing.
    ///
    /// # Errors
    ///
    /// What the system says, or that another root was signed at this size;
    /// nothing may be signed then.
    pub fn remember(&mut self, checkpoint: &Checkpoint) -> Result<(), LedgerError> {
        let Checkpoint { origin, size, root } = checkpoint;
        match self.latest(origin) {
            Some((known, other)) if known == *size && other != *root => {
                let why = format!("it says that another root was signed at size {size}");
                let path = self.path.clone();
                return Err(refused(path, io::ErrorKind::InvalidInput, &why));
            }
            Some((known, _)) if *size <= known => {
                // It may have been killed before it saw that what it wrote is durable.
                let synced = self.storage.sync_folder("");
                return synced.map_err(LedgerError::io("sync", &self.path));
            }
            Some(_) | None => {}
        }
        let mut next = self.latest.clone();
        next.insert(origin.clone(), (*size, *root));
        self.write(&next)?;
        self.latest = next;
        Ok(())
    }
}

fn text_of(latest: &BTreeMap<Origin, (u64, Root)>) -> String {
    let mut text = format!("{TITLE}\n");
    for (origin, (size, root)) in latest {
        let root = encode(root.as_bytes());
        text.extend([&size.to_string(), " ", &root, " ", origin.as_str(), "\n"]);
    }
    let digest = Digest::of(text.as_bytes());
    format!("{text}sha256 {digest}\n")
}

fn parse(file: &[u8]) -> Option<BTreeMap<Origin, (u64, Root)>> {
    let text = std::str::from_utf8(file).ok()?;
    let mut latest = BTreeMap::new();
    for line in text.lines().skip(1) {
        if let [size, root, origin] = line.split(' ').collect::<Vec<_>>()[..] {
            let entry = (parse_decimal(size)?, decode_hash(root)?);
            latest.insert(origin.parse().ok()?, entry);
        }
    }
    // Written again, every byte must stand as it stood.
    (text_of(&latest) == text).then_some(latest)
}

/// Takes the lock, and waits for it as long as one signature may take.
fn take_lock(storage: &dyn Storage, name: &str) -> Result<Box<dyn StorageFile>, LedgerError> {
    let path = format!("{}/{name}", storage.describe());
    let file = match storage.open(name, Mode::New) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            storage.open(name, Mode::Write)
        }
        other => other,
    };
    let file = file.map_err(LedgerError::io("open", &path))?;
    if lock(&*file, 2_000).map_err(LedgerError::io("lock", &path))?
        && file
            .still_at(name)
            .map_err(LedgerError::io("lock", &path))?
    {
        return Ok(file);
    }
    let why = "another process holds it; wait until it ends";
    Err(refused(path, io::ErrorKind::WouldBlock, why))
}

fn refused(path: String, kind: io::ErrorKind, why: &str) -> LedgerError {
    LedgerError::io("use", path)(io::Error::new(kind, why))
}
