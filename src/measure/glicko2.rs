//! Glicko-2 as Mark Glickman describes it in "Example of the Glicko-2 system"
//! (revision of 2022), step by step.
//!
//! There are no caps and no clamps: a deviation may pass 350 and an absurd
//! result may give an absurd rating. Whoever publishes it flags it.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use crate::measure::{Bout, Rating};

/// Rating points to one unit of the internal scale, as the paper prints it
/// (400 / ln 10 would be 173.717792...).
const SCALE: f64 = 173.7178;

/// The rating in the middle of the scale.
const CENTER: f64 = 1500.0;

/// How near the two ends of the bracket must come. The paper is content with
/// 1e-6.
const EPSILON: f64 = 1e-12;

/// How many steps the search for a volatility may take; ten are usual.
const STEPS_MAX: u32 = 1000;

/// The search for a volatility did not end, or a figure is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rating: the volatility did not converge in {STEPS_MAX} steps to a finite number")]
pub struct NoConvergence;

/// Returns the rating after a rating period with these games, or an error;
/// never a number that the search did not end with.
///
/// `tau` is the system constant, 0.3 to 1.2 in the paper. The order of the
/// games changes no bit of the result. Without games only the deviation grows.
pub fn update(player: &Rating, bouts: &[Bout], tau: f64) -> Result<Rating, NoConvergence> {
    update_over(player, bouts, tau, 1)
}

/// Returns the rating after these games when the deviation grows over so many
/// rating periods: 1 is the paper's step 6; 0 rates each game without growth,
/// as Lichess does when no time has passed.
pub fn update_over(
    player: &Rating,
    bouts: &[Bout],
    tau: f64,
    periods: u32,
) -> Result<Rating, NoConvergence> {
    let phi = player.deviation / SCALE;
    let mut sigma = player.volatility;
    let grown = |sigma: f64| phi * phi + f64::from(periods) * sigma * sigma;
    let mut rated = *player;
    match Evidence::of(player, bouts) {
        Some(evidence) => {
            sigma = volatility(phi, sigma, tau, &evidence)?;
            let phi2 = 1.0 / (1.0 / grown(sigma) + 1.0 / evidence.variance);
            let mu = (player.rating - CENTER) / SCALE + phi2 * evidence.surprise;
            rated.rating = SCALE * mu + CENTER;
            rated.deviation = SCALE * libm::sqrt(phi2);
            rated.volatility = sigma;
        }
        None => rated.deviation = SCALE * libm::sqrt(grown(sigma)),
    }
    let is_finite =
        rated.rating.is_finite() && rated.deviation.is_finite() && rated.volatility.is_finite();
    is_finite.then_some(rated).ok_or(NoConvergence)
}

/// What the games of a period say about the player, on the internal scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evidence {
    /// v of step 3.
    pub(crate) variance: f64,
    /// The sum of g(s - E): points beyond what was expected, weighted.
    surprise: f64,
}

impl Evidence {
    /// Sums up the games; nothing when there are none.
    ///
    /// Games are grouped by the opponent's values, and points within a group
    /// are integers. So neither the order of the games, nor whose games they
    /// are, nor how equal points came together (two draws, or a win and a
    /// loss) can change the last bit: equal players get equal ratings.
    pub(crate) fn of(player: &Rating, bouts: &[Bout]) -> Option<Self> {
        let mut groups: BTreeMap<(u64, u64), (u64, u64)> = BTreeMap::new();
        for bout in bouts.iter().filter(|bout| 0 < bout.count) {
            // Adding zero makes one value of the two zeros.
            let opponent = [bout.opponent_rating, bout.opponent_deviation]
                .map(|value| (value + 0.0).to_bits());
            let (games, half_points) = groups.entry(opponent.into()).or_default();
            *games += u64::from(bout.count);
            *half_points += u64::from(bout.count) * u64::from(bout.half_points);
        }
        let mut information = 0.0;
        let mut surprise = 0.0;
        for ((rating, deviation), (games, half_points)) in &groups {
            let games = exact(*games);
            let g = reduction(f64::from_bits(*deviation) / SCALE);
            let x = g * (player.rating - f64::from_bits(*rating)) / SCALE;
            information += games * g * g * expectation_variance(x);
            surprise += g * beyond_expectation(games, exact(*half_points) / 2.0, x);
        }
        (!groups.is_empty()).then_some(Self {
            variance: 1.0 / information,
            surprise,
        })
    }

