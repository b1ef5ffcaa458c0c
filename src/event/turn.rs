//! Moves, accepted and rejected.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::chess::{Ply, RejectionClass, UciMove};
use crate::event::kinds::{Fact, Meaningless};
use crate::event::private::{check_bodies, unit_references};
use crate::event::{EventId, PrivateBody, Reference};

/// `move.accepted`: a legal move was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveAccepted {
    /// Which answer of the turn it was, from 1.
    #[schemars(extend("minimum" = 1))]
    pub attempt: Count,
    /// The `call.answered` that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<EventId>,
    /// The game.
    pub game: EventId,
    /// The ply that it made, from 1, counted from the start position.
    #[schemars(extend("minimum" = 1))]
    pub ply: Ply,
    /// The move.
    pub uci: UciMove,
}

/// `move.rejected`: an answer came that was no legal move. The board is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRejected {
    /// Which answer of the turn it was, from 1.
    #[schemars(extend("minimum" = 1))]
    pub attempt: Count,
    /// The private bodies that belong to it: the original of a redacted text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub bodies: Vec<PrivateBody>,
    /// The `call.answered` that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<EventId>,
    /// Why it was no move.
    pub class: RejectionClass,
    /// The text that was judged, so that the class can be recomputed. Where it was
    /// redacted, `bodies` has the whole one.
    pub extracted: String,
    /// The game.
    pub game: EventId,
    /// The ply that it would have made, from 1.
    #[schemars(extend("minimum" = 1))]
    pub ply: Ply,
}

impl Fact for MoveAccepted {
    fn references(&self) -> Vec<Reference<'_>> {
        turn_references(self.call.as_ref(), &self.game)
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_turn(self.attempt, self.ply)
    }
}

impl Fact for MoveRejected {
    fn references(&self) -> Vec<Reference<'_>> {
        unit_references(&self.bodies)
            .chain(turn_references(self.call.as_ref(), &self.game))
            .collect()
    }

    fn bodies(&self) -> &[PrivateBody] {
        &self.bodies
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_bodies(&self.bodies)?;
        check_turn(self.attempt, self.ply)
    }
}

fn turn_references<'a>(call: Option<&'a EventId>, game: &'a EventId) -> Vec<Reference<'a>> {
    call.map(|call| Reference::new("call", call, &["call.answered"]))
        .into_iter()
        .chain([Reference::new("game", game, &["game.started"])])
        .collect()
}

pub(in crate::event) fn check_turn(attempt: Count, ply: Ply) -> Result<(), Meaningless> {
    if attempt == Count::ZERO {
        return Err(Meaningless::new("attempt", "an attempt from 1", "0"));
    }
    if ply == Ply::START {
        return Err(Meaningless::new("ply", "a ply from 1", "0"));
    }
    Ok(())
}
