//! Bytes that are no part of the ledger, kept so that nothing is lost unseen.

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{RecoveryCause, RecoveryRecorded};
use crate::finding::{Code, Finding, Place};
use crate::ledger::keep::{Source, digest_of, digest_of_source, put_file};
use crate::ledger::layout::{EVENTS, QUARANTINE, quarantine_path};
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
/// event will say, so that an interruption in between loses nothing, and the
/// size of the ledger when it was found, so that it is recorded only once:
/// `<sha256>.tail-<size>.pending` or
/// `<sha256>.head-<size>-<rolled forward>.pending`.
pub(crate) struct Pending {
    name: String,
    digest: Digest,
    bytes: u64,
    cause: Cause,
    /// The events that the head covered when the bytes were found.
    size: u64,
}

/// Keeps bytes that are no part of a ledger of this size, to be recorded by the
/// next event.
pub(crate) fn quarantine<S: Source + ?Sized>(
    storage: &dyn Storage,
    source: &S,
    cause: Cause,
    size: u64,
) -> Result<(), LedgerError> {
    storage
        .create_folder(QUARANTINE)
        .and_then(|()| storage.sync_folder(""))
        .map_err(LedgerError::io("make", QUARANTINE))?;
    let (digest, _) = digest_of_source(source).map_err(LedgerError::io("read", EVENTS))?;
    let path = match cause {
        Cause::TornTail => format!("{QUARANTINE}/{digest}.tail-{size}{PENDING}"),
        Cause::TornHead { rolled_forward } => {
            format!("{QUARANTINE}/{digest}.head-{size}-{rolled_forward}{PENDING}")
        }
    };
    put_file(storage, QUARANTINE, &path, source)
}

impl Pending {
    pub(crate) fn parse(name: &str, bytes: u64) -> Option<Self> {
        let (digest, cause) = name.strip_suffix(PENDING)?.split_once('.')?;
        let (cause, size) = if let Some(of_head) = cause.strip_prefix("head-") {
            let (size, rolled_forward) = of_head.split_once('-')?;
            let rolled_forward = rolled_forward.parse().ok()?;
            (Cause::TornHead { rolled_forward }, size)
        } else {
            (Cause::TornTail, cause.strip_prefix("tail-")?)
        };
        Some(Self {
            name: name.to_owned(),
            digest: digest.parse().ok()?,
            bytes,
            cause,
            size: size.parse().ok()?,
        })
    }

    /// Refuses what an event could not record as it is: bytes that have changed
    /// since they were put here, or others that have their name.
    pub(crate) fn check(storage: &dyn Storage) -> Result<(), LedgerError> {
        for pending in Self::all(storage)? {
            let paths = [pending.path(), quarantine_path(&pending.digest)];
            for path in paths {
                match digest_of(storage, &path) {
                    Ok(digest) if digest == pending.digest => {}
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    Ok(_) => return Err(changed(path)),
                    Err(error) => return Err(LedgerError::io("read", path)(error)),
                }
            }
        }
        Ok(())
    }

    /// Whether an event of a ledger of this size records it already: the first
    /// batch behind what it was found behind does.
    pub(crate) fn is_recorded(&self, size: u64) -> bool {
        let rolled_forward = match self.cause {
            Cause::TornTail => 0,
            Cause::TornHead { rolled_forward } => rolled_forward,
        };
        self.size.saturating_add(rolled_forward) < size
    }

    fn path(&self) -> String {
        format!("{QUARANTINE}/{}", self.name)
    }

    /// Returns the quarantined files that do not have their own name yet.
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
        let pending = self.path();
        let renamed = match storage.rename_new(&pending, &path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                // The same bytes were quarantined before; the second copy is not needed.
                let there = digest_of(storage, &path).map_err(LedgerError::io("read", &path))?;
                if there != self.digest {
                    return Err(changed(path));
                }
                storage.remove(&pending)
            }
            other => other,
        };
        renamed
            .and_then(|()| storage.sync_folder(QUARANTINE))
            .map_err(LedgerError::io("name", path))
    }
}

fn changed(path: String) -> LedgerError {
    LedgerError::Damaged {
        findings: vec![Finding::new(
            Code::QuarantineChanged,
            Place::file(path).offset(0),
            "bytes with the digest in the name",
            "other bytes",
        )],
    }
}
