use crate::measure::anchored::BOUND_RISK;
use crate::measure::distribution::{NORMAL_975, normal_below};
use crate::measure::elo::elo_of;

/// Games or pairs of games of one side, by their outcome.
///
/// The scores of outcomes are evenly spaced from 0 to 1: loss, draw and win of a
/// game; none to two points of a pair of games with one opening, each side once
/// with White. A pair is one observation: its games are not independent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchScore {
    /// How often each outcome was, from all lost to all won.
    counts: Vec<u32>,
    unit: Unit,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Game,
    Pair,
}

/// How strong a side is beside the other, in Elo of the logistic scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatchElo {
    /// The value that gives the score, and how far its 95 % interval reaches.
    Finite {
        /// The Elo.
        elo: f64,
        /// Half the width of the interval. Absent where the counts show no
        /// spread, or the interval would leave the scores that there are.
        error: Option<f64>,
    },
    /// Everything was won: only a lower bound, of 95 %, exists.
    AtLeast(f64),
    /// Everything was lost: only an upper bound, of 95 %, exists.
    AtMost(f64),
}

/// Elo per standard deviation of one game (normalized Elo, M. Van den Bergh).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalizedElo {
    /// The value.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

impl MatchScore {
    /// Returns the score of games.
    pub fn games(wins: u32, draws: u32, losses: u32) -> Self {
        Self {
            counts: vec![losses, draws, wins],
            unit: Unit::Game,
        }
    }

    /// Returns the score of pairs of games: the counts of pairs with 0, 0.5, 1,
    /// 1.5 and 2 points.
    pub fn pairs(pentanomial: [u32; 5]) -> Self {
        Self {
            counts: pentanomial.to_vec(),
            unit: Unit::Pair,
        }
    }

    /// How many games or pairs there were.
    pub fn count(&self) -> u64 {
        self.counts.iter().copied().map(u64::from).sum()
    }

    /// The outcomes, each with its score and how often it was, in ascending order.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (f64, f64)> {
        let last = u32::try_from(self.counts.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let scores = (0..).map(move |place: u32| f64::from(place) / f64::from(last));
        scores.zip(self.counts.iter().map(|count| f64::from(*count)))
    }

    /// The mean score, from 0 to 1. Absent: nothing was played.
    pub fn mean(&self) -> Option<f64> {
        let points: u64 = (0..)
            .zip(&self.counts)
            .map(|(n, c)| n * u64::from(*c))
            .sum();
        let all = self.count() * (self.counts.len() as u64 - 1);
        (0 < all).then(|| number(points) / number(all))
    }

    /// The variance of the score of one game or pair, over those that were played.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let deviations = self
            .outcomes()
            .map(|(score, count)| count * (score - mean) * (score - mean));
        Some(deviations.sum::<f64>() / number(self.count()))
    }

    /// The standard error of the mean. Absent where all outcomes are the same:
    /// that shows nothing of how they spread, and not that they do not.
    pub(crate) fn error(&self) -> Option<f64> {
        let variance = self.variance().filter(|variance| 0.0 < *variance)?;
        Some(libm::sqrt(variance / number(self.count())))
    }

    /// The logistic Elo of the score. Absent: nothing was played.
    ///
    /// A score of all or nothing has no finite value, whatever others print. Its
    /// bound is the Elo at which it would still come about once in twenty times:
    /// p^n = 0.05 for n games, or pairs.
    pub fn elo(&self) -> Option<MatchElo> {
        let mean = self.mean()?;
        let bound = || libm::exp(libm::log(BOUND_RISK) / number(self.count()));
        Some(if 1.0 <= mean {
            MatchElo::AtLeast(elo_of(bound()))
        } else if mean <= 0.0 {
            MatchElo::AtMost(-elo_of(bound()))
        } else {
            let ends = self.error().map(|error| NORMAL_975 * error);
            let ends = ends.map(|reach| (mean - reach, mean + reach));
            MatchElo::Finite {
                elo: elo_of(mean),
                error: ends
                    .filter(|(low, high)| 0.0 < *low && *high < 1.0)
                    .map(|(low, high)| (elo_of(high) - elo_of(low)) / 2.0),
            }
        })
    }

    /// The normalized Elo. Absent where all outcomes are the same.
    pub fn normalized_elo(&self) -> Option<NormalizedElo> {
        let deviation = libm::sqrt(self.variance().filter(|variance| 0.0 < *variance)?);
        // A pair's score is the mean of two games.
        let games = match self.unit {
            Unit::Game => 1.0,
            Unit::Pair => libm::sqrt(2.0),
        };
        let scale = 800.0 / core::f64::consts::LN_10 / games;
        Some(NormalizedElo {
            elo: (self.mean()? - 0.5) / deviation * scale,
            error: NORMAL_975 / libm::sqrt(number(self.count())) * scale,
        })
    }

    /// The likelihood of superiority, from 0 to 1: the chance that the mean score
    /// lies above a half, if it is distributed normally around what was found.
    /// Absent where all outcomes are the same.
    pub fn superiority(&self) -> Option<f64> {
        Some(normal_below((self.mean()? - 0.5) / self.error()?))
    }
}

