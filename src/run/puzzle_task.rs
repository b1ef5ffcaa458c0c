//! Which puzzles are left to be asked, and what is told of those that were.

use std::collections::VecDeque;
use std::time::Instant;

use crate::chess::{Position, Variant};
use crate::event::{CallFailure, EventId, Tactic};
use crate::projection::Projection;
use crate::run::{Going, Toll};

/// How a run of puzzles ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PuzzleOutcome {
    /// Every model was asked every puzzle.
    Finished,
    /// It was told to stop; so many are left.
    Interrupted(usize),
    /// Request after request got no answer, so that another is not worth trying; so
    /// many are left.
    Failing(usize),
    /// What it was allowed to take is spent; so many are left.
    Spent(String, usize),
}

/// What a run of puzzles tells while it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleTold {
    /// The model.
    pub system: String,
    /// The puzzle.
    pub puzzle: String,
    /// How many of how many were asked by now.
    pub asked: (usize, usize),
    /// Whether it was solved.
    pub is_solved: bool,
    /// Why no answer came, where none did.
    pub failure: Option<CallFailure>,
    /// What its calls took.
    pub took: Toll,
    /// How far the run is.
    pub going: Going,
}

/// One puzzle for one model.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) player: usize,
    pub(crate) puzzle: String,
    pub(crate) tactic: Tactic,
    pub(crate) position: Position,
    pub(crate) plies: u32,
    pub(crate) failures: u64,
    /// What the calls took that failed.
    pub(crate) took: Toll,
    pub(crate) not_before: Option<Instant>,
}

/// The puzzles that these players are still to be asked under a protocol, in the
/// order of the dataset, for one player after another.
pub(crate) fn left(
    projection: &Projection,
    dataset: &EventId,
    protocol: &EventId,
    players: &[EventId],
) -> VecDeque<Task> {
    let mut left = VecDeque::new();
    let Some(known) = projection.puzzles.dataset(dataset) else {
        return left;
    };
    for (player, system) in players.iter().enumerate() {
        let run = projection.puzzles.run(dataset, protocol, system);
        for (cell, puzzle) in known.registered.puzzles() {
            let before = run.and_then(|run| run.counting(&puzzle.id, &projection.corrections));
            let position = puzzle.fen.position(Variant::Standard).ok();
            if let Some(position) = position.filter(|_| before.is_none()) {
                left.push_back(Task {
                    player,
                    puzzle: puzzle.id.clone(),
                    tactic: cell.tactic,
                    position,
                    plies: u32::try_from(puzzle.line.len()).unwrap_or(u32::MAX),
                    failures: 0,
                    took: Toll::default(),
                    not_before: None,
                });
            }
        }
    }
    left
}
