use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Decimal};
use crate::event::Name;
use crate::submission::{Exposed, Text};

/// Raw units, and what was made of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultsPart {
    /// How much of the colors and openings the units cover.
    pub coverage: CoveragePart,
    /// Results of games. Stands in tracks A and C.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<GamesPart>,
    /// Decisions on positions. Stands in track B.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<PositionsPart>,
    /// The primary endpoint.
    pub primary: Primary,
    /// Counts of raw units and errors.
    pub units: Units,
}

/// How much of the colors and openings a sample covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoveragePart {
    /// Games with Black, or positions with Black to move.
    pub black: Count,
    /// Different openings, or positions.
    pub openings: Count,
    /// Games with White, or positions with White to move.
    pub white: Count,
}

/// Results of the games that count, from the side of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GamesPart {
    /// Games drawn.
    pub draws: Count,
    /// Games lost, forfeits included.
    pub losses: Count,
    /// Games won.
    pub wins: Count,
}

/// Decisions on positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionsPart {
    /// Positions that were answered, legally or not.
    pub answered: Count,
    /// Answers that were legal moves.
    pub legal: Count,
}

/// The primary endpoint, with its uncertainty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Primary {
    /// The endpoint, in the words of the preregistration.
    pub endpoint: Text,
    /// The estimate; null where the record only bounds it.
    pub estimate: Exposed<Decimal>,
    /// The upper end of the interval; null where the record has no upper bound.
    pub high: Exposed<Decimal>,
    /// How much the interval is to cover, such as `0.95`.
    #[schemars(extend("pattern" = "^0[.][0-9]{0,17}[1-9]$"))]
    pub level: Decimal,
    /// The lower end of the interval; null where the record has no lower bound.
    pub low: Exposed<Decimal>,
    /// How estimate and interval were computed.
    pub method: Text,
    /// The name of the scale. Numbers on two scales are not compared.
    pub scale: Name,
}

/// Counts of raw units and errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Units {
    /// Games without a result.
    pub aborted: Count,
    /// Games that ended by ply limit or adjudication.
    pub censored: Count,
    /// Units with a result that corrections take out of every figure.
    pub excluded: Count,
    /// Registered cells that have a result.
    pub finished: Count,
    /// Games that the system lost by rejected answers.
    pub forfeits: Count,
    /// Calls of the system that failed: never a chess result.
    pub provider_failures: Count,
    /// Registered cells of the system.
    pub registered: Count,
    /// Answers that were no legal move.
    pub rejected_answers: Count,
}

/// What the calls of the system took, and how much of that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResourcesPart {
    /// Calls.
    pub calls: CallCounts,
    /// Tokens of answers, thinking included.
    pub completion_tokens: Covered,
    /// What it cost, one entry a basis. Bases are never added up.
    #[schemars(length(max = 5))]
    pub costs: Vec<Cost>,
    /// Nodes of engines that the system itself uses.
    pub engine_nodes: Covered,
    /// Tokens of requests.
    pub prompt_tokens: Covered,
    /// Milliseconds from request to answer.
    pub time_ms: Covered,
}

/// How many calls there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallCounts {
    /// Calls that were answered.
    pub answered: Count,
    /// Calls that failed.
    pub failed: Count,
    /// Calls that left.
    pub sent: Count,
}

/// A sum over calls, and over how many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    /// The calls that say it.
    pub covered: Count,
    /// The calls that could.
    pub of: Count,
    /// The sum over those that say it; null where none does. Absent is not zero.
    pub sum: Exposed<Count>,
}

/// US dollars on one basis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Where the figure comes from.
    pub basis: CostBasis,
    /// The calls that it is known of.
    pub covered: Count,
    /// The calls that could have one.
    pub of: Count,
    /// US dollars.
    pub usd: Decimal,
}

/// Where a money figure comes from.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CostBasis {
    /// Providers said it, call by call.
    Reported,
    /// Tokens at prices that were saved beforehand.
    Estimated,
    /// What the same tokens would cost at a public interface.
    ApiEquivalent,
    /// Bills for other things than calls.
    Expense,
    /// What an account spent, assigned to no model.
    AccountLevel,
}

impl CostBasis {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Estimated => "estimated",
            Self::ApiEquivalent => "api_equivalent",
            Self::Expense => "expense",
            Self::AccountLevel => "account_level",
        }
    }
}
