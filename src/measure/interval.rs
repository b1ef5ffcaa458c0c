use crate::measure::Rating;

/// How many standard deviations a 95 % interval of a rating reaches to each
/// side: the rounded constant that rating lists print, as Glickman does.
const RATING_REACH: f64 = 1.96;

/// The 97.5 % quantile of the standard normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// A two-sided interval, in the unit of what it is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the 95 % interval of a rating: the rating plus and minus 1.96
    /// deviations, in rating points.
    pub fn rating_95(rating: &Rating) -> Self {
        let reach = RATING_REACH * rating.deviation;
        Self {
            low: rating.rating - reach,
            high: rating.rating + reach,
        }
    }

    /// Returns the 95 % score interval of a proportion, within 0 and 1 (Wilson
    /// 1927; Newcombe 1998, method 3), or nothing when there were no trials or
    /// more successes than trials.
    ///
    /// The trials must be independent; halves of points are no trials.
    pub fn wilson_95(successes: u32, trials: u32) -> Option<Self> {
        if trials == 0 || trials < successes {
            return None;
        }
        let n = f64::from(trials);
        let share = f64::from(successes) / n;
        let z2 = NORMAL_QUANTILE * NORMAL_QUANTILE;
        let shrink = 1.0 + z2 / n;
        let center = (share + z2 / (2.0 * n)) / shrink;
        let spread = share * (1.0 - share) / n + z2 / (4.0 * n * n);
        let reach = NORMAL_QUANTILE * libm::sqrt(spread) / shrink;
        // The ends at none and all are exact; rounding must not push them out.
        Some(Self {
            low: if successes == 0 { 0.0 } else { center - reach },
            high: if successes == trials {
                1.0
            } else {
                center + reach
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_player_is_uncertain_by_686_points() {
        let interval = Interval::rating_95(&Rating::initial());
        assert_eq!((interval.low, interval.high), (814.0, 2186.0));
    }

    // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn wilson_intervals_are_those_of_newcombe() {
        for (successes, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = Interval::wilson_95(successes, trials).unwrap();
            assert!((interval.low - low).abs() < 5e-5, "{interval:?}");
            assert!((interval.high - high).abs() < 5e-5, "{interval:?}");
        }
    }

    #[test]
    fn wilson_intervals_contain_the_share_and_stay_within_zero_and_one() {
        for trials in 1..60 {
            for successes in 0..=trials {
                let interval = Interval::wilson_95(successes, trials).unwrap();
                let share = f64::from(successes) / f64::from(trials);
                assert!(0.0 <= interval.low && interval.high <= 1.0);
                assert!(interval.low <= share && share <= interval.high);
            }
        }
    }

    #[test]
    fn without_trials_there_is_no_interval() {
        assert_eq!(Interval::wilson_95(0, 0), None);
        assert_eq!(Interval::wilson_95(3, 2), None);
    }
}
