//! What came of requests to a model or an engine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Integer, Money};
use crate::event::kinds::{Fact, Meaningless, NOT_NEGATIVE};
use crate::event::private::{check_bodies, unit_references};
use crate::event::{EventId, PrivateBody, Reference};

/// `call.answered`: an answer came. Whether it was a move is another matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallAnswered {
    /// The private bodies that belong to it: what came back, and originals of redacted
    /// texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub bodies: Vec<PrivateBody>,
    /// The `call.sent`.
    pub call: EventId,
    /// What a program asked of models to find its answer, in the order it says.
    /// Their tokens and costs are parts of those of the whole call, and are never
    /// added to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub calls: Vec<SubCall>,
    /// What the provider says the call cost, zero or more. Absent: it did not say.
    #[schemars(extend("pattern" = NOT_NEGATIVE))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<Money>,
    /// What an engine reported beside its move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineReport>,
    /// Why the answer ended, in the provider's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// Tokens of the route's own instructions, which nobody asked for; part of
    /// `tokens`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead: Option<Tokens>,
    /// The provider's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The model that answered, where the provider names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned_model: Option<String>,
    /// How long it took.
    pub time: CallTime,
    /// Token counts, where the provider reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
}

impl Fact for CallAnswered {
    fn references(&self) -> Vec<Reference<'_>> {
        unit_references(&self.bodies)
            .chain([Reference::new("call", &self.call, &["call.sent"])])
            .collect()
    }

    fn bodies(&self) -> &[PrivateBody] {
        &self.bodies
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_bodies(&self.bodies)?;
        let own = (self.cost_usd, "cost_usd");
        let parts = self
            .calls
            .iter()
            .map(|call| (call.cost_usd, "calls.cost_usd"));
        for (cost, field) in [own].into_iter().chain(parts) {
            if cost.is_some_and(Money::is_negative) {
                return Err(Meaningless::new(
                    field,
                    "a cost of zero or more",
                    "a negative cost",
                ));
            }
        }
        let score = self.engine.as_ref().and_then(|engine| engine.score);
        score.map_or(Ok(()), |score| score.check("engine.score"))
    }
}

/// One request of a program to a model, on the way to its answer. Texts are the
/// program's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubCall {
    /// What it cost, zero or more; part of what the whole call cost.
    #[schemars(extend("pattern" = NOT_NEGATIVE))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<Money>,
    /// The model that was asked, or answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens of the route's own instructions; part of `tokens`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead: Option<Tokens>,
    /// The provider's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What it was for, such as `proposer` or `selector`.
    pub role: String,
    /// Token counts; part of those of the whole call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
}

/// What an engine reported beside its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineReport {
    /// Depth of the last exact line, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Count>,
    /// Nodes searched, as done, not as asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Count>,
    /// Score of the last exact line, from the mover's side. Under limited
    /// strength it need not be the played move's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ReportedScore>,
}

/// A score: exactly one of the two.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1, "maxProperties" = 1))]
pub struct ReportedScore {
    /// Centipawns, positive for the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<Integer>,
    /// Moves to mate, negative when the mover is mated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<Integer>,
}

impl ReportedScore {
    /// Exactly one of the two is said, in this field.
    pub(crate) fn check(&self, field: &'static str) -> Result<(), Meaningless> {
        let found = match (self.cp, self.mate) {
            (Some(_), Some(_)) => "both",
            (None, None) => "neither",
            _ => return Ok(()),
        };
        Err(Meaningless::new(field, "either `cp` or `mate`", found))
    }
}

/// Durations on a monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallTime {
    /// Until the first token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_ms: Option<Count>,
    /// In a queue of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_ms: Option<Count>,
    /// From the request to the whole answer, the queue included.
    pub total_ms: Count,
}

/// Token counts as the provider reports them. Absent is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// Prompt tokens that came from a cache; part of `prompt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<Count>,
    /// Tokens written, reasoning included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<Count>,
    /// Tokens read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Count>,
    /// Tokens of reasoning; part of `completion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Count>,
}

/// `call.failed`: no answer came. A provider failure, never a chess result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallFailed {
    /// The private bodies that belong to it: what came back, and originals of redacted
    /// texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub bodies: Vec<PrivateBody>,
    /// The `call.sent`.
    pub call: EventId,
    /// What sort of failure.
    pub class: CallFailure,
    /// What happened, in words.
    pub detail: String,
    /// The status that a server answered with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<Count>,
    /// How long the server asks to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<Count>,
    /// How long it took to fail. Absent where nobody was there to measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<CallTime>,
}

/// What sort of failure kept an answer from coming.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CallFailure {
    /// Nothing within the deadline.
    Timeout,
    /// No connection.
    Unreachable,
    /// Too many requests.
    RateLimited,
    /// The server failed.
    ServerError,
    /// The account's limit is used up.
    UsageLimit,
    /// The provider's moderation stepped in.
    Moderation,
    /// The answer broke off on its way.
    BrokenStream,
    /// An answer that says it failed.
    ErrorAnswer,
    /// The engine or program could not be started.
    NotStarted,
    /// The engine or program ended.
    Exited,
    /// The engine or program broke its protocol.
    Protocol,
    /// The runner ended while the call was in flight; what came of it is unknown.
    Lost,
}

impl CallFailure {
    /// Every class, in order.
    pub const ALL: [Self; 12] = [
        Self::Timeout,
        Self::Unreachable,
        Self::RateLimited,
        Self::ServerError,
        Self::UsageLimit,
        Self::Moderation,
        Self::BrokenStream,
        Self::ErrorAnswer,
        Self::NotStarted,
        Self::Exited,
        Self::Protocol,
        Self::Lost,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::RateLimited => "rate_limited",
            Self::ServerError => "server_error",
            Self::UsageLimit => "usage_limit",
            Self::Moderation => "moderation",
            Self::BrokenStream => "broken_stream",
            Self::ErrorAnswer => "error_answer",
            Self::NotStarted => "not_started",
            Self::Exited => "exited",
            Self::Protocol => "protocol",
            Self::Lost => "lost",
        }
    }
}

impl Fact for CallFailed {
    fn references(&self) -> Vec<Reference<'_>> {
        unit_references(&self.bodies)
            .chain([Reference::new("call", &self.call, &["call.sent"])])
            .collect()
    }

    fn bodies(&self) -> &[PrivateBody] {
        &self.bodies
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_bodies(&self.bodies)
    }
}
