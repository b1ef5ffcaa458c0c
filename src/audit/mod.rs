//! The rules that a release must pass.
//!
//! An audit recomputes and compares: it takes the ledger's own events, makes
//! every manifest and artifact again, and holds them against the files. What
//! it finds is a manifest in any case, also when it refuses. It only reads, and
//! it looks once: an [`Examination`] holds whatever was found, and a mode says
//! what of it counts.
//!
//! One file a rule. The rules run in this order:
//!
//! 1. [`integrity`]: the ledger is what was acknowledged, nothing in the prefix
//!    contradicts anything, and the release is bound to a checkpoint of it;
//!    [`signatures`]: which is signed by whom the specification names;
//! 2. [`declared`]: the specification says each thing once, in known words;
//! 3. [`gaps`]: what a draft is permitted to lack is named, with a reason;
//! 4. [`dependencies`]: nothing is made from itself, nothing settled from what
//!    is live;
//! 5. [`cohorts`]: every cohort is frozen before the checkpoint, and its
//!    manifest is what the ledger gives; [`retries`]: no cell was played again
//!    without a failure;
//! 6. [`artifacts`]: every declared file is there and is, byte for byte, what
//!    its generator makes; [`inputs`] and [`provenance`]: from what it says;
//!    [`content`]: and it says something;
//! 7. [`claims`]: what is claimed is reviewed, and is what its tables say;
//! 8. [`endpoints`]: every registered endpoint is reported, and was registered
//!    before the first outcome;
//! 9. [`folders`]: nothing else stands where things are published, under no
//!    name that is private or a twin ([`names`]), and git has it ([`tracking`]);
//! 10. [`secrets`]: wherever a file is read, and wherever something is said;
//!     [`waivers`]: what the specification lets pass there;
//! 11. [`retained`]: every audit that was published is kept, and the ledger still
//!     begins with what it was about; [`altered`]: and what was published under a
//!     name stays what it was;
//! 12. [`published`]: what was published is what all of this gives.

mod altered;
mod anchor_fits;
mod artifacts;
mod auditor;
mod claims;
mod cohorts;
mod content;
mod declared;
mod dependencies;
mod endpoints;
mod evidence;
mod examination;
mod folders;
mod gaps;
mod inputs;
mod integrity;
mod provenance;
mod published;
mod retained;
mod retries;
mod reviews;
mod run;
mod secrets;
mod signatures;
mod subject;
mod tracking;
mod waivers;

pub use artifacts::place_of;
pub use auditor::Auditor;
pub use evidence::{Evidence, Refrozen, gather};
pub use examination::{Examination, examine};
pub use published::check_published;
pub use retained::{HeldCheckpoint, checkpoint_of, held_checkpoints, retained_path};
pub use run::facts;
pub use subject::Subject;

use crate::digest::Digest;
use crate::finding::{Code, Finding, Place};
use crate::manifest::Mode;
use crate::release::{AUDITS_FOLDER, SPECIFICATION, Specification};
use crate::secret::Scanner;
use crate::tree::{ParsePathError, RelativePath, Tree};

/// The file of the manifest of an audit, relative to the project.
pub fn audit_path(mode: Mode) -> String {
    format!("{AUDITS_FOLDER}/{}.json", mode.as_str())
}

/// A specification that was read: the digest of its text, the text, and what it says.
pub type Opened = (Digest, Vec<u8>, Specification);

/// Opens the specification of a project, and returns it with its text and the
/// digest of that.
///
/// # Errors
///
/// What is wrong with it, beside its digest where it could be read.
pub fn open_specification(tree: &Tree) -> Result<Opened, (Option<Digest>, Vec<Finding>)> {
    const BYTES_MAX: u64 = 1 << 24;
    let faulty = |found: String| {
        let place = Place::file(SPECIFICATION);
        let expected = "the publication specification";
        let finding = Finding::new(Code::SpecInvalid, place, expected, found);
        (
            None,
            vec![finding.with_remedy(
                "restore it, or write another: scoresheet release new NAME --cohort COHORT",
            )],
        )
    };
    let path: Result<RelativePath, ParsePathError> = SPECIFICATION.parse();
    let path = path.map_err(|error| faulty(error.to_string()))?;
    let read = tree.read(&path, BYTES_MAX);
    let read = read.map_err(|fault| faulty(fault.to_string()))?;
    match read_specification(read.bytes()) {
        Ok(specification) => Ok((*read.digest(), read.into_bytes(), specification)),
        Err(findings) => Err((Some(*read.digest()), findings)),
    }
}

/// Reads a specification.
///
/// # Errors
///
/// What is wrong with it. Where it holds a secret, nothing else is said: what
/// else is wrong might be told in its words.
pub fn read_specification(bytes: &[u8]) -> Result<Specification, Vec<Finding>> {
    let place = Place::file(SPECIFICATION);
    let secrets = Scanner::shared().findings(&place, bytes);
    if !secrets.is_empty() {
        return Err(secrets);
    }
    Specification::parse(bytes).map_err(|fault| {
        let place = subject::specification_line(bytes, fault.column);
        let finding = Finding::new(Code::SpecInvalid, place, fault.expected, fault.found);
        vec![Scanner::shared().redacted_finding(finding)]
    })
}
