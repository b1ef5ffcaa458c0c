//! Every primary endpoint that was registered for a cohort of the release is
//! reported by a claim, whatever it says; and nothing was registered when
//! outcomes were there to be seen.

use crate::audit::{Subject, claims};
use crate::event::{ClaimKind, EventId, EvidenceStatus, Name, PreregistrationCommitted};
use crate::finding::{Code, Finding, Place};
use crate::projection::{Claim, Projection};
use crate::release::SPECIFICATION;

pub(crate) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(prefix) = subject.evidence.prefix.as_ref() else {
        return Vec::new();
    };
    let made: Vec<_> = claims::made_in(subject, prefix).collect();
    let mut findings = Vec::new();
    for cohort in &subject.specification.cohorts {
        findings.extend(check_late(prefix, cohort));
        let Some(schedule) = prefix.schedules.cohort(cohort.as_str()) else {
            continue;
        };
        let id = schedule.committed.preregistration;
        let Some((id, promise)) = id.zip(schedule.preregistration.as_ref()) else {
            continue;
        };
        findings.extend(check_reported(cohort, &id, promise, &made));
    }
    findings
}

fn place_of(promise: &EventId) -> Place {
    Place::file(SPECIFICATION).with_event(*promise.digest())
}

/// Each endpoint has a claim that reports this endpoint and no other.
fn check_reported(
    cohort: &Name,
    id: &EventId,
    promise: &PreregistrationCommitted,
    made: &[&Claim],
) -> Vec<Finding> {
    let endpoints = (0_u64..).zip(&promise.primary_endpoints);
    let unreported = endpoints.filter(|(position, text)| {
        !made.iter().any(|claim| {
            let said = claim.said();
            said.kind == ClaimKind::ObservedSystemResult
                && said.cohorts.contains(cohort)
                && said.endpoint.as_ref().is_some_and(|endpoint| {
                    endpoint.preregistration == *id
                        && endpoint.position.get() == *position
                        && endpoint.text == **text
                })
        })
    });
    unreported
        .map(|(position, text)| {
            let expected = format!(
                "an observed result that reports primary endpoint {position} of {cohort}: {text}"
            );
            Finding::new(Code::EndpointUnreported, place_of(id), expected, "none")
        })
        .collect()
}

/// What is promised when outcomes are there is exploratory: pilot evidence.
fn check_late(prefix: &Projection, cohort: &Name) -> Vec<Finding> {
    let status = prefix
        .cohort(cohort.as_str())
        .map(|cohort| cohort.evidence_status());
    if status.is_none_or(|status| status <= EvidenceStatus::Pilot) {
        return Vec::new();
    }
    let late = prefix.late_preregistrations(cohort).into_iter();
    late.map(|(index, id)| {
        let expected = format!("no preregistration of {cohort} behind its first game");
        let found = format!("event {index}");
        Finding::new(Code::PreregistrationLate, place_of(&id), expected, found)
    })
    .collect()
}
