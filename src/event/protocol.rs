//! The rules of a benchmark as data, and what was promised before it began.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Decimal};
use crate::chess::Rules;
use crate::digest::Digest;
use crate::event::kinds::{Fact, Meaningless};
use crate::event::{
    AdjudicationRule, AnchoredRule, AssistanceKind, EventId, GradingRule, Name, OracleRule,
    Reference,
};

/// `protocol.published`: every rule that a game under this protocol follows.
///
/// No rating, rank or table ever mixes two protocols.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "required": ["anchored"] },
    "then" = {
        "properties": { "pairing": { "enum": ["anchors_only", "mini_matches"] } },
        "if": { "required": ["oracle"] },
        "then": { "properties": { "candidate_help": { "const": "candidate_oracle" } } },
    },
    "else" = {
        "if": { "required": ["oracle"] },
        "then": { "properties": { "candidate_help": { "const": "candidate_oracle" } } },
    },
))]
pub struct ProtocolPublished {
    /// When a game is decided by what an engine measures. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<AdjudicationRule>,
    /// How ratings against anchors are fitted. Absent: there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchored: Option<AnchoredRule>,
    /// Answered attempts a turn, from 1; after the last rejected one the game is forfeit.
    #[schemars(extend("minimum" = 1))]
    pub attempts: Count,
    /// Help with candidate moves.
    pub candidate_help: AssistanceKind,
    /// Who gets White.
    pub colors: ColorRule,
    /// What a player sees of earlier turns.
    pub context: Context,
    /// What becomes of a conversation when its game ends.
    pub conversation: Conversation,
    /// What follows when no answer came.
    pub failed_request: FailedRequest,
    /// Parameters of the rating, where it is Glicko-2. Absent: the protocol rates nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glicko2: Option<Glicko2Rule>,
    /// How moves are graded. Absent: they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grading: Option<GradingRule>,
    /// How the ladder chooses games. Absent: the protocol has no ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<LadderRule>,
    /// Whether a player is told its legal moves.
    pub legal_moves_listed: bool,
    /// The name, unique among protocols.
    pub name: Name,
    /// Where the candidates come from that players are shown, and how they are put in
    /// order. Absent: none are shown, or it is not recorded where from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oracle: Option<OracleRule>,
    /// Who plays whom.
    pub pairing: Pairing,
    /// Accepted plies of both sides together after which the game is drawn, flagged as censored.
    /// Where nobody plays: the most plies of a line.
    #[schemars(extend("minimum" = 1))]
    pub ply_cap: Count,
    /// The texts that a player is sent, in the order of their names. Absent: no
    /// player is sent any, or they are not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub prompts: Vec<PromptIdentity>,
    /// The draw rules and how they are applied.
    pub rules: Rules,
    /// Where games start.
    pub start: StartRule,
}

/// A text that a player is sent, by content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptIdentity {
    /// Its name.
    pub name: Name,
    /// The digest of the text with its places unfilled.
    pub sha256: Digest,
}

/// Who gets White.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ColorRule {
    /// Every pair plays each start once with each color.
    OnceEach,
    /// Colors alternate from game to game.
    Alternate,
    /// The player with the lower share of White in the window.
    LowerWhiteShare,
    /// Nobody plays.
    None,
}

/// What a player sees of earlier turns.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Context {
    /// The moves of the game, as an engine is given them.
    GameMoves,
    /// A conversation of its own, pruned when it grows too long.
    OwnConversation,
    /// Each request stands alone.
    FreshRequest,
    /// What the system's registration declares.
    Declared,
}

/// What becomes of a conversation when its game ends.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Conversation {
    /// There is none.
    None,
    /// It is kept.
    Kept,
    /// It is erased.
    Erased,
}

/// What follows when no answer came: a provider failure, never a chess result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailedRequest {
    /// What happens.
    pub policy: FailedRequestPolicy,
    /// How often one cell is played again at most. Absent: no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replays_max: Option<Count>,
    /// How often one request is sent again after a wait, where what kept the answer
    /// may pass, before the policy applies. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries_max: Option<Count>,
}

/// What happens when no answer came.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FailedRequestPolicy {
    /// The game is aborted and its registered cell replayed in frozen order.
    ReplayCell,
    /// The game is aborted and scheduled again.
    ScheduleAgain,
    /// The game is aborted and does not count.
    AbortUncounted,
    /// The request counts as a wrong answer.
    CountWrong,
    /// The question has no answer; it is neither right nor wrong.
    NoAnswer,
}

/// The pattern of a decimal above zero, beside its own.
const POSITIVE: &str = "^[0-9.]*[1-9][0-9.]*$";

/// Parameters of Glicko-2 (Glickman, "Example of the Glicko-2 system"), as exact decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Glicko2Rule {
    /// The rating deviation that everyone starts with, above zero.
    #[schemars(extend("pattern" = POSITIVE))]
    pub deviation: Decimal,
    /// Whether an update for one game first lets the deviation grow (step 6 of
    /// the paper). Absent: yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grows_each_game: Option<bool>,
    /// The rating that everyone starts with.
    pub rating: Decimal,
    /// The system constant, above zero.
    #[schemars(extend("pattern" = POSITIVE))]
    pub tau: Decimal,
    /// The volatility that everyone starts with, above zero.
    #[schemars(extend("pattern" = POSITIVE))]
    pub volatility: Decimal,
}

