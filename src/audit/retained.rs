//! The audit of every published release is kept for ever, named by its digest,
//! however many releases come later.

use crate::audit::audit_path;
use crate::digest::Digest;
use crate::finding::{Code, Finding, Place};
use crate::manifest::Mode;
use crate::projection::Projection;
use crate::release::AUDITS_FOLDER;
use crate::tree::Tree;

/// The largest manifest of an audit, in bytes.
pub(crate) const MANIFEST_BYTES_MAX: u64 = 1 << 28;

/// The file of a published audit, relative to the project.
pub fn retained_path(audit: &Digest) -> String {
    format!("{AUDITS_FOLDER}/{audit}.json")
}

/// Checks that each published audit is there. The newest one may stand in the
/// place that the next audit writes to: it has not been written over yet.
pub(crate) fn check(whole: &Projection, tree: &Tree) -> Vec<Finding> {
    let releases = whole.published.iter().rev().enumerate();
    let gone = releases.filter_map(|(age, release)| {
        let audit = &release.published.audit;
        let path = retained_path(audit);
        let found = match read(tree, &path) {
            Ok((digest, _)) if digest == *audit => return None,
            Ok((digest, _)) => format!("digest {digest}"),
            Err(_) if age == 0 && published(tree, audit).is_some() => return None,
            Err(found) => found,
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
pub(crate) fn read(tree: &Tree, path: &str) -> Result<(Digest, Vec<u8>), String> {
    let path = path
        .parse()
        .map_err(|error: crate::tree::ParsePathError| error.to_string())?;
    let read = tree.read(&path, MANIFEST_BYTES_MAX);
    let read = read.map_err(|fault| fault.to_string())?;
    Ok((*read.digest(), read.into_bytes()))
}
