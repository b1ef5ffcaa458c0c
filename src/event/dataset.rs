//! Puzzles that everybody is asked.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::chess::{Fen, Position, UciMove, Variant};
use crate::digest::Digest;
use crate::event::Name;
use crate::event::kinds::{Fact, Meaningless, NOT_BLANK};

/// `dataset.registered`: which puzzles are asked, and how they were drawn.
///
/// The puzzles stand in the event itself, so that whoever has the ledger can
/// judge every answer again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatasetRegistered {
    /// The cells, in the order in which they were filled.
    #[schemars(length(min = 1))]
    pub cells: Vec<PuzzleCell>,
    /// The name of the dataset.
    pub name: Name,
    /// How many puzzles a cell is to have. Where one has fewer, the dataset is
    /// partial.
    #[schemars(extend("minimum" = 1))]
    pub per_cell: Count,
    /// The seed of the draw.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub seed: String,
    /// The digest of the file that they were drawn from, unpacked.
    pub source_sha256: Digest,
}

/// The puzzles of one tactic and one rating band.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleCell {
    /// The end of the band, a rating that is in it no more.
    pub below: u32,
    /// How many puzzles of the file could have been drawn.
    pub candidates: Count,
    /// The lowest rating of the band.
    pub from: u32,
    /// The puzzles, in the order in which they were drawn.
    pub puzzles: Vec<DatasetPuzzle>,
    /// The tactic.
    pub tactic: Tactic,
}

/// One puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatasetPuzzle {
    /// The position to solve, after the opponent's first move.
    pub fen: Fen,
    /// The id in its file.
    #[schemars(extend("pattern" = PUZZLE_ID))]
    pub id: String,
    /// The published solution: the solver's moves and the forced replies between
    /// them, one ply or three.
    #[schemars(length(min = 1, max = 3))]
    pub line: Vec<UciMove>,
    /// The rating in its file, in points.
    pub rating: u32,
}

/// A tactic, by the word that Lichess has for the theme.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum Tactic {
    /// Mate on the first move.
    #[serde(rename = "mateIn1")]
    MateIn1,
    /// Mate in two moves, with the reply forced.
    #[serde(rename = "mateIn2")]
    MateIn2,
    /// One move that attacks two pieces.
    #[serde(rename = "fork")]
    Fork,
    /// A piece that cannot move without losing the one behind it.
    #[serde(rename = "pin")]
    Pin,
    /// A piece that is not defended, to be won.
    #[serde(rename = "hangingPiece")]
    HangingPiece,
}

/// The pattern of the id of a puzzle.
pub(crate) const PUZZLE_ID: &str = "^[!-{}~]{1,32}$";

/// The same in words.
pub(crate) const PUZZLE_ID_IN_WORDS: &str =
    "an id of 1 to 32 printable ASCII characters without blanks and without `|`";

/// The most plies of a solution.
pub const PUZZLE_PLIES_MAX: usize = 3;

impl Tactic {
    /// Every tactic, in the order in which cells are filled.
    pub const ALL: [Self; 5] = [
        Self::MateIn1,
        Self::MateIn2,
        Self::Fork,
        Self::Pin,
        Self::HangingPiece,
    ];

    /// The word that Lichess has for the theme.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MateIn1 => "mateIn1",
            Self::MateIn2 => "mateIn2",
            Self::Fork => "fork",
            Self::Pin => "pin",
            Self::HangingPiece => "hangingPiece",
        }
    }

    /// The tactic in words for people and models, such as `mate in 1`.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::MateIn1 => "mate in 1",
            Self::MateIn2 => "mate in 2",
            Self::Fork => "fork",
            Self::Pin => "pin",
            Self::HangingPiece => "hanging piece",
        }
    }
}

impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Whether a text may be the id of a puzzle. Those of Lichess are five letters and
/// digits, but spreadsheets make `6E+087` of some, and copies of its database have
/// those.
pub(crate) fn is_puzzle_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'|';
    text.bytes().all(is_plain) && (1..=32).contains(&text.len())
}

