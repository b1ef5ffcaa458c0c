//! The board of a dataset of puzzles: who solved how many of them.

mod chosen;
mod figures;
mod render;
mod row;
mod tables;

use std::collections::BTreeSet;

use crate::board::puzzles::chosen::{chosen_dataset, chosen_runs};
use crate::event::{EvidenceStatus, PuzzleCell, Tactic};
use crate::projection::{Dataset, Projection, Source};

pub use chosen::PuzzleBoardError;
pub use figures::puzzle_figures;
pub use render::render_puzzles;
pub use row::{FormCount, PuzzleResources, PuzzleRow, PuzzleScore};

/// The board of one dataset under one protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleBoard {
    /// The dataset.
    pub dataset: Dataset,
    /// The protocol, by its name.
    pub protocol: String,
    /// What each cell asks, in the order of the dataset.
    pub cells: Vec<CellLabel>,
    /// One row a system with answers: the ranked ones first, then by what was
    /// solved, then by name.
    pub rows: Vec<PuzzleRow>,
    /// What it was computed from.
    pub source: Source,
}

/// What a cell asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellLabel {
    /// The tactic.
    pub tactic: Tactic,
    /// The band: `800-1200`, the last rating excluded.
    pub band: String,
    /// How many puzzles it has.
    pub puzzles: u64,
    /// How many it is to have.
    pub wanted: u64,
    /// The plies of its solutions, each number once.
    pub plies: BTreeSet<usize>,
}

impl CellLabel {
    fn of(cell: &PuzzleCell, wanted: u64) -> Self {
        let plies = cell.puzzles.iter().map(|puzzle| puzzle.line.len());
        Self {
            tactic: cell.tactic,
            band: cell.band(),
            puzzles: u64::try_from(cell.puzzles.len()).unwrap_or(u64::MAX),
            wanted,
            plies: plies.collect(),
        }
    }
}

impl PuzzleBoard {
    /// Returns the board of a dataset: of the only one, and of the only protocol
    /// under which it was answered, where none is named.
    ///
    /// # Errors
    ///
    /// When there is no such dataset or protocol, or several could be meant.
    pub fn of(
        projection: &Projection,
        dataset: Option<&str>,
        protocol: Option<&str>,
        source: Source,
    ) -> Result<Self, PuzzleBoardError> {
        let dataset = chosen_dataset(projection, dataset)?;
        let (protocol, runs) = chosen_runs(projection, dataset, protocol)?;
        let rows = runs.into_iter();
        let rows = rows.filter_map(|run| PuzzleRow::of(projection, dataset, run));
        let mut rows: Vec<_> = rows.collect();
        rank(&mut rows, dataset.registered.is_partial());
        let wanted = dataset.registered.per_cell.get();
        let cells = dataset.registered.cells.iter();
        Ok(Self {
            dataset: dataset.clone(),
            protocol,
            cells: cells.map(|cell| CellLabel::of(cell, wanted)).collect(),
            rows,
            source,
        })
    }

    /// How many puzzles the dataset has.
    pub fn puzzles(&self) -> u64 {
        self.cells.iter().map(|cell| cell.puzzles).sum()
    }

    /// Whether cells of the dataset are short: nothing is ranked then.
    pub fn is_partial(&self) -> bool {
        self.dataset.registered.is_partial()
    }

    /// The status of the evidence. No preregistration names a dataset.
    pub const fn evidence_status(&self) -> EvidenceStatus {
        EvidenceStatus::Pilot
    }

    /// The tactics, in the order of the dataset.
    pub fn tactics(&self) -> Vec<Tactic> {
        let mut tactics = Vec::new();
        for cell in &self.cells {
            if !tactics.contains(&cell.tactic) {
                tactics.push(cell.tactic);
            }
        }
        tactics
    }

    /// The bands, in the order of the dataset.
    pub fn bands(&self) -> Vec<String> {
        let mut bands = Vec::new();
        for cell in &self.cells {
            if !bands.contains(&cell.band) {
                bands.push(cell.band.clone());
            }
        }
        bands
    }

    /// What a row scored in the cells of which this is so.
    pub fn score_in(&self, row: &PuzzleRow, is_meant: impl Fn(&CellLabel) -> bool) -> PuzzleScore {
        let mut sum = PuzzleScore::default();
        let cells = self.cells.iter().zip(&row.cells);
        for (_, score) in cells.filter(|(cell, _)| is_meant(cell)) {
            sum.join(*score);
        }
        sum
    }
}

/// Orders the rows. Ranked are those that answered every puzzle of a dataset that
/// is not partial; who solved as many shares a rank.
fn rank(rows: &mut [PuzzleRow], is_partial: bool) {
    let is_ranked = |row: &PuzzleRow| !is_partial && row.is_complete();
    rows.sort_by(|one, other| {
        is_ranked(other)
            .cmp(&is_ranked(one))
            .then(other.score.solved.cmp(&one.score.solved))
            .then_with(|| one.system.name.cmp(&other.system.name))
            .then(one.system.id.cmp(&other.system.id))
    });
    let mut before: Option<(u64, u32)> = None;
    for (row, place) in rows.iter_mut().zip(1_u64..) {
        if is_ranked(row) {
            let solved = row.score.solved;
            let rank = match before {
                Some((rank, same)) if same == solved => rank,
                Some(_) | None => place,
            };
            row.rank = Some(rank);
            before = Some((rank, solved));
        }
    }
}
