use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{CheckpointRef, GeneratorRef, Name, Origin};

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
    /// The version of this form: 1.
    pub v: Count,
}

/// One declared file, as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Its length. Absent where it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Count>,
    /// What makes it. Absent where nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<GeneratorRef>,
    /// Whether it is, byte for byte, what its generator makes today, or has
    /// the digest it is pinned to.
    pub is_fresh: bool,
    /// Where it stands, relative to the project.
    pub path: String,
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
    /// Generated from frozen cohorts at the checkpoint.
    Frozen,
    /// Generated from the whole prefix at the checkpoint.
    Generated,
    /// Generated from evidence that still grows.
    Live,
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
