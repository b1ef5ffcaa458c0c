use std::io;

use zeroize::Zeroizing;

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{BodyRole, EventId, Name, PrivateBody, Redaction};
use crate::ledger::layout::{MAKING, PRIVATE};
use crate::ledger::private::key::{KeySource, UnitKey, commitment};
use crate::ledger::private::sealed::{self, NONCE_BYTES};
use crate::ledger::storage::absence;
use crate::ledger::{LedgerError, Mode, Prefix, Storage};

/// Keeps the folder out of git, also in projects that do not know of it.
pub(crate) const IGNORE: &str = ".gitignore";
pub(crate) const IGNORE_FILE: &[u8] = b"*\n";
/// Says from which event on the bodies must be in this store.
pub(crate) const SINCE: &str = "since";
/// The file of a unit's key, in its folder.
pub(crate) const KEY: &str = "key";

/// More than a key or a number needs.
const SMALL_BYTES_MAX: u64 = 4096;
/// As much as a public blob may have.
pub(crate) const BODY_BYTES_MAX: u64 = 1 << 30;

/// The folder of the private bodies of a unit, relative to the ledger.
pub fn private_path(unit: &EventId) -> String {
    format!("{PRIVATE}/{unit}")
}

pub(crate) fn body_path(unit: &EventId, sealed: &Digest) -> String {
    format!("{PRIVATE}/{unit}/{sealed}")
}

fn key_path(unit: &EventId) -> String {
    format!("{PRIVATE}/{unit}/{KEY}")
}

/// Seals private bodies. The folder is made when the first one comes.
#[derive(Clone, Copy)]
pub struct PrivateStore<'a> {
    storage: &'a dyn Storage,
    keys: &'a dyn KeySource,
}

impl<'a> PrivateStore<'a> {
    /// The store of this ledger, with keys and nonces from this source.
    pub const fn new(storage: &'a dyn Storage, keys: &'a dyn KeySource) -> Self {
        Self { storage, keys }
    }

    /// Seals a body under the key of its unit, which is made where there is
    /// none. When this returns the sealed body is durable; the event that names
    /// it is still to be appended.
    ///
    /// # Errors
    ///
    /// What the system says, or that the key of the unit has been damaged.
    pub fn seal(
        &self,
        unit: &EventId,
        role: BodyRole,
        body: &[u8],
    ) -> Result<PrivateBody, LedgerError> {
        let key = self.key(unit)?;
        self.seal_with(&key, unit, role, body)
    }

    /// Seals the whole text of a field that is stored redacted, because these
    /// rules spoke.
    ///
    /// # Errors
    ///
    /// As [`seal`](Self::seal).
    pub fn seal_redacted(
        &self,
        unit: &EventId,
        field: Name,
        rules: Vec<Name>,
        text: &str,
    ) -> Result<PrivateBody, LedgerError> {
        let key = self.key(unit)?;
        let body = self.seal_with(&key, unit, BodyRole::Redacted, text.as_bytes())?;
        let opening = key.opening(&body.sha256);
        Ok(PrivateBody {
            redaction: Some(Redaction {
                commitment: commitment(&opening, &field, text.as_bytes()),
                field,
                rules,
            }),
            ..body
        })
    }

    fn seal_with(
        &self,
        key: &UnitKey,
        unit: &EventId,
        role: BodyRole,
        body: &[u8],
    ) -> Result<PrivateBody, LedgerError> {
        let folder = private_path(unit);
        let mut nonce = [0; NONCE_BYTES];
        let file = self.keys.fill(&mut nonce);
        let file = file.and_then(|()| sealed::seal(key, unit, role, nonce, body));
        let file = file.map_err(LedgerError::io("seal a body in", &folder))?;
        let sha256 = Digest::of(&file);
        put(self.storage, &folder, &sha256.to_string(), &file)?;
        Ok(PrivateBody {
            bytes: Count::saturating(file.len()),
            redaction: None,
            role,
            sha256,
            unit: *unit,
        })
    }

    fn key(&self, unit: &EventId) -> Result<UnitKey, LedgerError> {
        // Where the key is, the folders were made durable before it.
        match read_key(self.storage, unit) {
            Ok(key) => Ok(key),
            Err(BodyFault::NoKey) => self.new_key(unit),
            Err(fault) => {
                let source = io::Error::new(io::ErrorKind::InvalidData, fault);
                Err(LedgerError::io("use", key_path(unit))(source))
            }
        }
    }

    fn new_key(&self, unit: &EventId) -> Result<UnitKey, LedgerError> {
        self.make_folder()?;
        let folder = private_path(unit);
        make(self.storage, PRIVATE, &folder)?;
        let key = UnitKey::new(self.keys).map_err(LedgerError::io("make a key for", &folder))?;
        put(self.storage, &folder, KEY, &key.file())?;
        Ok(key)
    }

    /// Makes the folder of the store, with what must stand there before any key.
    fn make_folder(&self) -> Result<(), LedgerError> {
        let list = || {
            let entries = self.storage.list(PRIVATE);
            entries.map_err(LedgerError::io("list", PRIVATE))
        };
        make(self.storage, "", PRIVATE)?;
        let there = list()?;
        let has = |name: &str| there.iter().any(|entry| entry.name == name);
        if !has(IGNORE) {
            put(self.storage, PRIVATE, IGNORE, IGNORE_FILE)?;
        }
        // A store that has lost this file owes every body.
        if !has(SINCE) && !there.iter().any(|entry| entry.is_folder) {
            let size = Prefix::open(self.storage)?.size();
            put(self.storage, PRIVATE, SINCE, &since_file(size))?;
        }
        Ok(())
    }
}

