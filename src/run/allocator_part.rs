//! What a run file says of how opponents are allotted.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::canonical::Count;
use crate::event::{AnchorLadder, Name};
use crate::run::engine_part::EnginePart;
use crate::run::file::{RunFileError, wrong};

/// How opponents are allotted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AllocatorPart {
    /// Every system meets every anchor from every start.
    Fixed,
    /// Anchors are the rungs of a ladder, in increasing order of rating, and the next
    /// opponent of a system follows from its last mini-match.
    AnchorLadder(AnchorLadderPart),
}

/// An anchor ladder.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnchorLadderPart {
    /// The anchor of every system's first mini-match.
    pub start: Name,
    /// How often each system goes through all starts.
    #[serde(default = "one")]
    #[schemars(extend("minimum" = 1))]
    pub rounds: u32,
}

const fn one() -> u32 {
    1
}

/// The most games of a schedule, as its event has it.
const GAMES_MAX: u64 = 100_000;

impl AnchorLadderPart {
    /// Checks that the first rung is there and that rungs rise, as far as the file
    /// says what they are rated.
    pub(crate) fn check(&self, anchors: &[EnginePart]) -> Result<(), RunFileError> {
        if self.rounds == 0 {
            return Err(wrong("one or more `rounds` of the anchor ladder", "0"));
        }
        if self.start_rung(anchors).is_none() {
            let expected = "the name of an [[anchor]] as the `start` of the anchor ladder";
            return Err(wrong(expected, self.start.to_string()));
        }
        let rated = anchors.iter().filter_map(|part| Some((part, part.rating?)));
        let rated: Vec<_> = rated.collect();
        let mut steps = rated.windows(2);
        let falls = steps.find(|step| matches!(step, [(_, low), (_, high)] if high <= low));
        match falls {
            Some([(low, _), (high, _)]) => Err(wrong(
                "every [[anchor]] above the one before it, because they are rungs of a ladder",
                format!("{} before {}", low.name, high.name),
            )),
            _ => Ok(()),
        }
    }

    /// Checks that it is no more than an event can hold.
    pub(crate) fn check_extent(&self, starts: usize, players: usize) -> Result<(), RunFileError> {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let games = u64::from(self.rounds)
            .saturating_mul(count(starts))
            .saturating_mul(count(players))
            .saturating_mul(2);
        if GAMES_MAX < games {
            let expected = format!("at most {GAMES_MAX} games on the anchor ladder");
            return Err(wrong(expected, games.to_string()));
        }
        Ok(())
    }

    fn start_rung(&self, anchors: &[EnginePart]) -> Option<usize> {
        anchors.iter().position(|part| part.name == self.start)
    }

    /// The rule as it is committed. That the first rung is there was checked.
    pub(crate) fn rule(&self, anchors: &[EnginePart]) -> AnchorLadder {
        AnchorLadder {
            rounds: self.rounds.into(),
            start_rung: Count::saturating(self.start_rung(anchors).unwrap_or_default()),
            version: AnchorLadder::VERSION.into(),
        }
    }
}
