//! What was published is what stands here and what an audit finds now.
//!
//! The event names the specification, the audit and its bundle, so each file is
//! held against the event. The audit is made again as well; where it refuses,
//! its findings have said already what is wrong, and nothing is said twice.

use crate::audit::{Examination, audit_path, retained, run};
use crate::digest::Digest;
use crate::event::EventId;
use crate::finding::{Code, Finding, Place, any_blocker};
use crate::manifest::{self, AuditManifest, Mode, Verdict};
use crate::projection::{Projection, Published};
use crate::release::SPECIFICATION;
use crate::tree::Tree;

/// Compares the newest release with the files and with what was examined.
/// Without any release there is nothing to compare.
///
/// Facts about the run that published it are taken from its own manifest, whose
/// digest the event has; everything else is computed.
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
    let published = retained::published(tree, &event.audit);
    let run = published.as_deref().and_then(run::facts_of);
    let made = |mode| {
        let now = examination.manifest(mode);
        let then = run.as_ref().map(|run| examination.manifest_of(mode, run));
        let both = [Some(now), then].into_iter().flatten();
        both.filter_map(|manifest| manifest::digest(&manifest).ok())
            .collect::<Vec<_>>()
    };
    let expected = format!("digest {} that was published", event.audit);
    let mut right = made(Mode::Publication);
    right.push(event.audit);
    findings.extend(check_stored(tree, Mode::Publication, &expected, &right));
    if any_blocker(&findings) || any_blocker(&examination.findings(Mode::Publication)) {
        return findings;
    }
    let found = match &run {
        Some(run) => examination.manifest_of(Mode::Publication, run),
        None => examination.manifest(Mode::Publication),
    };
    findings.extend(check_event(newest, releases.next(), &found));
    let expected = "what an audit finds now";
    let stale = check_stored(tree, Mode::Draft, expected, &made(Mode::Draft));
    findings.extend(
        stale.map(|finding| finding.with_remedy("audit again: scoresheet audit --mode draft")),
    );
    findings
}

/// Checks the stored manifest of an audit: it has one of these digests.
fn check_stored(tree: &Tree, mode: Mode, expected: &str, right: &[Digest]) -> Option<Finding> {
    let path = audit_path(mode);
    let found = match retained::read(tree, &path) {
        Ok((digest, _)) if right.contains(&digest) => return None,
        Ok((digest, _)) => format!("digest {digest}"),
        Err(fault) => fault.to_string(),
    };
    let place = Place::file(path);
    Some(Finding::new(Code::ManifestChanged, place, expected, found))
}

/// Checks that the event says what the audit finds, word for word.
fn check_event(
    newest: &Published,
    before: Option<&Published>,
    found: &AuditManifest,
) -> Vec<Finding> {
    let event = &newest.published;
    let inventory = found.inventory.as_ref();
    let word = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    let id = |id: Option<EventId>| word(id.map(|id| id.to_string()));
    let checkpoint = |size: u64, root: &Digest| format!("root {root} at size {size}");
    let rows = [
        (
            "the audit",
            word(
                manifest::digest(found)
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
