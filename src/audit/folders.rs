//! Nothing else stands where things are published: a file that nobody declared
//! is a claim that nobody checked.

use std::collections::BTreeSet;

use crate::audit::cohorts::path_of;
use crate::audit::{Subject, audit_path};
use crate::finding::{Code, Finding, Place};
use crate::manifest::Mode;
use crate::release::{ARTIFACTS_FOLDER, MANIFESTS_FOLDER, SPECIFICATION};
use crate::tree::TreeFault;

pub(crate) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let mut known: BTreeSet<String> = subject
        .specification
        .artifacts
        .iter()
        .map(|artifact| artifact.path.clone())
        .collect();
    known.insert(SPECIFICATION.to_owned());
    known.extend([Mode::Draft, Mode::Publication].map(audit_path));
    // Manifests of other cohorts and of later freezes are no business of this
    // release, but each must be one that the ledger names.
    let refrozen = subject.evidence.refrozen.iter();
    known.extend(refrozen.map(|freeze| path_of(&freeze.frozen)));
    let mut findings = Vec::new();
    for folder in [ARTIFACTS_FOLDER, MANIFESTS_FOLDER] {
        let Ok(path) = folder.parse() else { continue };
        let walk = match subject.tree.walk(Some(&path)) {
            Ok(walk) => walk,
            Err(TreeFault::NotFound) => continue,
            Err(fault) => {
                findings.push(fault.finding(Place::file(folder)));
                continue;
            }
        };
        findings.extend(walk.faults.iter().map(crate::tree::WalkFault::finding));
        for file in walk
            .files
            .iter()
            .filter(|file| !known.contains(file.as_str()))
        {
            findings.push(Finding::new(
                Code::ArtifactUndeclared,
                Place::file(file.as_str()),
                "only declared files",
                "a file that nothing declares",
            ));
        }
    }
    findings
}
