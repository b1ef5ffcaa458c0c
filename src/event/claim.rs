//! What is claimed of the evidence, and what reviews say of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::canonical::Count;
use crate::event::kinds::{Fact, Meaningless, NOT_BLANK, check_distinct, check_reason, check_text};
use crate::event::{
    CheckpointRef, EventId, EvidenceStatus, GeneratorRef, Name, NamedValue, Reference,
};

/// `claim.recorded`: something is claimed of the evidence, and what it stands on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("if" = is_observed(), "then" = { "required": ["cohorts", "figures"] }))]
pub struct ClaimRecorded {
    /// The cohorts that it stands on. An observed result has at least one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub cohorts: Vec<Name>,
    /// The registered endpoint that it reports, where it reports one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<EndpointRef>,
    /// The status that it claims: at most that of every cohort it stands on.
    pub evidence_status: EvidenceStatus,
    /// The numbers that it names. An observed result has at least one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub figures: Vec<ClaimFigure>,
    /// Whether it says that something was looked for and not found. Absent: it
    /// does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_negative: Option<bool>,
    /// What sort of claim it is.
    pub kind: ClaimKind,
    /// A short name.
    pub name: Name,
    /// The claim, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub statement: String,
    /// The earlier claim in whose place it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<EventId>,
}

/// What sort of claim it is. They are never read as one another.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// What complete systems did, in numbers.
    ObservedSystemResult,
    /// Why they did it.
    MechanisticInterpretation,
    /// What could be built.
    ArchitectureProposal,
}

impl ClaimKind {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ObservedSystemResult => "observed_system_result",
            Self::MechanisticInterpretation => "mechanistic_interpretation",
            Self::ArchitectureProposal => "architecture_proposal",
        }
    }
}

/// A primary endpoint of a preregistration: its place and its words, so that no
/// other endpoint is taken for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndpointRef {
    /// Which of the primary endpoints, from 0.
    pub position: Count,
    /// The `preregistration.committed`.
    pub preregistration: EventId,
    /// The endpoint, word for word.
    pub text: String,
}

/// A number of a claim: one cell of a table that can be made again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimFigure {
    /// The column that the number stands in.
    pub column: String,
    /// What makes the table, as CSV.
    pub generator: GeneratorRef,
    /// Columns and their values, which together pick exactly one row.
    #[schemars(length(min = 1))]
    pub row: Vec<NamedValue>,
    /// The number, as the table prints it.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub value: String,
}

/// What a schema calls an observed result.
fn is_observed() -> Value {
    let kind = ClaimKind::ObservedSystemResult.as_str();
    json!({ "properties": { "kind": { "const": kind } }, "required": ["kind"] })
}

impl Fact for ClaimRecorded {
    fn references(&self) -> Vec<Reference<'_>> {
        const PROMISE: &[&str] = &["preregistration.committed"];
        let endpoint = self.endpoint.iter().map(|endpoint| {
            let promise = &endpoint.preregistration;
            Reference::new("endpoint.preregistration", promise, PROMISE)
        });
        let superseded = self.supersedes.iter();
        let superseded =
            superseded.map(|claim| Reference::new("supersedes", claim, &["claim.recorded"]));
        endpoint.chain(superseded).collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_text("statement", "the claim, in words", &self.statement)?;
        check_distinct("cohorts", "each cohort once", &self.cohorts)?;
        check_distinct("figures", "each figure once", &self.figures)?;
        if self.kind == ClaimKind::ObservedSystemResult {
            for (field, is_empty) in [
                ("cohorts", self.cohorts.is_empty()),
                ("figures", self.figures.is_empty()),
            ] {
                if is_empty {
                    let expected = "at least one for an observed result";
                    return Err(Meaningless::new(field, expected, "none"));
                }
            }
        }
        for figure in &self.figures {
            check_text("figures.value", "the number, as printed", &figure.value)?;
            if figure.row.is_empty() {
                let expected = "what picks one row";
                return Err(Meaningless::new("figures.row", expected, "nothing"));
            }
            let cohort = figure.generator.argument("cohort");
            let is_of_another = |name: &str| self.cohorts.iter().all(|one| one.as_str() != name);
            if cohort.is_some_and(is_of_another) {
                return Err(Meaningless::new(
                    "figures.generator",
                    "a table of a cohort that the claim stands on",
                    "one of another cohort",
                ));
            }
        }
        Ok(())
    }
}

/// `claim.reviewed`: somebody held a claim against the evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimReviewed {
    /// The prefix that was looked at.
    pub checkpoint: CheckpointRef,
    /// The claim.
    pub claim: EventId,
    /// Why, in words; for a narrowed claim, within which limits it holds.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub reason: String,
    /// Who looked.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub reviewer: String,
    /// What came of it.
    pub verdict: ClaimVerdict,
}

/// What a review says of a claim. The last review counts.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ClaimVerdict {
    /// It holds as it stands.
    Upheld,
    /// It holds within the limits that the reason names, and no further.
    Narrowed,
    /// Nobody makes it any more. It stays to be seen.
    Withdrawn,
}

impl ClaimVerdict {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Upheld => "upheld",
            Self::Narrowed => "narrowed",
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl Fact for ClaimReviewed {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("claim", &self.claim, &["claim.recorded"])]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_reason(&self.reason)?;
        check_text("reviewer", "who looked", &self.reviewer)
    }
}
