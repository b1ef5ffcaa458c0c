//! Checkpoints: a prefix of a ledger as a text that others can keep.
//!
//! The text is a C2SP tlog-checkpoint: origin, size and root in base64, one a
//! line. It stands in `checkpoints/<size>` and never changes; signatures may be
//! added below it.
//!
//! ```text
//! example.org/chess/ledger-1
//! 120
//! X1/0kkHDLDKEmvSDPRGBx3QcXUWRTBJgUPjkkcQRD/0=
//! ```

use std::fmt;
use std::io::ErrorKind;
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::canonical::Count;
use crate::digest::{Digest, Root};
use crate::event::{CheckpointRef, Origin};
use crate::ledger::files::list;
use crate::ledger::keep::put_file;
use crate::ledger::layout::CHECKPOINTS;
use crate::ledger::{LedgerError, Storage};

/// A named prefix of a named ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which ledger.
    pub origin: Origin,
    /// How many events.
    pub size: u64,
    /// The RFC 6962 root over them.
    pub root: Root,
}

impl Checkpoint {
    /// Returns the prefix of this ledger that an event or a manifest names.
    pub fn new(origin: Origin, named: CheckpointRef) -> Self {
        Self {
            origin,
            size: named.size.get(),
            root: named.root,
        }
    }

    /// The file that holds it, relative to the ledger.
    pub fn path(&self) -> String {
        format!("{CHECKPOINTS}/{}", self.size)
    }

    /// How an event names it.
    pub fn reference(&self) -> CheckpointRef {
        CheckpointRef {
            root: self.root,
            size: Count::saturating(self.size),
        }
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = BASE64_STANDARD.encode(self.root.as_bytes());
        writeln!(f, "{}\n{}\n{root}", self.origin, self.size)
    }
}

/// The text is no checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected three lines: origin, size, and the root in base64")]
pub struct ParseCheckpointError;

impl FromStr for Checkpoint {
    type Err = ParseCheckpointError;

    fn from_str(text: &str) -> Result<Self, ParseCheckpointError> {
        let mut lines = text.split('\n');
        let mut next = || lines.next().ok_or(ParseCheckpointError);
        let checkpoint = Self {
            origin: next()?.parse().map_err(|_| ParseCheckpointError)?,
            size: next()?.parse().map_err(|_| ParseCheckpointError)?,
            root: parse_root(next()?)?,
        };
        // Written again it must be the same text: no other spelling of a number passes.
        if checkpoint.to_string() == text {
            Ok(checkpoint)
        } else {
            Err(ParseCheckpointError)
        }
    }
}

fn parse_root(text: &str) -> Result<Root, ParseCheckpointError> {
    let bytes = BASE64_STANDARD
        .decode(text)
        .map_err(|_| ParseCheckpointError)?;
    let bytes: [u8; 32] = bytes.try_into().map_err(|_| ParseCheckpointError)?;
    Ok(Digest::new(bytes))
}

/// Stores a checkpoint; one that is there already must be the same.
///
/// # Errors
///
/// What the system says, or that another text has its name.
pub fn issue_checkpoint(storage: &dyn Storage, checkpoint: &Checkpoint) -> Result<(), LedgerError> {
    storage
        .create_folder(CHECKPOINTS)
        .and_then(|()| storage.sync_folder(""))
        .map_err(LedgerError::io("make", CHECKPOINTS))?;
    let text = checkpoint.to_string();
    put_file(storage, CHECKPOINTS, &checkpoint.path(), text.as_bytes())
}

/// Signatures may be added to a text of three short lines.
const CHECKPOINT_BYTES_MAX: u64 = 1 << 20;

/// Returns the names and texts of the stored checkpoints, in the order of names.
/// A text that is too long to be one comes out empty.
///
/// # Errors
///
/// What the system says.
pub fn stored_checkpoints(storage: &dyn Storage) -> Result<Vec<(String, Vec<u8>)>, LedgerError> {
    // What is no plain file is no checkpoint, and is found to be out of place.
    let entries = list(storage, CHECKPOINTS)?.into_iter();
    entries
        .filter(|entry| entry.is_file)
        .map(|entry| {
            let path = format!("{CHECKPOINTS}/{}", entry.name);
            match storage.read(&path, CHECKPOINT_BYTES_MAX) {
                Ok(bytes) => Ok((path, bytes)),
                Err(error) if error.kind() == ErrorKind::FileTooLarge => Ok((path, Vec::new())),
                Err(error) => Err(LedgerError::io("read", path)(error)),
            }
        })
        .collect()
}
