//! A line of moves beside the solution of a puzzle.

use serde::{Deserialize, Serialize};

use crate::chess::{IllegalMove, Position, UciMove};

/// How a line of moves stands to the solution of a puzzle, in two readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Solving {
    /// Whether it is the solution, move for move, forced replies included.
    pub is_exact: bool,
    /// Whether Lichess would call it solved: it is the solution, or follows it
    /// up to a move of the solver that mates, whichever mate that is.
    pub is_any_mate: bool,
}

impl Position {
    /// Returns the position after these moves.
    ///
    /// # Errors
    ///
    /// The first move that is not legal where it is played.
    pub fn after(&self, line: &[UciMove]) -> Result<Self, IllegalMove> {
        let mut position = self.clone();
        for uci in line {
            position.play(*uci)?;
        }
        Ok(position)
    }

    /// Whether the side to move is mated.
    pub fn is_mate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Returns how a line stands to the solution of the puzzle that begins here.
    /// The solver has the first move, and every other one.
    ///
    /// It follows from the moves alone, legal or not. A mate that the solution does
    /// not have must be the last move of the line, as it ends the game.
    pub fn solving(&self, solution: &[UciMove], line: &[UciMove]) -> Solving {
        let is_exact = !solution.is_empty() && line == solution;
        Solving {
            is_exact,
            is_any_mate: is_exact || self.mates_along(solution, line),
        }
    }

    /// Whether the line leaves the solution, if at all, with its last move, which
    /// the solver makes and which mates.
    fn mates_along(&self, solution: &[UciMove], line: &[UciMove]) -> bool {
        let Some((last, way)) = line.split_last() else {
            return false;
        };
        let is_solvers = way.len().is_multiple_of(2);
        let follows = way.len() < solution.len() && solution.starts_with(way);
        let after = |moves: &[UciMove]| self.after(moves).ok();
        let mated = || after(way)?.after(&[*last]).ok();
        is_solvers && follows && mated().is_some_and(|position| position.is_mate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fen, Variant};

    fn solving(fen: &str, solution: &str, line: &str) -> (bool, bool) {
        let moves = |text: &str| -> Vec<UciMove> {
            let words = text.split_whitespace();
            words.map(|word| word.parse().unwrap()).collect()
        };
        let fen: Fen = fen.parse().unwrap();
        let position = fen.position(Variant::Standard).unwrap();
        let found = position.solving(&moves(solution), &moves(line));
        (found.is_exact, found.is_any_mate)
    }

    #[test]
    fn only_the_exact_line_is_solved_and_another_mate_counts_beside_it() {
        // Both rooks mate on the last rank.
        let two_rooks = "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1";
        for (line, found) in [
            ("e1e8", (true, true)),
            ("a1a8", (false, true)),
            ("e1e8 g8h8", (false, false)),
            ("a1a8 g8h8", (false, false)),
            ("e1e7", (false, false)),
            ("", (false, false)),
        ] {
            assert_eq!(solving(two_rooks, "e1e8", line), found, "{line}");
        }
        assert_eq!(solving(two_rooks, "", ""), (false, false));
    }

    #[test]
    fn a_longer_line_may_leave_the_solution_with_its_last_move_alone() {
        let fen = "6k1/5ppp/8/4p3/8/8/5PPP/RR4K1 w - - 0 1";
        let solution = "h2h3 g8h8 a1a8";
        for (line, found) in [
            ("h2h3 g8h8 a1a8", (true, true)),
            ("h2h3 g8h8 b1b8", (false, true)),
            // Mate before the solution has it.
            ("b1b8", (false, true)),
            // Another reply than the forced one, though it leads to mate.
            ("h2h3 e5e4 a1a8", (false, false)),
            // Another first move, though it leads to mate.
            ("g2g3 g8h8 a1a8", (false, false)),
            ("h2h3 g8h8", (false, false)),
            ("h2h3", (false, false)),
            ("h2h3 g8h8 a1a7", (false, false)),
            // A move that is not legal.
            ("h2h3 g8h8 a1b8", (false, false)),
            ("h2h3 g8h8 b1b8 e5e4", (false, false)),
        ] {
            assert_eq!(solving(fen, solution, line), found, "{line}");
        }
        // The opponent's own mate is none of the solver's.
        let fen = "6k1/5ppp/8/8/3P4/8/r4PPP/6K1 w - - 0 1";
        let solution = "d4d5 a2b2 h2h3";
        assert_eq!(solving(fen, solution, "d4d5 a2a1"), (false, false));
    }
}
