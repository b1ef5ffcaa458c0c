use std::f64::consts::LN_10;

use crate::measure::anchored::record::Tally;

/// q: natural logarithms of odds to one rating point.
pub(crate) const Q: f64 = LN_10 / 400.0;

/// The score that is expected over a gap in rating, and what it takes to stay
/// exact where the gap is wide or nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expectation {
    /// Whether the system is expected to score half or more.
    is_up: bool,
    /// The gap, in natural logarithms of odds, without its sign.
    width: f64,
    /// exp(-width).
    odds: f64,
    /// The smaller of E and 1 - E.
    smaller: f64,
    /// |2E - 1|.
    tilt: f64,
}

impl Expectation {
    /// E = 1 / (1 + 10^(-gap/400)), the gap in points.
    pub(crate) fn over(gap: f64) -> Self {
        let x = Q * gap;
        let width = x.abs();
        let (odds, fall) = if width < 0.5 {
            // Where E is near a half, 1 - odds would be rounded away.
            let fall = -libm::expm1(-width);
            (1.0 - fall, fall)
        } else {
            let odds = libm::exp(-width);
            (odds, 1.0 - odds)
        };
        Self {
            is_up: 0.0 <= x,
            width,
            odds,
            smaller: odds / (1.0 + odds),
            tilt: fall / (1.0 + odds),
        }
    }

    /// E(1 - E), which does not vanish where E rounds to 1.
    pub(crate) fn variance(&self) -> f64 {
        self.smaller / (1.0 + self.odds)
    }

    /// The points beyond what was expected, s - nE.
    pub(crate) fn surprise(&self, tally: Tally) -> f64 {
        let (better, worse) = self.sorted(tally);
        let sum = better * self.smaller
            - f64::from(tally.draws) * self.tilt / 2.0
            - worse * (1.0 - self.smaller);
        if self.is_up { sum } else { -sum }
    }

    /// The sum of s ln E + (1 - s) ln(1 - E).
    pub(crate) fn log_likelihood(&self, tally: Tally) -> f64 {
        let (better, worse) = self.sorted(tally);
        let draws = f64::from(tally.draws);
        -(better + worse + draws) * libm::log1p(self.odds) - (worse + draws / 2.0) * self.width
    }

    /// Games that ended as was to be expected, and upsets.
    fn sorted(&self, tally: Tally) -> (f64, f64) {
        let (wins, losses) = (f64::from(tally.wins), f64::from(tally.losses));
        if self.is_up {
            (wins, losses)
        } else {
            (losses, wins)
        }
    }
}

/// How often equals draw, d0, with what is left of 1: near 1 the rest is what
/// has to be exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DrawShare {
    drawn: f64,
    decided: f64,
}

impl DrawShare {
    pub(crate) const NONE: Self = Self {
        drawn: 0.0,
        decided: 1.0,
    };
    pub(crate) const ALL: Self = Self {
        drawn: 1.0,
        decided: 0.0,
    };

    /// The share itself, from 0 to 1.
    pub(crate) const fn of(drawn: f64) -> Self {
        Self {
            drawn,
            decided: 1.0 - drawn,
        }
    }

    /// The share whose odds are `exp(log_odds)`.
    pub(crate) fn of_log_odds(log_odds: f64) -> Self {
        let odds = libm::exp(-log_odds.abs());
        let (larger, smaller) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
        let (drawn, decided) = if 0.0 <= log_odds {
            (larger, smaller)
        } else {
            (smaller, larger)
        };
        Self { drawn, decided }
    }

    pub(crate) const fn share(self) -> f64 {
        self.drawn
    }
}

/// Chances of a win, a draw and a loss: Davidson's draw law (JASA 65, 1970)
/// on a logistic expected score, so that P(W) + P(D)/2 = E whatever d0 is.
///
/// With s = E(1 - E), m = 1 - d0 and R = sqrt(d0^2 (1 - 4s) + 4 s m^2):
/// P(D) = 4 s d0 / (d0 + R), which is 4s/(1 + sqrt(1 + 4s(4 phi^2 - 1))) with
/// phi = m/(2 d0), without the difference that would be rounded away. The
/// larger of the other two exceeds the smaller by |2E - 1|, and their product
/// is (phi P(D))^2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutcomeLaw {
    expectation: Expectation,
    draws: DrawShare,
    /// s.
    variance: f64,
    /// R.
    root: f64,
}

