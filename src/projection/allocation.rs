//! Who meets whom where opponents follow from results.

use serde::{Deserialize, Serialize};

use crate::chess::{Color, GameResult};
use crate::event::ScheduleCommitted;

/// Games of a mini-match.
const GAMES: usize = 2;

/// Half-points of a mini-match in which everything was won.
const ALL: u8 = 4;

/// Returns the rung of a system after a mini-match on this rung, of so many: one up
/// where both games were won (four half-points), one down where both were lost (none),
/// the same for anything else and at the ends.
const fn next_rung(rung: usize, n_rungs: usize, half_points: u8) -> usize {
    match half_points {
        0 => rung.saturating_sub(1),
        ALL.. if rung + 1 < n_rungs => rung + 1,
        _ => rung,
    }
}

/// How far each system of an anchor ladder has come, and on which rung it stands.
///
/// A mini-match is settled, its opponent known, once every earlier one of its system
/// is complete. Rungs follow from results as they were recorded when games ended: a
/// correction bears on figures and never on who meets whom, or it could make a game
/// wrong that was right when it started, and choose an opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocation {
    n_rungs: usize,
    /// The half-points of the system in each cell, once it has a result.
    half_points: Vec<Option<u8>>,
    /// One a system, in the order of the schedule.
    climbs: Vec<Climb>,
}

/// Where a system stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Climb {
    /// Mini-matches of which all games have a result, and so have those before.
    n_complete: usize,
    rung: usize,
}

impl Allocation {
    /// Returns the allocation of a schedule before its first game; nothing where
    /// opponents are fixed.
    pub fn of(committed: &ScheduleCommitted) -> Option<Self> {
        let ladder = committed.allocation?;
        let [rounds, rung] = [ladder.rounds, ladder.start_rung]
            .map(|count| usize::try_from(count.get()).unwrap_or(usize::MAX));
        let climb = Climb {
            n_complete: 0,
            rung,
        };
        let n_systems = committed.systems.len();
        let factors = [rounds, committed.starts.len(), n_systems, GAMES];
        // An event that would have more was refused.
        let n_cells = factors.into_iter().try_fold(1, usize::checked_mul)?;
        Some(Self {
            n_rungs: committed.anchors.len(),
            half_points: vec![None; n_cells],
            climbs: vec![climb; n_systems],
        })
    }

    /// The color of the system in a cell: White in the first game of a mini-match.
    pub const fn color_in(cell: usize) -> Color {
        if cell.is_multiple_of(GAMES) {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Whether the opponent of a cell is known.
    pub fn is_settled(&self, cell: usize) -> bool {
        let (system, turn) = self.place_of(cell);
        let climb = self.climbs.get(system);
        cell < self.half_points.len() && climb.is_some_and(|climb| turn <= climb.n_complete)
    }

    /// The system of a cell, by its place in the schedule, and how many
    /// mini-matches it has before.
    fn place_of(&self, cell: usize) -> (usize, usize) {
        let n_systems = self.climbs.len().max(1);
        let number = cell / GAMES;
        (number % n_systems, number / n_systems)
    }

    /// Takes in the first result of a cell. Returns the cells whose opponent is known
    /// from now on, each with its rung.
    pub(crate) fn take(&mut self, cell: usize, result: GameResult) -> Vec<(usize, usize)> {
        let mut settled = Vec::new();
        let (system, _) = self.place_of(cell);
        let n_systems = self.climbs.len();
        let (Some(own), Some(climb)) =
            (self.half_points.get_mut(cell), self.climbs.get_mut(system))
        else {
            return settled;
        };
        own.get_or_insert(result.half_points(Self::color_in(cell)));
        let first_of = |turn: usize| GAMES * (turn * n_systems + system);
        loop {
            let first = first_of(climb.n_complete);
            let games = self.half_points.get(first..first + GAMES);
            let points: Option<Vec<u8>> = games.and_then(|games| games.iter().copied().collect());
            let Some(points) = points else { return settled };
            climb.rung = next_rung(climb.rung, self.n_rungs, points.iter().sum());
            climb.n_complete += 1;
            let next = first_of(climb.n_complete);
            if next < self.half_points.len() {
                settled.extend((next..next + GAMES).map(|cell| (cell, climb.rung)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two mini-matches of one system over three rungs, begun on the middle one.
    fn ladder() -> Allocation {
        let climb = Climb {
            n_complete: 0,
            rung: 1,
        };
        Allocation {
            n_rungs: 3,
            half_points: vec![None; 2 * GAMES],
            climbs: vec![climb],
        }
    }

    #[test]
    fn the_first_result_of_a_cell_decides_and_no_later_one() {
        use GameResult::{BlackWins, WhiteWins};
        // The system is White in cell 0, and Black in cell 1.
        let mut once = ladder();
        assert_eq!(once.take(0, WhiteWins), []);
        assert_eq!(once.take(1, BlackWins), [(2, 2), (3, 2)]);
        let mut twice = ladder();
        assert_eq!(twice.take(0, WhiteWins), []);
        assert_eq!(twice.take(0, BlackWins), []);
        assert_eq!(twice.take(1, BlackWins), [(2, 2), (3, 2)]);
        assert_eq!(twice.take(1, WhiteWins), []);
        assert_eq!(twice, once);
    }
}
