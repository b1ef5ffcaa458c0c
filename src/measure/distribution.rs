//! Tails of the distributions that tests and intervals need.

use std::f64::consts::FRAC_1_SQRT_2;

/// The 97.5 % quantile of the standard normal distribution.
pub(crate) const NORMAL_975: f64 = 1.959_963_984_540_054;

/// The share of the standard normal distribution below `z`.
pub(crate) fn normal_below(z: f64) -> f64 {
    libm::erfc(-z * FRAC_1_SQRT_2) / 2.0
}

/// The 97.5 % quantile of Student's t with so many degrees of freedom, by the
/// expansion 26.7.5 of Abramowitz and Stegun: within 1 % from 2 degrees on,
/// and within 0.02 % from 5 on.
pub(crate) fn student_975(freedom: f64) -> f64 {
    let z = NORMAL_975;
    let z2 = z * z;
    let terms = [
        (z2 + 1.0) / 4.0,
        ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
        (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
        ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92_160.0,
    ];
    let sum = terms
        .iter()
        .rev()
        .fold(0.0, |sum, term| (sum + term) / freedom);
    z * (1.0 + sum)
}

/// The share of chi-square with so many degrees of freedom above `x`, or
/// nothing when there is no degree of freedom, `x` is no number, or the sum
/// does not end.
///
/// It is the incomplete gamma function Q(freedom/2, x/2): by its series (DLMF
/// 8.11.4) where `x` is small, or else by its continued fraction (DLMF 8.9.2)
/// in the form of Lentz.
#[expect(
    clippy::many_single_char_names,
    reason = "the letters are those of the method of Lentz"
)]
pub(crate) fn chi_square_above(x: f64, freedom: u32) -> Option<f64> {
    const STEPS_MAX: u32 = 100_000;
    const SMALL: f64 = 1e-16;
    if freedom == 0 || x.is_nan() {
        return None;
    }
    if x <= 0.0 {
        return Some(1.0);
    }
    let a = f64::from(freedom) / 2.0;
    let x = x / 2.0;
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let mut term = 1.0 / a;
        let mut sum = term;
        for step in 1..STEPS_MAX {
            term *= x / (a + f64::from(step));
            sum += term;
            if term < sum * SMALL {
                return Some((1.0 - front * sum).clamp(0.0, 1.0));
            }
        }
        return None;
    }
    let mut b = x + 1.0 - a;
    let mut c = f64::INFINITY;
    let mut d = 1.0 / b;
    let mut h = d;
    for step in 1..STEPS_MAX {
        let step = f64::from(step);
        let factor = -step * (step - a);
        b += 2.0;
        d = 1.0 / (factor * d + b);
        c = b + factor / c;
        h *= c * d;
        if (c * d - 1.0).abs() < SMALL.max(f64::EPSILON) {
            return Some((front * h).clamp(0.0, 1.0));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    // Computed with 50 digits by another program.
    #[test]
    fn tails_are_those_of_other_programs() {
        for (x, freedom, expected) in CHI_SQUARE {
            let found = chi_square_above(x, freedom).unwrap();
            assert!(
                (found - expected).abs() < 1e-13 + 1e-11 * expected,
                "{x} {freedom} {found}"
            );
        }
        for (freedom, expected) in STUDENT {
            let found = student_975(freedom);
            assert!((found / expected - 1.0).abs() < 2e-4, "{freedom} {found}");
        }
        assert!((student_975(2.0) / 4.302_652_729_696_142 - 1.0).abs() < 0.01);
        assert!((normal_below(NORMAL_975) - 0.975).abs() < 1e-15);
        assert_eq!(chi_square_above(1.0, 0), None);
        assert_eq!(chi_square_above(f64::NAN, 3), None);
        assert_eq!(chi_square_above(0.0, 3), Some(1.0));
    }

    const CHI_SQUARE: [(f64, u32, f64); 8] = [
        (0.1, 1, 0.751_829_634_045_849_3),
        (3.841_458_820_694_124, 1, 0.050_000_000_000_000_06),
        (5.0, 2, 0.082_084_998_623_898_8),
        (12.5, 7, 0.085_269_275_158_269_27),
        (40.0, 7, 1.258_790_387_371_308_8e-6),
        (95.0, 100, 0.622_579_291_878_173_5),
        (160.0, 100, 1.307_839_765_914_103_4e-4),
        (2.0, 30, 0.999_999_999_999_7),
    ];
    const STUDENT: [(f64, f64); 4] = [
        (5.0, 2.570_581_835_636_316),
        (10.0, 2.228_138_851_986_275),
        (57.0, 2.002_465_459_291_007),
        (1000.0, 1.962_339_080_826_408),
    ];
}
