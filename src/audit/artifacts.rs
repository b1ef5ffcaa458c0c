//! Every declared file is there and is, byte for byte, what its generator
//! makes of the ledger, or has the digest that it is pinned to.

use std::collections::BTreeSet;

use crate::audit::provenance::{Judged, judge};
use crate::audit::{Subject, content, inputs};
use crate::canonical::Count;
use crate::digest::Digest;
use crate::finding::{Code, Finding, Place};
use crate::manifest::{
    Artifact, Freshness, FreshnessVerdict, GeneratorRef, Mode, SecretScan, State,
};
use crate::release::{
    ARTIFACTS_FOLDER, AUDITS_FOLDER, ArtifactSpec, Footing, GENERATORS, GenerateError,
    PROVENANCE_FOLDER, SPECIFICATION, generate,
};
use crate::tree::{Progress, RelativePath, in_parallel};

/// The declared files as they were found, and as their generators make them.
#[derive(Default)]
pub(crate) struct Artifacts {
    pub(crate) found: Vec<Artifact>,
    pub(crate) made: Vec<(RelativePath, Vec<u8>)>,
    /// The statements of what they were made from, as they must be.
    pub(crate) statements: Vec<(RelativePath, Vec<u8>)>,
    /// Which waivers of the specification let something pass.
    pub(crate) waived: BTreeSet<usize>,
    /// What is wrong in both modes.
    pub(crate) findings: Vec<Finding>,
    /// What is wrong in a publication only.
    pub(crate) strict: Vec<Finding>,
}

/// Looks at every declared file, several at once, and says after each how many of
/// how many are done. What is found is in the order of paths all the same.
pub(crate) fn check(subject: &Subject<'_>, progress: Progress<'_>) -> Artifacts {
    let mut declared: Vec<&ArtifactSpec> = subject.specification.artifacts.iter().collect();
    declared.sort_by(|a, b| a.path.cmp(&b.path));
    let mut paths = BTreeSet::new();
    // What is declared twice is a finding of the specification.
    declared.retain(|spec| paths.insert(spec.path.to_ascii_lowercase()));
    let looks = in_parallel(&declared, progress, |spec| {
        let mut artifacts = Artifacts::default();
        artifacts.look(subject, spec);
        artifacts
    });
    let mut all = Artifacts::default();
    for one in looks {
        all.extend(one);
    }
    all
}

impl Artifacts {
    fn extend(&mut self, other: Self) {
        self.found.extend(other.found);
        self.made.extend(other.made);
        self.statements.extend(other.statements);
        self.waived.extend(other.waived);
        self.findings.extend(other.findings);
        self.strict.extend(other.strict);
    }

    fn look(&mut self, subject: &Subject<'_>, spec: &ArtifactSpec) {
        let mut findings = Vec::new();
        let mut artifact = unread(subject, spec);
        let wanted = wanted(subject, spec, &mut findings);
        let path = match place_of(&spec.path) {
            Ok(path) => path,
            Err(finding) => {
                findings.push(*finding);
                self.findings.extend(findings);
                self.found.push(artifact);
                return;
            }
        };
        let expected = wanted.as_ref().map(Wanted::digest);
        let file = subject.read(&path, &mut findings);
        if let Some(file) = &file {
            artifact.bytes = Some(Count::saturating(file.bytes.len()));
            artifact.sha256 = Some(file.digest);
            artifact.secret_scan = file.secret_scan;
            self.waived.extend(&file.waived);
            findings.extend(content::check(spec, &file.bytes));
            findings.extend(shared(spec, file.n_links));
        }
        let there = file.map(|file| file.digest);
        let judged = match (&wanted, &spec.generator) {
            (Some(Wanted::Bytes(bytes)), Some(generator)) if !subject.specification.is_first() => {
                judge(subject, spec, generator, bytes, there.as_ref())
            }
            _ => changed(spec, expected, there),
        };
        artifact.freshness = Some(freshness(&judged, expected, there));
        if subject.specification.is_first() {
            artifact.is_fresh = Some(there.is_some() && expected == there);
            artifact.freshness = None;
        }
        artifact.provenance = judged.provenance;
        findings.extend(judged.findings);
        self.statements.extend(judged.statement);
        if let Some(Wanted::Bytes(bytes)) = wanted {
            self.made.push((path, bytes));
        }
        self.found.push(artifact);
        self.sort(spec, findings);
    }

