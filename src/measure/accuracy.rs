use crate::measure::Outlook;
use crate::measure::outlook::INITIAL;

/// A figure of each side. Absent: the side made no move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BySide {
    /// White's.
    pub white: Option<f64>,
    /// Black's.
    pub black: Option<f64>,
}

/// A position after each ply, as they follow one another in a game, and who
/// moved first. Outlooks are White's.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// How the position after each ply looks to White.
    pub outlooks: &'a [Outlook],
    /// Whether White made the first move.
    pub is_white_first: bool,
}

/// The curve of Lichess's accuracy, fitted to its players.
const FACTOR: f64 = 103.166_810_071_164_9;
const SLOPE: f64 = -0.043_544_153_867_539_51;
const OFFSET: f64 = -3.166_924_740_191_411;
/// What an imperfect analysis is worth; it is in Lichess's code and not on its page.
const UNCERTAINTY: f64 = 1.0;

/// How many positions tell how volatile the game is around a move.
const WINDOW: [usize; 2] = [2, 8];
/// Plies for each position of a window.
const PLIES_PER_POSITION: usize = 10;
/// The bounds of the weight of a move, in points of win percent.
const WEIGHT: [f64; 2] = [0.5, 12.0];
/// A single move without any accuracy must not make that of a game nothing.
const HARMONIC_FLOOR: f64 = 1.0;

/// Returns the accuracy of a move in percent, from 0 to 100, by the mover's win
/// percent before and after it (Lichess: lila, `AccuracyPercent`).
///
/// 100 where nothing is given away. Between -1000 and 1000 centipawns only:
/// beyond, win percent stands still, and a move that gives away part of a won
/// game costs nothing.
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    if before <= after {
        return 100.0;
    }
    let raw = FACTOR * libm::exp(SLOPE * (before - after)) + OFFSET;
    (raw + UNCERTAINTY).clamp(0.0, 100.0)
}

impl Course<'_> {
    /// Returns the accuracy of each side over a whole game, in percent (Lichess:
    /// lila, `AccuracyPercent.gameAccuracy`): the mean of two means of its moves'
    /// accuracies, one weighted by how volatile the game is around a move, one
    /// harmonic. Before the first move stand 15 centipawns.
    pub fn accuracy(self) -> BySide {
        let before = std::iter::once(&INITIAL);
        let positions = before.chain(self.outlooks);
        let percents: Vec<f64> = positions.map(|outlook| outlook.win_percent()).collect();
        let weights = weights(&percents);
        let steps = percents.iter().zip(percents.iter().skip(1));
        let moves: Vec<(bool, f64, f64)> = steps
            .zip(weights)
            .enumerate()
            .map(|(number, ((before, after), weight))| {
                let is_white = self.is_white(number);
                // White's win percent that falls is Black's that grows.
                let accuracy = if is_white {
                    move_accuracy(*before, *after)
                } else {
                    move_accuracy(*after, *before)
                };
                (is_white, accuracy, weight)
            })
            .collect();
        let of = |side| {
            let moves = moves
                .iter()
                .filter(move |(is_white, _, _)| *is_white == side);
            mean_of_means(moves.map(|(_, accuracy, weight)| (*accuracy, *weight)))
        };
        BySide {
            white: of(true),
            black: of(false),
        }
    }

    /// Returns the average centipawn loss of each side, rounded to a whole number
    /// as Lichess shows it: outlooks are capped at 1000, a gain is no loss, and
    /// before the first move stand 15 centipawns.
    pub fn centipawn_loss(self) -> BySide {
        let mut sums = [(0_i64, 0_i64); 2];
        let mut before = INITIAL.capped();
        for (number, outlook) in self.outlooks.iter().enumerate() {
            let after = outlook.capped();
            let is_white = self.is_white(number);
            let lost = if is_white {
                before - after
            } else {
                after - before
            };
            let (sum, moves) = &mut sums[usize::from(is_white)];
            *sum += i64::from(lost.max(0));
            *moves += 1;
            before = after;
        }
        let mean = |(sum, moves): (i64, i64)| {
            let rounded = (0 < moves).then(|| (2 * sum + moves) / (2 * moves))?;
            // At most 2000 a move.
            i32::try_from(rounded).ok().map(f64::from)
        };
        BySide {
            white: mean(sums[1]),
            black: mean(sums[0]),
        }
    }

    /// Whether White made the move of this number, from 0.
    const fn is_white(self, number: usize) -> bool {
        number.is_multiple_of(2) == self.is_white_first
    }
}

/// The weight of each move: how far win percents spread around it.
fn weights(percents: &[f64]) -> Vec<f64> {
    let plies = percents.len().saturating_sub(1);
    let length = (plies / PLIES_PER_POSITION).clamp(WINDOW[0], WINDOW[1]);
    let windows = percents.windows(length);
    // Moves before the first whole window have the first one.
    let first = windows.clone().take(1).cycle().take(length - WINDOW[0]);
    let spread = |window: &[f64]| standard_deviation(window).clamp(WEIGHT[0], WEIGHT[1]);
    first.chain(windows).map(spread).collect()
}

/// Of the values themselves, not of what they are a sample of.
fn standard_deviation(values: &[f64]) -> f64 {
    let n = count(values.len());
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean) * (value - mean));
    libm::sqrt(squares.sum::<f64>() / n)
}

fn mean_of_means(moves: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut weighted, mut weights, mut inverse, mut n) = (0.0, 0.0, 0.0, 0.0);
    for (accuracy, weight) in moves {
        weighted += accuracy * weight;
        weights += weight;
        inverse += 1.0 / accuracy.max(HARMONIC_FLOOR);
        n += 1.0;
    }
    // Rounding may carry a game of nothing but best moves a little beyond.
    (0.0 < n).then(|| f64::midpoint(weighted / weights, n / inverse).clamp(0.0, 100.0))
}

fn count(n: usize) -> f64 {
    u32::try_from(n).map_or(f64::from(u32::MAX), f64::from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn course() -> impl Strategy<Value = Vec<Outlook>> {
        let outlook = prop_oneof![
            Just(Outlook::Mates),
            Just(Outlook::IsMated),
            (-1500..1500).prop_map(Outlook::Centipawns),
        ];
        prop::collection::vec(outlook, 0..120)
    }

    proptest! {
        #[test]
        fn accuracies_are_percents_and_losses_at_most_two_thousand(outlooks in course()) {
            for is_white_first in [true, false] {
                let course = Course { outlooks: &outlooks, is_white_first };
                let (accuracy, loss) = (course.accuracy(), course.centipawn_loss());
                for (accuracy, loss) in [(accuracy.white, loss.white), (accuracy.black, loss.black)] {
                    prop_assert!(accuracy.is_none_or(|percent| (0.0..=100.0).contains(&percent)));
                    prop_assert!(loss.is_none_or(|lost| (0.0..=2000.0).contains(&lost)));
                    prop_assert_eq!(accuracy.is_some(), loss.is_some());
                }
                let first = if is_white_first { accuracy.white } else { accuracy.black };
                let second = if is_white_first { accuracy.black } else { accuracy.white };
                prop_assert_eq!(first.is_some(), !outlooks.is_empty());
                prop_assert_eq!(second.is_some(), 1 < outlooks.len());
            }
        }

        #[test]
        fn giving_more_away_is_never_more_accurate(before in 0.0..100.0_f64, one in 0.0..100.0_f64, other in 0.0..100.0_f64) {
            let worse = move_accuracy(before, one.min(other));
            prop_assert!(worse <= move_accuracy(before, one.max(other)));
        }
    }
}
