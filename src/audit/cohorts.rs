//! Every cohort is frozen before the checkpoint, holds games, and its manifest
//! is, byte for byte, what the ledger gives at the size it was frozen at.
//!
//! The manifests of all other freezes are kept: each is the file that its event
//! names by digest.

use std::collections::BTreeSet;

use crate::audit::Subject;
use crate::audit::evidence::Refrozen;
use crate::digest::Digest;
use crate::event::{CohortFrozen, Name};
use crate::finding::{Code, Finding, Place};
use crate::manifest::{CohortManifest, FrozenCohort};
use crate::release::{MANIFESTS_FOLDER, SPECIFICATION};

pub(crate) fn check(subject: &Subject<'_>) -> (Vec<FrozenCohort>, Vec<Finding>) {
    let mut frozen = Vec::new();
    let mut findings = Vec::new();
    let size = subject.specification.checkpoint.size;
    let mut names: Vec<&Name> = subject.specification.cohorts.iter().collect();
    names.sort();
    for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
        let place = Place::file(SPECIFICATION);
        findings.push(Finding::new(
            Code::SpecInvalid,
            place,
            "each cohort once",
            format!("{} twice", pair[0]),
        ));
    }
    for name in names {
        let Some(freeze) = subject.evidence.freeze_of(name.as_str(), size.get()) else {
            findings.push(Finding::new(
                Code::CohortUnfrozen,
                Place::file(SPECIFICATION),
                format!("a manifest of {name} among the first {size} events"),
                "none",
            ));
            continue;
        };
        if freeze.frozen.is_live() {
            findings.push(Finding::new(
                Code::CohortUnfrozen,
                Place::file(SPECIFICATION),
                format!("a manifest of {name} with no cell open"),
                format!("a live one, event {}", freeze.index),
            ));
        }
        findings.extend(check_again(freeze));
        findings.extend(check_games(subject, name));
        frozen.push(FrozenCohort {
            cohort: name.clone(),
            manifest: freeze.frozen.manifest,
        });
    }
    // One file may be named by more than one freeze.
    let mut looked_at = BTreeSet::new();
    for freeze in &subject.evidence.refrozen {
        let path = path_of(&freeze.frozen);
        if looked_at.insert(path.clone()) {
            findings.extend(check_file(subject, &path, &freeze.frozen.manifest));
        }
    }
    (frozen, findings)
}

/// The file of the manifest that an event names.
pub(crate) fn path_of(frozen: &CohortFrozen) -> String {
    let name = CohortManifest::file_name(&frozen.cohort, &frozen.manifest);
    format!("{MANIFESTS_FOLDER}/{name}")
}

fn check_games(subject: &Subject<'_>, name: &Name) -> Option<Finding> {
    let prefix = subject.evidence.prefix.as_ref()?;
    let games = prefix
        .cohort(name.as_str())
        .map_or(0, |cohort| cohort.finished().count());
    (games == 0).then(|| {
        let place = Place::file(SPECIFICATION);
        let expected = format!("at least one game of {name}");
        Finding::new(Code::ReleaseEmpty, place, expected, "none")
    })
}

/// Compares what the event names with what the ledger gives.
fn check_again(freeze: &Refrozen) -> Vec<Finding> {
    let frozen = &freeze.frozen;
    let place = Place::file(path_of(frozen));
    let mut findings = Vec::new();
    if frozen.checkpoint.size.get() != freeze.index {
        let expected = format!("a manifest of the {} events before its event", freeze.index);
        let found = format!("one of {}", frozen.checkpoint.size);
        findings.push(Finding::new(
            Code::ManifestChanged,
            place.clone(),
            expected,
            found,
        ));
    }
    match &freeze.manifest {
        Err(finding) => findings.push((**finding).clone()),
        Ok(again) if Digest::of(again) != frozen.manifest => {
            let expected = format!("the digest {} that the ledger gives", Digest::of(again));
            let found = format!("{} in cohort.frozen", frozen.manifest);
            findings.push(Finding::new(Code::ManifestChanged, place, expected, found));
        }
        Ok(_) => {}
    }
    findings
}

/// Compares the file with the digest that the event names.
fn check_file(subject: &Subject<'_>, path: &str, digest: &Digest) -> Vec<Finding> {
    let Ok(plain) = path.parse() else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    let found = match subject.read(&plain, &mut findings) {
        Some(file) if file.digest == *digest => return findings,
        Some(file) => format!("digest {}", file.digest),
        None => {
            // What keeps a file from being read says what is found.
            let fault = findings.pop();
            fault.map_or_else(String::new, |fault| fault.found)
        }
    };
    let place = Place::file(path);
    let expected = format!("digest {digest}");
    findings.push(Finding::new(Code::ManifestChanged, place, expected, found));
    findings
}
