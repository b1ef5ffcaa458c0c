use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use crate::canonical::Money;

/// An exact sum of US dollars, of any number of [`Money`] amounts.
///
/// Where money has eighteen digits behind the point, a sum has twenty-four, so
/// that a token at a price for a million of them is exact too. Nothing is ever
/// rounded, so the order of summing does not matter; only a sum beyond 10^38
/// dollars, more than any ledger can hold, would wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "[i128; 2]", into = "[i128; 2]")]
pub struct Total {
    /// Whole dollars, rounded down.
    whole: i128,
    /// What is above them, in units of 10^-24 dollars: fewer than [`UNITS`].
    fraction: i128,
}

/// Both parts, for whoever keeps a sum.
impl From<Total> for [i128; 2] {
    fn from(total: Total) -> Self {
        [total.whole, total.fraction]
    }
}

impl From<[i128; 2]> for Total {
    fn from([whole, fraction]: [i128; 2]) -> Self {
        Self::new(whole, fraction)
    }
}

/// Digits behind the point.
const DIGITS: u32 = 24;

/// The units of a dollar.
const UNITS: i128 = 10_i128.pow(DIGITS);

/// Its root, for products that would not fit.
const HALF_WAY: i128 = 10_i128.pow(DIGITS / 2);

impl Total {
    /// Nothing. Not the same as unknown.
    pub const ZERO: Self = Self {
        whole: 0,
        fraction: 0,
    };

    const fn new(whole: i128, units: i128) -> Self {
        Self {
            whole: whole.wrapping_add(units.div_euclid(UNITS)),
            fraction: units.rem_euclid(UNITS),
        }
    }

    /// Returns what so many tokens cost at a price for a million of them.
    pub fn of_tokens(tokens: u64, usd_per_million: Money) -> Self {
        let all = Self::from(usd_per_million).times(tokens);
        // A price has eighteen digits at most, so that six are left to spare.
        let rest = all.whole.rem_euclid(1_000_000) * (UNITS / 1_000_000);
        Self::new(
            all.whole.div_euclid(1_000_000),
            rest + all.fraction / 1_000_000,
        )
    }

    /// Returns the sum so many times.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        let count = i128::from(count);
        let (high, low) = (self.fraction / HALF_WAY, self.fraction % HALF_WAY);
        let (high, low) = (high * count, low * count);
        let whole = self.whole.wrapping_mul(count);
        Self::new(
            whole.wrapping_add(high / HALF_WAY),
            high % HALF_WAY * HALF_WAY + low,
        )
    }

    /// Returns the average of so many parts, to twenty-four digits rounded down,
    /// and how many of its last units are left; nothing for no parts.
    pub fn shared(self, parts: u64) -> Option<(Self, u64)> {
        let by = i128::from(parts);
        let whole = self.whole.checked_div_euclid(by)?;
        let mut left = self.whole.checked_rem_euclid(by)?;
        let mut fraction = 0;
        for digit in (0..DIGITS).rev() {
            // Digit by digit, as on paper: `left` stays below `by`.
            left = left * 10 + self.fraction / 10_i128.pow(digit) % 10;
            fraction = fraction * 10 + left / by;
            left %= by;
        }
        let left = u64::try_from(left).unwrap_or_default();
        Some((Self { whole, fraction }, left))
    }

    /// Returns the sum rounded to so many digits behind the point, half to even.
    #[must_use]
    pub const fn rounded(self, digits: u32) -> Self {
        if DIGITS <= digits {
            return self;
        }
        let step = 10_i128.pow(DIGITS - digits);
        let (steps, rest) = (self.fraction / step, self.fraction % step);
        let is_even = if digits == 0 {
            self.whole % 2 == 0
        } else {
            steps % 2 == 0
        };
        let is_up = step < rest * 2 || (step == rest * 2 && !is_even);
        let steps = if is_up { steps + 1 } else { steps };
        Self::new(self.whole, steps * step)
    }

    /// Returns the sum as an amount that an event can carry, rounded to eighteen
    /// digits behind the point; nothing where it is too large for that.
    pub fn money(self) -> Option<Money> {
        self.rounded(18).to_string().parse().ok()
    }

    /// Whether it is above zero.
    pub const fn is_positive(self) -> bool {
        0 < self.whole || (self.whole == 0 && 0 < self.fraction)
    }

    /// Whether it is below zero.
    pub const fn is_negative(self) -> bool {
        self.whole < 0
    }
}

