//! What was published is what stands here and what an audit finds now.
//!
//! The event names the specification, the audit and its bundle, so each file is
//! held against the event. The audit is made again as well; where it refuses,
//! its findings have said already what is wrong, and nothing is said twice.

use crate::audit::auditor::MANIFEST_BYTES_MAX;
use crate::audit::{Examination, audit_path};
use crate::digest::Digest;
use crate::event::EventId;
use crate::finding::{Code, Finding, Place, any_blocker};
use crate::manifest::{self, Mode, Verdict};
use crate::projection::{Projection, Published};
use crate::release::SPECIFICATION;
use crate::tree::Tree;

/// Compares the newest release with the files and with what was examined.
/// Without any release there is nothing to compare.
pub fn check_published(whole: &Projection, examination: &Examination, tree: &Tree) -> Vec<Finding> {
    let mut releases = whole.published.iter().rev();
    let Some(newest) = releases.next() else {
        return Vec::new();
    };
    let event = &newest.published;
    let mut findings = Vec::new();
    let specification = examination.specification_digest();
    if let Some(digest) = specification.filter(|digest| *digest != event.specification) {
        let place = Place::file(SPECIFICATION);
        let expected = format!("digest {} that was published", event.specification);
        let found = format!("digest {digest}");
        findings.push(Finding::new(Code::SpecChanged, place, expected, found));
    }
    let expected = format!("digest {} that was published", event.audit);
    let is_published = |digest: &Digest| *digest == event.audit;
    findings.extend(check_stored(
        tree,
        Mode::Publication,
        &expected,
        is_published,
    ));
    if any_blocker(&findings) || any_blocker(examination.findings()) {
        return findings;
    }
    findings.extend(check_event(newest, releases.next(), examination));
    let draft = manifest::digest(&examination.manifest(Mode::Draft)).ok();
    let is_made_now = |digest: &Digest| Some(*digest) == draft;
    let stale = check_stored(tree, Mode::Draft, "what an audit finds now", is_made_now);
    findings.extend(
        stale.map(|finding| finding.with_remedy("audit again: scoresheet audit --mode draft")),
    );
    findings
}

/// Checks the stored manifest of an audit.
fn check_stored(
    tree: &Tree,
    mode: Mode,
    expected: &str,
    is_right: impl FnOnce(&Digest) -> bool,
) -> Option<Finding> {
    let place = Place::file(audit_path(mode));
    let changed = |found: String| {
        Some(Finding::new(
            Code::ManifestChanged,
            place.clone(),
            expected,
            found,
        ))
    };
    let path = audit_path(mode).parse().ok()?;
    match tree.read(&path, MANIFEST_BYTES_MAX) {
        Ok(read) if is_right(read.digest()) => None,
        Ok(read) => changed(format!("digest {}", read.digest())),
        Err(fault) => changed(fault.to_string()),
    }
}

/// Checks that the event says what the audit finds, word for word.
fn check_event(
    newest: &Published,
    before: Option<&Published>,
    examination: &Examination,
) -> Vec<Finding> {
    let event = &newest.published;
    let found = examination.manifest(Mode::Publication);
    let inventory = found.inventory.as_ref();
    let word = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    let id = |id: Option<EventId>| word(id.map(|id| id.to_string()));
    let checkpoint = |size: u64, root: &Digest| format!("root {root} at size {size}");
    let rows = [
        (
            "the audit",
            word(
                manifest::digest(&found)
                    .ok()
                    .map(|digest| digest.to_string()),
            ),
            event.audit.to_string(),
        ),
        (
            "the bundle",
            word(found.bundle.map(|bundle| bundle.to_string())),
            event.bundle.to_string(),
        ),
        (
            "the checkpoint",
            word(inventory.map(|it| checkpoint(it.checkpoint.size.get(), &it.checkpoint.root))),
            checkpoint(event.checkpoint.size.get(), &event.checkpoint.root),
        ),
        (
            "the evidence status",
            word(
                found
                    .evidence_status
                    .map(|status| status.as_str().to_owned()),
            ),
            event.evidence_status.as_str().to_owned(),
        ),
        (
            "the release",
            word(inventory.map(|inventory| inventory.release.to_string())),
            event.release.to_string(),
        ),
        (
            "the superseded release",
            id(before.map(|before| before.id)),
            id(event.supersedes),
        ),
        (
            "the verdict",
            found.verdict.as_str().to_owned(),
            Verdict::Passed.as_str().to_owned(),
        ),
    ];
    let differing = rows.into_iter().filter(|(_, now, then)| now != then);
    differing
        .map(|(what, now, then)| {
            let place = Place::event(*newest.id.digest());
            let (expected, found) = (format!("{what} {now}"), format!("{what} {then}"));
            Finding::new(Code::ReleaseContradicted, place, expected, found)
        })
        .collect()
}
