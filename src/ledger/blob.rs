use std::io;

use crate::digest::Digest;
use crate::ledger::layout::{BLOBS, MAKING};
use crate::ledger::{LedgerError, Mode, Storage};

/// Why a blob could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The system says no.
    #[error("cannot read blob {digest}: {source}")]
    Io {
        /// The blob.
        digest: Digest,
        /// What the system says.
        source: io::Error,
    },
    /// The bytes are not the ones that the name says.
    #[error("blob {digest} has been changed: its bytes have another digest")]
    Changed {
        /// The blob.
        digest: Digest,
    },
}

/// The file of a blob, relative to the ledger.
pub fn blob_path(digest: &Digest) -> String {
    let hex = digest.to_string();
    format!("{BLOBS}/{}/{hex}", &hex[..2])
}

/// Stores public bytes under their digest, durably, and returns it.
///
/// A blob that is there already is compared, never replaced.
///
/// # Errors
///
/// What the system says, or that a file with other bytes has the blob's name.
pub fn put_blob(storage: &dyn Storage, bytes: &[u8]) -> Result<Digest, LedgerError> {
    let digest = Digest::of(bytes);
    let path = blob_path(&digest);
    let folder = path.rsplit_once('/').map_or(BLOBS, |(folder, _)| folder);
    storage
        .create_folder(BLOBS)
        .and_then(|()| storage.create_folder(folder))
        .and_then(|()| storage.sync_folder(BLOBS))
        .and_then(|()| storage.sync_folder(""))
        .map_err(LedgerError::io("make", folder))?;
    put_file(storage, folder, &path, bytes)?;
    Ok(digest)
}

/// Stores a file that never changes: under another name first, then under its own.
pub(crate) fn put_file(
    storage: &dyn Storage,
    folder: &str,
    path: &str,
    bytes: &[u8],
) -> Result<(), LedgerError> {
    match storage.read(path) {
        Ok(there) if there == bytes => return Ok(()),
        Ok(_) => {
            let other = io::Error::new(
                io::ErrorKind::AlreadyExists,
                "a file with other bytes has this name; restore it from a trusted copy",
            );
            return Err(LedgerError::io("store", path)(other));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(LedgerError::io("read", path)(error)),
    }
    let making = make_file(storage, bytes)?;
    storage
        .rename_new(&making, path)
        .and_then(|()| storage.sync_folder(folder))
        .map_err(LedgerError::io("store", path))
}

/// Puts a file in place of another one, or where none stands: at any time the
/// old or the new one is there, whole.
pub(crate) fn replace_file(
    storage: &dyn Storage,
    folder: &str,
    path: &str,
    bytes: &[u8],
) -> Result<(), LedgerError> {
    let making = make_file(storage, bytes)?;
    storage
        .replace(&making, path)
        .and_then(|()| storage.sync_folder(folder))
        .map_err(LedgerError::io("store", path))
}

/// Writes a durable file where nothing is looked at, and returns its name: what
/// a killed process leaves there harms nobody.
fn make_file(storage: &dyn Storage, bytes: &[u8]) -> Result<String, LedgerError> {
    let making = format!("{MAKING}{}", Digest::of(bytes));
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
        .map_err(LedgerError::io("write", &making))?;
    Ok(making)
}

/// Returns the bytes that have this digest.
///
/// # Errors
///
/// When the blob is not there, cannot be read, or has other bytes.
pub fn read_blob(storage: &dyn Storage, digest: &Digest) -> Result<Vec<u8>, BlobError> {
    let digest = *digest;
    let bytes = storage
        .read(&blob_path(&digest))
        .map_err(|source| BlobError::Io { digest, source })?;
    if Digest::of(&bytes) == digest {
        Ok(bytes)
    } else {
        Err(BlobError::Changed { digest })
    }
}
