use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{EventId, Name, SearchLimit};
use crate::submission::{Exposed, Text};

/// The rules that the evidence was collected under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProtocolPart {
    /// Which cells are played, and on what that depends.
    pub allocation: AllocationRule,
    /// The digest of the data of the track: positions or openings from a file.
    /// Null where there is no such file.
    pub dataset_sha256: Exposed<Digest>,
    /// Which outcomes are left out, in words; `none` where none are.
    pub exclusions: Text,
    /// Whom the system plays, under which settings.
    pub opponents: Text,
    /// The partition that the data is from; null where the track has no partitions.
    pub partition: Exposed<Partition>,
    /// The id of `preregistration.committed`; null where nothing was promised.
    pub preregistration_sha256: Exposed<EventId>,
    /// The name of the protocol, with its version. A change of meaning is another one.
    pub protocol_version: Name,
    /// The id of `schedule.committed`.
    pub schedule_sha256: EventId,
    /// When the collection ends, as it was said before it began.
    pub stopping_rule: Text,
    /// Which of the three questions the evidence answers.
    pub track: Track,
}

/// The question that evidence answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Track {
    /// Track A: complete games against frozen opponents.
    FullGame,
    /// Track B: decisions on the same positions under different conditions.
    PairedPosition,
    /// Track C: another division of labor under a matched budget.
    Architecture,
}

/// On what it depends which cells are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AllocationRule {
    /// Nothing: all cells are committed beforehand.
    Fixed,
    /// Earlier results, by the committed rule of the anchor ladder.
    AnchorLadder,
    /// Something that was not said beforehand.
    Undeclared,
}

impl AllocationRule {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::AnchorLadder => "anchor_ladder",
            Self::Undeclared => "undeclared",
        }
    }
}

/// A part of the benchmark's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Partition {
    /// For building and debugging; public.
    Development,
    /// For choosing among systems; outcomes are disclosed after submission.
    Validation,
    /// For final claims; withheld until evaluation.
    Test,
}

/// An engine that takes part in any role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnginePart {
    /// What one search may use.
    pub limit: SearchLimit,
    /// The name, with version, that it reports.
    pub name: Text,
    /// The options that are set, threads and hash among them.
    #[schemars(length(max = 200))]
    pub options: Vec<OptionPart>,
    /// What it does.
    pub role: EngineRole,
    /// The digest of its binary.
    pub sha256: Digest,
    /// The id of its `system.registered`.
    pub system: EventId,
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionPart {
    /// Its name.
    pub name: Text,
    /// What it is set to; files by their name without folders.
    #[schemars(length(max = 4000))]
    pub value: String,
}

/// What an engine does.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EngineRole {
    /// It proposes the candidates that the system is shown.
    Advisor,
    /// The system plays it.
    Opponent,
    /// It measures positions for grades and adjudication.
    Scorer,
}

impl EngineRole {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Advisor => "advisor",
            Self::Opponent => "opponent",
            Self::Scorer => "scorer",
        }
    }
}

/// What an architecture is compared with. Stands in track C, and in no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// How much of it both may use.
    pub amount: Count,
    /// What both may use equally much of.
    pub matched_on: MatchedOn,
    /// The submission that is the baseline.
    pub submission_id: Name,
}

/// A resource that two systems use equally much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchedOn {
    /// Calls a move.
    CallsPerMove,
    /// Engine nodes a move.
    NodesPerMove,
    /// Milliseconds a move.
    TimeMsPerMove,
    /// Tokens a move, of prompt and completion together.
    TokensPerMove,
}
