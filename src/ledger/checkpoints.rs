//! The checkpoints that stand in a ledger's folder.

use std::io::ErrorKind;

use crate::event::Origin;
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::list;
use crate::ledger::keep::{make_folder, put_file, replace_file};
use crate::ledger::layout::{CHECKPOINTS, DESCRIPTION};
use crate::ledger::storage::absence;
use crate::ledger::writer::lock;
use crate::ledger::{
    Checkpoint, LedgerError, Mode, NoteSignature, SignedCheckpoint, Storage, StorageFile,
};

const ANOTHER_TEXT: &str = "another text";

/// Signatures may be added to a text of three short lines.
pub(crate) const CHECKPOINT_BYTES_MAX: u64 = 1 << 20;

/// Stores a checkpoint; one that is there already must be the same, and may
/// have signatures.
///
/// # Errors
///
/// What the system says, or that another text has its name.
pub fn issue_checkpoint(storage: &dyn Storage, checkpoint: &Checkpoint) -> Result<(), LedgerError> {
    make_folder(storage, CHECKPOINTS)?;
    let _lock = lock_checkpoints(storage)?;
    if let Some(there) = stored_checkpoint(storage, &checkpoint.origin, checkpoint.size)?
        && there.checkpoint() == checkpoint
    {
        return sync(storage);
    }
    let text = checkpoint.to_string();
    put_file(storage, &checkpoint.path(), text.as_bytes())
}

/// Adds signatures below a stored checkpoint and returns how many were not
/// there yet. The text and what stands below it stay as they are.
///
/// # Errors
///
/// What the system says, or that there is no such checkpoint.
pub fn add_signatures(
    storage: &dyn Storage,
    checkpoint: &Checkpoint,
    signatures: &[NoteSignature],
) -> Result<usize, LedgerError> {
    // Two who add at once must not lose one another's lines.
    let _lock = lock_checkpoints(storage)?;
    let path = checkpoint.path();
    let there = stored_checkpoint(storage, &checkpoint.origin, checkpoint.size)?
        .filter(|there| there.checkpoint() == checkpoint)
        .ok_or_else(|| {
            let error = std::io::Error::new(
                ErrorKind::NotFound,
                "no such checkpoint is stored; issue it first: scoresheet checkpoint",
            );
            LedgerError::io("sign", &path)(error)
        })?;
    let signed = there.with(signatures);
    let n_added = signed.note().signatures().len() - there.note().signatures().len();
    if n_added == 0 {
        sync(storage)?;
        return Ok(0);
    }
    let file = signed.to_string();
    // What could not be read again is never written.
    SignedCheckpoint::parse(file.as_bytes())
        .map_err(std::io::Error::other)
        .map_err(LedgerError::io("sign", &path))?;
    replace_file(storage, &path, file.as_bytes())?;
    Ok(n_added)
}

/// Makes what is there already durable: whoever put it there may have been
/// stopped before it was.
fn sync(storage: &dyn Storage) -> Result<(), LedgerError> {
    storage
        .sync_folder(CHECKPOINTS)
        .map_err(LedgerError::io("sync", CHECKPOINTS))
}

/// Returns the stored checkpoint of this size, if there is one.
///
/// # Errors
///
/// What the system says, or that the file holds something else.
pub fn stored_checkpoint(
    storage: &dyn Storage,
    origin: &Origin,
    size: u64,
) -> Result<Option<SignedCheckpoint>, LedgerError> {
    let path = format!("{CHECKPOINTS}/{size}");
    let bytes = match storage.read(&path, CHECKPOINT_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) => match absence(&error) {
            Some("no such file") => return Ok(None),
            // A folder, a link or a heap of bytes is evidence that is wrong.
            Some(found) => return Err(damaged(&path, found)),
            None => return Err(LedgerError::io("read", path)(error)),
        },
    };
    match read_stored(&path, &bytes, origin) {
        Some(stored) => Ok(Some(stored)),
        None => Err(damaged(&path, ANOTHER_TEXT)),
    }
}

/// Returns the stored checkpoints, from the smallest to the largest.
///
/// # Errors
///
/// What the system says, or that a file holds something else.
pub fn all_checkpoints(
    storage: &dyn Storage,
    origin: &Origin,
) -> Result<Vec<SignedCheckpoint>, LedgerError> {
    let mut all = Vec::new();
    for (path, bytes) in stored_checkpoints(storage)? {
        let stored = read_stored(&path, &bytes, origin);
        all.push(stored.ok_or_else(|| damaged(&path, ANOTHER_TEXT))?);
    }
    all.sort_by_key(|stored| stored.checkpoint().size);
    Ok(all)
}

/// Returns the names and bytes of the stored checkpoints, in the order of names.
///
/// # Errors
///
/// What the system says.
pub(crate) fn stored_checkpoints(
    storage: &dyn Storage,
) -> Result<Vec<(String, Vec<u8>)>, LedgerError> {
    // What is no plain file is no checkpoint, and is found to be out of place.
    let entries = list(storage, CHECKPOINTS)?.into_iter();
    entries
        .filter(|entry| entry.is_file)
        .map(|entry| {
            let path = format!("{CHECKPOINTS}/{}", entry.name);
            match storage.read(&path, CHECKPOINT_BYTES_MAX) {
                Ok(bytes) => Ok((path, bytes)),
                // Too long to be one: no text of a checkpoint is empty.
                Err(error) if error.kind() == ErrorKind::FileTooLarge => Ok((path, Vec::new())),
                Err(error) => Err(LedgerError::io("read", path)(error)),
            }
        })
        .collect()
}

/// Reads a stored checkpoint of this ledger, whose name must be its size.
pub(crate) fn read_stored(path: &str, bytes: &[u8], origin: &Origin) -> Option<SignedCheckpoint> {
    let stored = SignedCheckpoint::parse(bytes).ok()?;
    let checkpoint = stored.checkpoint();
    let is_right = checkpoint.path() == path && checkpoint.origin == *origin && stored.is_plain();
    is_right.then_some(stored)
}

/// The finding that a stored checkpoint is not the one it should be.
pub(crate) fn changed(path: &str) -> Finding {
    changed_to(path, ANOTHER_TEXT)
}

fn changed_to(path: &str, found: &str) -> Finding {
    let expected = "origin, size and root of this ledger at the size in its name";
    Finding::new(Code::CheckpointChanged, Place::file(path), expected, found)
}

fn damaged(path: &str, found: &str) -> LedgerError {
    LedgerError::Damaged {
        findings: vec![changed_to(path, found)],
    }
}

/// Keeps others from changing checkpoints. The description is never replaced.
fn lock_checkpoints(storage: &dyn Storage) -> Result<Box<dyn StorageFile>, LedgerError> {
    let file = storage
        .open(DESCRIPTION, Mode::Write)
        .map_err(LedgerError::io("open", DESCRIPTION))?;
    // Whoever holds it writes one file.
    if lock(&*file, 2_000).map_err(LedgerError::io("lock", DESCRIPTION))? {
        Ok(file)
    } else {
        Err(LedgerError::Busy {
            folder: storage.describe(),
        })
    }
}
