//! The rules that a release must pass.
//!
//! An audit recomputes and compares: it takes the ledger's own events, makes
//! every manifest and artifact again, and holds them against the files. What
//! it finds is a manifest in any case, also when it refuses. It only reads.
//!
//! One file a rule. The rules run in this order:
//!
//! 1. [`integrity`]: the ledger is what was acknowledged, nothing in the prefix
//!    contradicts anything, and the release is bound to a checkpoint of it;
//! 2. [`cohorts`]: every cohort is frozen before the checkpoint, and its
//!    manifest is what the ledger gives;
//! 3. [`artifacts`]: every declared file is there and is, byte for byte, what
//!    its generator makes;
//! 4. [`folders`]: nothing else stands where things are published.
//!
//! Secrets are looked for wherever a file is read.

mod artifacts;
mod cohorts;
mod evidence;
mod folders;
mod integrity;
mod subject;

pub use evidence::{Evidence, gather};
pub use subject::Subject;

use crate::event::EvidenceStatus;
use crate::finding::{Code, Finding, Place, any_blocker};
use crate::manifest::{self, AuditManifest, Inventory, Mode, Verdict};
use crate::release::{Gap, SPECIFICATION, Specification};

/// The auditor and the version of its rules, raised when they change.
pub const AUDITOR: &str = "scoresheet-audit@1";

/// Audits a release.
pub fn audit(subject: &Subject<'_>, mode: Mode) -> AuditManifest {
    let mut findings = integrity::check(subject);
    let (cohorts, found) = cohorts::check(subject);
    findings.extend(found);
    let (artifacts, found) = artifacts::check(subject);
    findings.extend(found);
    findings.extend(folders::check(subject));
    let (findings, permitted) = match mode {
        Mode::Draft => permit(findings, &subject.specification.gaps),
        Mode::Publication => (findings, Vec::new()),
    };
    let inventory = Inventory {
        artifacts,
        checkpoint: subject.specification.checkpoint,
        cohorts,
        origin: subject.evidence.origin().clone(),
        release: subject.specification.release.clone(),
        specification: subject.specification_digest,
        v: 1_u32.into(),
    };
    let verdict = if any_blocker(&findings) {
        Verdict::Refused
    } else {
        Verdict::Passed
    };
    AuditManifest {
        // An inventory is always JSON.
        bundle: manifest::digest(&inventory).ok(),
        evidence_status: evidence_status(subject),
        findings,
        inventory: Some(inventory),
        permitted,
        verdict,
        ..AuditManifest::unfinished(AUDITOR, mode)
    }
}

/// Returns the manifest of an audit that could not get past the specification.
pub fn refused(findings: Vec<Finding>, mode: Mode) -> AuditManifest {
    AuditManifest {
        findings,
        verdict: Verdict::Refused,
        ..AuditManifest::unfinished(AUDITOR, mode)
    }
}

/// Reads a specification; a faulty one is a finding.
pub fn read_specification(bytes: &[u8]) -> Result<Specification, Finding> {
    Specification::parse(bytes).map_err(|fault| {
        let before = usize::try_from(fault.column)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let line = bytes[..before]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        let place = Place::file(SPECIFICATION).line(u64::try_from(line).unwrap_or(1));
        Finding::new(Code::SpecInvalid, place, fault.expected, fault.found)
    })
}

/// The status that all cohorts of the release can bear: the lowest of theirs.
fn evidence_status(subject: &Subject<'_>) -> Option<EvidenceStatus> {
    let prefix = subject.evidence.prefix.as_ref()?;
    let cohorts = subject.specification.cohorts.iter();
    cohorts
        .filter_map(|name| Some(prefix.cohort(name.as_str())?.evidence_status()))
        .min()
}

/// Splits findings into those that count and those that the draft permits.
fn permit(findings: Vec<Finding>, gaps: &[Gap]) -> (Vec<Finding>, Vec<Finding>) {
    let is_named = |finding: &Finding, gap: &Gap| {
        finding.code.as_str() == gap.code && finding.place.file.as_deref() == Some(&gap.path)
    };
    let mut unused: Vec<Finding> = Vec::new();
    for gap in gaps {
        if !findings.iter().any(|finding| is_named(finding, gap)) {
            let place = Place::file(gap.path.clone());
            let expected = format!("a finding {} that the gap permits", gap.code);
            unused.push(Finding::new(Code::GapUnused, place, expected, "none"));
        }
    }
    let (permitted, mut counting): (Vec<_>, Vec<_>) = findings
        .into_iter()
        .partition(|finding| gaps.iter().any(|gap| is_named(finding, gap)));
    counting.append(&mut unused);
    (counting, permitted)
}