    /// What a publication alone asks for is no fault of a draft.
    fn sort(&mut self, spec: &ArtifactSpec, findings: Vec<Finding>) {
        let is_later = spec.required_in == Some(Mode::Publication);
        for finding in findings {
            let is_absence = matches!(
                finding.code,
                Code::ArtifactMissing | Code::ProvenanceMissing
            );
            if is_later && is_absence {
                self.strict.push(finding);
            } else {
                self.findings.push(finding);
            }
        }
        if spec.state == State::Live && spec.required_in.is_some() {
            self.strict.push(Finding::new(
                Code::ArtifactLive,
                Place::file(&spec.path),
                "an artifact that no later event changes",
                "a live artifact",
            ));
        }
    }
}

/// An artifact that nobody has read yet.
fn unread(subject: &Subject<'_>, spec: &ArtifactSpec) -> Artifact {
    let is_first = subject.specification.is_first();
    Artifact {
        bytes: None,
        freshness: (!is_first).then(|| {
            Freshness::not(
                FreshnessVerdict::Unverifiable,
                "the file cannot be looked at",
            )
        }),
        generator: spec.generator.clone(),
        is_fresh: is_first.then_some(false),
        path: spec.path.clone(),
        provenance: None,
        required_in: spec.required_in,
        role: spec.role.clone(),
        secret_scan: SecretScan::Unscanned,
        sha256: None,
        state: spec.state,
    }
}

/// A file of several names can be changed under each of them.
fn shared(spec: &ArtifactSpec, n_links: u64) -> Option<Finding> {
    let is_settled = !matches!(spec.state, State::Live | State::Static);
    (is_settled && 1 < n_links).then(|| {
        Finding::new(
            Code::ArtifactShared,
            Place::file(&spec.path),
            "a file of one name",
            format!("{n_links} names"),
        )
    })
}

/// Compares a file with the digest that it must have.
fn changed(spec: &ArtifactSpec, expected: Option<Digest>, there: Option<Digest>) -> Judged {
    let differing = expected
        .zip(there)
        .filter(|(expected, there)| expected != there);
    let finding = differing.map(|(expected, there)| {
        Finding::new(
            Code::ArtifactChanged,
            Place::file(&spec.path),
            format!("digest {expected}"),
            format!("digest {there}"),
        )
    });
    Judged {
        findings: finding.into_iter().collect(),
        ..Judged::default()
    }
}