impl Glicko2Rule {
    fn check_meaning(self) -> Result<(), Meaningless> {
        for (field, number) in [
            ("glicko2.deviation", self.deviation),
            ("glicko2.tau", self.tau),
            ("glicko2.volatility", self.volatility),
        ] {
            if number == Decimal::ZERO || number.is_negative() {
                return Err(Meaningless::new(
                    field,
                    "a number above zero",
                    "zero or less",
                ));
            }
        }
        Ok(())
    }
}

/// How the ladder chooses games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderRule {
    /// How many rank positions up and down an opponent may stand.
    #[schemars(extend("minimum" = 1))]
    pub reach: Count,
    /// The hours before a draw in which games are counted.
    #[schemars(extend("minimum" = 1))]
    pub window_hours: Count,
}

impl LadderRule {
    fn check_meaning(self) -> Result<(), Meaningless> {
        for (field, count) in [
            ("ladder.reach", self.reach),
            ("ladder.window_hours", self.window_hours),
        ] {
            if count == Count::ZERO {
                return Err(Meaningless::new(field, "a number above zero", "0"));
            }
        }
        Ok(())
    }
}

/// Who plays whom.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// The registered systems play one another.
    Pool,
    /// Systems play anchors of fixed rating only.
    AnchorsOnly,
    /// Two games from one opening, each color once.
    MiniMatches,
    /// Nobody plays.
    None,
}

impl Pairing {
    /// Whether systems play anchors, and never one another.
    pub const fn is_against_anchors(self) -> bool {
        matches!(self, Self::AnchorsOnly | Self::MiniMatches)
    }
}

/// Where games start.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StartRule {
    /// The standard start position.
    Standard,
    /// The same start positions in the same order for everyone.
    SamePositions,
    /// A frozen opening prefix.
    OpeningPrefix,
    /// The position of a puzzle.
    PuzzlePosition,
    /// A position of a registered list, for one move.
    ListedPosition,
}

impl ProtocolPublished {
    /// The engine that measures, during play or for grades, where there is one.
    pub fn analyst(&self) -> Option<EventId> {
        let referee = self.adjudication.map(|rule| rule.analyst);
        referee.or(self.grading.map(|rule| rule.analyst))
    }
}

impl Fact for ProtocolPublished {
    fn references(&self) -> Vec<Reference<'_>> {
        let referee = self.adjudication.iter();
        let referee = referee.map(|rule| ("adjudication.analyst", &rule.analyst));
        let grader = self.grading.iter();
        let grader = grader.map(|rule| ("grading.analyst", &rule.analyst));
        let oracle = self.oracle.iter();
        let oracle = oracle.map(|rule| ("oracle.advisor", &rule.advisor));
        let analysts = referee.chain(grader).chain(oracle);
        analysts
            .map(|(field, analyst)| Reference::new(field, analyst, &["system.registered"]))
            .collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.attempts == Count::ZERO {
            return Err(Meaningless::new("attempts", "at least one attempt", "0"));
        }
        if self.ply_cap == Count::ZERO {
            return Err(Meaningless::new("ply_cap", "at least one ply", "0"));
        }
        if !self.prompts.is_sorted_by(|one, next| one.name < next.name) {
            return Err(Meaningless::new(
                "prompts",
                "prompts in the order of their names, each once",
                "another order",
            ));
        }
        self.adjudication
            .map_or(Ok(()), AdjudicationRule::check_meaning)?;
        let anchored = self.anchored.as_ref();
        anchored.map_or(Ok(()), AnchoredRule::check_meaning)?;
        if self.anchored.is_some() && !self.pairing.is_against_anchors() {
            return Err(Meaningless::new(
                "anchored",
                "a pairing with anchors beside it",
                "another pairing",
            ));
        }
        if self.oracle.is_some() && self.candidate_help != AssistanceKind::CandidateOracle {
            return Err(Meaningless::new(
                "oracle",
                "the help of a candidate oracle beside it",
                "another help",
            ));
        }
        let oracle = self.oracle.as_ref();
        oracle.map_or(Ok(()), OracleRule::check_meaning)?;
        self.ladder.map_or(Ok(()), LadderRule::check_meaning)?;
        self.glicko2.map_or(Ok(()), Glicko2Rule::check_meaning)
    }
}

/// `preregistration.committed`: what was promised before the first outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreregistrationCommitted {
    /// The cohort that the promise is about.
    pub cohort: Name,
    /// The status that the evidence claims; what it can bear caps it.
    pub evidence_status: EvidenceStatus,
    /// Which outcomes will be left out, in words. Empty: none.
    pub exclusions: String,
    /// What the cohort is to find out.
    pub hypothesis: String,
    /// The endpoints that will be reported whatever they say.
    #[schemars(length(min = 1))]
    pub primary_endpoints: Vec<String>,
    /// When the collection ends.
    pub stopping_rule: String,
}

/// How much a piece of evidence claims.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceStatus {
    /// Exploratory; never on a v1 board.
    Pilot,
    /// Under a frozen protocol, not yet terminal or not yet replicated.
    Provisional,
    /// Preregistered, with everything that takes.
    Confirmatory,
}

impl EvidenceStatus {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pilot => "pilot",
            Self::Provisional => "provisional",
            Self::Confirmatory => "confirmatory",
        }
    }
}

impl Fact for PreregistrationCommitted {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.primary_endpoints.is_empty() {
            return Err(Meaningless::new(
                "primary_endpoints",
                "at least one primary endpoint",
                "none",
            ));
        }
        Ok(())
    }
}
