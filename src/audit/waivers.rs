//! What the specification lets pass as no credential: for these bytes of this
//! artifact only, with a reason, by name, and until a day.

use std::collections::BTreeSet;

use crate::audit::Subject;
use crate::canonical::{Count, Day};
use crate::digest::Digest;
use crate::finding::{Code, Finding, Place};
use crate::manifest::{Artifact, SecretWaiver};
use crate::secret::{Hit, Scanner};

/// One place that one rule speaks of.
type Spot = (&'static str, usize, usize);

/// What is wrong with the waivers: what counts in both modes, and what counts in
/// a publication only.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) findings: Vec<Finding>,
    pub(crate) strict: Vec<Finding>,
}

/// Returns the places in an artifact's bytes that waivers let pass, and which
/// waivers do.
pub(crate) fn letting_pass(
    subject: &Subject<'_>,
    path: &str,
    bytes: &[u8],
    hits: &[Hit],
) -> (Vec<Spot>, Vec<usize>) {
    let waivers = subject.specification.waivers.iter().enumerate();
    let mut waivers: Vec<_> = waivers
        .filter(|(_, waiver)| waiver.path == path && !is_expired(subject, waiver))
        .collect();
    if hits.is_empty() || waivers.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let sha256 = Digest::of(bytes);
    waivers.retain(|(_, waiver)| waiver.sha256 == sha256 && !is_all(waiver, bytes.len()));
    let (mut spots, mut used) = (Vec::new(), Vec::new());
    for (at, waiver) in waivers {
        let covered = hits.iter().filter(|hit| {
            waiver.rule.as_str() == hit.rule
                && waiver.start == Count::saturating(hit.start)
                && waiver.end == Count::saturating(hit.end)
        });
        let before = spots.len();
        spots.extend(covered.map(|hit| (hit.rule, hit.start, hit.end)));
        if before < spots.len() {
            used.push(at);
        }
    }
    (spots, used)
}

/// By the last event of the prefix, never by today.
fn is_expired(subject: &Subject<'_>, waiver: &SecretWaiver) -> bool {
    let last = subject.evidence.prefix_at.map(Day::of);
    last.is_some_and(|last| waiver.expires < last)
}

fn is_all(waiver: &SecretWaiver, bytes: usize) -> bool {
    waiver.start.get() == 0 && Count::saturating(bytes) <= waiver.end
}

/// Checks every waiver against the artifacts as they were found.
pub(crate) fn check(
    subject: &Subject<'_>,
    artifacts: &[Artifact],
    used: &BTreeSet<usize>,
) -> Faults {
    let mut faults = Faults::default();
    for (at, waiver) in subject.specification.waivers.iter().enumerate() {
        let place = subject.declared_at(&format!("waivers.{at}"));
        let artifact = artifacts.iter().find(|it| it.path == waiver.path);
        let found = fault_of(subject, waiver, artifact, used.contains(&at));
        if let Some((code, expected, found)) = found {
            faults
                .findings
                .push(Finding::new(code, place, expected, found));
            continue;
        }
        faults.strict.extend(unseconded(waiver, place));
    }
    faults
}

/// The first thing that is wrong with a waiver: its code, what was expected, and
/// what was found.
fn fault_of(
    subject: &Subject<'_>,
    waiver: &SecretWaiver,
    artifact: Option<&Artifact>,
    is_used: bool,
) -> Option<(Code, String, String)> {
    let fault = |code, expected: &str, found: String| Some((code, expected.to_owned(), found));
    if Scanner::is_strong(waiver.rule.as_str()).is_none() {
        let expected = "the name of a rule: scoresheet secrets lists them";
        return fault(Code::WaiverInvalid, expected, waiver.rule.to_string());
    }
    if waiver.reason.trim().is_empty() || waiver.reviewer.trim().is_empty() {
        let expected = "a reason, and who looked";
        return fault(Code::WaiverInvalid, expected, "blank words".to_owned());
    }
    let bytes = artifact.and_then(|artifact| artifact.bytes);
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes.get()).ok());
    if waiver.end <= waiver.start || bytes.is_some_and(|bytes| is_all(waiver, bytes)) {
        let expected = "some bytes of the artifact, and not all";
        let found = format!("bytes {} to {}", waiver.start, waiver.end);
        return fault(Code::WaiverInvalid, expected, found);
    }
    let Some(artifact) = artifact else {
        let expected = "the path of a declared artifact";
        return fault(Code::WaiverUnused, expected, waiver.path.clone());
    };
    if let Some(sha256) = artifact.sha256.filter(|sha256| *sha256 != waiver.sha256) {
        let expected = format!("digest {sha256}, which the artifact has");
        let found = format!("digest {}", waiver.sha256);
        return fault(Code::WaiverMisdirected, &expected, found);
    }
    if is_expired(subject, waiver) {
        let last = subject.evidence.prefix_at.map(Day::of);
        let last = last.map_or_else(|| "none".to_owned(), |last| last.to_string());
        let expected = format!("a day not before {last}, that of the last event of the prefix");
        return fault(Code::WaiverExpired, &expected, waiver.expires.to_string());
    }
    if is_used {
        return None;
    }
    let expected = format!("something that {} speaks of in these bytes", waiver.rule);
    fault(Code::WaiverUnused, &expected, "nothing".to_owned())
}

/// What a publication asks for where the rule knows credentials by their shape.
fn unseconded(waiver: &SecretWaiver, place: Place) -> Option<Finding> {
    let second = waiver.second_reviewer.as_deref().unwrap_or_default().trim();
    let is_seconded = !second.is_empty() && second != waiver.reviewer.trim();
    let is_strong = Scanner::is_strong(waiver.rule.as_str()) == Some(true);
    (is_strong && !is_seconded).then(|| {
        let expected = format!("two reviewers of a waiver of {}", waiver.rule);
        Finding::new(Code::WaiverUnseconded, place, expected, "one")
    })
}
