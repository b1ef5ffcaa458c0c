//! Requests to a model or an engine, and what came of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Integer, Money};
use crate::chess::Ply;
use crate::event::dataset::{PUZZLE_ID, PUZZLE_ID_IN_WORDS, is_puzzle_id};
use crate::event::kinds::{Fact, Meaningless, NOT_NEGATIVE};
use crate::event::private::{check_bodies, unit_references};
use crate::event::turn::check_turn;
use crate::event::{EventId, PositionRef, PrivateBody, Reference, SearchLimit, ShownCandidates};

/// `call.sent`: durable before the request leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "dependentRequired" = { "candidates": ["game"], "game": ["ply"], "ply": ["game"] },
    "dependentSchemas" = {
        "position": { "properties": { "game": false, "puzzle": false } },
        "puzzle": { "properties": { "game": false } },
    },
))]
pub struct CallSent {
    /// Which answer of the turn it asks for, from 1.
    #[schemars(extend("minimum" = 1))]
    pub attempt: Count,
    /// The private bodies that belong to it: what was sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub bodies: Vec<PrivateBody>,
    /// The candidates that it shows. Stand with a game. Absent: it shows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<ShownCandidates>,
    /// The game it is for. Stands with `ply`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<EventId>,
    /// What the search may use, where an engine is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<SearchLimit>,
    /// The ply that the answer would make, from 1. Stands with `game`.
    #[schemars(extend("minimum" = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<Ply>,
    /// The position of a list that it is for. Stands without a game and a puzzle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionRef>,
    /// The puzzle it is for. Stands without a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<PuzzleRef>,
    /// The model that is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_model: Option<String>,
    /// The provider route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The system that asks, and is charged.
    pub system: EventId,
}

/// A puzzle of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRef {
    /// The dataset.
    pub dataset: EventId,
    /// The id of the puzzle.
    #[schemars(extend("pattern" = PUZZLE_ID))]
    pub id: String,
}

impl CallSent {
    /// The first call to a system, for no game and nothing else yet.
    pub(crate) const fn outside_games(system: EventId) -> Self {
        Self {
            attempt: Count::ONE,
            bodies: Vec::new(),
            candidates: None,
            game: None,
            limit: None,
            ply: None,
            position: None,
            puzzle: None,
            requested_model: None,
            route: None,
            system,
        }
    }

    /// The event whose key seals what is private of it: its game, or the dataset of
    /// its puzzle or position.
    pub fn unit(&self) -> Option<EventId> {
        self.game.or(self.dataset())
    }

    /// The dataset whose puzzle or position it is for.
    pub fn dataset(&self) -> Option<EventId> {
        let puzzle = self.puzzle.as_ref().map(|puzzle| puzzle.dataset);
        puzzle.or_else(|| self.position.as_ref().map(|position| position.dataset))
    }
}

impl Fact for CallSent {
    fn references(&self) -> Vec<Reference<'_>> {
        let game = self.game.iter();
        let (position, puzzle) = (self.position.iter(), self.puzzle.iter());
        let shown = self.candidates.iter().map(ShownCandidates::reference);
        unit_references(&self.bodies)
            .chain(shown)
            .chain(position.map(|position| {
                let lists = &["positions.registered"];
                Reference::new("position.dataset", &position.dataset, lists)
            }))
            .chain(puzzle.map(|puzzle| {
                Reference::new("puzzle.dataset", &puzzle.dataset, &["dataset.registered"])
            }))
            .chain(game.map(|game| Reference::new("game", game, &["game.started"])))
            .chain([Reference::new(
                "system",
                &self.system,
                &["system.registered"],
            )])
            .collect()
    }

    fn bodies(&self) -> &[PrivateBody] {
        &self.bodies
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_bodies(&self.bodies)?;
        check_turn(self.attempt, self.ply.unwrap_or(Ply(1)))?;
        if self.game.is_some() != self.ply.is_some() {
            return Err(Meaningless::new(
                "",
                "`game` and `ply` together",
                "one without the other",
            ));
        }
        if let Some(shown) = &self.candidates {
            shown.check_meaning(self.game)?;
        }
        let subjects = [
            self.game.is_some(),
            self.position.is_some(),
            self.puzzle.is_some(),
        ];
        if 1 < subjects.into_iter().filter(|is_there| *is_there).count() {
            let expected = "a game, a position or a puzzle";
            return Err(Meaningless::new("", expected, "more than one of them"));
        }
        if let Some(position) = &self.position {
            position.check_meaning()?;
        }
        if self
            .puzzle
            .as_ref()
            .is_some_and(|puzzle| !is_puzzle_id(&puzzle.id))
        {
            return Err(Meaningless::new(
                "puzzle.id",
                PUZZLE_ID_IN_WORDS,
                "another text",
            ));
        }
        self.limit
            .map_or(Ok(()), |limit| limit.check_meaning("limit"))
    }
}

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
        match self.engine.as_ref().and_then(|engine| engine.score) {
            Some(score) if score.cp.is_some() == score.mate.is_some() => Err(Meaningless::new(
                "engine.score",
                "either `cp` or `mate`",
                if score.cp.is_some() {
                    "both"
                } else {
                    "neither"
                },
            )),
            _ => Ok(()),
        }
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
