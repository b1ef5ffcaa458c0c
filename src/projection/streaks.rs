use serde::{Deserialize, Serialize};

use crate::chess::{Color, GameResult, Ply, Score};
use crate::event::{AdjudicationRule, Stretch};

/// How many measured positions in a row, up to the last one, speak for one end
/// of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Streaks {
    /// The ply after which the last measured position stood.
    ply: Option<Ply>,
    /// White is far ahead.
    white: u64,
    /// Black is far ahead.
    black: u64,
    /// Nobody is ahead.
    level: u64,
}

impl Streaks {
    /// Takes in what was measured after this ply, with this side to move. A ply
    /// that nobody measured ends every row; of two measurements the first counts.
    pub(crate) fn take(
        &mut self,
        rule: &AdjudicationRule,
        ply: Ply,
        to_move: Color,
        score: Option<Score>,
    ) {
        if self.ply == Some(ply) {
            return;
        }
        if self.ply.map(Ply::next) != Some(ply) {
            *self = Self::default();
        }
        self.ply = Some(ply);
        let leader = rule.win.and_then(|win| leader(win, to_move, score?));
        let is_level = match (rule.level, score) {
            (Some(level), Some(Score::Centipawns(cp))) => {
                u64::from(cp.unsigned_abs()) <= level.cp.get()
            }
            _ => false,
        };
        let grown = |count: u64, goes_on: bool| if goes_on { count.saturating_add(1) } else { 0 };
        self.white = grown(self.white, leader == Some(Color::White));
        self.black = grown(self.black, leader == Some(Color::Black));
        self.level = grown(self.level, is_level);
    }

    /// The result that the rows give to a game that stands after this ply.
    pub(crate) fn result(&self, rule: &AdjudicationRule, ply: Ply) -> Option<GameResult> {
        if self.ply != Some(ply) {
            return None;
        }
        let is_long = |count: u64, stretch: Option<Stretch>| {
            stretch.is_some_and(|stretch| stretch.positions.get() <= count)
        };
        if is_long(self.white, rule.win) {
            Some(GameResult::WhiteWins)
        } else if is_long(self.black, rule.win) {
            Some(GameResult::BlackWins)
        } else {
            is_long(self.level, rule.level).then_some(GameResult::Draw)
        }
    }

    /// Whether the position after this ply has been measured.
    pub(crate) fn has_measured(&self, ply: Ply) -> bool {
        self.ply == Some(ply)
    }
}

/// The side that is far enough ahead. A mate that is seen is far enough.
fn leader(win: Stretch, to_move: Color, score: Score) -> Option<Color> {
    let is_ahead = match score {
        Score::Centipawns(cp) if win.cp.get() <= u64::from(cp.unsigned_abs()) => 0 < cp,
        Score::Centipawns(_) => return None,
        // A mate of 0 is one that already stands on the board.
        Score::Mate(moves) => 0 < moves,
    };
    Some(if is_ahead { to_move } else { to_move.other() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventId;

    fn rule() -> AdjudicationRule {
        let stretch = |cp: u32, positions: u32| Stretch {
            cp: cp.into(),
            positions: positions.into(),
        };
        AdjudicationRule {
            analyst: EventId::of(b"analyst"),
            level: Some(stretch(10, 4)),
            win: Some(stretch(1000, 6)),
        }
    }

    /// What the rows give after scores from White's view, one a ply from ply 1.
    fn after(scores: &[i32]) -> Option<GameResult> {
        let (rule, mut streaks) = (rule(), Streaks::default());
        let mut last = None;
        for (score, ply) in scores.iter().zip(1..) {
            // After an odd ply Black is to move.
            let (to_move, sign) = if ply % 2 == 1 {
                (Color::Black, -1)
            } else {
                (Color::White, 1)
            };
            let score = match *score {
                i32::MAX => Score::Mate(3 * sign),
                i32::MIN => Score::Mate(-3 * sign),
                cp => Score::Centipawns(cp * sign),
            };
            assert_eq!(last, None, "nothing is measured after the end");
            streaks.take(&rule, Ply(ply), to_move, Some(score));
            last = streaks.result(&rule, Ply(ply));
        }
        last
    }

    #[test]
    fn six_positions_in_a_row_for_one_side_win_and_five_do_not() {
        assert_eq!(after(&[1000; 5]), None);
        assert_eq!(after(&[1000; 6]), Some(GameResult::WhiteWins));
        assert_eq!(after(&[-1000; 6]), Some(GameResult::BlackWins));
        assert_eq!(after(&[999, 1000, 1000, 1000, 1000, 1000]), None);
        assert_eq!(
            after(&[1000, 1000, 999, 1000, 1000, 1000, 1000, 1000]),
            None
        );
        assert_eq!(after(&[1000, 1000, 1000, -1000, -1000, -1000]), None);
    }

    #[test]
    fn a_mate_in_sight_is_far_enough_ahead() {
        assert_eq!(after(&[i32::MAX; 6]), Some(GameResult::WhiteWins));
        assert_eq!(after(&[i32::MIN; 6]), Some(GameResult::BlackWins));
        assert_eq!(
            after(&[1000, i32::MAX, 1000, i32::MAX, 1000, i32::MAX]),
            Some(GameResult::WhiteWins)
        );
        assert_eq!(after(&[0, 0, 0, i32::MAX]), None);
    }

    #[test]
    fn a_dead_level_stretch_is_a_draw() {
        assert_eq!(after(&[10, -10, 0, 10]), Some(GameResult::Draw));
        assert_eq!(after(&[10, -10, 11, 10]), None);
    }

    #[test]
    fn a_ply_that_nobody_measured_ends_the_row_and_a_second_word_is_not_heard() {
        let (rule, mut streaks) = (rule(), Streaks::default());
        let white = Some(Score::Centipawns(1500));
        for ply in [2, 4, 6, 8, 10, 12, 14] {
            streaks.take(&rule, Ply(ply), Color::White, white);
        }
        assert_eq!(streaks.result(&rule, Ply(14)), None);
        let level = Some(Score::Centipawns(0));
        for ply in 15..=18 {
            streaks.take(&rule, Ply(ply), Color::White, level);
            streaks.take(&rule, Ply(ply), Color::White, white);
        }
        assert_eq!(streaks.result(&rule, Ply(18)), Some(GameResult::Draw));
        assert_eq!(streaks.result(&rule, Ply(19)), None);
        streaks.take(&rule, Ply(19), Color::White, None);
        assert_eq!(streaks.result(&rule, Ply(19)), None);
    }
}
