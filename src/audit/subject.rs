use crate::audit::{Auditor, Evidence, secrets};
use crate::digest::Digest;
use crate::finding::{Finding, Place};
use crate::manifest::SecretScan;
use crate::projection::Source;
use crate::release::Specification;
use crate::tree::{RelativePath, Tree};

/// The largest file that is published, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// What is under audit.
pub struct Subject<'a> {
    /// The rules that it is held against.
    pub auditor: Auditor,
    /// The project's folder.
    pub tree: &'a Tree,
    /// What the release is said to be.
    pub specification: Specification,
    /// The digest of that text.
    pub specification_digest: Digest,
    /// What the ledger says.
    pub evidence: &'a Evidence,
}

/// A file that was read once: its length, its digest, and what the scan said.
pub(crate) struct ReadFile {
    pub(crate) bytes: usize,
    pub(crate) digest: Digest,
    pub(crate) secret_scan: SecretScan,
}

impl Subject<'_> {
    /// The prefix that the release is computed from.
    pub fn source(&self) -> Source {
        let checkpoint = self.specification.checkpoint;
        Source {
            origin: self.evidence.origin().clone(),
            size: checkpoint.size.get(),
            root: checkpoint.root,
        }
    }

    /// Reads a file; adds what is wrong with it, and with what stands in it.
    pub(crate) fn read(
        &self,
        path: &RelativePath,
        findings: &mut Vec<Finding>,
    ) -> Option<ReadFile> {
        let place = Place::file(path.as_str());
        match self.tree.read(path, FILE_BYTES_MAX) {
            Ok(read) => Some(ReadFile {
                bytes: read.bytes().len(),
                digest: *read.digest(),
                secret_scan: secrets::scan(&self.evidence.waivers, &place, read.bytes(), findings),
            }),
            Err(fault) => {
                findings.push(fault.finding(place));
                None
            }
        }
    }
}
