//! Every claim on a cohort of the release is reviewed, after the last change of
//! what it stands on; its numbers are what its tables say; it stands on what the
//! release freezes, and claims no more confidence than that can bear.
//!
//! Claims that are withdrawn or superseded are made no more: they stay in the
//! table of claims, and no rule asks anything of them.

use crate::audit::Subject;
use crate::event::EvidenceStatus;
use crate::finding::{Code, Finding, Place};
use crate::projection::{Claim, ClaimStanding, Projection};
use crate::release::{Figures, SPECIFICATION, figure_in_words};

pub(crate) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(prefix) = subject.evidence.prefix.as_ref() else {
        return Vec::new();
    };
    let source = subject.source();
    let mut figures = Figures::new(prefix, &source);
    let mut findings = Vec::new();
    for claim in made_in(subject, prefix) {
        findings.extend(check_foundation(subject, claim));
        findings.extend(check_status(prefix, claim));
        findings.extend(check_review(prefix, claim));
        let last = claim.last_review().map(|review| review.id);
        let strange = subject.evidence.strange_reviews.iter();
        let strange = strange.filter(|(review, _)| Some(*review) == last);
        findings.extend(strange.map(|(_, finding)| finding.clone()));
        findings.extend(check_endpoint(prefix, claim));
        for figure in &claim.said().figures {
            let Some(found) = figures.differing(figure) else {
                continue;
            };
            let expected = match &found {
                crate::release::Found::Value(_) => {
                    format!("{} as {}", figure.value, figure_in_words(figure))
                }
                crate::release::Found::Nothing(_) => figure_in_words(figure),
            };
            findings.push(found_of(
                claim,
                Code::ClaimContradicted,
                expected,
                found.in_words(),
            ));
        }
    }
    findings
}

/// The claims of the release that somebody still makes: those that stand on a
/// cohort of it, and those that stand on none.
pub(crate) fn made_in<'a>(
    subject: &'a Subject<'_>,
    prefix: &'a Projection,
) -> impl Iterator<Item = &'a Claim> {
    let cohorts = &subject.specification.cohorts;
    let claims = prefix.record.claims.iter();
    claims
        .filter(|claim| prefix.standing_of(claim).is_made())
        .filter(move |claim| {
            let on = &claim.said().cohorts;
            on.is_empty() || cohorts.iter().any(|cohort| on.contains(cohort))
        })
}

/// A claim is named in the specification's place, so that a draft can permit a gap.
fn found_of(
    claim: &Claim,
    code: Code,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Finding {
    let place = Place::file(SPECIFICATION).with_event(*claim.recorded.id.digest());
    let expected = format!("claim {}: {}", claim.said().name, expected.into());
    Finding::new(code, place, expected, found)
}

/// Every cohort that it stands on is frozen in this release.
fn check_foundation(subject: &Subject<'_>, claim: &Claim) -> Vec<Finding> {
    let declared = &subject.specification.cohorts;
    let size = subject.specification.checkpoint.size.get();
    let cohorts = claim.said().cohorts.iter();
    let unfrozen = cohorts.filter(|cohort| {
        let is_frozen = subject.evidence.freeze_of(cohort.as_str(), size);
        let is_frozen = is_frozen.is_some_and(|freeze| !freeze.frozen.is_live());
        !declared.contains(cohort) || !is_frozen
    });
    unfrozen
        .map(|cohort| {
            let expected = "cohorts that this release freezes";
            found_of(claim, Code::ClaimUnfounded, expected, cohort.as_str())
        })
        .collect()
}

/// It claims at most the status that its evidence can bear.
fn check_status(prefix: &Projection, claim: &Claim) -> Option<Finding> {
    let claimed = claim.said().evidence_status;
    let bearable = prefix
        .status_under(claim.said())
        .unwrap_or(EvidenceStatus::Pilot);
    (bearable < claimed).then(|| {
        let expected = format!("at most {}, which its evidence can bear", bearable.as_str());
        found_of(claim, Code::ClaimOverstated, expected, claimed.as_str())
    })
}

/// It was reviewed, and after the last change of what it stands on.
fn check_review(prefix: &Projection, claim: &Claim) -> Option<Finding> {
    match prefix.standing_of(claim) {
        ClaimStanding::Recorded => {
            let expected = "a review among the events of the release";
            Some(found_of(claim, Code::ClaimUnreviewed, expected, "none"))
        }
        ClaimStanding::Stale => {
            let (cohort, change) = prefix.last_change_under(claim)?;
            let seen = claim.last_review()?.said.checkpoint.size;
            let expected = format!("a review that has seen event {change}, which changed {cohort}");
            let found = format!("one of the first {seen} events");
            Some(found_of(claim, Code::ClaimStale, expected, found))
        }
        _ => None,
    }
}

/// The endpoint that it reports is one that was registered, word for word.
fn check_endpoint(prefix: &Projection, claim: &Claim) -> Option<Finding> {
    let endpoint = claim.said().endpoint.as_ref()?;
    // A preregistration that is not there is a dangling reference.
    let promise = prefix
        .schedules
        .preregistration(&endpoint.preregistration)?;
    let position = usize::try_from(endpoint.position.get()).unwrap_or(usize::MAX);
    let registered = promise.primary_endpoints.get(position);
    (registered != Some(&endpoint.text)).then(|| {
        let at = &endpoint.position;
        let expected = match registered {
            Some(text) => format!("primary endpoint {at}, {text}"),
            None => format!(
                "one of {} primary endpoints",
                promise.primary_endpoints.len()
            ),
        };
        let found = format!("{at}, {}", endpoint.text);
        found_of(claim, Code::ClaimContradicted, expected, found)
    })
}
