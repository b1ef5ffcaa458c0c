//! What engines and tablebases say of positions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Integer};
use crate::chess::{Fen, Ply, Score, UciMove, Variant};
use crate::event::kinds::{Fact, Meaningless};
use crate::event::{EventId, FileIdentity, Reference};

/// `position.measured`: an engine analyzed a position.
///
/// The position is the FEN alone: the engine saw no earlier position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "dependentRequired" = { "game": ["ply"], "ply": ["game"] },
    "if" = { "required": ["best"] },
    "then" = { "properties": { "lines": { "minItems": 1 } } },
))]
pub struct PositionMeasured {
    /// The engine that measured, with its limit, options and files.
    pub analyst: EventId,
    /// The move that it chose. Absent where there is no legal move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<UciMove>,
    /// The position.
    pub fen: Fen,
    /// The game in which it stood on the board when it was measured. Stands
    /// with `ply`. Absent where it was measured outside play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<EventId>,
    /// The last exact report on each line of play, best first. A score that is
    /// only a bound is none.
    pub lines: Vec<MeasuredLine>,
    /// Nodes searched in all, as done, not as asked. Absent: not reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Count>,
    /// The ply after which it stood on the board, 0 for the start position.
    /// Stands with `game`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<Ply>,
    /// How long the search took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<Count>,
    /// The variant.
    pub variant: Variant,
}

/// One line of play with its exact score, from the view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{ "required": ["cp"] }, { "required": ["mate"] }]))]
pub struct MeasuredLine {
    /// The score in centipawns; then there is no `mate`.
    #[schemars(extend("minimum" = i32::MIN, "maximum" = i32::MAX))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<Integer>,
    /// The depth of the search in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Count>,
    /// The score in moves to mate, negative when the side to move is mated and
    /// 0 when it already is; then there is no `cp`.
    #[schemars(extend("minimum" = i32::MIN, "maximum" = i32::MAX))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<Integer>,
    /// Nodes searched when the line was reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Count>,
    /// The moves, as far as the engine gave them.
    pub pv: Vec<UciMove>,
    /// The chances of the side to move, where the engine says them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
}

/// Chances of win, draw and loss in per mille, 1000 together.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Wdl {
    /// Of a draw.
    #[schemars(extend("maximum" = 1000))]
    #[serde(rename = "d")]
    pub draw: u32,
    /// Of a loss.
    #[schemars(extend("maximum" = 1000))]
    #[serde(rename = "l")]
    pub loss: u32,
    /// Of a win.
    #[schemars(extend("maximum" = 1000))]
    #[serde(rename = "w")]
    pub win: u32,
}

impl MeasuredLine {
    /// The score, from the view of the side to move.
    pub fn score(&self) -> Option<Score> {
        let number = |integer: Integer| i32::try_from(integer.get()).ok();
        match (self.cp, self.mate) {
            (Some(cp), None) => number(cp).map(Score::Centipawns),
            (None, Some(mate)) => number(mate).map(Score::Mate),
            (Some(_), Some(_)) | (None, None) => None,
        }
    }
}

impl Fact for PositionMeasured {
    fn references(&self) -> Vec<Reference<'_>> {
        let game = self.game.iter();
        [Reference::new(
            "analyst",
            &self.analyst,
            &["system.registered"],
        )]
        .into_iter()
        .chain(game.map(|game| Reference::new("game", game, &["game.started"])))
        .collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.game.is_some() != self.ply.is_some() {
            return Err(Meaningless::new(
                "",
                "`game` and `ply` together",
                "one without the other",
            ));
        }
        check_position(&self.fen, self.variant)?;
        if self.best.is_some() && self.lines.is_empty() {
            return Err(Meaningless::new(
                "lines",
                "a line with its score, where there is a move",
                "none",
            ));
        }
        self.lines.iter().try_for_each(MeasuredLine::check_meaning)
    }
}

impl MeasuredLine {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.score().is_none() {
            return Err(Meaningless::new(
                "lines",
                "either `cp` or `mate` in a line, within 32 bits",
                "another score",
            ));
        }
        match self.wdl {
            Some(wdl) if wdl.total() != 1000 => Err(Meaningless::new(
                "lines",
                "chances of 1000 per mille together",
                format!("{} per mille", wdl.total()),
            )),
            Some(_) | None => Ok(()),
        }
    }
}

impl Wdl {
    fn total(self) -> u64 {
        [self.draw, self.loss, self.win].map(u64::from).iter().sum()
    }
}

fn check_position(fen: &Fen, variant: Variant) -> Result<(), Meaningless> {
    fen.position(variant).map(drop).map_err(|illegal| {
        let faults: Vec<_> = illegal.faults.iter().map(|fault| fault.as_str()).collect();
        Meaningless::new(
            "fen",
            format!("a position of {variant} chess"),
            format!("one that is none: {}", faults.join("; ")),
        )
    })
}

/// `tablebase.probed`: an endgame table says how a position ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TablebaseProbed {
    /// Plies to the next capture or pawn move on the way, negative for the side
    /// that loses, 0 in a draw; a table may have rounded them down by one. Absent:
    /// no table of that was at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dtz: Option<Integer>,
    /// The position, of standard chess.
    pub fen: Fen,
    /// The tables that were read to find out, by content.
    #[schemars(length(min = 1))]
    pub files: Vec<FileIdentity>,
    /// The end under best play, for the side to move: 2 a win, 1 a win that the
    /// fifty-move rule makes a draw, 0 a draw, -1 a loss that it makes a draw,
    /// -2 a loss. That rule counts from here on: what the FEN has counted so far
    /// is not in it.
    #[schemars(extend("minimum" = -2, "maximum" = 2))]
    pub wdl: Integer,
}

impl Fact for TablebaseProbed {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_position(&self.fen, Variant::Standard)?;
        if self.files.is_empty() {
            return Err(Meaningless::new(
                "files",
                "the digest of every table that was asked",
                "no file",
            ));
        }
        if (-2..=2).contains(&self.wdl.get()) {
            Ok(())
        } else {
            Err(Meaningless::new(
                "wdl",
                "-2, -1, 0, 1 or 2",
                "another number",
            ))
        }
    }
}
