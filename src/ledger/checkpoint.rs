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
//!
//! — example.org/chess/ledger-1 Uw2QOkn8…
//! ```

use std::fmt;

use crate::canonical::Count;
use crate::digest::Root;
use crate::event::{CheckpointRef, Origin};
use crate::ledger::c2sp::note::{readable, shown};
use crate::ledger::c2sp::spelling::{decode_hash, encode, parse_decimal};
use crate::ledger::layout::CHECKPOINTS;
use crate::ledger::{Note, NoteFault, NoteSignature};

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
        let root = encode(self.root.as_bytes());
        writeln!(f, "{}\n{}\n{root}", self.origin, self.size)
    }
}

/// Reads the three lines that every checkpoint has; further lines may follow,
/// of which nothing is known.
fn parse_text(text: &str) -> Result<Checkpoint, NoteFault> {
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let line = |number: usize, expected: &'static str| {
        let found = |text: &str| NoteFault {
            line: number,
            expected,
            found: text.to_owned(),
        };
        let line = lines.get(number - 1).ok_or_else(|| found("nothing"))?;
        let plain = line.strip_suffix('\n').filter(|plain| !plain.is_empty());
        plain
            .map(|plain| (plain, found(&shown(plain))))
            .ok_or_else(|| found("an empty line, or one without a newline"))
    };
    let (origin, fault) = line(1, "the origin of a log: printable, no spaces, no `+`")?;
    let origin = origin.parse().map_err(|_| fault)?;
    let (size, fault) = line(2, "the size of a tree, in decimal")?;
    let size = parse_decimal(size).ok_or(fault)?;
    let (root, fault) = line(3, "the root of a tree, in base64")?;
    let root = decode_hash(root).ok_or(fault)?;
    for number in 4..=lines.len() {
        line(number, "a line of its own")?;
    }
    Ok(Checkpoint { origin, size, root })
}

/// A checkpoint with the signatures below it, of which there may be none.
///
/// That they are there says nothing: a policy says whose signatures count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCheckpoint {
    checkpoint: Checkpoint,
    note: Note,
}

impl SignedCheckpoint {
    /// Returns the checkpoint without a signature.
    pub fn unsigned(checkpoint: Checkpoint) -> Self {
        Self {
            note: Note::new(checkpoint.to_string(), Vec::new()),
            checkpoint,
        }
    }

    /// Reads a checkpoint with or without signatures.
    ///
    /// # Errors
    ///
    /// The first line that is not as it must be.
    pub fn parse(bytes: &[u8]) -> Result<Self, NoteFault> {
        let whole = readable(bytes)?;
        // No line of the text is empty: an empty one is above signatures.
        let note = if whole.contains("\n\n") {
            Note::parse(bytes)?
        } else {
            Note::new(whole.to_owned(), Vec::new())
        };
        let checkpoint = parse_text(note.text())?;
        Ok(Self { checkpoint, note })
    }

    /// What it says.
    pub const fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The text with its signatures.
    pub const fn note(&self) -> &Note {
        &self.note
    }

    /// Whether there is any signature.
    pub fn is_signed(&self) -> bool {
        !self.note.signatures().is_empty()
    }

    /// Whether the text has no line beside origin, size and root.
    pub(crate) fn is_plain(&self) -> bool {
        self.note.text() == self.checkpoint.to_string()
    }

    /// The names that the signatures claim, each once, in their order.
    pub fn signers(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for signature in self.note.signatures() {
            if !names.contains(&signature.name.as_str()) {
                names.push(&signature.name);
            }
        }
        names
    }

    /// The same with these signatures below those that are there; none twice.
    #[must_use]
    pub fn with(&self, signatures: &[NoteSignature]) -> Self {
        let mut all = self.note.signatures().to_vec();
        for signature in signatures {
            if !all.contains(signature) {
                all.push(signature.clone());
            }
        }
        Self {
            checkpoint: self.checkpoint.clone(),
            note: Note::new(self.note.text().to_owned(), all),
        }
    }
}

impl fmt::Display for SignedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_signed() {
            write!(f, "{}", self.note)
        } else {
            f.write_str(self.note.text())
        }
    }
}
