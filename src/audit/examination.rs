use crate::audit::gaps::NamedGap;
use crate::audit::subject::FILE_BYTES_MAX;
use crate::audit::{
    Auditor, Subject, altered, artifacts, claims, cohorts, declared, dependencies, endpoints,
    folders, gaps, integrity, retained, retries, run, secrets, signatures, waivers,
};
use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::EvidenceStatus;
use crate::finding::{Finding, any_blocker};
use crate::manifest::{
    self, Answered, AuditManifest, AuditRun, CountedWaivers, Inventory, Limits, Mode, Verdict,
};
use crate::secret::Scanner;
use crate::tree::{ENTRIES_MAX, Progress, RelativePath};

/// What an audit found, before a mode says what of it counts.
#[derive(Clone, Debug)]
pub struct Examination {
    auditor: Auditor,
    findings: Vec<Finding>,
    /// What counts in a publication only.
    strict: Vec<Finding>,
    answered: Vec<Answered>,
    gaps: Vec<NamedGap>,
    evidence_status: Option<EvidenceStatus>,
    inventory: Option<Inventory>,
    is_first: bool,
    run: AuditRun,
    waivers: Option<CountedWaivers>,
    specification: Option<Digest>,
    made: Vec<(RelativePath, Vec<u8>)>,
    statements: Vec<(RelativePath, Vec<u8>)>,
}

/// Looks at a release with every rule. The long part of that is the declared
/// artifacts: says after each how many of how many are done.
pub fn examine(subject: &Subject<'_>, progress: Progress<'_>) -> Examination {
    let mut findings = integrity::check(subject);
    findings.extend(declared::check(subject));
    let (gaps, found) = gaps::check(subject);
    findings.extend(found);
    findings.extend(dependencies::check(subject));
    let (frozen, found) = cohorts::check(subject);
    findings.extend(found);
    if Auditor::V2 < subject.auditor {
        findings.extend(retries::check(subject));
    }
    let artifacts = artifacts::check(subject, progress);
    findings.extend(artifacts.findings);
    let mut strict = artifacts.strict;
    let signatures = signatures::check(subject);
    findings.extend(signatures.findings);
    strict.extend(signatures.strict);
    if Auditor::V1 < subject.auditor {
        findings.extend(claims::check(subject));
        findings.extend(endpoints::check(subject));
    }
    let folders = folders::check(subject);
    findings.extend(folders.findings);
    strict.extend(folders.strict);
    let waivers = waivers::check(subject, &artifacts.found, &artifacts.waived);
    findings.extend(waivers.findings);
    strict.extend(waivers.strict);
    strict.extend(retained::check(&subject.evidence.whole, subject.tree));
    strict.extend(altered::check(subject, &artifacts.found, &frozen));
    let specification = &subject.specification;
    Examination {
        auditor: subject.auditor,
        findings: secrets::redacted(findings),
        strict: secrets::redacted(strict),
        answered: answered(subject),
        gaps,
        evidence_status: evidence_status(subject),
        inventory: Some(Inventory {
            artifacts: artifacts.found,
            checkpoint: specification.checkpoint,
            cohorts: frozen,
            origin: subject.evidence.origin().clone(),
            release: specification.release.clone(),
            specification: subject.specification_digest,
            v: specification.v,
        }),
        is_first: specification.is_first(),
        run: run::facts(Some(subject.evidence)),
        waivers: Some(CountedWaivers {
            ledger: Count::saturating(subject.evidence.waivers.count()),
            specification: specification.waivers.clone(),
        }),
        specification: Some(subject.specification_digest),
        made: artifacts.made,
        statements: artifacts.statements,
    }
}

impl Examination {
    /// Returns the examination of what could not be looked at any further:
    /// without a ledger or a specification that can be read.
    pub fn refused(findings: Vec<Finding>, specification: Option<Digest>) -> Self {
        Self {
            auditor: Auditor::NEWEST,
            findings: secrets::redacted(findings),
            strict: Vec::new(),
            answered: Vec::new(),
            gaps: Vec::new(),
            evidence_status: None,
            inventory: None,
            is_first: false,
            run: run::facts(None),
            waivers: None,
            specification,
            made: Vec::new(),
            statements: Vec::new(),
        }
    }

    /// Everything that was found and counts in this mode, whatever a draft permits.
    pub fn findings(&self, mode: Mode) -> Vec<Finding> {
        let strict = match mode {
            Mode::Draft => &[][..],
            Mode::Publication => &self.strict,
        };
        self.findings.iter().chain(strict).cloned().collect()
    }

    /// The digest of the specification, where there was one to be read.
    pub const fn specification_digest(&self) -> Option<Digest> {
        self.specification
    }

    /// The artifacts as their generators make them, in the order of paths.
    pub fn made(&self) -> &[(RelativePath, Vec<u8>)] {
        &self.made
    }

    /// The statements of what they were made from, as they must be.
    pub fn statements(&self) -> &[(RelativePath, Vec<u8>)] {
        &self.statements
    }

    /// Returns the manifest of the audit in this mode.
    pub fn manifest(&self, mode: Mode) -> AuditManifest {
        self.manifest_of(mode, &self.run)
    }

    /// Returns the manifest of the audit in this mode, as this run of the auditor
    /// would have written it.
    pub fn manifest_of(&self, mode: Mode, run: &AuditRun) -> AuditManifest {
        let findings = self.findings(mode);
        let (findings, permitted) = match mode {
            Mode::Draft => gaps::permit(&findings, &self.gaps),
            Mode::Publication => (findings, Vec::new()),
        };
        let inventory = self.inventory.clone();
        // What was not looked at to the end never passes.
        let verdict = if any_blocker(&findings) || inventory.is_none() {
            Verdict::Refused
        } else {
            Verdict::Passed
        };
        let bundle = inventory.as_ref();
        let mut manifest = AuditManifest {
            answered: self.answered.clone(),
            // An inventory is always JSON.
            bundle: bundle.and_then(|inventory| manifest::digest(inventory).ok()),
            evidence_status: self.evidence_status,
            findings,
            inventory,
            limits: Some(Limits {
                entries: Count::saturating(ENTRIES_MAX),
                file_bytes: Count::saturating(FILE_BYTES_MAX),
            }),
            permitted,
            run: Some(run.clone()),
            verdict,
            waivers: self.waivers.clone(),
            ..AuditManifest::unfinished(self.auditor.as_str(), mode)
        };
        if self.is_first {
            manifest.v = 1_u32.into();
            (manifest.limits, manifest.run, manifest.waivers) = (None, None, None);
        }
        manifest
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
