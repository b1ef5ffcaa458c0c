//! Nothing else stands where things are published: a file that nobody declared
//! is a claim that nobody checked.

use std::collections::BTreeSet;

use crate::audit::Subject;
use crate::finding::{Code, Finding, Place};
use crate::manifest::{CohortManifest, Mode};
use crate::release::{ARTIFACTS_FOLDER, AUDITS_FOLDER, MANIFESTS_FOLDER, SPECIFICATION};
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
    known.extend(subject.evidence.refrozen.iter().map(|freeze| {
        let name = CohortManifest::file_name(&freeze.frozen.cohort, &freeze.frozen.manifest);
        format!("{MANIFESTS_FOLDER}/{name}")
    }));
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

/// The file of an audit manifest.
pub(crate) fn audit_path(mode: Mode) -> String {
    format!("{AUDITS_FOLDER}/{}.json", mode.as_str())
}
