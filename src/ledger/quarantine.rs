//! Bytes that are no part of the ledger, kept so that nothing is lost unseen.

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{RecoveryCause, RecoveryRecorded, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::keep::{Source, Stored, digest_of, digest_of_source, make_folder, put_file};
use crate::ledger::layout::{EVENTS, QUARANTINE, quarantine_path};
use crate::ledger::segments::{self, Depth, Part};
use crate::ledger::{Head, LedgerError, Storage};

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
    make_folder(storage, QUARANTINE)?;
    let (digest, _) = digest_of_source(source).map_err(LedgerError::io("read", EVENTS))?;
    let path = match cause {
        Cause::TornTail => format!("{QUARANTINE}/{digest}.tail-{size}{PENDING}"),
        Cause::TornHead { rolled_forward } => {
            format!("{QUARANTINE}/{digest}.head-{size}-{rolled_forward}{PENDING}")
        }
    };
    put_file(storage, &path, source)
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

    /// Whether this is a tail that was found behind a head of this size.
    pub(crate) fn condemns_tail_at(&self, size: u64) -> bool {
        self.cause == Cause::TornTail && self.size == size
    }

    /// Whether this is recorded by one of these.
    pub(crate) fn is_among(&self, recorded: &[RecoveryRecorded]) -> bool {
        recorded.contains(&self.recovery())
    }

    /// Which of these no event behind their finding records yet: what was found
    /// stayed pending when the recovery was itself interrupted.
    pub(crate) fn unrecorded<'a>(
        pending: &'a [Self],
        storage: &dyn Storage,
        head: &Head,
    ) -> Result<Vec<&'a Self>, LedgerError> {
        let Some(size) = pending.iter().map(|pending| pending.size).min() else {
            return Ok(Vec::new());
        };
        let layout = storage.layout();
        let mut recorded = Vec::new();
        for number in layout.segment_of(size)..=head.segment {
            let bytes = (number == head.segment).then_some(head.length);
            let segment = segments::read(storage, Part { number, bytes }, Depth::Events)?;
            let first_index = number * layout.segment_lines();
            for (index, line) in (first_index..).zip(segment.lines) {
                if let Ok(event) = line.event
                    && let What::RecoveryRecorded(recovery) = &event.what
                {
                    recorded.push((index, recovery.clone()));
                }
            }
        }
        let is_recorded = |pending: &&Self| {
            let recovery = pending.recovery();
            let is_it = |(index, there): &(u64, _)| pending.size <= *index && *there == recovery;
            recorded.iter().any(is_it)
        };
        let mut unrecorded: Vec<&Self> = pending.iter().collect();
        unrecorded.retain(|pending| !is_recorded(pending));
        Ok(unrecorded)
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

    /// Gives the bytes their own name, once an event has recorded them. They
    /// keep the other one until that is durable: a disk that is stopped while a
    /// file is renamed may know neither name.
    pub(crate) fn settled(&self, storage: &dyn Storage) -> Result<(), LedgerError> {
        let pending = self.path();
        let stored = Stored {
            storage,
            path: &pending,
        };
        put_file(storage, &quarantine_path(&self.digest), &stored)?;
        storage
            .remove(&pending)
            .and_then(|()| storage.sync_folder(QUARANTINE))
            .map_err(LedgerError::io("remove", &pending))
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
