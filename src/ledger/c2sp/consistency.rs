use std::fmt;

use crate::digest::{ProofFault, Root, verify_consistency};
use crate::ledger::c2sp::inclusion::Numbered;
use crate::ledger::c2sp::note::readable;
use crate::ledger::c2sp::spelling::{encode, parse_decimal};
use crate::ledger::{Checkpoint, NoteFault, SignedCheckpoint};

/// The most hashes that a witness must look at.
const HASHES_MAX: usize = 63;

/// The proof that a ledger grew out of an earlier state of itself, as it is
/// sent to a witness (the body of C2SP tlog-witness add-checkpoint).
///
/// ```text
/// old 12
/// PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
///
/// example.org/log
/// 17
/// sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=
///
/// — example.org/log hI2DJw…
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsistencyProof {
    /// The number of events in the earlier state.
    pub old: u64,
    /// The hashes of RFC 6962 section 2.1.2.
    pub hashes: Vec<Root>,
    /// The later state.
    pub checkpoint: SignedCheckpoint,
}

impl ConsistencyProof {
    /// Reads the body.
    ///
    /// # Errors
    ///
    /// The first line that is not as it must be.
    pub fn parse(body: &[u8]) -> Result<Self, NoteFault> {
        let text = readable(body)?;
        let mut lines = Numbered::of(text);
        let (line, fault) = lines.next("`old` and the size of the earlier tree")?;
        let old = line.strip_prefix("old ").and_then(parse_decimal);
        let old = old.ok_or(fault)?;
        let hashes = lines.hashes(HASHES_MAX)?;
        let checkpoint = lines.checkpoint()?;
        Ok(Self {
            old,
            hashes,
            checkpoint,
        })
    }

    /// Checks that the later state begins with the earlier one, whose root this is.
    ///
    /// # Errors
    ///
    /// What is wrong with the proof.
    pub fn verify(&self, old_root: &Root) -> Result<(), ProofFault> {
        let Checkpoint { size, root, .. } = self.checkpoint.checkpoint();
        verify_consistency((self.old, old_root), (*size, root), &self.hashes)
    }
}

impl fmt::Display for ConsistencyProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old)?;
        for hash in &self.hashes {
            writeln!(f, "{}", encode(hash.as_bytes()))?;
        }
        write!(f, "\n{}", self.checkpoint)
    }
}