impl OutcomeLaw {
    pub(crate) fn over(gap: f64, draws: DrawShare) -> Self {
        let expectation = Expectation::over(gap);
        let variance = expectation.variance();
        let tilted = draws.drawn * expectation.tilt;
        let decided = draws.decided * draws.decided;
        Self {
            expectation,
            draws,
            variance,
            root: libm::sqrt(tilted * tilted + 4.0 * variance * decided),
        }
    }

    /// phi P(D), the square root of P(W) P(L).
    fn between(&self) -> f64 {
        let reach = self.draws.drawn + self.root;
        if reach == 0.0 {
            0.0
        } else {
            2.0 * self.variance * self.draws.decided / reach
        }
    }

    /// The larger one of P(W) and P(L).
    fn larger(&self) -> f64 {
        let between = 2.0 * self.between();
        let tilt = self.expectation.tilt;
        f64::midpoint(tilt, libm::sqrt(tilt * tilt + between * between))
    }

    /// What each game is worth in the slope of the log likelihood over the
    /// rating: the slope is q times the surprise times this. It is s over the
    /// variance of the points of a game.
    pub(crate) fn weight(&self) -> f64 {
        (self.draws.drawn + self.root) / self.root
    }

    /// The slope of the log likelihood over the rating, over q. At a kink,
    /// where equals always draw and did, 0.
    pub(crate) fn slope(&self, tally: Tally) -> f64 {
        let surprise = self.expectation.surprise(tally);
        if surprise == 0.0 {
            0.0
        } else {
            surprise * self.weight()
        }
    }

    /// The slope of the log likelihood over the log odds of d0 where somebody
    /// upset the other; elsewhere that over (1 - d0)^2, which does not vanish
    /// where equals always draw. It must be the same for every gap.
    pub(crate) fn draw_slope(&self, tally: Tally, has_upsets: bool) -> f64 {
        let (drawn, decided) = (self.draws.drawn, self.draws.decided);
        let reach = drawn + self.root;
        let (better, worse) = self.expectation.sorted(tally);
        let draws = f64::from(tally.draws);
        let scale = if has_upsets { decided * decided } else { 1.0 };
        if self.root == 0.0 && 0.0 < better + worse {
            return f64::NEG_INFINITY;
        }
        let mut sum = 0.0;
        if 0.0 < draws {
            sum += scale * draws * 4.0 * self.variance / (self.root * reach);
        }
        if 0.0 < better {
            let share = self.variance / reach;
            sum -= scale * drawn * better * 8.0 * share * share / (self.root * self.larger());
        }
        if 0.0 < worse {
            sum -= drawn * worse * 2.0 * self.larger() / self.root;
        }
        sum
    }

    /// Whether somebody won against the odds.
    pub(crate) fn has_upset(&self, tally: Tally) -> bool {
        0.0 < self.expectation.sorted(tally).1
    }

    /// The natural logarithm of the likelihood of these games; minus infinity
    /// where one of them cannot happen.
    pub(crate) fn log_likelihood(&self, tally: Tally) -> f64 {
        let (better, worse) = self.expectation.sorted(tally);
        let (drawn, decided) = (self.draws.drawn, self.draws.decided);
        let log_larger = libm::log(self.larger());
        let log_odds = libm::log1p(self.expectation.odds);
        let log_variance = -self.expectation.width - 2.0 * log_odds;
        let log_reach = libm::log(drawn + self.root);
        let times = |n: f64, log: f64| if n == 0.0 { 0.0 } else { n * log };
        if 0.0 < worse && decided == 0.0 {
            return f64::NEG_INFINITY;
        }
        let log_drawn = libm::log(4.0 * drawn) + log_variance - log_reach;
        let log_between = libm::log(2.0 * decided) + log_variance - log_reach;
        times(f64::from(tally.draws), log_drawn)
            + times(better, log_larger)
            + times(worse, 2.0 * log_between - log_larger)
    }

