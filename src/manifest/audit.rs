use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{EventId, EvidenceStatus};
use crate::finding::Finding;
use crate::manifest::Inventory;

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
    /// `audit`.
    pub manifest: String,
    /// How strict the audit was.
    pub mode: Mode,
    /// Blockers that the draft permits by name.
    pub permitted: Vec<Finding>,
    /// The version of this form: 1.
    pub v: Count,
    /// What came of it.
    pub verdict: Verdict,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
            manifest: "audit".to_owned(),
            mode,
            permitted: Vec::new(),
            v: 1_u32.into(),
            verdict: Verdict::Unfinished,
        }
    }
}