    /// Delta of step 4.
    pub(crate) fn delta(&self) -> f64 {
        self.variance * self.surprise
    }
}

/// Returns a count as a number.
#[expect(
    clippy::cast_precision_loss,
    reason = "a count of games is far below 2^53, where every integer is exact"
)]
const fn exact(count: u64) -> f64 {
    count as f64
}

/// g of step 3: how much an uncertain opponent's result counts.
fn reduction(phi: f64) -> f64 {
    1.0 / libm::sqrt(1.0 + 3.0 * phi * phi / (PI * PI))
}

/// The points of these games beyond what was expected, s - nE.
///
/// The smaller of E and 1 - E is what is computed, because the larger one
/// rounds to 1 where the gap is wide, and a win that was all but certain would
/// be no surprise at all.
fn beyond_expectation(games: f64, points: f64, x: f64) -> f64 {
    let smaller = 1.0 / (1.0 + libm::exp(x.abs()));
    if 0.0 < x {
        games * smaller - (games - points)
    } else {
        points - games * smaller
    }
}

/// E(1 - E). The product itself would be zero where E rounds to 1.
fn expectation_variance(x: f64) -> f64 {
    let odds = libm::exp(-x.abs());
    odds / ((1.0 + odds) * (1.0 + odds))
}

/// Step 5: the new volatility, by the Illinois form of regula falsi.
#[expect(
    clippy::many_single_char_names,
    reason = "the letters are those of the paper"
)]
fn volatility(phi: f64, sigma: f64, tau: f64, evidence: &Evidence) -> Result<f64, NoConvergence> {
    let v = evidence.variance;
    let delta = evidence.delta();
    let excess = delta * delta - phi * phi - v;
    let start = libm::log(sigma * sigma);
    let f = |x: f64| {
        let power = libm::exp(x);
        let spread = phi * phi + v + power;
        power * (excess - power) / (2.0 * spread * spread) - (x - start) / (tau * tau)
    };
    let mut a = start;
    let mut b = if 0.0 < excess {
        libm::log(excess)
    } else {
        (1..=STEPS_MAX)
            .map(|k| start - f64::from(k) * tau)
            .find(|x| 0.0 <= f(*x))
            .ok_or(NoConvergence)?
    };
    let mut f_a = f(a);
    let mut f_b = f(b);
    for _ in 0..STEPS_MAX {
        if (b - a).abs() <= EPSILON {
            return Ok(libm::exp(a / 2.0));
        }
        let c = a + (a - b) * f_a / (f_b - f_a);
        let f_c = f(c);
        if f_c * f_b <= 0.0 {
            a = b;
            f_a = f_b;
        } else {
            f_a /= 2.0;
        }
        b = c;
        f_b = f_c;
    }
    Err(NoConvergence)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rating(rating: f64, deviation: f64) -> Rating {
        Rating {
            rating,
            deviation,
            ..Rating::initial()
        }
    }

    /// Games against opponents of the initial volatility: rating, deviation,
    /// half-points.
    fn bouts(games: &[(f64, f64, u8)]) -> Vec<Bout> {
        games
            .iter()
            .map(|(r, rd, half_points)| Bout::one(&rating(*r, *rd), *half_points))
            .collect()
    }

    fn assert_near(found: &Rating, expected: [f64; 3], case: &str) {
        let [r, deviation, volatility] = expected;
        assert!((found.rating - r).abs() < 1e-8, "{case}: {found:?}");
        assert!(
            (found.deviation - deviation).abs() < 1e-8,
            "{case}: {found:?}"
        );
        assert!(
            (found.volatility - volatility).abs() < 1e-11,
            "{case}: {found:?}"
        );
    }

    // The first case is the example of the paper, which prints 1464.06, 151.52
    // and 0.05999 from rounded intermediates. The figures were computed with
    // sixty digits.
    #[test]
    #[rustfmt::skip]
    fn reference_figures_hold_to_eight_decimals() {
        for (player, games, expected) in [
            ((1500.0, 200.0), vec![(1400.0, 30.0, 2), (1550.0, 100.0, 0), (1700.0, 300.0, 0)],
                [1_464.050_670_539, 151.516_524_124, 0.059_995_984_400_7]),
            ((1500.0, 350.0), vec![], [1500.0, 350.155_166_100_020, 0.06]),
            ((1500.0, 30.0), vec![], [1500.0, 31.759_098_641_7, 0.06]),
            ((1500.0, 350.0), vec![(1500.0, 350.0, 2)],
                [1_662.310_893_906_3, 290.318_963_718, 0.059_999_675_373_1]),
            ((1500.0, 350.0), vec![(1500.0, 350.0, 1)],
                [1500.0, 290.318_961_614, 0.059_998_961_450_8]),
            ((1500.0, 30.0), vec![(1500.0, 30.0, 2)],
                [1_502.866_295_134_2, 31.628_413_942_9, 0.059_999_972_756_7]),
            ((1500.0, 350.0), vec![(1500.0, 30.0, 2)],
                [1_675.076_636_302_9, 247.190_091_280, 0.059_999_163_868_2]),
            ((1500.0, 350.0), vec![(1500.0, 350.0, 2); 10],
                [1_925.665_157_131_8, 148.674_203_810, 0.060_002_186_850_1]),
            ((1500.0, 350.0), vec![(1500.0, 350.0, 1); 10],
                [1500.0, 148.674_201_866, 0.059_997_276_564_9]),
            ((1500.0, 50.0), vec![(3500.0, 50.0, 2)],
                [1_514.831_057_820_4, 51.075_292_731_9, 0.060_013_175_155_3]),
            ((10_000.0, 30.0), vec![(0.0, 30.0, 2)], [10_000.0, 31.759_098_641_7, 0.06]),
            ((0.0, 350.0), vec![(10_000.0, 30.0, 2)],
                [702.614_846_041_8, 350.155_235_328, 0.060_013_386_183_2]),
            ((1500.0, 350.0), vec![(1500.0, 350.0, 2), (1500.0, 350.0, 1)],
                [1_623.659_033_611_1, 253.404_600_016_7, 0.059_998_831_930_9]),
            ((1500.0, 350.0), vec![(1500.0, 350.0, 0), (1500.0, 350.0, 1)],
                [1_376.340_966_388_9, 253.404_600_016_7, 0.059_998_831_930_9]),
            ((2500.0, 30.0), vec![(1000.0, 30.0, 0); 29],
                [-940_697.714_117_599_6, 2_382.563_452_769_257, 452.682_094_241_891]),
        ] {
            let found = update(&rating(player.0, player.1), &bouts(&games), 0.5).unwrap();
            assert_near(&found, expected, &format!("{player:?}"));
        }
    }

    #[test]
    fn the_evidence_of_the_example_is_that_of_the_paper() {
        let games = bouts(&[(1400.0, 30.0, 2), (1550.0, 100.0, 0), (1700.0, 300.0, 0)]);
        let evidence = Evidence::of(&rating(1500.0, 200.0), &games).unwrap();
        let delta = evidence.delta();
        assert!((evidence.variance - 1.778_977_089_724).abs() < 1e-12);
        assert!((delta - -0.483_933_260_984).abs() < 1e-12);
    }

    #[test]
    fn games_one_after_another_may_leave_the_deviation_ungrown() {
        let even = Bout::one(&Rating::initial(), 2);
        let found = update_over(&Rating::initial(), &[even], 0.5, 0).unwrap();
        let expected = [1_662.212_001_470_3, 290.230_507_782_2, 0.059_999_675_373_1];
        assert_near(&found, expected, "without growth");
        let idle = update_over(&Rating::initial(), &[], 0.5, 0).unwrap();
        assert_near(&idle, [1500.0, 350.0, 0.06], "idle");
    }

    #[test]
    fn a_count_is_that_many_games_and_none_is_no_game() {
        let player = rating(1650.0, 80.0);
        let one = Bout::one(&rating(1555.5, 61.0), 2);
        let counted = update(&player, &[Bout { count: 7, ..one }], 0.5);
        assert_eq!(counted, update(&player, &[one; 7], 0.5));
        let none = update(&player, &[Bout { count: 0, ..one }], 0.5);
        assert_eq!(none, update(&player, &[], 0.5));
    }

    #[test]
    fn a_long_idle_deviation_passes_350() {
        let mut idle = Rating::initial();
        for _ in 0..100 {
            idle = update(&idle, &[], 0.5).unwrap();
        }
        assert!(365.0 < idle.deviation);
        assert_eq!((idle.rating, idle.volatility), (1500.0, 0.06));
    }

    #[test]
    fn what_has_no_finite_rating_is_an_error() {
        let even = Bout::one(&Rating::initial(), 2);
        let hopeless = Bout::one(&rating(1e9, 30.0), 2);
        for (player, bout, tau) in [
            (rating(f64::NAN, 350.0), even, 0.5),
            (rating(1500.0, f64::INFINITY), even, 0.5),
            (rating(1500.0, 350.0), even, 0.0),
            (rating(1500.0, 350.0), hopeless, 0.5),
            (
                Rating {
                    volatility: 0.0,
                    ..Rating::initial()
                },
                even,
                0.5,
            ),
        ] {
            assert_eq!(update(&player, &[bout], tau), Err(NoConvergence));
        }
    }

    fn any_bouts() -> impl Strategy<Value = Vec<Bout>> {
        let values = (
            prop::sample::select(vec![-90.0, 0.0, -0.0, 1400.1, 1500.0, 1733.3]),
            prop::sample::select(vec![30.0, 77.7, 350.0]),
            0..=2_u8,
            0..4_u32,
        );
        prop::collection::vec(values, 0..40).prop_map(|games| {
            let bout = |(opponent_rating, opponent_deviation, half_points, count)| Bout {
                opponent_rating,
                opponent_deviation,
                half_points,
                count,
            };
            games.into_iter().map(bout).collect()
        })
    }

    fn bits(found: Result<Rating, NoConvergence>) -> [u64; 3] {
        let found = found.unwrap();
        [found.rating, found.deviation, found.volatility].map(f64::to_bits)
    }

    proptest! {
        #[test]
        fn the_order_of_games_changes_no_bit(
            (games, shuffled) in any_bouts()
                .prop_flat_map(|games| (Just(games.clone()), Just(games).prop_shuffle())),
            r in 800.0..2200.0_f64,
        ) {
            let player = rating(r, 120.0);
            let found = bits(update(&player, &games, 0.5));
            prop_assert_eq!(found, bits(update(&player, &shuffled, 0.5)));
        }

        #[test]
        fn equal_points_over_equal_opponents_give_equal_bits(
            games in any_bouts(),
            pairs in prop::collection::vec((1000.0..2000.0_f64, 30.0..350.0_f64), 1..8),
        ) {
            let mut decisive = games.clone();
            let mut drawn = games;
            for (r, deviation) in pairs {
                let opponent = rating(r, deviation);
                decisive.extend([Bout::one(&opponent, 2), Bout::one(&opponent, 0)]);
                drawn.extend([Bout::one(&opponent, 1); 2]);
            }
            let player = Rating::initial();
            let found = bits(update(&player, &decisive, 0.5));
            prop_assert_eq!(found, bits(update(&player, &drawn, 0.5)));
        }
    }
}
