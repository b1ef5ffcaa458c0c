use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::audit::{Auditor, Evidence, secrets, waivers};
use crate::canonical::column_of;
use crate::digest::Digest;
use crate::finding::{Code, Finding, Place};
use crate::manifest::SecretScan;
use crate::projection::{Projection, Source};
use crate::release::{SPECIFICATION, Specification};
use crate::tree::{RelativePath, Tracked, Tree};

/// The largest file that is published, in bytes.
pub(crate) const FILE_BYTES_MAX: u64 = 1 << 30;

/// What is under audit.
pub struct Subject<'a> {
    /// The rules that it is held against.
    pub auditor: Auditor,
    /// The project's folder.
    pub tree: &'a Tree,
    /// What git tracks in it; nothing where it is no work tree.
    pub tracked: Option<Tracked>,
    /// What the release is said to be.
    pub specification: Specification,
    /// The text of that, by which findings name lines.
    pub specification_text: Vec<u8>,
    /// The digest of that text.
    pub specification_digest: Digest,
    /// What the ledger says.
    pub evidence: &'a Evidence,
}

/// A file that was read once: its length, its digest, and what was seen in it.
pub(crate) struct ReadFile {
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: Digest,
    pub(crate) secret_scan: SecretScan,
    /// How many names it has.
    pub(crate) n_links: u64,
    /// Which waivers of the specification let something pass.
    pub(crate) waived: BTreeSet<usize>,
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

    /// The ledger as it stands, from which live artifacts are made.
    pub(crate) fn whole(&self) -> (&Projection, Source) {
        let verification = &self.evidence.verification;
        let source = Source {
            origin: self.evidence.origin().clone(),
            size: verification.size,
            root: verification.root,
        };
        (&self.evidence.whole, source)
    }

    /// The place in the specification that this path of keys and numbers leads to.
    pub(crate) fn declared_at(&self, path: &str) -> Place {
        let text = &self.specification_text;
        specification_line(text, column_of(text, path))
    }

    /// Reads a file; adds what is wrong with it, and with what stands in it.
    pub(crate) fn read(
        &self,
        path: &RelativePath,
        findings: &mut Vec<Finding>,
    ) -> Option<ReadFile> {
        let place = Place::file(path.as_str());
        let read = match self.tree.read(path, FILE_BYTES_MAX) {
            Ok(read) => read,
            Err(fault) => {
                findings.push(fault.finding(place));
                return None;
            }
        };
        let waived = RefCell::new(BTreeSet::new());
        let standing = |bytes: &[u8]| {
            let mut hits = self.evidence.waivers.standing(bytes);
            let (let_pass, used) = waivers::letting_pass(self, path.as_str(), bytes, &hits);
            hits.retain(|hit| !let_pass.contains(&(hit.rule, hit.start, hit.end)));
            waived.borrow_mut().extend(used);
            hits
        };
        let secret_scan = secrets::scan(&standing, &place, read.bytes(), findings);
        if is_pointer(read.bytes()) {
            findings.push(Finding::new(
                Code::FilePointer,
                place,
                "the content of the file",
                "a pointer to it",
            ));
        }
        Some(ReadFile {
            digest: *read.digest(),
            secret_scan,
            n_links: read.n_links(),
            bytes: read.into_bytes(),
            waived: waived.into_inner(),
        })
    }
}

/// The line of the specification that this column of its text, from 1, is on.
pub(crate) fn specification_line(text: &[u8], column: u64) -> Place {
    let before = usize::try_from(column)
        .unwrap_or(usize::MAX)
        .saturating_sub(1)
        .min(text.len());
    let newlines = text[..before].iter().filter(|byte| **byte == b'\n');
    let line = u64::try_from(newlines.count() + 1).unwrap_or(1);
    Place::file(SPECIFICATION).line(line)
}

/// Whether the bytes stand for a content that is kept elsewhere.
fn is_pointer(bytes: &[u8]) -> bool {
    const POINTER_BYTES_MAX: usize = 1 << 15;
    let of_annex = || {
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let first = lines.next().unwrap_or_default();
        first.starts_with(b"/annex/objects/") || first.starts_with(b"../.git/annex/objects/")
    };
    bytes.len() <= POINTER_BYTES_MAX
        && (bytes.starts_with(b"version https://git-lfs.github.com/spec/") || of_annex())
}
