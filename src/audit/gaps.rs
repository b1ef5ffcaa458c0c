//! What a draft may lack: blockers that the specification names one by one,
//! each with a reason. A gap that is not there is reported, so that no permit
//! outlives its cause.

use crate::finding::{Code, Finding, Place};
use crate::release::{Gap, SPECIFICATION, Specification};

/// What can be missing or stale in a draft. A ledger that contradicts itself, a
/// secret or a path that leads elsewhere is no gap.
const PERMISSIBLE: [Code; 11] = [
    Code::ReleaseEmpty,
    Code::ArtifactMissing,
    Code::ArtifactChanged,
    Code::ArtifactUnregenerable,
    Code::ArtifactUndeclared,
    Code::ArtifactLive,
    Code::CohortUnfrozen,
    Code::ClaimUnfounded,
    Code::ClaimUnreviewed,
    Code::ClaimStale,
    Code::EndpointUnreported,
];

/// Checks that each gap names what a draft may lack, and why.
pub(crate) fn check(specification: &Specification) -> Vec<Finding> {
    let place = Place::file(SPECIFICATION);
    let mut findings = Vec::new();
    let names = PERMISSIBLE.map(Code::as_str);
    for (number, gap) in (1..).zip(&specification.gaps) {
        let mut invalid = |expected: String, found: String| {
            findings.push(Finding::new(
                Code::SpecInvalid,
                place.clone(),
                expected,
                found,
            ));
        };
        if !names.contains(&gap.code.as_str()) {
            let expected = format!("a code that a draft may permit: {}", names.join(", "));
            invalid(expected, format!("{:?} in gap {number}", gap.code));
        }
        if gap.reason.trim().is_empty() {
            let expected = "a reason for each gap".to_owned();
            invalid(expected, format!("none for gap {number}"));
        }
    }
    findings
}

/// Splits findings into those that count and those that the draft permits.
pub(crate) fn permit(findings: &[Finding], gaps: &[Gap]) -> (Vec<Finding>, Vec<Finding>) {
    let is_permitted = |finding: &Finding| gaps.iter().any(|gap| names(gap, finding));
    let (permitted, mut counting): (Vec<_>, Vec<_>) =
        findings.iter().cloned().partition(is_permitted);
    for gap in gaps {
        if !findings.iter().any(|finding| names(gap, finding)) {
            let place = Place::file(gap.path.clone());
            let expected = format!("a finding {} that the gap permits", gap.code);
            counting.push(Finding::new(Code::GapUnused, place, expected, "none"));
        }
    }
    (counting, permitted)
}

fn names(gap: &Gap, finding: &Finding) -> bool {
    PERMISSIBLE.contains(&finding.code)
        && finding.code.as_str() == gap.code
        && finding.place.file.as_deref() == Some(&gap.path)
}
