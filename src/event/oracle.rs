//! Candidate moves of an engine, as a help in choosing one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::chess::UciMove;
use crate::event::kinds::Meaningless;
use crate::event::{EventId, Name, Reference};

/// Where the candidates come from that players are shown, and how they are put in
/// order. The scores, ranks and lines of the engine stay hidden.
///
/// A position has one record: the first measurement of it by the advisor that
/// stands. The first move of each of its lines, each once and best first, is its
/// ranking, and every narrower set is a part of every wider one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OracleRule {
    /// The registered engine that analyzes each position before it is asked about.
    pub advisor: EventId,
    /// The condition, such as `top-3`: the shown order is drawn from it too.
    pub condition: Name,
    /// Which repetition of the condition, from 0: the shown order is drawn from it
    /// too.
    pub repetition: Count,
    /// How many moves are shown, or all legal ones where there are fewer.
    #[schemars(extend("minimum" = 1))]
    pub width: Count,
}

impl OracleRule {
    pub(crate) fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.width == Count::ZERO {
            return Err(Meaningless::new(
                "oracle.width",
                "at least one candidate",
                "0",
            ));
        }
        Ok(())
    }
}

/// The candidates that were shown with a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownCandidates {
    /// The record that they were taken from.
    pub measured: EventId,
    /// The moves in the order in which they were shown.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub moves: Vec<UciMove>,
}

impl ShownCandidates {
    pub(crate) const fn reference(&self) -> Reference<'_> {
        Reference::new(
            "candidates.measured",
            &self.measured,
            &["position.measured"],
        )
    }

    /// Checks them beside the game of their request.
    pub(crate) fn check_meaning(&self, game: Option<EventId>) -> Result<(), Meaningless> {
        if game.is_none() {
            let expected = "a game beside them";
            return Err(Meaningless::new("candidates", expected, "none"));
        }
        let mut moves = self.moves.iter().enumerate();
        let is_twice = moves.any(|(place, uci)| self.moves[..place].contains(uci));
        if self.moves.is_empty() || is_twice {
            return Err(Meaningless::new(
                "candidates.moves",
                "one move or more, all different",
                if is_twice { "one twice" } else { "none" },
            ));
        }
        Ok(())
    }
}