impl DatasetRegistered {
    /// Every puzzle with its cell, in the order of the event.
    pub fn puzzles(&self) -> impl Iterator<Item = (&PuzzleCell, &DatasetPuzzle)> {
        let cells = self.cells.iter();
        cells.flat_map(|cell| cell.puzzles.iter().map(move |puzzle| (cell, puzzle)))
    }

    /// Whether a cell has fewer puzzles than it is to have.
    pub fn is_partial(&self) -> bool {
        self.cells.iter().any(|cell| self.is_short(cell))
    }

    /// Whether this cell has fewer puzzles than it is to have.
    pub fn is_short(&self, cell: &PuzzleCell) -> bool {
        Count::saturating(cell.puzzles.len()) < self.per_cell
    }

    /// The digest of what is asked: of the canonical JSON of `cells`. Two
    /// datasets with the same one ask the same, whatever they are called.
    pub fn digest(&self) -> Digest {
        // Fields are declared in sorted order, so that writing is canonical.
        Digest::of(&serde_json::to_vec(&self.cells).unwrap_or_default())
    }
}

impl PuzzleCell {
    /// The band: `800-1200`, the last rating excluded.
    pub fn band(&self) -> String {
        format!("{}-{}", self.from, self.below)
    }
}

impl DatasetPuzzle {
    /// The position to solve; nothing where there is none.
    pub fn position(&self) -> Option<Position> {
        self.fen.position(Variant::Standard).ok()
    }
}

impl Fact for DatasetRegistered {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.seed.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            return Err(Meaningless::new("seed", "a seed, in words", "none"));
        }
        if self.per_cell == Count::ZERO {
            let expected = "at least one puzzle a cell";
            return Err(Meaningless::new("per_cell", expected, "none"));
        }
        if self.cells.is_empty() {
            return Err(Meaningless::new("cells", "at least one cell", "none"));
        }
        let mut seen = BTreeSet::new();
        for cell in &self.cells {
            cell.check_meaning(self.per_cell)?;
            for puzzle in &cell.puzzles {
                if !seen.insert(&puzzle.id) {
                    let found = format!("puzzle {} twice", puzzle.id);
                    return Err(Meaningless::new("cells", "every puzzle once", found));
                }
            }
        }
        Ok(())
    }
}

impl PuzzleCell {
    fn check_meaning(&self, per_cell: Count) -> Result<(), Meaningless> {
        let number = Count::saturating(self.puzzles.len());
        if per_cell < number || self.candidates < number {
            return Err(Meaningless::new(
                "cells.puzzles",
                "as many puzzles as a cell is to have, or as it has candidates",
                "more",
            ));
        }
        for puzzle in &self.puzzles {
            puzzle.check_meaning()?;
            if !(self.from..self.below).contains(&puzzle.rating) {
                return Err(Meaningless::new(
                    "cells.puzzles.rating",
                    format!("a rating in the band of its cell, {}", self.band()),
                    format!("puzzle {} with {}", puzzle.id, puzzle.rating),
                ));
            }
        }
        Ok(())
    }
}

impl DatasetPuzzle {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        if !is_puzzle_id(&self.id) {
            return Err(Meaningless::new(
                "cells.puzzles.id",
                PUZZLE_ID_IN_WORDS,
                "another text",
            ));
        }
        let plies = self.line.len();
        if plies.is_multiple_of(2) || PUZZLE_PLIES_MAX < plies {
            return Err(Meaningless::new(
                "cells.puzzles.line",
                "a solution of one ply or three",
                format!("puzzle {} with {plies}", self.id),
            ));
        }
        let after = self.position().map(|position| position.after(&self.line));
        let found = match after {
            Some(Ok(_)) => return Ok(()),
            Some(Err(illegal)) => illegal.to_string(),
            None => "a position that is none".to_owned(),
        };
        Err(Meaningless::new(
            "cells.puzzles.line",
            "a solution of legal moves from a legal position",
            format!("puzzle {}: {found}", self.id),
        ))
    }
}
