use std::io;

use crate::digest::Digest;
use crate::event::{BodyRole, EventId, Name, PrivateBody, Redaction};
use crate::ledger::keep::{make_folder, parent, put_file_in};
use crate::ledger::layout::PRIVATE;
use crate::ledger::private::body::{BodyFault, read_key};
use crate::ledger::private::key::{KeySource, UnitKey, commitment};
use crate::ledger::private::sealed;
use crate::ledger::private::sealer::{SealedBody, Sealer};
use crate::ledger::storage::absence;
use crate::ledger::{BLOB_BYTES_MAX, LedgerError, Prefix, Storage};

/// Keeps the folder out of git, also in projects that do not know of it.
pub(crate) const IGNORE: &str = ".gitignore";
pub(crate) const IGNORE_FILE: &[u8] = b"*\n";
/// Says from which event on the bodies must be in this store.
pub(crate) const SINCE: &str = "since";
/// The file of a unit's key, in its folder.
pub(crate) const KEY: &str = "key";

/// More than a key or a number needs.
pub(crate) const SMALL_BYTES_MAX: u64 = 4096;
/// The longest sealed body: as much as a public blob may have.
pub(crate) const BODY_BYTES_MAX: u64 = BLOB_BYTES_MAX;

/// The folder of the private bodies of a unit, relative to the ledger.
pub fn private_path(unit: &EventId) -> String {
    format!("{PRIVATE}/{unit}")
}

pub(crate) fn body_path(unit: &EventId, sealed: &Digest) -> String {
    format!("{PRIVATE}/{unit}/{sealed}")
}

pub(crate) fn key_path(unit: &EventId) -> String {
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

    /// Makes the key of a unit, where there is none: before several threads seal
    /// bodies of one unit.
    ///
    /// # Errors
    ///
    /// As [`seal`](Self::seal).
    pub fn make_key(&self, unit: &EventId) -> Result<(), LedgerError> {
        self.key(unit).map(drop)
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
        self.put(&self.sealer(unit)?.seal(role, body)?)
    }

    /// Returns who seals bodies of a unit under its key, which is made where there
    /// is none: for many bodies, which a [`PackWriter`](super::PackWriter) makes
    /// durable together.
    ///
    /// # Errors
    ///
    /// As [`seal`](Self::seal).
    pub fn sealer(&self, unit: &EventId) -> Result<Sealer<'a>, LedgerError> {
        Ok(Sealer::new(self.keys, self.key(unit)?, *unit))
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
        let sealer = self.sealer(unit)?;
        let body = self.put(&sealer.seal(BodyRole::Redacted, text.as_bytes())?)?;
        let opening = sealer.key().opening(&body.sha256);
        Ok(PrivateBody {
            redaction: Some(Redaction {
                commitment: commitment(&opening, &field, text.as_bytes()),
                field,
                rules,
            }),
            ..body
        })
    }

    /// Stores a sealed body in a file of its own.
    fn put(&self, sealed: &SealedBody) -> Result<PrivateBody, LedgerError> {
        let path = body_path(&sealed.unit(), &sealed.sha256());
        put(self.storage, &path, sealed.bytes())?;
        Ok(sealed.body().clone())
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
        make_folder(self.storage, &folder)?;
        let key = UnitKey::new(self.keys).map_err(LedgerError::io("make a key for", &folder))?;
        put(self.storage, &key_path(unit), &key.file())?;
        Ok(key)
    }

    /// Makes the folder of the store, with what must stand there before any key.
    pub(crate) fn make_folder(&self) -> Result<(), LedgerError> {
        let list = || {
            let entries = self.storage.list(PRIVATE);
            entries.map_err(LedgerError::io("list", PRIVATE))
        };
        make_folder(self.storage, PRIVATE)?;
        let there = list()?;
        let has = |name: &str| there.iter().any(|entry| entry.name == name);
        if !has(IGNORE) {
            put(self.storage, &format!("{PRIVATE}/{IGNORE}"), IGNORE_FILE)?;
        }
        // A store that has lost this file owes every body.
        if !has(SINCE) && !there.iter().any(|entry| entry.is_folder) {
            let size = Prefix::open(self.storage)?.size();
            let made = put(self.storage, &since_path(), &since_file(size));
            // Somebody else makes the store at the same time, and was faster: it owes
            // what follows their number.
            let is_there = || list().map(|there| there.iter().any(|entry| entry.name == SINCE));
            if made.is_err() && is_there()? {
                return Ok(());
            }
            made?;
        }
        Ok(())
    }
}

/// The file that says how many events there were before the store was made:
/// what they name may be in another copy of the ledger.
fn since_file(size: u64) -> Vec<u8> {
    format!("{size}\n").into_bytes()
}

fn since_path() -> String {
    format!("{PRIVATE}/{SINCE}")
}

/// Reads the file that says how many events there were, or returns nothing
/// where it is not as it was written.
pub(crate) fn parse_since(file: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(file).ok()?;
    let size = text.trim_end().parse().ok()?;
    (since_file(size) == file).then_some(size)
}

/// Refuses a body that nobody could read back.
pub(crate) fn refuse_long(body: usize) -> io::Result<()> {
    let sealed = u64::try_from(body).map_or(u64::MAX, sealed::sealed_bytes);
    if sealed <= BODY_BYTES_MAX {
        return Ok(());
    }
    let why = "a sealed body has at most 1 GiB";
    Err(io::Error::new(io::ErrorKind::FileTooLarge, why))
}

/// Returns how many events there were before the private store was made: zero
/// where nothing says so, and nothing where this copy has no store.
pub(crate) fn read_since(storage: &dyn Storage) -> Result<Option<u64>, LedgerError> {
    match storage.list(PRIVATE) {
        Ok(_) => {}
        Err(error) if absence(&error).is_some() => return Ok(None),
        Err(error) => return Err(LedgerError::io("list", PRIVATE)(error)),
    }
    let path = since_path();
    match storage.read(&path, SMALL_BYTES_MAX) {
        Ok(file) => Ok(Some(parse_since(&file).unwrap_or_default())),
        Err(error) if absence(&error).is_some() => Ok(Some(0)),
        Err(error) => Err(LedgerError::io("read", path)(error)),
    }
}

/// Stores a file that is not there yet: under another name of the same folder
/// first, so that whoever empties the folder has all of it.
fn put(storage: &dyn Storage, path: &str, bytes: &[u8]) -> Result<(), LedgerError> {
    put_file_in(storage, parent(path), path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_read_back_is_not_sealed() {
        assert!(refuse_long(0).is_ok());
        let longest = (1 << 30) - 256 - 1;
        assert!(refuse_long(longest).is_ok());
        for longer in [longest + 1, 1 << 30, usize::MAX] {
            let refused = refuse_long(longer).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
        }
    }
}
