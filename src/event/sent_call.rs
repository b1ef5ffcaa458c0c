//! Requests to a model or an engine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::chess::Ply;
use crate::event::dataset::{PUZZLE_ID, PUZZLE_ID_IN_WORDS, is_puzzle_id};
use crate::event::kinds::{Fact, Meaningless};
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

    /// The puzzle or position that it is for: the dataset, and the id in it.
    pub fn question(&self) -> Option<(EventId, &str)> {
        let puzzle = self.puzzle.as_ref();
        let puzzle = puzzle.map(|puzzle| (puzzle.dataset, puzzle.id.as_str()));
        let position = self.position.as_ref();
        puzzle.or_else(|| position.map(|one| (one.dataset, one.id.as_str())))
    }

    /// The dataset whose puzzle or position it is for.
    pub fn dataset(&self) -> Option<EventId> {
        self.question().map(|(dataset, _)| dataset)
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