/// Whether a file is what it must be, in the words of the manifest.
fn freshness(judged: &Judged, expected: Option<Digest>, there: Option<Digest>) -> Freshness {
    let unverifiable = |reason: &str| Freshness::not(FreshnessVerdict::Unverifiable, reason);
    match (expected, there) {
        (_, None) => unverifiable("the file cannot be read"),
        (None, Some(_)) => unverifiable("nothing says which bytes it must have"),
        (Some(expected), Some(there)) if expected == there && judged.findings.is_empty() => {
            Freshness::fresh()
        }
        _ => {
            let first = judged.findings.first();
            let reason = first.map_or("other bytes", |finding| finding.code.what());
            Freshness::not(FreshnessVerdict::Stale, reason)
        }
    }
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
    let is_kept = |folder: &str| lower == folder || is_below(&lower, folder);
    if lower == SPECIFICATION || is_kept(AUDITS_FOLDER) || is_kept(PROVENANCE_FOLDER) {
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

impl Wanted {
    fn digest(&self) -> Digest {
        match self {
            Self::Digest(digest) => *digest,
            Self::Bytes(bytes) => Digest::of(bytes),
        }
    }
}

/// Returns what the file must be, where that can be told.
fn wanted(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    findings: &mut Vec<Finding>,
) -> Option<Wanted> {
    let mut invalid = |expected: &str, found: &str| {
        let place = Place::file(&spec.path);
        findings.push(Finding::new(Code::SpecInvalid, place, expected, found));
    };
    let of_generator = GENERATORS.iter().any(|known| known.role == spec.role);
    match (spec.state, &spec.generator, spec.sha256) {
        // What the ledger can bear out is not taken on trust.
        (state, ..) if of_generator && !state.is_made() => {
            let expected = format!("a generator for the role {}", spec.role);
            invalid(&expected, &format!("a {} artifact", state.as_str()));
            None
        }
        (State::Pinned, None, Some(digest)) => {
            findings.extend(inputs::check_written(subject, spec));
            Some(Wanted::Digest(digest))
        }
        (State::Static, None, None) => {
            findings.extend(inputs::check_written(subject, spec));
            None
        }
        (State::Pinned, ..) => {
            invalid("a digest and no generator for a pinned artifact", "others");
            None
        }
        (State::Static, ..) => {
            let expected = "neither a digest nor a generator for a static artifact";
            invalid(expected, "others");
            None
        }
        (State::Frozen | State::Live | State::Generated, Some(generator), None) => {
            findings.extend(check_frozen(subject, spec, generator));
            findings.extend(inputs::check_made(subject, spec, generator));
            regenerate(subject, spec, generator, findings)
        }
        (State::Frozen | State::Live | State::Generated, ..) => {
            invalid(
                "a generator and no digest for a generated artifact",
                "others",
            );
            None
        }
    }
}

/// A frozen artifact rests on what is settled, and on nothing else. Version 1
/// knows frozen cohorts only, and nothing live.
fn check_frozen(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    generator: &GeneratorRef,
) -> Option<Finding> {
    let is_first = subject.specification.is_first();
    let found = match spec.state {
        State::Live if is_first => "a live artifact".to_owned(),
        State::Frozen => {
            let prefix = subject.evidence.prefix.as_ref()?;
            let footing = Footing::of(generator);
            footing.unsettled(&subject.specification.cohorts, prefix)?
        }
        _ => return None,
    };
    let place = Place::file(&spec.path);
    let expected =
        "a frozen artifact of a frozen cohort of this release, a closed era or a dataset";
    let finding = Finding::new(Code::ArtifactLive, place, expected, found);
    Some(finding)
}

fn regenerate(
    subject: &Subject<'_>,
    spec: &ArtifactSpec,
    generator: &GeneratorRef,
    findings: &mut Vec<Finding>,
) -> Option<Wanted> {
    let made = if spec.state == State::Live && !subject.specification.is_first() {
        let (whole, source) = subject.whole();
        generate(generator, whole, &source)
    } else {
        generate(
            generator,
            subject.evidence.prefix.as_ref()?,
            &subject.source(),
        )
    };
    match made {
        Ok(bytes) => Some(Wanted::Bytes(bytes)),
        Err(error) => {
            findings.push(unmade(spec, generator, &error));
            None
        }
    }
}

/// Why an artifact cannot be made again: by an older version of its generator it
/// was, once.
fn unmade(spec: &ArtifactSpec, generator: &GeneratorRef, error: &GenerateError) -> Finding {
    let place = Place::file(&spec.path);
    let mut same = GENERATORS
        .iter()
        .filter(|known| known.name == generator.name.as_str());
    // A version that can still be made has another fault.
    let is_made = same.clone().any(|it| generator.version.get() == it.version);
    let newer = same.find(|known| generator.version.get() < known.version);
    match newer {
        Some(newer) if !is_made => Finding::new(
            Code::ArtifactStale,
            place,
            format!("generator {}@{}", newer.name, newer.version),
            format!("generator {}@{}", generator.name, generator.version),
        )
        .with_remedy(
            "name that version in release/publication.json, then scoresheet release build",
        ),
        _ => Finding::new(
            Code::ArtifactUnregenerable,
            place,
            "an artifact that can be made again",
            error.to_string(),
        ),
    }
}
