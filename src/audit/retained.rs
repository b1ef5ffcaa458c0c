//! The audit of every published release is kept for ever, named by its digest,
//! however many releases come later.

use crate::audit::audit_path;
use serde::Deserialize;

use crate::digest::Digest;
use crate::event::CheckpointRef;
use crate::finding::{Code, Finding, Place};
use crate::ledger::{LedgerError, Storage, Verification};
use crate::manifest::{Mode, Verdict};
use crate::projection::Projection;
use crate::release::AUDITS_FOLDER;
use crate::tree::{Tree, TreeFault};

/// The largest manifest of an audit, in bytes.
pub(crate) const MANIFEST_BYTES_MAX: u64 = 1 << 28;

/// The file of a published audit, relative to the project.
pub fn retained_path(audit: &Digest) -> String {
    format!("{AUDITS_FOLDER}/{audit}.json")
}

/// The prefix that an audit passed, as its manifest keeps it beside the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldCheckpoint {
    /// The file of the manifest, relative to the project.
    pub path: String,
    /// The prefix.
    pub checkpoint: CheckpointRef,
}

/// The prefixes that audits passed whose manifests stand in the project, in the
/// order of paths. What is no manifest of an audit that passed holds none.
pub fn held_checkpoints(tree: &Tree) -> Vec<HeldCheckpoint> {
    let Ok(folder) = AUDITS_FOLDER.parse() else {
        return Vec::new();
    };
    let files = tree.walk(Some(&folder)).map(|walk| walk.files);
    let files = files.unwrap_or_default().into_iter();
    let held = files.filter_map(|file| {
        let read = tree.read(&file, MANIFEST_BYTES_MAX).ok()?;
        let checkpoint = checkpoint_of(read.bytes())?;
        let path = file.as_str().to_owned();
        Some(HeldCheckpoint { path, checkpoint })
    });
    held.collect()
}

/// What is no audit that a release can rest on: a draft's, or a refused one.
fn unfit(file: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Part {
        mode: Mode,
        verdict: Verdict,
    }
    let part: Part = match serde_json::from_slice(file) {
        Ok(part) => part,
        Err(_) => return Some("no manifest of an audit".to_owned()),
    };
    let is_fit = (part.mode, part.verdict) == (Mode::Publication, Verdict::Passed);
    (!is_fit).then(|| {
        format!(
            "one that {} in {} mode",
            part.verdict.as_str(),
            part.mode.as_str()
        )
    })
}

/// The prefix that the audit of this manifest passed; nothing where it did not.
pub fn checkpoint_of(file: &[u8]) -> Option<CheckpointRef> {
    #[derive(Deserialize)]
    struct Part {
        inventory: Prefix,
        verdict: Verdict,
    }
    #[derive(Deserialize)]
    struct Prefix {
        checkpoint: CheckpointRef,
    }
    let part: Part = serde_json::from_slice(file).ok()?;
    (part.verdict == Verdict::Passed).then_some(part.inventory.checkpoint)
}

/// Checks that a ledger still begins with what audits passed: it only ever grew.
///
/// # Errors
///
/// When it could not look.
pub(crate) fn rewritten(
    storage: &dyn Storage,
    verification: &Verification,
    held: &[HeldCheckpoint],
) -> Result<Vec<Finding>, LedgerError> {
    let mut findings = Vec::new();
    for HeldCheckpoint { path, checkpoint } in held {
        let size = checkpoint.size.get();
        let found = if verification.size < size {
            format!("a ledger of {} events", verification.size)
        } else {
            // Where there is none the ledger is damaged, and that is said already.
            match verification.root_at(storage, size)? {
                Some(root) if root != checkpoint.root => format!("root {root}"),
                _ => continue,
            }
        };
        let root = &checkpoint.root;
        let expected = format!("root {root} of the first {size} events, which this audit passed");
        let place = Place::file(path);
        findings.push(Finding::new(Code::HistoryRewritten, place, expected, found));
    }
    Ok(findings)
}

/// Checks that each published audit is there, and passed as a publication. Where
/// nothing has the name of the newest one, it may stand in the place that the next
/// audit writes to: whoever published it was stopped before it was kept.
pub(crate) fn check(whole: &Projection, tree: &Tree) -> Vec<Finding> {
    let releases = whole.published.iter().rev().enumerate();
    let gone = releases.filter_map(|(age, release)| {
        let audit = &release.published.audit;
        let path = retained_path(audit);
        let found = match read(tree, &path) {
            Ok((digest, file)) if digest == *audit => {
                let found = unfit(&file)?;
                let expected = "an audit that passed in publication mode";
                let place = Place::file(path).with_event(*release.id.digest());
                return Some(Finding::new(
                    Code::ReleaseContradicted,
                    place,
                    expected,
                    found,
                ));
            }
            Ok((digest, _)) => format!("digest {digest}"),
            Err(TreeFault::NotFound) if age == 0 && published(tree, audit).is_some() => {
                return None;
            }
            Err(fault) => fault.to_string(),
        };
        let expected = format!("the audit of release {}", release.published.release);
        Some(Finding::new(
            Code::AuditGone,
            Place::file(path),
            expected,
            found,
        ))
    });
    gone.collect()
}

/// Returns the file of a published audit, where it is there.
pub(crate) fn published(tree: &Tree, audit: &Digest) -> Option<Vec<u8>> {
    let paths = [retained_path(audit), audit_path(Mode::Publication)];
    let mut files = paths.iter().filter_map(|path| read(tree, path).ok());
    let found = files.find(|(digest, _)| digest == audit);
    found.map(|(_, bytes)| bytes)
}

/// Returns a manifest's digest and bytes, or why there are none.
pub(crate) fn read(tree: &Tree, path: &str) -> Result<(Digest, Vec<u8>), TreeFault> {
    let read = tree.read(&path.parse()?, MANIFEST_BYTES_MAX)?;
    Ok((*read.digest(), read.into_bytes()))
}