    /// The observed information of these games about the rating, over q^2:
    /// minus the second derivative of their log likelihood.
    pub(crate) fn information(&self, tally: Tally) -> f64 {
        let (drawn, decided) = (self.draws.drawn, self.draws.decided);
        let games = f64::from(tally.games());
        // How s changes with the rating, and with it the weight.
        let tilt = if self.expectation.is_up {
            -self.expectation.tilt
        } else {
            self.expectation.tilt
        };
        let turn = 2.0 * self.variance * tilt * (decided * decided - drawn * drawn);
        let change = -drawn * turn / (self.root * self.root * self.root);
        games * self.variance * self.weight() - self.expectation.surprise(tally) * change
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl OutcomeLaw {
        /// P(D).
        fn drawn(&self) -> f64 {
            4.0 * self.variance * self.draws.drawn / (self.draws.drawn + self.root)
        }

        /// The chances of a win, a draw and a loss, in this order.
        fn chances(&self) -> [f64; 3] {
            let larger = self.larger();
            let between = self.between();
            let smaller = if larger == 0.0 {
                0.0
            } else {
                between * between / larger
            };
            let drawn = self.drawn();
            if self.expectation.is_up {
                [larger, drawn, smaller]
            } else {
                [smaller, drawn, larger]
            }
        }
    }

    fn tally(wins: u32, draws: u32, losses: u32) -> Tally {
        Tally {
            wins,
            draws,
            losses,
        }
    }

    #[test]
    fn equals_draw_as_often_as_is_declared_and_no_chance_is_lost_over_a_wide_gap() {
        for share in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let [win, draw, loss] = OutcomeLaw::over(0.0, DrawShare::of(share)).chances();
            assert!((draw - share).abs() < 1e-15 && (win - loss).abs() < 1e-15);
        }
        let law = OutcomeLaw::over(-30_000.0, DrawShare::of(0.3));
        let [win, draw, loss] = law.chances();
        assert!(0.0 < win && 0.0 < draw && loss <= 1.0);
        assert!(law.log_likelihood(tally(1, 1, 1)).is_finite());
        assert!(law.slope(tally(1, 1, 1)).is_finite());
    }

    proptest! {
        #[test]
        fn chances_add_up_to_one_and_their_score_is_the_expected_one(
            gap in -3000.0..3000.0_f64,
            share in 0.0..0.999_f64,
        ) {
            let law = OutcomeLaw::over(gap, DrawShare::of(share));
            let [win, draw, loss] = law.chances();
            let expected = 1.0 / (1.0 + libm::exp10(-gap / 400.0));
            prop_assert!((win + draw + loss - 1.0).abs() < 1e-12);
            prop_assert!((win + draw / 2.0 - expected).abs() < 1e-12);
            // Davidson: the draw is nu times the geometric mean of the others.
            let nu = 2.0 * share / (1.0 - share);
            let other = nu * libm::sqrt(win * loss);
            prop_assert!((draw - other).abs() < 1e-9 * (1.0 + draw));
        }

        #[test]
        fn slopes_are_those_of_the_log_likelihood(
            gap in -900.0..900.0_f64,
            log_odds in -3.0..3.0_f64,
            (wins, draws, losses) in (0..9_u32, 0..9_u32, 0..9_u32),
        ) {
            let games = tally(wins, draws, losses);
            let at = |gap: f64, log_odds: f64| OutcomeLaw::over(gap, DrawShare::of_log_odds(log_odds));
            let law = at(gap, log_odds);
            let step = 1e-4;
            let rise = |one: OutcomeLaw, two: OutcomeLaw| {
                (two.log_likelihood(games) - one.log_likelihood(games)) / (2.0 * step)
            };
            let slope = rise(at(gap - step, log_odds), at(gap + step, log_odds));
            prop_assert!((slope / Q - law.slope(games)).abs() < 1e-3, "{} {}", slope / Q, law.slope(games));
            let slope = rise(at(gap, log_odds - step), at(gap, log_odds + step));
            let ours = law.draw_slope(games, true);
            prop_assert!((slope - ours).abs() < 1e-5, "{} {}", slope, ours);
            let bend = (at(gap + step, log_odds).slope(games) - at(gap - step, log_odds).slope(games))
                / (2.0 * step * Q);
            prop_assert!((bend + law.information(games)).abs() < 1e-3);
        }
    }
}