impl From<Money> for Total {
    fn from(money: Money) -> Self {
        let (mantissa, scale) = money.parts();
        let one = 10_i128.pow(scale.min(28));
        let rest = mantissa.rem_euclid(one);
        let units = match DIGITS.checked_sub(scale) {
            Some(more) => rest * 10_i128.pow(more),
            // No amount that an event carries has as many digits.
            None => rest / 10_i128.pow(scale.min(28) - DIGITS),
        };
        Self::new(mantissa.div_euclid(one), units)
    }
}

impl Add for Total {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(
            self.whole.wrapping_add(other.whole),
            self.fraction + other.fraction,
        )
    }
}

impl Sub for Total {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(
            self.whole.wrapping_sub(other.whole),
            self.fraction - other.fraction,
        )
    }
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Total {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Total {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, Self::add)
    }
}

/// As [`Money`] is spelled: no exponent and no trailing zeros.
impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, whole, fraction) = match (self.whole < 0, self.fraction) {
            (false, fraction) => ("", self.whole.unsigned_abs(), fraction),
            (true, 0) => ("-", self.whole.unsigned_abs(), 0),
            (true, above) => ("-", self.whole.unsigned_abs() - 1, UNITS - above),
        };
        let text = format!("{sign}{whole}.{fraction:024}");
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn total(text: &str) -> Total {
        text.parse::<Money>().unwrap().into()
    }

    #[test]
    fn a_sum_is_spelled_like_money_and_keeps_every_digit() {
        for text in [
            "0",
            "1500",
            "0.06",
            "-1.5",
            "-0.000000000000000001",
            "999999999.999999999999999999",
            "-999999999.999999999999999999",
        ] {
            assert_eq!(total(text).to_string(), text);
            assert_eq!(total(text).money(), Some(text.parse().unwrap()));
            assert_eq!(total(text).is_negative(), text.starts_with('-'));
        }
    }

    #[test]
    fn a_sum_beyond_what_money_can_say_stays_exact_and_panics_nowhere() {
        let most = total("999999999.999999999999999999");
        let sum: Total = std::iter::repeat_n(most, 1000).sum();
        assert_eq!(sum.to_string(), "999999999999.999999999999999");
        assert_eq!(sum.money(), None);
        let least: Total = std::iter::repeat_n(Total::ZERO - most, 1000).sum();
        assert_eq!(sum + least, Total::ZERO);
        let tokens = Total::of_tokens((1 << 53) - 1, "999999999".parse().unwrap());
        assert_eq!(tokens.to_string(), "9007199245733791745.259009");
        assert_eq!(tokens.money(), None);
    }

    #[test]
    fn a_token_costs_the_millionth_of_the_price_of_a_million() {
        let price = |text: &str| text.parse::<Money>().unwrap();
        assert_eq!(
            Total::of_tokens(1, price("0.000000000000000001")).to_string(),
            "0.000000000000000000000001"
        );
        assert_eq!(Total::of_tokens(1234, price("2.5")).to_string(), "0.003085");
        assert_eq!(Total::of_tokens(0, price("2.5")), Total::ZERO);
    }

    #[test]
    fn rounding_goes_half_to_even_on_both_sides_of_zero() {
        let rounded = |text: &str, digits| total(text).rounded(digits).to_string();
        assert_eq!(rounded("0.125", 2), "0.12");
        assert_eq!(rounded("0.135", 2), "0.14");
        assert_eq!(rounded("-0.125", 2), "-0.12");
        assert_eq!(rounded("0.1250001", 2), "0.13");
        assert_eq!(rounded("2.5", 0), "2");
        assert_eq!(rounded("3.5", 0), "4");
        assert_eq!(rounded("0.999", 2), "1");
    }

    proptest! {
        #[test]
        fn an_average_and_what_is_left_give_the_sum_again(
            cents in any::<i64>(),
            parts in 1_u64..=u64::MAX,
        ) {
            let sum = Total::new(i128::from(cents / 100), i128::from(cents % 100) * (UNITS / 100));
            let (average, left) = sum.shared(parts).unwrap();
            prop_assert!(left < parts);
            let again = average.times(parts) + Total::new(0, i128::from(left));
            prop_assert_eq!(again, sum);
        }
    }

    #[test]
    fn nothing_is_shared_among_none() {
        assert_eq!(total("1").shared(0), None);
    }
}