/// A count as a number; counts of games are far below 2^53.
fn number(count: u64) -> f64 {
    let (high, low) = (count >> 32, count & 0xffff_ffff);
    let part = |part: u64| u32::try_from(part).map_or(f64::NAN, f64::from);
    part(high) * 4_294_967_296.0 + part(low)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_or_nothing_has_a_bound_and_no_finite_elo() {
        // 400 log10(p / (1 - p)) with p = 0.05^(1/10), by hand.
        let won = MatchScore::games(10, 0, 0);
        let Some(MatchElo::AtLeast(bound)) = won.elo() else {
            panic!("{:?}", won.elo());
        };
        assert!((bound - 182.729_096).abs() < 1e-6, "{bound}");
        let lost = MatchScore::games(0, 0, 10).elo();
        assert_eq!(lost, Some(MatchElo::AtMost(-bound)));
        let pairs = MatchScore::pairs([0, 0, 0, 0, 10]).elo();
        assert_eq!(pairs, Some(MatchElo::AtLeast(bound)));
        assert_eq!(won.superiority(), None);
        assert_eq!(won.normalized_elo(), None);
        assert_eq!(MatchScore::games(0, 0, 0).elo(), None);
    }

    #[test]
    fn nothing_but_draws_never_has_an_error_of_zero() {
        let elo = MatchScore::games(0, 10, 0).elo();
        assert_eq!(
            elo,
            Some(MatchElo::Finite {
                elo: 0.0,
                error: None
            })
        );
        assert_eq!(MatchScore::games(0, 10, 0).superiority(), None);
    }

    proptest! {
        #[test]
        fn the_other_side_has_the_opposite_elo(counts in prop::array::uniform5(0..50_u32)) {
            let mut turned = counts;
            turned.reverse();
            let (one, other) = (MatchScore::pairs(counts), MatchScore::pairs(turned));
            let values = |score: &MatchScore| match score.elo() {
                Some(MatchElo::Finite { elo, error }) => (elo, error.unwrap_or(0.0)),
                Some(MatchElo::AtLeast(bound) | MatchElo::AtMost(bound)) => (bound, 0.0),
                None => (0.0, 0.0),
            };
            let ((elo, error), (turned, other_error)) = (values(&one), values(&other));
            prop_assert!((elo + turned).abs() < 1e-9);
            prop_assert!((error - other_error).abs() < 1e-9);
            if let (Some(one), Some(other)) = (one.superiority(), other.superiority()) {
                prop_assert!((one + other - 1.0).abs() < 1e-9);
            }
        }

        #[test]
        fn one_more_win_is_never_worse(wins in 0..40_u32, draws in 0..40_u32, losses in 1..40_u32) {
            let mean = |wins, losses| MatchScore::games(wins, draws, losses).mean();
            prop_assert!(mean(wins, losses) < mean(wins + 1, losses - 1));
        }
    }
}
