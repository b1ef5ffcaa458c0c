use std::io;

use crate::digest::Digest;
use crate::ledger::keep::{make_folder, parent, put_file};
use crate::ledger::layout::BLOBS;
use crate::ledger::{LedgerError, Storage, Waivers};
use crate::secret::redacted_excerpt;

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

/// The longest blob that is read into memory, in bytes.
pub const BLOB_BYTES_MAX: u64 = 1 << 30;

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
/// What the system says, that a file with other bytes has the blob's name, or
/// that nobody could read so many bytes back, or that they hold what looks like
/// a credential and none of the waivers speaks for it: nothing is stored then.
pub fn put_blob(
    storage: &dyn Storage,
    bytes: &[u8],
    waivers: &Waivers,
) -> Result<Digest, LedgerError> {
    if let Some(hit) = waivers.standing(bytes).first() {
        return Err(LedgerError::Secret {
            offset: hit.start,
            rule: hit.rule,
            excerpt: redacted_excerpt(bytes, hit),
        });
    }
    let digest = Digest::of(bytes);
    let path = blob_path(&digest);
    if BLOB_BYTES_MAX < u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
        let error = io::Error::new(io::ErrorKind::FileTooLarge, "a blob has at most 1 GiB");
        return Err(LedgerError::io("store", path)(error));
    }
    make_folder(storage, BLOBS)?;
    make_folder(storage, parent(&path))?;
    put_file(storage, &path, bytes)?;
    Ok(digest)
}

/// Returns the bytes that have this digest.
///
/// # Errors
///
/// When the blob is not there, cannot be read, or has other bytes.
pub fn read_blob(storage: &dyn Storage, digest: &Digest) -> Result<Vec<u8>, BlobError> {
    let digest = *digest;
    let bytes = storage
        .read(&blob_path(&digest), BLOB_BYTES_MAX)
        .map_err(|source| BlobError::Io { digest, source })?;
    if Digest::of(&bytes) == digest {
        Ok(bytes)
    } else {
        Err(BlobError::Changed { digest })
    }
}
