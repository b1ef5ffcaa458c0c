use crate::measure::MatchScore;
use crate::measure::elo::expected_score;

/// A sequential probability ratio test of two strengths, in logistic Elo.
///
/// The ratio is that of the likelihoods of the counts under the most likely
/// distribution of outcomes with the mean score of each hypothesis (generalized
/// SPRT, M. Van den Bergh, "Comments on normalized Elo"; the multinomial of
/// games or of pairs). Nothing is added to counts of zero: an outcome that was not
/// seen has a chance only where the mean cannot be reached without it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The strength of the null hypothesis, in Elo.
    pub elo0: f64,
    /// The strength of the alternative, in Elo.
    pub elo1: f64,
    /// How often the alternative may be accepted where the null hypothesis holds.
    pub alpha: f64,
    /// How often the null hypothesis may be accepted where the alternative holds.
    pub beta: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtState {
    /// The null hypothesis is accepted.
    AcceptsH0,
    /// The alternative is accepted.
    AcceptsH1,
    /// More games are needed.
    GoesOn,
}

impl SprtState {
    /// The words for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AcceptsH0 => "accepts H0",
            Self::AcceptsH1 => "accepts H1",
            Self::GoesOn => "goes on",
        }
    }
}

/// Steps of a search that halves its bracket: enough for every bit.
const HALVINGS: u32 = 200;

impl Sprt {
    /// Returns the logarithm of the likelihood ratio of the alternative to the
    /// null hypothesis; 0 where nothing was played.
    pub fn log_likelihood_ratio(&self, score: &MatchScore) -> f64 {
        let outcomes: Vec<_> = score.outcomes().collect();
        let tilted = |elo: f64| {
            let mean = expected_score(elo);
            let tilt = tilt(&outcomes, mean);
            let seen = outcomes.iter().filter(|(_, count)| 0.0 < *count);
            seen.map(|(score, count)| count * libm::log1p(tilt * (score - mean)))
                .sum::<f64>()
        };
        // An outcome of share p has the chance p / (1 + tilt (score - mean)).
        tilted(self.elo0) - tilted(self.elo1)
    }

    /// The log-likelihood ratios at which the null hypothesis and the alternative
    /// are accepted (Wald): ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
    pub fn bounds(&self) -> (f64, f64) {
        (
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        )
    }

    /// Returns where the test stands.
    pub fn state(&self, score: &MatchScore) -> SprtState {
        let ratio = self.log_likelihood_ratio(score);
        let (lower, upper) = self.bounds();
        if ratio <= lower {
            SprtState::AcceptsH0
        } else if upper <= ratio {
            SprtState::AcceptsH1
        } else {
            SprtState::GoesOn
        }
    }
}

/// Returns the multiplier under which the most likely distribution has this mean:
/// the zero of the sum of n (a - mean) / (1 + x (a - mean)) over outcomes of score
/// a that were seen n times, or the end of the range of x where an outcome that
/// was not seen must help.
fn tilt(outcomes: &[(f64, f64)], mean: f64) -> f64 {
    // Scores go from 0 to 1 and the mean lies inside.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let excess = |tilt: f64| {
        let seen = outcomes.iter().filter(|(_, count)| 0.0 < *count);
        seen.map(|(score, count)| count * (score - mean) / (1.0 + tilt * (score - mean)))
            .sum::<f64>()
    };
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if middle <= low || high <= middle {
            break;
        }
        // The sum falls where x grows.
        if 0.0 < excess(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 20.0,
        alpha: 0.05,
        beta: 0.05,
    };

    #[test]
    fn a_score_of_all_has_the_ratio_of_the_expected_scores() {
        // Ten wins: 10 ln(E(20) / E(0)), with E(20) = 1 / (1 + 10^(-0.05)).
        let ratio = TEST.log_likelihood_ratio(&MatchScore::games(10, 0, 0));
        assert!((ratio - 0.559_086_984).abs() < 1e-6, "{ratio}");
        let nothing = TEST.log_likelihood_ratio(&MatchScore::games(0, 0, 0));
        assert!(nothing == 0.0);
    }

    #[test]
    fn a_test_ends_at_its_bounds_and_goes_on_between_them() {
        let (lower, upper) = TEST.bounds();
        assert!((upper - 2.944_438_979).abs() < 1e-9 && (lower + upper).abs() < 1e-12);
        for (score, state) in [
            (MatchScore::games(600, 100, 400), SprtState::AcceptsH1),
            (MatchScore::games(400, 100, 600), SprtState::AcceptsH0),
            (MatchScore::games(6, 1, 4), SprtState::GoesOn),
        ] {
            assert_eq!(TEST.state(&score), state, "{score:?}");
        }
    }

    proptest! {
        #[test]
        fn ratios_are_finite_and_turn_with_the_hypotheses(counts in prop::array::uniform5(0..300_u32)) {
            let score = MatchScore::pairs(counts);
            let ratio = TEST.log_likelihood_ratio(&score);
            prop_assert!(ratio.is_finite());
            let turned = Sprt { elo0: TEST.elo1, elo1: TEST.elo0, ..TEST };
            prop_assert!((ratio + turned.log_likelihood_ratio(&score)).abs() < 1e-9);
        }

        #[test]
        fn a_won_pair_speaks_for_the_stronger_hypothesis(counts in prop::array::uniform5(0..300_u32)) {
            let mut better = counts;
            better[4] += 1;
            let ratio = |counts| TEST.log_likelihood_ratio(&MatchScore::pairs(counts));
            prop_assert!(ratio(counts) < ratio(better) + 1e-9);
        }
    }
}
