//! What a draft may lack: blockers that the specification names one by one,
//! each with a reason. A gap that is not there is reported, so that no permit
//! outlives its cause.

use crate::audit::Subject;
use crate::finding::{Code, Finding, Place};
use crate::release::Gap;

/// What can be missing or stale in a draft. A ledger that contradicts itself, a
/// secret or a path that leads elsewhere is no gap.
const PERMISSIBLE: [Code; 16] = [
    Code::ReleaseEmpty,
    Code::ArtifactMissing,
    Code::ArtifactChanged,
    Code::ArtifactEdited,
    Code::ArtifactStale,
    Code::ArtifactEmpty,
    Code::ProvenanceMissing,
    Code::ProvenanceDiffers,
    Code::ArtifactUnregenerable,
    Code::ArtifactUndeclared,
    Code::ArtifactLive,
    Code::CohortUnfrozen,
    Code::ClaimUnfounded,
    Code::ClaimUnreviewed,
    Code::ClaimStale,
    Code::EndpointUnreported,
];

/// A gap that the specification names, and where it does.
#[derive(Clone, Debug)]
pub(crate) struct NamedGap {
    gap: Gap,
    place: Place,
}

/// Checks that each gap names what a draft may lack, once, and why.
pub(crate) fn check(subject: &Subject<'_>) -> (Vec<NamedGap>, Vec<Finding>) {
    let mut findings = Vec::new();
    let codes = PERMISSIBLE.map(Code::as_str);
    let gaps = &subject.specification.gaps;
    let mut named = Vec::new();
    for (at, gap) in gaps.iter().enumerate() {
        let place = subject.declared_at(&format!("gaps.{at}"));
        let mut invalid = |expected: String, found: String| {
            let place = place.clone();
            findings.push(Finding::new(Code::SpecInvalid, place, expected, found));
        };
        let number = at + 1;
        if !codes.contains(&gap.code.as_str()) {
            let expected = format!("a code that a draft may permit: {}", codes.join(", "));
            invalid(expected, format!("{:?} in gap {number}", gap.code));
        }
        if gap.reason.trim().is_empty() {
            let expected = "a reason for each gap".to_owned();
            invalid(expected, format!("none for gap {number}"));
        }
        let is_same = |other: &Gap| (&other.code, &other.path) == (&gap.code, &gap.path);
        if gaps[..at].iter().any(is_same) {
            invalid("each gap once".to_owned(), format!("gap {number} again"));
        }
        named.push(NamedGap {
            gap: gap.clone(),
            place,
        });
    }
    (named, findings)
}

/// Splits findings into those that count and those that the draft permits.
pub(crate) fn permit(findings: &[Finding], gaps: &[NamedGap]) -> (Vec<Finding>, Vec<Finding>) {
    let is_permitted = |finding: &Finding| gaps.iter().any(|named| names(&named.gap, finding));
    let (permitted, mut counting): (Vec<_>, Vec<_>) =
        findings.iter().cloned().partition(is_permitted);
    for NamedGap { gap, place } in gaps {
        if !findings.iter().any(|finding| names(gap, finding)) {
            let expected = format!(
                "a finding {} at {} that the gap permits",
                crate::finding::visible(&gap.code),
                crate::finding::visible(&gap.path)
            );
            counting.push(Finding::new(
                Code::GapUnused,
                place.clone(),
                expected,
                "none",
            ));
        }
    }
    (counting, permitted)
}

fn names(gap: &Gap, finding: &Finding) -> bool {
    PERMISSIBLE.contains(&finding.code)
        && finding.code.as_str() == gap.code
        && finding.place.file.as_deref() == Some(&gap.path)
}