/// The file that says how many events there were before the store was made:
/// what they name may be in another copy of the ledger.
pub(crate) fn since_file(size: u64) -> Vec<u8> {
    format!("{size}\n").into_bytes()
}

/// Returns how many events there were before the private store was made: zero
/// where nothing says so, and nothing where this copy has no store.
pub(crate) fn read_since(storage: &dyn Storage) -> Result<Option<u64>, LedgerError> {
    match storage.list(PRIVATE) {
        Ok(_) => {}
        Err(error) if absence(&error).is_some() => return Ok(None),
        Err(error) => return Err(LedgerError::io("list", PRIVATE)(error)),
    }
    let path = format!("{PRIVATE}/{SINCE}");
    match storage.read(&path, SMALL_BYTES_MAX) {
        Ok(file) => {
            let text = String::from_utf8_lossy(&file);
            let size = text.trim_end().parse().ok();
            let size = size.filter(|size| since_file(*size) == file);
            Ok(Some(size.unwrap_or_default()))
        }
        Err(error) if absence(&error).is_some() => Ok(Some(0)),
        Err(error) => Err(LedgerError::io("read", path)(error)),
    }
}

fn make(storage: &dyn Storage, parent: &str, folder: &str) -> Result<(), LedgerError> {
    storage
        .create_folder(folder)
        .and_then(|()| storage.sync_folder(parent))
        .map_err(LedgerError::io("make", folder))
}

/// Stores a file that is not there yet: under another name of the same folder
/// first, so that whoever empties the folder has all of it.
fn put(storage: &dyn Storage, folder: &str, name: &str, bytes: &[u8]) -> Result<(), LedgerError> {
    let path = format!("{folder}/{name}");
    let making = format!("{folder}/{MAKING}{name}");
    match storage.remove(&making) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(LedgerError::io("remove", making)(error));
        }
        Ok(()) | Err(_) => {}
    }
    storage
        .open(&making, Mode::New)
        .and_then(|mut file| {
            file.write_all_at(0, bytes)?;
            file.sync()
        })
        .and_then(|()| storage.rename_new(&making, &path))
        .and_then(|()| storage.sync_folder(folder))
        .map_err(LedgerError::io("store", path))
}

/// Why a private body cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BodyFault {
    /// Its file is not there.
    #[error("the sealed body is not in this copy's private store")]
    Absent,
    /// The key of its unit is not there.
    #[error("the key that opens it is not in this copy's private store")]
    NoKey,
    /// The key is not as it was made.
    #[error("the key has been changed; restore it from a backup")]
    KeyChanged,
    /// The sealed body is not the one that the event names.
    #[error("the sealed body has been changed: it has another digest than the event names")]
    Changed,
    /// The key is whole and does not open it.
    #[error("the key of its game does not open it")]
    Unopened,
    /// The system says no.
    #[error("cannot read it: {0}")]
    Io(io::Error),
}

fn reading(absent: BodyFault) -> impl FnOnce(io::Error) -> BodyFault {
    move |error| match absence(&error) {
        Some(_) => absent,
        None => BodyFault::Io(error),
    }
}

pub(crate) fn read_key(storage: &dyn Storage, unit: &EventId) -> Result<UnitKey, BodyFault> {
    let file = storage.read(&key_path(unit), SMALL_BYTES_MAX);
    let file = Zeroizing::new(file.map_err(reading(BodyFault::NoKey))?);
    UnitKey::parse(&file).ok_or(BodyFault::KeyChanged)
}

/// Returns the body that an event names.
///
/// # Errors
///
/// Why it cannot be read.
pub fn open_body(
    storage: &dyn Storage,
    body: &PrivateBody,
) -> Result<Zeroizing<Vec<u8>>, BodyFault> {
    open_sealed(storage, &body.unit, body.role, &body.sha256)
}

pub(crate) fn open_sealed(
    storage: &dyn Storage,
    unit: &EventId,
    role: BodyRole,
    sha256: &Digest,
) -> Result<Zeroizing<Vec<u8>>, BodyFault> {
    let file = storage.read(&body_path(unit, sha256), BODY_BYTES_MAX);
    let file = file.map_err(reading(BodyFault::Absent))?;
    if Digest::of(&file) != *sha256 {
        return Err(BodyFault::Changed);
    }
    let key = read_key(storage, unit)?;
    sealed::open(&key, unit, role, &file).ok_or(BodyFault::Unopened)
}

/// Returns the key of one commitment, in hex. Together with the text it proves
/// to anybody what a redacted field said: the commitment is the keyed BLAKE3
/// hash, under this key, of the field's name, a zero byte and the text.
///
/// # Errors
///
/// When the key of the unit cannot be read.
pub fn opening_key(
    storage: &dyn Storage,
    body: &PrivateBody,
) -> Result<Zeroizing<String>, BodyFault> {
    let opening = read_key(storage, &body.unit)?.opening(&body.sha256);
    Ok(Zeroizing::new(Digest::new(*opening).to_string()))
}
