//! The ledger is what was acknowledged, nothing in the prefix contradicts
//! anything, and the release is bound to a checkpoint of it.
//!
//! A release is a function of its prefix: of what is wrong behind it, only
//! damage counts.

use crate::audit::Subject;
use crate::finding::{Code, Finding, Place};
use crate::release::SPECIFICATION;

pub(crate) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let evidence = subject.evidence;
    let mut findings = evidence.damage();
    findings.extend(evidence.rewritten.iter().cloned());
    findings.extend(evidence.secrets.iter().cloned());
    let checkpoint = subject.specification.checkpoint;
    let place = Place::file(SPECIFICATION);
    if let Some(prefix) = &evidence.prefix {
        findings.extend(prefix.findings.iter().cloned());
    } else {
        let expected = format!("a size of at most {}", evidence.size());
        let found = format!("size {}", checkpoint.size);
        findings.push(Finding::new(
            Code::CheckpointUnknown,
            place.clone(),
            expected,
            found,
        ));
    }
    if let Some(root) = evidence.prefix_root.filter(|root| *root != checkpoint.root) {
        let expected = format!("root {root} at size {}", checkpoint.size);
        let found = format!("root {}", checkpoint.root);
        findings.push(Finding::new(
            Code::CheckpointUnknown,
            place.clone(),
            expected,
            found,
        ));
    }
    if subject.specification.artifacts.is_empty() || subject.specification.cohorts.is_empty() {
        let expected = "at least one artifact and one cohort";
        findings.push(Finding::new(Code::ReleaseEmpty, place, expected, "none"));
    }
    findings
}
