//! The checkpoint of the release is signed by whom the specification names: by
//! the log, and by as many witnesses as its quorum takes.
//!
//! Everything else in the project can be made again by whoever holds all of it.
//! A witness who signed an earlier history signs no other one.

use crate::audit::Subject;
use crate::finding::{Code, Finding, Place};
use crate::ledger::{Policy, PolicyRefusal};
use crate::release::SPECIFICATION;

/// What was found of the policy itself, and what counts in a publication only: a
/// draft may wait for signatures.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) findings: Vec<Finding>,
    pub(crate) strict: Vec<Finding>,
}

pub(crate) fn check(subject: &Subject<'_>) -> Faults {
    let mut faults = Faults::default();
    let lines = &subject.specification.signatures;
    if lines.is_empty() {
        return faults;
    }
    let text = format!("{}\n", lines.join("\n"));
    let policy = match Policy::parse(text.as_bytes()) {
        Ok(policy) => policy,
        Err(fault) => {
            let at = fault.line.saturating_sub(1);
            let place = subject.declared_at(&format!("signatures.{at}"));
            let expected = "a policy that says whose signatures count";
            let finding = Finding::new(Code::SpecInvalid, place, expected, fault.to_string());
            faults.findings.push(finding);
            return faults;
        }
    };
    let size = subject.specification.checkpoint.size;
    let Some(stored) = &subject.evidence.checkpoint else {
        faults.strict.push(Finding::new(
            Code::PolicyUnmet,
            Place::file(SPECIFICATION),
            format!("a checkpoint of size {size} that is signed as the specification demands"),
            "no such checkpoint",
        ));
        return faults;
    };
    if let Err(refusal) = policy.judge(stored) {
        let place = Place::file(format!("ledger/{}", stored.checkpoint().path()));
        let finding = refusal.finding(place);
        match refusal {
            // A false signature is a lie and no gap.
            PolicyRefusal::Wrong { .. } => faults.findings.push(finding),
            PolicyRefusal::UnknownLog { .. }
            | PolicyRefusal::Unsigned { .. }
            | PolicyRefusal::Quorum { .. } => faults.strict.push(finding),
        }
    }
    faults
}
