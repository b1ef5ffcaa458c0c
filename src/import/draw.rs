//! Which puzzles a seed draws, out of a stream of any length.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{DatasetPuzzle, PuzzleCell, Tactic};

/// A half-open band of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Band {
    /// The lowest rating in it.
    pub from: u32,
    /// The lowest rating beyond it.
    pub below: u32,
}

/// What is drawn: so many puzzles of each tactic in each band, by a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The tactics, in the order in which their cells are filled.
    pub tactics: Vec<Tactic>,
    /// The bands, in the order in which a tactic's cells are filled.
    pub bands: Vec<Band>,
    /// How many puzzles a cell gets.
    pub per_cell: u32,
    /// The seed.
    pub seed: String,
}

/// The puzzles of the cells as far as the file has been read.
#[derive(Clone, Debug)]
pub struct Draw {
    recipe: Recipe,
    cells: Vec<Cell>,
}

/// The cells that were drawn, and what is odd about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The cells in the order in which they were filled.
    pub cells: Vec<PuzzleCell>,
    /// The cells with fewer puzzles than were asked for, in words.
    pub short: Vec<String>,
    /// Puzzles that could have been drawn and stand in the file twice, saying
    /// two things.
    pub ambiguous: Vec<String>,
}

#[derive(Clone, Debug)]
struct Cell {
    tactic: Tactic,
    band: Band,
    candidates: u64,
    /// The first candidates in the order of their digests.
    first: BTreeMap<(Digest, String), Candidate>,
}

#[derive(Clone, Debug)]
struct Candidate {
    puzzle: DatasetPuzzle,
    is_ambiguous: bool,
}

impl Band {
    /// The bands of the published benchmark.
    pub const PUBLISHED: [Self; 3] = [
        Self::new(800, 1200),
        Self::new(1200, 1600),
        Self::new(1600, 2000),
    ];

    const fn new(from: u32, below: u32) -> Self {
        Self { from, below }
    }

    /// Whether a rating is in it.
    pub const fn has(self, rating: u32) -> bool {
        self.from <= rating && rating < self.below
    }
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.below)
    }
}

impl Recipe {
    /// The published benchmark: five tactics in three bands.
    pub fn published(per_cell: u32, seed: String) -> Self {
        Self {
            tactics: Tactic::ALL.to_vec(),
            bands: Band::PUBLISHED.to_vec(),
            per_cell,
            seed,
        }
    }

    /// The place of a candidate in its cell: the SHA-256 of
    /// `seed|tactic|lo-hi|id`. The lowest is first.
    pub fn place(&self, tactic: Tactic, band: Band, id: &str) -> Digest {
        Digest::of(format!("{}|{tactic}|{band}|{id}", self.seed).as_bytes())
    }

    /// Whether a puzzle with these themes and this rating is of any cell.
    pub(crate) fn wants(&self, themes: &str, rating: u32) -> bool {
        self.bands.iter().any(|band| band.has(rating))
            && self.tactics.iter().any(|tactic| has(themes, *tactic))
    }
}

/// Whether a tactic is among themes that are separated by blanks.
fn has(themes: &str, tactic: Tactic) -> bool {
    themes
        .split_ascii_whitespace()
        .any(|theme| theme == tactic.as_str())
}

impl Draw {
    /// Returns the draw before any puzzle.
    pub fn new(recipe: Recipe) -> Self {
        let cells = recipe.tactics.iter().flat_map(|tactic| {
            recipe.bands.iter().map(|band| Cell {
                tactic: *tactic,
                band: *band,
                candidates: 0,
                first: BTreeMap::new(),
            })
        });
        let cells = cells.collect();
        Self { recipe, cells }
    }

    /// What is drawn.
    pub const fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Takes in a puzzle with its themes. The order of puzzles does not count.
    pub fn take(&mut self, themes: &str, puzzle: &DatasetPuzzle) {
        let Self { recipe, cells } = self;
        // Every cell filled before may have taken so many of the first ones.
        let kept = usize::try_from(recipe.per_cell)
            .unwrap_or(usize::MAX)
            .saturating_mul(recipe.tactics.len());
        let wanted = cells
            .iter_mut()
            .filter(|cell| cell.band.has(puzzle.rating) && has(themes, cell.tactic));
        for cell in wanted {
            cell.candidates += 1;
            let place = recipe.place(cell.tactic, cell.band, &puzzle.id);
            let last = cell.first.last_key_value().map(|(key, _)| key.0);
            if kept <= cell.first.len() && last.is_some_and(|last| last < place) {
                continue;
            }
            cell.insert(place, puzzle);
            if kept < cell.first.len() {
                cell.first.pop_last();
            }
        }
    }

    /// Fills the cells, one after another: each with its first candidates that no
    /// cell before it has.
    pub fn finish(self) -> Drawn {
        let per_cell = usize::try_from(self.recipe.per_cell).unwrap_or(usize::MAX);
        let (mut taken, mut short) = (BTreeSet::new(), Vec::new());
        let mut ambiguous = BTreeSet::new();
        let mut cells = Vec::new();
        for cell in self.cells {
            let mut puzzles = Vec::new();
            for ((_, id), candidate) in cell.first {
                if candidate.is_ambiguous {
                    ambiguous.insert(id.clone());
                }
                if puzzles.len() < per_cell && taken.insert(id) {
                    puzzles.push(candidate.puzzle);
                }
            }
            if puzzles.len() < per_cell {
                short.push(format!(
                    "{} in {}: {} of {per_cell}",
                    cell.tactic,
                    cell.band,
                    puzzles.len()
                ));
            }
            cells.push(PuzzleCell {
                below: cell.band.below,
                candidates: Count::saturating(cell.candidates),
                from: cell.band.from,
                puzzles,
                tactic: cell.tactic,
            });
        }
        Drawn {
            cells,
            short,
            ambiguous: ambiguous.into_iter().collect(),
        }
    }
}

impl Cell {
    fn insert(&mut self, place: Digest, puzzle: &DatasetPuzzle) {
        let entry = self.first.entry((place, puzzle.id.clone()));
        entry
            .and_modify(|known| known.is_ambiguous |= known.puzzle != *puzzle)
            .or_insert_with(|| Candidate {
                puzzle: puzzle.clone(),
                is_ambiguous: false,
            });
    }
}
