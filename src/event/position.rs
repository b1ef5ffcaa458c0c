//! Single positions that everybody is asked, and what systems answer.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chess::{Fen, Position, RejectionClass, UciMove, Variant};
use crate::digest::Digest;
use crate::event::dataset::{PUZZLE_ID, PUZZLE_ID_IN_WORDS, is_puzzle_id};
use crate::event::kinds::{Fact, Meaningless};
use crate::event::line::MAX_LINE_BYTES;
use crate::event::private::{check_bodies, unit_references};
use crate::event::{EventId, Name, PrivateBody, Reference};

/// `positions.registered`: a list of single positions of standard chess.
///
/// The positions stand in the event itself, so that whoever has the ledger can
/// judge every answer again. A list that one line cannot hold stands in several
/// events: all but the first name the first one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionsRegistered {
    /// The first part of the list, of which this is a further one: it has the same
    /// name and comes from the same file. Absent: this is the first part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<EventId>,
    /// The name of the list. No other dataset has it.
    pub name: Name,
    /// The positions, in the order of their file.
    #[schemars(length(min = 1))]
    pub positions: Vec<ListedPosition>,
    /// The digest of the file that they come from.
    pub source_sha256: Digest,
}

/// How many bytes of positions stand in one event: a line, without room for whatever
/// else the event says. A position has less than 200.
const PART_BYTES_MAX: usize = MAX_LINE_BYTES - 2_000;

/// One position of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListedPosition {
    /// The position. The side to move has a legal move.
    pub fen: Fen,
    /// Its id, once in the list.
    #[schemars(extend("pattern" = PUZZLE_ID))]
    pub id: String,
}

/// A position of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRef {
    /// The list.
    pub dataset: EventId,
    /// The id of the position.
    #[schemars(extend("pattern" = PUZZLE_ID))]
    pub id: String,
}

/// `cell.answered`: one answer of a system to a position under a condition, or that
/// none came.
///
/// Which attempt it was is not said: that follows from the order. Exactly one of
/// three: `uci`, or `class` with `extracted`, or neither where no reply came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "dependentRequired" = { "class": ["extracted"], "extracted": ["class"] },
    "if" = { "required": ["uci"] },
    "then" = { "properties": { "class": false, "extracted": false } },
))]
pub struct CellAnswered {
    /// The private bodies that belong to it: the original of a redacted text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub bodies: Vec<PrivateBody>,
    /// The answer of the provider, or its failure.
    pub call: EventId,
    /// Why the answer was no move. Stands with `extracted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<RejectionClass>,
    /// The condition under which it was asked, by a declared name.
    pub condition: Name,
    /// The list that the position is of.
    pub dataset: EventId,
    /// The text on which an answer was rejected, so that the class can be recomputed.
    /// Where it was redacted, `bodies` has the whole one. Stands with `class`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extracted: Option<String>,
    /// The id of the position.
    #[schemars(extend("pattern" = PUZZLE_ID))]
    pub position: String,
    /// The protocol, and so the prompt, under which it was asked.
    pub protocol: EventId,
    /// The system that was asked.
    pub system: EventId,
    /// The legal move that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uci: Option<UciMove>,
}

impl PositionsRegistered {
    /// The digest of what is asked: of the canonical JSON of `positions`. Two lists
    /// with the same one ask the same, whatever they are called.
    pub fn digest(&self) -> Digest {
        // Fields are declared in sorted order, so that writing is canonical.
        Digest::of(&serde_json::to_vec(&self.positions).unwrap_or_default())
    }
}

impl ListedPosition {
    /// Puts positions in parts, in their order, each of which fits in one event.
    pub fn in_parts(positions: Vec<Self>) -> Vec<Vec<Self>> {
        let mut parts: Vec<Vec<Self>> = Vec::new();
        let mut bytes_left = 0;
        for listed in positions {
            // A position is written with a comma behind it.
            let bytes = serde_json::to_vec(&listed).map_or(0, |text| text.len()) + 1;
            match parts.last_mut() {
                Some(part) if bytes <= bytes_left => {
                    bytes_left -= bytes;
                    part.push(listed);
                }
                Some(_) | None => {
                    bytes_left = PART_BYTES_MAX - bytes;
                    parts.push(vec![listed]);
                }
            }
        }
        parts
    }

    /// Returns the position.
    ///
    /// # Errors
    ///
    /// Why it cannot be asked, in words.
    pub fn position(&self) -> Result<Position, String> {
        let position = self.fen.position(Variant::Standard);
        let position = position.map_err(|illegal| illegal.to_string())?;
        if position.has_legal_move() {
            Ok(position)
        } else {
            Err("a position without a legal move".to_owned())
        }
    }
}

impl PositionRef {
    pub(in crate::event) fn check_meaning(&self) -> Result<(), Meaningless> {
        if is_puzzle_id(&self.id) {
            return Ok(());
        }
        let found = "another text";
        Err(Meaningless::new("position.id", PUZZLE_ID_IN_WORDS, found))
    }
}

impl Fact for PositionsRegistered {
    fn references(&self) -> Vec<Reference<'_>> {
        let first = self.continues.as_ref();
        let first = first.map(|id| Reference::new("continues", id, &["positions.registered"]));
        first.into_iter().collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.positions.is_empty() {
            let expected = "at least one position";
            return Err(Meaningless::new("positions", expected, "none"));
        }
        let (mut ids, mut seen) = (BTreeSet::new(), BTreeSet::new());
        for listed in &self.positions {
            let id = &listed.id;
            if !is_puzzle_id(id) {
                let (field, found) = ("positions.id", "another text");
                return Err(Meaningless::new(field, PUZZLE_ID_IN_WORDS, found));
            }
            let position = listed.position().map_err(|fault| {
                let expected = "a legal position with a legal move";
                Meaningless::new("positions.fen", expected, format!("{id}: {fault}"))
            })?;
            if !ids.insert(id) || !seen.insert(position.repetition_key()) {
                let expected = "every position once, under an id of its own";
                let found = format!("{id} once more");
                return Err(Meaningless::new("positions", expected, found));
            }
        }
        Ok(())
    }
}

impl Fact for CellAnswered {
    fn references(&self) -> Vec<Reference<'_>> {
        let own = [
            Reference::new("call", &self.call, &["call.answered", "call.failed"]),
            Reference::new("dataset", &self.dataset, &["positions.registered"]),
            Reference::new("protocol", &self.protocol, &["protocol.published"]),
            Reference::new("system", &self.system, &["system.registered"]),
        ];
        unit_references(&self.bodies).chain(own).collect()
    }

    fn bodies(&self) -> &[PrivateBody] {
        &self.bodies
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_bodies(&self.bodies)?;
        if !is_puzzle_id(&self.position) {
            let expected = PUZZLE_ID_IN_WORDS;
            return Err(Meaningless::new("position", expected, "another text"));
        }
        if self.class.is_some() != self.extracted.is_some() {
            let expected = "`class` and `extracted` together";
            return Err(Meaningless::new("", expected, "one without the other"));
        }
        if self.uci.is_some() && self.class.is_some() {
            let expected = "a move, or why there is none";
            return Err(Meaningless::new("uci", expected, "both"));
        }
        Ok(())
    }
}
