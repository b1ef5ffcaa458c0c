use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::law::Expectation;
use crate::measure::anchored::performance;
use crate::measure::anchored::record::{MiniMatch, Record};
use crate::measure::distribution::chi_square_above;

/// Whether submissions of the same system differ by more than their games
/// explain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The statistic, about chi-square when nothing but the games differs.
    pub statistic: f64,
    /// Its degrees of freedom: one less than the submissions.
    pub freedom: u32,
    /// The chance of a statistic as large or larger then.
    pub p_value: f64,
    /// How much the points of mini-matches vary within a submission, relative
    /// to independent games that are won or lost: below 1 with draws, higher
    /// where the games of a mini-match go together.
    pub dispersion: f64,
}

impl Spread {
    /// Tests repeated submissions of one control for excess spread, with a
    /// constant color effect in points.
    ///
    /// All submissions are fitted together by their score. With U the points of
    /// a submission beyond what is then expected, and I the sum of E(1 - E) over
    /// its games, the statistic is sum(U^2/I)/dispersion: the score test of
    /// homogeneity (Cochran, Biometrics 10, 1954, for proportions), with the
    /// dispersion estimated by Pearson's statistic of the mini-matches within
    /// submissions (`McCullagh` and Nelder, Generalized Linear Models, 1989,
    /// section 4.5). A submission that won or lost everything is tested like
    /// every other.
    ///
    /// Nothing when there is no second submission, no second mini-match in any,
    /// no finite rating of all together, or no variation at all within
    /// submissions: then nothing can be said.
    ///
    /// # Errors
    ///
    /// An anchor has no usable rating, or a search did not end.
    pub fn of(submissions: &[Vec<MiniMatch>], color: f64) -> Result<Option<Self>, NoFit> {
        let played = |games: &&MiniMatch| 0 < games.white.games() + games.black.games();
        let submissions: Vec<Vec<MiniMatch>> = submissions
            .iter()
            .map(|matches| matches.iter().filter(played).copied().collect())
            .filter(|matches: &Vec<_>| !matches.is_empty())
            .collect();
        let all: Vec<_> = submissions.iter().flatten().copied().collect();
        let Ok(freedom) = u32::try_from(submissions.len().saturating_sub(1)) else {
            return Ok(None);
        };
        let within = u32::try_from(all.len() - submissions.len()).unwrap_or(u32::MAX);
        if freedom == 0 || within == 0 {
            return Ok(None);
        }
        let record = Record::of_matches(&all)?;
        if record.total().is_saturated() {
            return Ok(None);
        }
        let rating = performance::rating(&record, color)?;
        let mut between = 0.0;
        let mut pearson = 0.0;
        for matches in &submissions {
            let surprises: Vec<_> = matches
                .iter()
                .map(|games| surprise(games, rating, color))
                .collect();
            let (sum, information) = surprises
                .iter()
                .fold((0.0, 0.0), |(u, i), (more_u, more_i)| {
                    (u + more_u, i + more_i)
                });
            between += sum * sum / information;
            pearson += surprises
                .iter()
                .map(|(u, i)| {
                    let beyond = u - sum * i / information;
                    beyond * beyond / i
                })
                .sum::<f64>();
        }
        let dispersion = pearson / f64::from(within);
        if dispersion.is_nan() || dispersion < 1e-12 {
            return Ok(None);
        }
        let statistic = between / dispersion;
        Ok(chi_square_above(statistic, freedom).map(|p_value| Self {
            statistic,
            freedom,
            p_value,
            dispersion,
        }))
    }
}

/// The points of a mini-match beyond what was expected, and E(1 - E) over its
/// games.
fn surprise(games: &MiniMatch, rating: f64, color: f64) -> (f64, f64) {
    let [white, black] = games.scores().map(|score| {
        let gap = rating - score.anchor + color * score.seat.sign();
        let e = Expectation::over(gap);
        let n_games = f64::from(score.tally.games());
        (e.surprise(score.tally), n_games * e.variance())
    });
    (white.0 + black.0, white.1 + black.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::anchored::Tally;

    fn submission(results: &[(u8, u8)]) -> Vec<MiniMatch> {
        let games = results.iter().map(|(white, black)| MiniMatch {
            anchor: 1500.0,
            white: Tally::one(*white),
            black: Tally::one(*black),
        });
        games.collect()
    }

    // By hand: equals, so that E is 1/2 and I of a mini-match is 1/2. U is +2
    // and -2 over I = 2 each, so the sum is 4; within, the points beyond the mean
    // of a submission are (1/2, 1/2, -1/2, -1/2) in both: 8 times 1/2, over 6.
    #[test]
    fn the_statistic_is_that_of_a_calculation_by_hand() {
        let strong = submission(&[(2, 2), (2, 2), (2, 0), (1, 1)]);
        let weak = submission(&[(0, 0), (0, 0), (0, 2), (1, 1)]);
        let found = Spread::of(&[strong, weak], 0.0).unwrap().unwrap();
        assert!((found.dispersion - 4.0 / 6.0).abs() < 1e-12, "{found:?}");
        assert!((found.statistic - 6.0).abs() < 1e-12, "{found:?}");
        assert_eq!(found.freedom, 1);
        assert!((found.p_value - 0.014_305_878_435_429_64).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_said_where_nothing_can_be() {
        let won = submission(&[(2, 2), (2, 2)]);
        let drawn = submission(&[(1, 1), (1, 1)]);
        let single = submission(&[(2, 1)]);
        for submissions in [
            vec![],
            vec![drawn.clone()],
            vec![drawn.clone(), vec![]],
            vec![won.clone(), won.clone()],
            vec![drawn.clone(), drawn.clone()],
            vec![single.clone(), single],
        ] {
            assert_eq!(Spread::of(&submissions, 0.0).unwrap(), None);
        }
    }
}
