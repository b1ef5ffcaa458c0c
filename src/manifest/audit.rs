use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{EventId, EvidenceStatus};
use crate::finding::Finding;
use crate::manifest::{Inventory, SecretWaiver};

/// What an audit found. Written whatever it found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditManifest {
    /// What was found and a correction answers, in the order of events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<Answered>,
    /// The auditor and the version of its rules.
    pub auditor: String,
    /// The digest of the inventory. Absent where the audit did not get so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<Digest>,
    /// The status that the evidence can bear. Absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence_status: Option<EvidenceStatus>,
    /// Everything that was found and counts, in the order of rules.
    pub findings: Vec<Finding>,
    /// What was looked at. Absent where the audit did not get so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inventory: Option<Inventory>,
    /// What bounded it. Absent in version 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// `audit`.
    pub manifest: String,
    /// How strict the audit was.
    pub mode: Mode,
    /// Blockers that the draft permits by name.
    pub permitted: Vec<Finding>,
    /// Who looked, and in which copy. Absent in version 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<AuditRun>,
    /// The version of this form, which is that of the specification.
    pub v: Count,
    /// What came of it.
    pub verdict: Verdict,
    /// What was looked at and let pass. Absent in version 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waivers: Option<CountedWaivers>,
}

/// Facts about one run of the auditor. They say who looked and change nothing of
/// what was found: an audit made again takes those of the published one, and
/// computes everything else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditRun {
    /// How many private bodies this copy of the ledger does not have.
    pub bodies_withheld: Count,
    /// The digest of the `Cargo.lock` that the program was built with.
    pub lock: Digest,
    /// The version of the program.
    pub program: String,
    /// The digest of the rules that look for secrets.
    pub rules: Digest,
    /// The digest of the list of all schemas: a line `<sha256>  <name>` for each.
    pub schemas: Digest,
}

/// The waivers of an audit: those of the specification one by one, those of the
/// ledger by their number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountedWaivers {
    /// How many `waiver.recorded` of the prefix stand.
    pub ledger: Count,
    /// Those of the specification.
    pub specification: Vec<SecretWaiver>,
}

/// What bounds an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The most names below one folder.
    pub entries: Count,
    /// The largest file, in bytes.
    pub file_bytes: Count,
}

/// A finding that a correction answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answered {
    /// The `correction.recorded`.
    pub correction: EventId,
    /// The finding.
    pub finding: Finding,
}

/// How strict an audit is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Gaps that the specification names are permitted.
    Draft,
    /// Nothing is.
    Publication,
}

impl Mode {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Publication => "publication",
        }
    }
}

/// What came of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing blocks.
    Passed,
    /// Something blocks.
    Refused,
    /// The audit did not come to its end.
    Unfinished,
}

impl Verdict {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Refused => "refused",
            Self::Unfinished => "unfinished",
        }
    }
}

impl AuditManifest {
    /// Returns the manifest of an audit that has only begun. It is written
    /// first, so that an audit that dies leaves no earlier pass in its place.
    pub fn unfinished(auditor: &str, mode: Mode) -> Self {
        Self {
            answered: Vec::new(),
            auditor: auditor.to_owned(),
            bundle: None,
            evidence_status: None,
            findings: Vec::new(),
            inventory: None,
            limits: None,
            manifest: "audit".to_owned(),
            mode,
            permitted: Vec::new(),
            run: None,
            v: 2_u32.into(),
            verdict: Verdict::Unfinished,
            waivers: None,
        }
    }
}
