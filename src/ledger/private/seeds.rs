//! Seeds of rating eras: secret from the start of an era to its end.
//!
//! A seed is durable before the event that commits to it, so that an era that
//! was started can be played. The event that reveals it stands before its file
//! goes.

use std::io;

use zeroize::Zeroizing;

use crate::digest::Digest;
use crate::event::EraSeed;
use crate::ledger::files::list;
use crate::ledger::keep::{make_folder, parent, put_file_in};
use crate::ledger::layout::PRIVATE;
use crate::ledger::private::erasing::overwrite;
use crate::ledger::private::key::KeySource;
use crate::ledger::private::store::{PrivateStore, SMALL_BYTES_MAX};
use crate::ledger::storage::absence;
use crate::ledger::{LedgerError, Storage};

/// The folder of seeds, in the private store.
pub(crate) const ERAS: &str = "eras";

/// The file of the seed with this SHA-256, relative to the ledger.
pub fn seed_path(sha256: &Digest) -> String {
    format!("{PRIVATE}/{ERAS}/{sha256}")
}

/// Why the seed of an era cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SeedFault {
    /// This copy of the ledger does not have it.
    #[error(
        "the seed of the era is not in this copy of the ledger ({0}); only where it is can draws be made and the era be closed: go there, or restore the file from a backup. If it is lost for good, nobody can: say so and close the era: scoresheet era close NAME --seed-lost REASON"
    )]
    Absent(String),
    /// Its file was damaged.
    #[error("{0} does not hold the seed that the era committed to; restore the file from a backup")]
    Changed(String),
    /// The system says no.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// Makes 256 random bits.
///
/// # Errors
///
/// What the source of randomness says.
pub fn new_seed(keys: &dyn KeySource) -> Result<EraSeed, LedgerError> {
    let mut bytes = Zeroizing::new([0; 32]);
    let filled = keys.fill(&mut *bytes);
    filled.map_err(LedgerError::io("make a seed in", PRIVATE))?;
    Ok(EraSeed::new(*bytes))
}

/// Keeps a seed. When this returns it is durable, and only its owner may read
/// it; the event that commits to it is still to be appended.
///
/// # Errors
///
/// What the system says.
pub fn keep_seed(
    storage: &dyn Storage,
    keys: &dyn KeySource,
    seed: &EraSeed,
) -> Result<(), LedgerError> {
    PrivateStore::new(storage, keys).make_folder()?;
    let path = seed_path(&seed.sha256());
    make_folder(storage, parent(&path))?;
    put_file_in(storage, parent(&path), &path, &seed.bytes()[..])
}

/// Returns the seed with this SHA-256.
///
/// # Errors
///
/// Why it cannot be used.
pub fn open_seed(storage: &dyn Storage, sha256: &Digest) -> Result<EraSeed, SeedFault> {
    let path = seed_path(sha256);
    let file = match storage.read(&path, SMALL_BYTES_MAX) {
        Ok(file) => Zeroizing::new(file),
        Err(error) if absence(&error).is_some() => return Err(SeedFault::Absent(path)),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            return Err(SeedFault::Changed(path));
        }
        Err(error) => return Err(LedgerError::io("read", path)(error).into()),
    };
    let seed = <[u8; 32]>::try_from(file.as_slice()).map(EraSeed::new);
    match seed {
        Ok(seed) if seed.sha256() == *sha256 => Ok(seed),
        _ => Err(SeedFault::Changed(path)),
    }
}

/// Returns the files among the seeds that are of none of these, by their paths
/// below the ledger.
///
/// # Errors
///
/// What the system says.
pub fn stray_seeds(
    storage: &dyn Storage,
    known: impl Iterator<Item = Digest>,
) -> Result<Vec<String>, LedgerError> {
    let known: Vec<_> = known.map(|sha256| sha256.to_string()).collect();
    let folder = format!("{PRIVATE}/{ERAS}");
    let there = list(storage, &folder)?.into_iter();
    let strays = there.filter(|entry| !known.contains(&entry.name));
    Ok(strays
        .map(|entry| format!("{folder}/{}", entry.name))
        .collect())
}

/// Removes the file of a seed that an event reveals, and says whether there was
/// one. Killed anywhere, another call completes it.
///
/// # Errors
///
/// What the system says.
pub fn forget_seed(storage: &dyn Storage, sha256: &Digest) -> Result<bool, LedgerError> {
    let path = seed_path(sha256);
    let there = list(storage, parent(&path))?;
    let name = sha256.to_string();
    if !there
        .iter()
        .any(|entry| entry.name == name && entry.is_file)
    {
        return Ok(false);
    }
    overwrite(storage, &path).map_err(LedgerError::io("overwrite", &path))?;
    let removed = storage.remove(&path);
    removed
        .and_then(|()| storage.sync_folder(parent(&path)))
        .map_err(LedgerError::io("remove", &path))?;
    Ok(true)
}
