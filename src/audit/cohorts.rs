//! Every cohort is frozen before the checkpoint, holds games, and its manifest
//! is, byte for byte, what the ledger gives at the size it was frozen at.

use crate::audit::Subject;
use crate::audit::evidence::Refrozen;
use crate::digest::Digest;
use crate::event::Name;
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
        findings.extend(check_manifest(subject, freeze));
        findings.extend(check_games(subject, name));
        frozen.push(FrozenCohort {
            cohort: name.clone(),
            manifest: freeze.frozen.manifest,
        });
    }
    (frozen, findings)
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

fn check_manifest(subject: &Subject<'_>, freeze: &Refrozen) -> Vec<Finding> {
    let frozen = &freeze.frozen;
    let name = CohortManifest::file_name(&frozen.cohort, &frozen.manifest);
    let path = format!("{MANIFESTS_FOLDER}/{name}");
    let place = Place::file(&path);
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
        Err(finding) => findings.push(finding.clone()),
        Ok(again) if Digest::of(again) != frozen.manifest => {
            let expected = format!("the digest {} that the ledger gives", Digest::of(again));
            let found = format!("{} in cohort.frozen", frozen.manifest);
            findings.push(Finding::new(
                Code::ManifestChanged,
                place.clone(),
                expected,
                found,
            ));
        }
        Ok(_) => {}
    }
    let Ok(path) = path.parse() else {
        return findings;
    };
    let mut faults = Vec::new();
    match subject.read(&path, &mut faults) {
        Some(file) if file.digest == frozen.manifest => {}
        Some(file) => {
            let expected = format!("digest {}", frozen.manifest);
            let found = format!("digest {}", file.digest);
            findings.push(Finding::new(Code::ManifestChanged, place, expected, found));
        }
        None => {
            let found = faults
                .first()
                .map_or_else(String::new, |fault| fault.found.clone());
            findings.push(Finding::new(
                Code::ManifestChanged,
                place,
                "the manifest",
                found,
            ));
            faults.clear();
        }
    }
    findings.extend(faults);
    findings
}
