//! What was read of one game.

use crate::event::{ImportedCall, What};

/// What became of a game, and the calls that its source has of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The game as it is imported, or that it is skipped.
    pub game: What,
    /// Its calls, in the order of the source; none where it is skipped.
    pub calls: Vec<ImportedCall>,
}

impl Reading {
    /// A game without calls.
    pub(in crate::import) fn alone(game: impl Into<What>) -> Self {
        Self {
            game: game.into(),
            calls: Vec::new(),
        }
    }
}
