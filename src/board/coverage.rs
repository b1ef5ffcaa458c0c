use std::collections::BTreeSet;
use std::fmt;

use crate::chess::Color;
use crate::projection::Game;

/// How much of the colors and starts a sample covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Games with White; puzzles or positions with White to move.
    pub white: u64,
    /// The same with Black.
    pub black: u64,
    /// Different openings: start position, variant and prefix.
    pub openings: u64,
}

impl Coverage {
    /// Returns what these games, with the color of the system in each, cover.
    pub fn of<'a>(games: impl Iterator<Item = (&'a Game, Color)>) -> Self {
        let mut coverage = Self::default();
        let mut openings = BTreeSet::new();
        for (game, color) in games {
            match color {
                Color::White => coverage.white += 1,
                Color::Black => coverage.black += 1,
            }
            openings.insert((&game.started.start, &game.started.opening));
        }
        coverage.openings = u64::try_from(openings.len()).unwrap_or(u64::MAX);
        coverage
    }
}

impl Coverage {
    /// Takes in a puzzle or position by which side is to move in it.
    pub(crate) fn take_to_move(&mut self, fen: Option<&str>) {
        let side = fen.and_then(|fen| fen.split(' ').nth(1));
        match side {
            Some("w") => self.white += 1,
            Some("b") => self.black += 1,
            Some(_) | None => return,
        }
        // Each of them starts somewhere else.
        self.openings += 1;
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let openings = if self.openings == 1 {
            "opening"
        } else {
            "openings"
        };
        write!(
            f,
            "{}W {}B, {} {openings}",
            self.white, self.black, self.openings
        )
    }
}
