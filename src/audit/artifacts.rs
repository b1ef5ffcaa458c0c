//! Every declared file is there and is, byte for byte, what its generator
//! makes of the prefix, or has the digest that it is pinned to.

use std::collections::BTreeSet;

use crate::audit::Subject;
use crate::canonical::Count;
use crate::digest::Digest;
use crate::finding::{Code, Finding, Place};
use crate::manifest::{Artifact, GeneratorRef, SecretScan, State};
use crate::release::{
    ARTIFACTS_FOLDER, AUDITS_FOLDER, ArtifactSpec, GENERATORS, SPECIFICATION, generate,
};
use crate::tree::RelativePath;

/// The declared files as they were found, and as their generators make them.
#[derive(Default)]
pub(crate) struct Artifacts {
    pub(crate) found: Vec<Artifact>,
    pub(crate) made: Vec<(RelativePath, Vec<u8>)>,
}

pub(crate) fn check(subject: &Subject<'_>) -> (Artifacts, Vec<Finding>) {
    let mut declared: Vec<&ArtifactSpec> = subject.specification.artifacts.iter().collect();
    declared.sort_by(|a, b| a.path.cmp(&b.path));
    let mut artifacts = Artifacts::default();
    let mut findings = Vec::new();
    let mut paths = BTreeSet::new();
    for spec in declared {
        // Names that differ in case only are one file on some systems.
        if !paths.insert(spec.path.to_ascii_lowercase()) {
            let place = Place::file(&spec.path);
            findings.push(Finding::new(
                Code::SpecInvalid,
                place,
                "each path once",
                "a path twice",
            ));
            continue;
        }
        let (artifact, made) = look(subject, spec, &mut findings);
        artifacts.found.push(artifact);
        artifacts.made.extend(made);
    }
    (artifacts, findings)
}

fn look(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    findings: &mut Vec<Finding>,
) -> (Artifact, Option<(RelativePath, Vec<u8>)>) {
    let mut artifact = Artifact {
        bytes: None,
        generator: spec.generator.clone(),
        is_fresh: false,
        path: spec.path.clone(),
        role: spec.role.clone(),
        secret_scan: SecretScan::Unscanned,
        sha256: None,
        state: spec.state,
    };
    let expected = wanted(subject, spec, findings);
    let path = match place_of(&spec.path) {
        Ok(path) => path,
        Err(finding) => {
            findings.push(*finding);
            return (artifact, None);
        }
    };
    let (expected, made) = match expected {
        Some(Wanted::Digest(digest)) => (Some(digest), None),
        Some(Wanted::Bytes(bytes)) => (Some(Digest::of(&bytes)), Some((path.clone(), bytes))),
        None => (None, None),
    };
    let Some(file) = subject.read(&path, findings) else {
        return (artifact, made);
    };
    artifact.bytes = Some(Count::saturating(file.bytes));
    artifact.sha256 = Some(file.digest);
    artifact.secret_scan = file.secret_scan;
    if let Some(expected) = expected {
        artifact.is_fresh = expected == file.digest;
        if !artifact.is_fresh {
            findings.push(Finding::new(
                Code::ArtifactChanged,
                Place::file(&spec.path),
                format!("digest {expected}"),
                format!("digest {}", file.digest),
            ));
        }
    }
    (artifact, made)
}

/// Checks that a declared path stays where things are published.
///
/// # Errors
///
/// Where else it leads.
pub fn place_of(path: &str) -> Result<RelativePath, Box<Finding>> {
    let escapes = |found: String| {
        let place = Place::file(path);
        let expected = format!("a plain path below {ARTIFACTS_FOLDER}/");
        Box::new(Finding::new(Code::PathEscapes, place, expected, found))
    };
    let plain: RelativePath = path.parse().map_err(|error| escapes(format!("{error}")))?;
    let is_below = |path: &str, folder: &str| {
        let rest = path.strip_prefix(folder);
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    if !is_below(path, ARTIFACTS_FOLDER) {
        return Err(escapes("a path elsewhere".to_owned()));
    }
    // Where case does not count, another case is the same place.
    let lower = path.to_ascii_lowercase();
    if lower == SPECIFICATION || lower == AUDITS_FOLDER || is_below(&lower, AUDITS_FOLDER) {
        return Err(escapes(
            "a place that the auditor keeps for itself".to_owned(),
        ));
    }
    Ok(plain)
}

/// What a file must be.
enum Wanted {
    /// Bytes of this digest.
    Digest(Digest),
    /// What its generator makes.
    Bytes(Vec<u8>),
}

/// Returns what the file must be, where that can be told.
fn wanted(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    findings: &mut Vec<Finding>,
) -> Option<Wanted> {
    let invalid = |expected: &str, found: &str| {
        Finding::new(Code::SpecInvalid, Place::file(&spec.path), expected, found)
    };
    match (spec.state, &spec.generator, spec.sha256) {
        // What the ledger can bear out is not taken on trust.
        (State::Pinned, ..) if GENERATORS.iter().any(|known| known.role == spec.role) => {
            let expected = format!("a generator for the role {}", spec.role);
            findings.push(invalid(&expected, "a pinned artifact"));
            None
        }
        (State::Pinned, None, Some(digest)) => Some(Wanted::Digest(digest)),
        (State::Pinned, ..) => {
            findings.push(invalid(
                "a digest and no generator for a pinned artifact",
                "others",
            ));
            None
        }
        (State::Frozen | State::Generated | State::Live, Some(generator), None) => {
            if let Some(finding) = check_frozen(subject, spec, generator) {
                findings.push(finding);
            }
            regenerate(subject, spec, generator, findings)
        }
        (State::Frozen | State::Generated | State::Live, ..) => {
            findings.push(invalid(
                "a generator and no digest for a generated artifact",
                "others",
            ));
            None
        }
    }
}

/// A frozen artifact rests on the frozen cohorts of the release and on nothing else.
fn check_frozen(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    generator: &GeneratorRef,
) -> Option<Finding> {
    let cohort = generator.argument("cohort").unwrap_or_default();
    let is_declared = subject
        .specification
        .cohorts
        .iter()
        .any(|name| name.as_str() == cohort);
    let size = subject.specification.checkpoint.size.get();
    let is_frozen = is_declared && subject.evidence.freeze_of(cohort, size).is_some();
    let found = match spec.state {
        State::Live => "a live artifact".to_owned(),
        // The checkpoint fixes the prefix, and with it what follows from all of it.
        State::Generated if cohort.is_empty() => return None,
        State::Frozen | State::Generated | State::Pinned if is_frozen => return None,
        State::Frozen | State::Generated | State::Pinned => {
            format!("cohort {cohort}, which the release does not freeze")
        }
    };
    let place = Place::file(&spec.path);
    let expected = "a frozen artifact of a frozen cohort of this release";
    Some(Finding::new(Code::ArtifactLive, place, expected, found))
}

fn regenerate(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    generator: &GeneratorRef,
    findings: &mut Vec<Finding>,
) -> Option<Wanted> {
    let prefix = subject.evidence.prefix.as_ref()?;
    match generate(generator, prefix, &subject.source()) {
        Ok(bytes) => Some(Wanted::Bytes(bytes)),
        Err(error) => {
            findings.push(Finding::new(
                Code::ArtifactUnregenerable,
                Place::file(&spec.path),
                "an artifact that can be made again",
                error.to_string(),
            ));
            None
        }
    }
}
