//! Nothing else stands where things are published: a file that nobody declared
//! is a claim that nobody checked.

use std::collections::BTreeSet;

use crate::audit::cohorts::path_of;
use crate::audit::retained::retained_path;
use crate::audit::{Subject, audit_path, tracking};
use crate::finding::{Code, Finding, Place};
use crate::manifest::Mode;
use crate::release::{ARTIFACTS_FOLDER, MANIFESTS_FOLDER, SPECIFICATION, provenance_path};
use crate::tree::{RelativePath, TreeFault, check_names};

/// What is wrong with what stands in the folders: in both modes, and in a
/// publication only.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) findings: Vec<Finding>,
    pub(crate) strict: Vec<Finding>,
}

pub(crate) fn check(subject: &Subject<'_>) -> Faults {
    let known = known(subject);
    let mut faults = Faults::default();
    let mut files: Vec<RelativePath> = Vec::new();
    for folder in [ARTIFACTS_FOLDER, MANIFESTS_FOLDER] {
        let Ok(path) = folder.parse() else { continue };
        let walk = match subject.tree.walk(Some(&path)) {
            Ok(walk) => walk,
            Err(TreeFault::NotFound) => continue,
            Err(fault) => {
                faults.findings.push(fault.finding(Place::file(folder)));
                continue;
            }
        };
        let walked = walk.faults.iter().map(crate::tree::WalkFault::finding);
        faults.findings.extend(walked);
        files.extend(walk.files);
    }
    let undeclared = files.iter().filter(|file| !known.contains(file.as_str()));
    faults.findings.extend(undeclared.map(|file| {
        Finding::new(
            Code::ArtifactUndeclared,
            Place::file(file.as_str()),
            "only declared files",
            "a file that nothing declares",
        )
    }));
    faults.findings.extend(check_names(files.iter()));
    faults.strict = tracking::check(subject, files.iter());
    faults
}

/// The paths that may stand there.
fn known(subject: &Subject<'_>) -> BTreeSet<String> {
    let specification = &subject.specification;
    let artifacts = specification.artifacts.iter();
    let mut known: BTreeSet<String> = artifacts.clone().map(|it| it.path.clone()).collect();
    if !specification.is_first() {
        let made = artifacts.filter(|artifact| artifact.state.is_made());
        known.extend(made.filter_map(|artifact| provenance_path(&artifact.path)));
    }
    known.insert(SPECIFICATION.to_owned());
    known.extend([Mode::Draft, Mode::Publication].map(audit_path));
    let published = subject.evidence.whole.published.iter();
    known.extend(published.map(|it| retained_path(&it.published.audit)));
    // Manifests of other cohorts and of later freezes are no business of this
    // release, but each must be one that the ledger names.
    let refrozen = subject.evidence.refrozen.iter();
    known.extend(refrozen.map(|freeze| path_of(&freeze.frozen)));
    known
}
