use crate::measure::Interval;
use crate::measure::anchored::root::{NoRoot, Search};

/// Twice the drop in log likelihood at the ends of a 95 % profile interval:
/// the 95 % quantile of chi-square with one degree of freedom.
pub const PROFILE_DROP: f64 = 3.841_458_820_694_124;

/// The profile interval: from the lowest to the highest rating at which twice
/// the log likelihood is at most 3.8415 below its top.
///
/// `profile` is the log likelihood at a rating with everything else refitted,
/// and `rating` its top; `error` says about how far away the ends are. The
/// profile falls on both sides, except that it may have lower tops near
/// `kinks`: what lies between is in the interval, too.
pub(crate) fn interval(
    rating: f64,
    error: f64,
    limits: (f64, f64),
    kinks: &[f64],
    mut profile: impl FnMut(f64) -> Result<f64, NoRoot>,
) -> Result<Interval, NoRoot> {
    let highest = profile(rating)?;
    let reach = libm::sqrt(PROFILE_DROP);
    // At a kink the error is 0 or no number.
    let step = if 0.1 < error { error.min(1e4) } else { 10.0 };
    let mut end = |direction: f64, limit: f64| {
        // The square root of the drop is nearly a line, and easily searched.
        let mut left = |away: f64| {
            let drop = 2.0 * (highest - profile(rating + direction * away)?);
            Ok(reach - libm::sqrt(drop.max(0.0)))
        };
        let mut start = 0.0_f64;
        for kink in kinks {
            let away = direction * (kink - rating);
            if start < away && 0.0 <= left(away)? {
                start = away;
            }
        }
        let search = Search {
            start,
            step: reach * step,
            limits: (0.0, (limit - rating).abs()),
            tolerance: 1e-10,
        };
        Ok(rating + direction * search.falling(&mut left)?)
    };
    Ok(Interval {
        low: end(-1.0, limits.0)?,
        high: end(1.0, limits.1)?,
    })
}
