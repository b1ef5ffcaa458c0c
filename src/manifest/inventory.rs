use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{CheckpointRef, GeneratorRef, Name, Origin};
use crate::manifest::Mode;

/// What a release holds. Its digest names the bundle that was reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inventory {
    /// The artifacts, in the order of their paths.
    pub artifacts: Vec<Artifact>,
    /// The prefix that everything was computed from.
    pub checkpoint: CheckpointRef,
    /// The frozen cohorts that it rests on, in the order of their names.
    pub cohorts: Vec<FrozenCohort>,
    /// The ledger.
    pub origin: Origin,
    /// The release.
    pub release: Name,
    /// The digest of the publication specification.
    pub specification: Digest,
    /// The version of this form, which is that of the specification.
    pub v: Count,
}

/// One declared file, as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Its length. Absent where it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Count>,
    /// Whether it is what it must be today. Absent in version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freshness: Option<Freshness>,
    /// What makes it. Absent where nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<GeneratorRef>,
    /// Whether it is, byte for byte, what its generator makes today, or has
    /// the digest it is pinned to. In version 1 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_fresh: Option<bool>,
    /// Where it stands, relative to the project.
    pub path: String,
    /// The statement of what it was made from, as it was found. Absent where
    /// there is none, and in version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<FileDigest>,
    /// The mode from which on it must be there. Absent in version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_in: Option<Mode>,
    /// What it is for, in a word.
    pub role: String,
    /// What the scan for secrets said.
    pub secret_scan: SecretScan,
    /// Its digest. Absent where it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
    /// What may happen to it.
    pub state: State,
}

/// A file and its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileDigest {
    /// Where it stands, relative to the project.
    pub path: String,
    /// Its digest.
    pub sha256: Digest,
}

/// Whether an artifact is what it must be today: by its bytes, never by its
/// times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freshness {
    /// Why not. Absent where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The answer.
    pub verdict: FreshnessVerdict,
}

/// The answers to whether an artifact is fresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreshnessVerdict {
    /// It is what it must be.
    Fresh,
    /// It is something else.
    Stale,
    /// Nothing says what it must be.
    Unverifiable,
}

impl Freshness {
    /// It is what it must be.
    pub const fn fresh() -> Self {
        Self {
            reason: None,
            verdict: FreshnessVerdict::Fresh,
        }
    }

    /// It is not, or nobody can tell, for this reason.
    pub fn not(verdict: FreshnessVerdict, reason: impl Into<String>) -> Self {
        Self {
            reason: Some(reason.into()),
            verdict,
        }
    }
}

/// What the scan for secrets said of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretScan {
    /// Nothing found.
    Clean,
    /// Something that looks like a credential.
    Flagged,
    /// It could not be looked at.
    Unscanned,
}

/// What may happen to an artifact.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Written by people, and pinned by its digest.
    Pinned,
    /// Generated from cohorts, eras or datasets that are settled at the checkpoint.
    Frozen,
    /// Generated from the ledger as it stands.
    Live,
    /// Generated from the prefix at the checkpoint. Since version 2.
    Generated,
    /// Written by people; its digest is recorded, not pinned. Since version 2.
    Static,
}

impl State {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Frozen => "frozen",
            Self::Live => "live",
            Self::Generated => "generated",
            Self::Static => "static",
        }
    }

    /// Whether a generator makes it.
    pub const fn is_made(self) -> bool {
        match self {
            Self::Frozen | Self::Live | Self::Generated => true,
            Self::Pinned | Self::Static => false,
        }
    }
}

/// A frozen cohort that a release rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenCohort {
    /// The cohort.
    pub cohort: Name,
    /// The digest of its manifest.
    pub manifest: Digest,
}
