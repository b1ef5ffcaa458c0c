/// The number is infinite or no number, and is never printed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("expected a finite number, found {found}")]
pub struct NotFinite {
    /// The number.
    pub found: f64,
}

/// Returns the number with exactly this many digits after the point.
///
/// Every floating-point number that reaches an artifact is printed here. The
/// exact binary value is rounded, half to even; zero has no sign; infinities
/// and NaN are an error.
pub fn decimal(value: f64, digits: usize) -> Result<String, NotFinite> {
    if !value.is_finite() {
        return Err(NotFinite { found: value });
    }
    let text = format!("{value:.digits$}");
    // What rounds to zero loses its sign, too.
    let is_zero = text.bytes().all(|c| matches!(c, b'-' | b'0' | b'.'));
    Ok(match text.strip_prefix('-') {
        Some(unsigned) if is_zero => unsigned.to_owned(),
        Some(_) | None => text,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn printed(value: f64, digits: usize) -> String {
        decimal(value, digits).unwrap()
    }

    #[test]
    fn the_digits_after_the_point_are_fixed() {
        assert_eq!(printed(1500.0, 2), "1500.00");
        assert_eq!(printed(1_464.050_670_539_089, 4), "1464.0507");
        assert_eq!(printed(-12.0, 0), "-12");
        assert_eq!(printed(1e20, 1), "100000000000000000000.0");
    }

    #[test]
    fn exact_halves_go_to_the_even_digit() {
        for (value, text) in [(0.5, "0"), (1.5, "2"), (2.5, "2"), (3.5, "4"), (-2.5, "-2")] {
            assert_eq!(printed(value, 0), text);
        }
        for (value, text) in [(0.125, "0.12"), (0.375, "0.38"), (0.625, "0.62")] {
            assert_eq!(printed(value, 2), text);
        }
    }

    #[test]
    fn the_exact_binary_value_is_rounded_not_the_shortest_decimal() {
        // 0.15 is stored a little below, 0.35 a little below, 0.45 a little above.
        assert_eq!(printed(0.15, 1), "0.1");
        assert_eq!(printed(0.35, 1), "0.3");
        assert_eq!(printed(0.45, 1), "0.5");
        assert_eq!(printed(1.005, 2), "1.00");
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(printed(-0.0, 2), "0.00");
        assert_eq!(printed(-0.004, 2), "0.00");
        assert_eq!(printed(-0.006, 2), "-0.01");
    }

    #[test]
    fn infinities_and_nan_are_never_printed() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(decimal(value, 2).is_err());
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_is_within_half_a_unit(value in -1e6..1e6_f64, digits in 0..6_usize) {
            let text = printed(value, digits);
            let unit = libm::pow(10.0, -f64::from(u8::try_from(digits).unwrap()));
            prop_assert!((text.parse::<f64>().unwrap() - value).abs() <= 0.500_001 * unit);
            prop_assert_eq!(text.split_once('.').map_or(0, |(_, after)| after.len()), digits);
        }
    }
}
