//! Where a falling function crosses zero: bracketed, and never given up
//! silently.

/// How many steps a search may take; ten are usual.
const STEPS_MAX: u32 = 400;

/// A search did not end, or a figure is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rating: the search did not end in {STEPS_MAX} steps with a finite number")]
pub struct NoRoot;

/// Where to look for a crossing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    /// The first place.
    pub(crate) start: f64,
    /// How far away the second one is.
    pub(crate) step: f64,
    /// The places beyond which nothing is looked for.
    pub(crate) limits: (f64, f64),
    /// How near the two ends of the bracket must come.
    pub(crate) tolerance: f64,
}

impl Search {
    /// Returns where the falling function crosses zero: its values are above
    /// zero before the place and below after it. It may jump there, and may be
    /// infinite elsewhere.
    ///
    /// The bracket grows from the start by doubled steps and is then narrowed
    /// with Chandrupatla's choice between bisection and inverse quadratic
    /// interpolation (Advances in Engineering Software 28, 1997), so that a
    /// search cannot run away.
    ///
    /// # Errors
    ///
    /// No crossing between the limits, a value that is no number, or too many
    /// steps.
    pub(crate) fn falling(
        self,
        f: &mut impl FnMut(f64) -> Result<f64, NoRoot>,
    ) -> Result<f64, NoRoot> {
        let (low, high) = self.limits;
        let mut f = |x: f64| f(x).and_then(|y| if y.is_nan() { Err(NoRoot) } else { Ok(y) });
        let mut near = (self.start, f(self.start)?);
        if near.1 == 0.0 {
            return Ok(near.0);
        }
        let direction = near.1.signum();
        let mut step = self.step;
        for _ in 0..STEPS_MAX {
            let x = (near.0 + direction * step).clamp(low, high);
            let far = (x, f(x)?);
            if far.1 == 0.0 {
                return Ok(far.0);
            }
            if (far.1 < 0.0) != (direction < 0.0) {
                return narrowed(near, far, self.tolerance, &mut f);
            }
            if x <= low && direction < 0.0 || high <= x && 0.0 < direction {
                return Err(NoRoot);
            }
            near = far;
            step *= 2.0;
        }
        Err(NoRoot)
    }
}

/// Narrows a bracket: the two values have different signs.
fn narrowed(
    mut one: (f64, f64),
    mut two: (f64, f64),
    tolerance: f64,
    f: &mut impl FnMut(f64) -> Result<f64, NoRoot>,
) -> Result<f64, NoRoot> {
    let mut share = 0.5;
    for _ in 0..STEPS_MAX {
        let x = one.0 + share * (two.0 - one.0);
        let new = (x, f(x)?);
        let three;
        if (new.1 < 0.0) == (one.1 < 0.0) {
            three = one;
        } else {
            three = two;
            two = one;
        }
        one = new;
        let best = if one.1.abs() < two.1.abs() { one } else { two };
        let near = (2.0 * f64::EPSILON * best.0.abs() + 0.5 * tolerance) / (two.0 - one.0).abs();
        if best.1 == 0.0 || 0.5 < near {
            return Ok(best.0);
        }
        let place = (one.0 - two.0) / (three.0 - two.0);
        let value = (one.1 - two.1) / (three.1 - two.1);
        // Where a value is infinite these are no numbers, and the half is taken.
        let is_smooth = value * value < place && (1.0 - value) * (1.0 - value) < 1.0 - place;
        share = if is_smooth {
            one.1 / (two.1 - one.1) * three.1 / (two.1 - three.1)
                + (three.0 - one.0) / (two.0 - one.0) * one.1 / (three.1 - one.1) * two.1
                    / (three.1 - two.1)
        } else {
            0.5
        };
        share = share.clamp(near, 1.0 - near);
    }
    Err(NoRoot)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn falling(f: impl Fn(f64) -> f64, start: f64) -> Result<f64, NoRoot> {
        let search = Search {
            start,
            step: 0.5,
            limits: (-1e6, 1e6),
            tolerance: 1e-12,
        };
        search.falling(&mut |x| Ok(f(x)))
    }

    #[test]
    fn a_crossing_is_found_from_afar_at_a_jump_and_beside_infinities() {
        for start in [-3e5, -1.0, 0.0, 2.0, 7e5] {
            assert!((falling(|x| 2.0 - x, start).unwrap() - 2.0).abs() < 1e-9);
            let jump = falling(|x| if x < 2.0 { 1.0 } else { -3.0 }, start);
            assert!((jump.unwrap() - 2.0).abs() < 1e-9);
            let steep = |x: f64| if x < 1.0 { f64::INFINITY } else { 1.5 - x };
            assert!((falling(steep, start).unwrap() - 1.5).abs() < 1e-9);
        }
    }

    #[test]
    fn what_has_no_crossing_or_is_no_number_is_an_error() {
        assert_eq!(falling(|_| 1.0, 0.0), Err(NoRoot));
        assert_eq!(falling(|_| -1.0, 0.0), Err(NoRoot));
        assert_eq!(falling(|_| f64::NAN, 0.0), Err(NoRoot));
        let hole = |x: f64| if x.abs() < 1.0 { 1.0 } else { f64::NAN };
        assert_eq!(falling(hole, 0.0), Err(NoRoot));
    }
}
