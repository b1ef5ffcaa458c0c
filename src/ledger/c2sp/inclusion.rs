use std::fmt;

use crate::digest::{LeafHash, ProofFault, Root, verify_inclusion};
use crate::ledger::c2sp::note::{readable, shown};
use crate::ledger::c2sp::spelling::{decode, decode_hash, encode, parse_decimal};
use crate::ledger::{NoteFault, SignedCheckpoint};

/// The first line of the file.
const TITLE: &str = "c2sp.org/tlog-proof@v1";

/// A tree of 2^64 leaves has no longer path.
const HASHES_MAX: usize = 64;

/// The proof that an event stands in a ledger, in a file that needs no ledger
/// to be checked (C2SP tlog-proof).
///
/// ```text
/// c2sp.org/tlog-proof@v1
/// extra eyJhdCI6…
/// index 5
/// gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
///
/// example.org/log
/// 17
/// sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=
///
/// — example.org/log hI2DJw…
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InclusionProof {
    /// Bytes that nothing vouches for; here the line of the event, which is
    /// believed only as far as its hash is included.
    pub extra: Option<Vec<u8>>,
    /// The position of the event, from 0.
    pub index: u64,
    /// The hashes from the leaf's sibling to the root's child.
    pub hashes: Vec<Root>,
    /// The ledger that it stands in.
    pub checkpoint: SignedCheckpoint,
}

impl InclusionProof {
    /// Whether a file claims to be such a proof.
    pub fn is_one(file: &[u8]) -> bool {
        file.starts_with(TITLE.as_bytes())
    }

    /// Reads the file.
    ///
    /// # Errors
    ///
    /// The first line that is not as it must be.
    pub fn parse(file: &[u8]) -> Result<Self, NoteFault> {
        let text = readable(file)?;
        let mut lines = Numbered::of(text);
        let (title, fault) = lines.next("c2sp.org/tlog-proof@v1")?;
        if title != TITLE {
            return Err(fault);
        }
        let (mut line, mut fault) = lines.next("an index: the position of an event")?;
        let mut extra = None;
        if let Some(encoded) = line.strip_prefix("extra ") {
            fault.expected = "extra data in base64";
            extra = Some(decode(encoded).ok_or(fault)?);
            (line, fault) = lines.next("an index: the position of an event")?;
        }
        let index = line.strip_prefix("index ").and_then(parse_decimal);
        let index = index.ok_or(fault)?;
        let hashes = lines.hashes(HASHES_MAX)?;
        let checkpoint = lines.checkpoint()?;
        Ok(Self {
            extra,
            index,
            hashes,
            checkpoint,
        })
    }

    /// Checks that this leaf stands at the index. Whose checkpoint it is, and
    /// who signed it, is another question.
    ///
    /// # Errors
    ///
    /// What is wrong with the proof.
    pub fn verify(&self, leaf: &LeafHash) -> Result<(), ProofFault> {
        let checkpoint = self.checkpoint.checkpoint();
        verify_inclusion(
            leaf,
            self.index,
            checkpoint.size,
            &self.hashes,
            &checkpoint.root,
        )
    }
}

impl fmt::Display for InclusionProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        if let Some(extra) = &self.extra {
            writeln!(f, "extra {}", encode(extra))?;
        }
        writeln!(f, "index {}", self.index)?;
        for hash in &self.hashes {
            writeln!(f, "{}", encode(hash.as_bytes()))?;
        }
        write!(f, "\n{}", self.checkpoint)
    }
}

/// The lines of a text, with their numbers, to the part that is a checkpoint.
pub(crate) struct Numbered<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Numbered<'a> {
    pub(crate) const fn of(text: &'a str) -> Self {
        Self {
            rest: text,
            line: 0,
        }
    }

    /// Returns the next line, and what to say if it is wrong.
    pub(crate) fn next(
        &mut self,
        expected: &'static str,
    ) -> Result<(&'a str, NoteFault), NoteFault> {
        self.line += 1;
        let fault = |found: String| NoteFault {
            line: self.line,
            expected,
            found,
        };
        let Some((line, rest)) = self.rest.split_once('\n') else {
            return Err(fault("the end of the text".to_owned()));
        };
        self.rest = rest;
        Ok((line, fault(shown(line))))
    }

    /// Returns the hashes on the next lines, to the empty line behind them.
    pub(crate) fn hashes(&mut self, n_max: usize) -> Result<Vec<Root>, NoteFault> {
        let mut hashes = Vec::new();
        loop {
            let (line, mut fault) = self.next("a hash in base64, or an empty line")?;
            if line.is_empty() {
                return Ok(hashes);
            }
            if hashes.len() == n_max {
                fault.expected = "no more hashes than a tree can take";
                return Err(fault);
            }
            hashes.push(decode_hash(line).ok_or(fault)?);
        }
    }

    /// Returns the checkpoint that the rest is.
    pub(crate) fn checkpoint(&self) -> Result<SignedCheckpoint, NoteFault> {
        SignedCheckpoint::parse(self.rest.as_bytes()).map_err(|fault| NoteFault {
            line: self.line + fault.line,
            ..fault
        })
    }
}
