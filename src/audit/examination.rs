use crate::audit::{
    Auditor, Subject, artifacts, claims, cohorts, endpoints, folders, gaps, integrity, secrets,
};
use crate::digest::Digest;
use crate::event::EvidenceStatus;
use crate::finding::{Finding, any_blocker};
use crate::manifest::{self, Answered, AuditManifest, Inventory, Mode, Verdict};
use crate::release::Gap;
use crate::secret::Scanner;
use crate::tree::RelativePath;

/// What an audit found, before a mode says what of it counts.
#[derive(Clone, Debug)]
pub struct Examination {
    auditor: Auditor,
    findings: Vec<Finding>,
    answered: Vec<Answered>,
    gaps: Vec<Gap>,
    evidence_status: Option<EvidenceStatus>,
    inventory: Option<Inventory>,
    specification: Option<Digest>,
    made: Vec<(RelativePath, Vec<u8>)>,
}

/// Looks at a release with every rule.
pub fn examine(subject: &Subject<'_>) -> Examination {
    let mut findings = integrity::check(subject);
    findings.extend(gaps::check(&subject.specification));
    let (frozen, found) = cohorts::check(subject);
    findings.extend(found);
    let (artifacts, found) = artifacts::check(subject);
    findings.extend(found);
    if Auditor::V1 < subject.auditor {
        findings.extend(claims::check(subject));
        findings.extend(endpoints::check(subject));
    }
    findings.extend(folders::check(subject));
    Examination {
        auditor: subject.auditor,
        findings: secrets::redacted(findings),
        answered: answered(subject),
        gaps: subject.specification.gaps.clone(),
        evidence_status: evidence_status(subject),
        inventory: Some(Inventory {
            artifacts: artifacts.found,
            checkpoint: subject.specification.checkpoint,
            cohorts: frozen,
            origin: subject.evidence.origin().clone(),
            release: subject.specification.release.clone(),
            specification: subject.specification_digest,
            v: 1_u32.into(),
        }),
        specification: Some(subject.specification_digest),
        made: artifacts.made,
    }
}

impl Examination {
    /// Returns the examination of what could not be looked at any further:
    /// without a ledger or a specification that can be read.
    pub fn refused(findings: Vec<Finding>, specification: Option<Digest>) -> Self {
        Self {
            auditor: Auditor::NEWEST,
            findings: secrets::redacted(findings),
            answered: Vec::new(),
            gaps: Vec::new(),
            evidence_status: None,
            inventory: None,
            specification,
            made: Vec::new(),
        }
    }

    /// Everything that was found.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The digest of the specification, where there was one to be read.
    pub const fn specification_digest(&self) -> Option<Digest> {
        self.specification
    }

    /// The artifacts as their generators make them, in the order of paths.
    pub fn made(&self) -> &[(RelativePath, Vec<u8>)] {
        &self.made
    }

    /// Returns the manifest of the audit in this mode.
    pub fn manifest(&self, mode: Mode) -> AuditManifest {
        let (findings, permitted) = match mode {
            Mode::Draft => gaps::permit(&self.findings, &self.gaps),
            Mode::Publication => (self.findings.clone(), Vec::new()),
        };
        let inventory = self.inventory.clone();
        // What was not looked at to the end never passes.
        let verdict = if any_blocker(&findings) || inventory.is_none() {
            Verdict::Refused
        } else {
            Verdict::Passed
        };
        AuditManifest {
            answered: self.answered.clone(),
            // An inventory is always JSON.
            bundle: inventory
                .as_ref()
                .and_then(|inventory| manifest::digest(inventory).ok()),
            evidence_status: self.evidence_status,
            findings,
            inventory,
            permitted,
            verdict,
            ..AuditManifest::unfinished(self.auditor.as_str(), mode)
        }
    }
}

/// What corrections among the events of the release answer.
fn answered(subject: &Subject<'_>) -> Vec<Answered> {
    let prefix = subject.evidence.prefix.iter();
    let answered = prefix.flat_map(|prefix| &prefix.answered);
    let named = answered.map(|one| Answered {
        correction: one.correction,
        finding: Scanner::shared().redacted_finding(one.finding.clone()),
    });
    named.collect()
}

/// The status that all cohorts of the release can bear: the lowest of theirs.
fn evidence_status(subject: &Subject<'_>) -> Option<EvidenceStatus> {
    let prefix = subject.evidence.prefix.as_ref()?;
    let cohorts = subject.specification.cohorts.iter();
    cohorts
        .filter_map(|name| Some(prefix.cohort(name.as_str())?.evidence_status()))
        .min()
}
