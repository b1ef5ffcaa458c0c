//! Bytes that are no part of the ledger, kept so that nothing is lost unseen.

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{RecoveryCause, RecoveryRecorded};
use crate::ledger::blob::put_file;
use crate::ledger::layout::{QUARANTINE, quarantine_path};
use crate::ledger::{LedgerError, Storage};

/// The suffix of a quarantined file that no event has recorded yet.
const PENDING: &str = ".pending";

/// Why bytes are in quarantine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    TornTail,
    TornHead { rolled_forward: u64 },
}

/// A quarantined file that no event has recorded yet. Its name says what the
/// event will say, so that an interruption in between loses nothing:
/// `<sha256>.tail.pending` or `<sha256>.head-<rolled forward>.pending`.
pub(crate) struct Pending {
    name: String,
    digest: Digest,
    bytes: u64,
    cause: Cause,
}

/// Keeps bytes that are no part of the ledger, to be recorded by the next event.
pub(crate) fn quarantine(
    storage: &dyn Storage,
    bytes: &[u8],
    cause: Cause,
) -> Result<(), LedgerError> {
    storage
        .create_folder(QUARANTINE)
        .and_then(|()| storage.sync_folder(""))
        .map_err(LedgerError::io("make", QUARANTINE))?;
    let digest = Digest::of(bytes);
    let path = match cause {
        Cause::TornTail => format!("{QUARANTINE}/{digest}.tail{PENDING}"),
        Cause::TornHead { rolled_forward } => {
            format!("{QUARANTINE}/{digest}.head-{rolled_forward}{PENDING}")
        }
    };
    put_file(storage, QUARANTINE, &path, bytes)
}

impl Pending {
    pub(crate) fn parse(name: &str, bytes: u64) -> Option<Self> {
        let (digest, cause) = name.strip_suffix(PENDING)?.split_once('.')?;
        let cause = match cause.strip_prefix("head-") {
            Some(rolled_forward) => Cause::TornHead {
                rolled_forward: rolled_forward.parse().ok()?,
            },
            None => (cause == "tail").then_some(Cause::TornTail)?,
        };
        Some(Self {
            name: name.to_owned(),
            digest: digest.parse().ok()?,
            bytes,
            cause,
        })
    }

    /// Returns the quarantined files that no event has recorded yet.
    pub(crate) fn all(storage: &dyn Storage) -> Result<Vec<Self>, LedgerError> {
        let entries = match storage.list(QUARANTINE) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(LedgerError::io("list", QUARANTINE)(error)),
        };
        Ok(entries
            .iter()
            .filter_map(|entry| Self::parse(&entry.name, entry.bytes))
            .collect())
    }

    /// What the event about it says.
    pub(crate) fn recovery(&self) -> RecoveryRecorded {
        let (cause, rolled_forward) = match self.cause {
            Cause::TornTail => (RecoveryCause::TornTail, None),
            Cause::TornHead { rolled_forward } => (
                RecoveryCause::TornHead,
                Some(Count::saturating(rolled_forward)),
            ),
        };
        RecoveryRecorded {
            bytes: Count::saturating(self.bytes),
            cause,
            rolled_forward,
            sha256: self.digest,
        }
    }

    /// Gives the file its own name, once an event has recorded it.
    pub(crate) fn settled(&self, storage: &dyn Storage) -> Result<(), LedgerError> {
        let path = quarantine_path(&self.digest);
        let pending = format!("{QUARANTINE}/{}", self.name);
        let renamed = match storage.rename_new(&pending, &path) {
            // The same bytes were quarantined before; the second copy is not needed.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                storage.remove(&pending)
            }
            other => other,
        };
        renamed
            .and_then(|()| storage.sync_folder(QUARANTINE))
            .map_err(LedgerError::io("name", path))
    }
}
