use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::event::{CheckpointRef, EventId, EvidenceStatus, Name, Origin, identified_schema_file};
use crate::submission::{
    Baseline, EnginePart, Exposed, ProtocolPart, ResourcesPart, ResultsPart, SystemPart, Text,
};

/// The name of the schema of submissions.
pub const SUBMISSION_SCHEMA: &str = "benchmark_submission.schema";

/// The versioned identifier of the schema. Its number is raised when a document
/// that was one no longer is.
const SCHEMA_ID: &str = "urn:scoresheet:benchmark_submission:1";

/// The file of a submission in its folder.
pub const SUBMISSION_FILE: &str = "submission.json";

/// A submission: a complete decision system, what it did, and where the evidence is.
///
/// Tracks A and C have results of games and track B decisions on positions; track C
/// names a baseline with a matched budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "properties": { "protocol": { "properties": { "track": { "const": "full_game" } } } } },
    "then" = { "properties": {
        "baseline": false,
        "results": { "required": ["games"], "properties": { "positions": false } },
    } },
    "else" = {
        "if": { "properties": { "protocol": { "properties": { "track": { "const": "paired_position" } } } } },
        "then": { "properties": {
            "baseline": false,
            "protocol": { "properties": { "dataset_sha256": { "type": "string" }, "partition": { "type": "string" } } },
            "results": { "required": ["positions"], "properties": { "games": false } },
        } },
        "else": {
            "if": { "properties": { "protocol": { "properties": { "track": { "const": "architecture" } } } } },
            "then": {
                "required": ["baseline"],
                "properties": { "results": { "required": ["games"] } },
            },
        },
    },
))]
pub struct Submission {
    /// A JSON Schema for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub schema: Option<String>,
    /// Every released file of the submission, by content.
    #[schemars(length(min = 1, max = 20_000))]
    pub artifacts: Vec<SubmittedArtifact>,
    /// What an architecture is compared with. Stands in track C, and in no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// The version of the benchmark.
    pub benchmark_version: BenchmarkVersion,
    /// The program that ran the system.
    pub code: CodePart,
    /// The engines that take part: advisors, opponents and scorers.
    #[schemars(length(max = 100))]
    pub engines: Vec<EnginePart>,
    /// The raw events.
    pub evidence: EvidencePart,
    /// How much the evidence claims.
    pub evidence_status: EvidenceStatus,
    /// The rules that the evidence was collected under.
    pub protocol: ProtocolPart,
    /// What it took.
    pub resources: ResourcesPart,
    /// What came out.
    pub results: ResultsPart,
    /// The name of the submission, which is never used again.
    pub submission_id: Name,
    /// The complete decision system.
    pub system: SystemPart,
}

/// A version of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum BenchmarkVersion {
    /// The draft before the first version.
    #[serde(rename = "0.1-draft")]
    Draft,
}

/// A released file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubmittedArtifact {
    /// Its path below the folder of the submission, of plain names with `/` between them.
    #[schemars(length(min = 1, max = 4096))]
    pub path: String,
    /// What it is for.
    pub role: Text,
    /// The digest of its bytes.
    pub sha256: Digest,
}

/// The program that ran the system, and everything that it was built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodePart {
    /// The commit of its repository, in full: 40 or 64 hex digits.
    #[schemars(extend("pattern" = "^([0-9a-f]{40}|[0-9a-f]{64})$"))]
    pub commit: String,
    /// The digest of the file that locks its dependencies.
    pub dependency_lock_sha256: Digest,
    /// The digest of `git diff HEAD`; null where nothing differed.
    pub dirty_diff_sha256: Exposed<Digest>,
}

/// Where the raw events are: a prefix of a ledger, and a cohort in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidencePart {
    /// The prefix of the ledger that everything here is computed from.
    pub checkpoint: CheckpointRef,
    /// The cohort.
    pub cohort: Name,
    /// The name of the ledger.
    pub ledger: Origin,
    /// The id of the system's `system.registered`.
    pub system: EventId,
}

impl Submission {
    /// Returns the JSON Schema (draft 2020-12) of submissions, as a file for editors
    /// and other programs.
    ///
    /// It says what shape a submission has; what a submission means is checked by code.
    pub fn schema_file() -> String {
        identified_schema_file::<Self>("Benchmark submission, version 1", SCHEMA_ID)
    }
}
