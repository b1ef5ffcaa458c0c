use std::fmt;

use crate::chess::{Color, GameResult};

/// Wins, draws and losses, in this order, from one system's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Takes in one game, seen from this color.
    pub fn take(&mut self, result: GameResult, color: Color) {
        match result.half_points(color) {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Twice the points.
    pub const fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}-{}-{}", self.wins, self.draws, self.losses))
    }
}

/// Raw outcomes, of at least one game where a board has no row without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    wdl: Wdl,
}

impl Sample {
    /// Returns the sample, or nothing where there is no game.
    pub fn new(wdl: Wdl) -> Option<Self> {
        (wdl.games() != 0).then_some(Self { wdl })
    }

    /// Returns the sample of whatever there is, nothing included.
    pub(crate) const fn of_any(wdl: Wdl) -> Self {
        Self { wdl }
    }

    /// The number of games: n.
    pub const fn games(&self) -> u64 {
        self.wdl.games()
    }

    /// The raw outcomes.
    pub const fn wdl(&self) -> Wdl {
        self.wdl
    }

    /// The points, exactly: `7` or `7.5`.
    pub fn points(&self) -> String {
        let half_points = self.wdl.half_points();
        let half = if half_points % 2 == 1 { ".5" } else { "" };
        format!("{}{half}", half_points / 2)
    }
}
