use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

use rust_decimal::Decimal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// An amount of US dollars, exact to 18 decimal places.
///
/// It has one spelling: no exponent, no leading or trailing zeros, no `-0`,
/// no plus sign: `0.00042`, `800`, `-1.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Money(Decimal);

/// The most digits before, and after, the decimal point.
const MAX_INTEGER_DIGITS: usize = 9;
const MAX_FRACTION_DIGITS: usize = 18;

impl Money {
    /// No money. Not the same as an unknown amount.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// The exact decimal value, in US dollars.
    pub const fn decimal(self) -> Decimal {
        self.0
    }

    /// Returns the sum, or nothing when it has more digits than can be held.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }
}

/// The text is not an amount in its one spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected US dollars as a plain decimal such as \"0.00042\": no exponent, no leading or trailing zeros, at most {MAX_INTEGER_DIGITS} digits before and {MAX_FRACTION_DIGITS} after the point"
)]
pub struct ParseMoneyError;

impl FromStr for Money {
    type Err = ParseMoneyError;

    fn from_str(text: &str) -> Result<Self, ParseMoneyError> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (unsigned, None),
        };
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let whole_is_plain = digits(whole)
            && (1..=MAX_INTEGER_DIGITS).contains(&whole.len())
            && (whole == "0" || !whole.starts_with('0'));
        let fraction_is_plain = fraction.is_none_or(|fraction| {
            digits(fraction)
                && (1..=MAX_FRACTION_DIGITS).contains(&fraction.len())
                && !fraction.ends_with('0')
        });
        if !whole_is_plain || !fraction_is_plain || text == "-0" {
            return Err(ParseMoneyError);
        }
        Decimal::from_str_exact(text)
            .map(Self)
            .map_err(|_| ParseMoneyError)
    }
}

impl TryFrom<String> for Money {
    type Error = ParseMoneyError;

    fn try_from(text: String) -> Result<Self, ParseMoneyError> {
        text.parse()
    }
}

impl From<Money> for String {
    fn from(amount: Money) -> Self {
        amount.to_string()
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.normalize(), f)
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.map(|amount| amount.0).sum())
    }
}

impl JsonSchema for Money {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Money".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(0|-?[1-9][0-9]{0,8}|-?(0|[1-9][0-9]{0,8})\\.[0-9]{0,17}[1-9])$",
            "description": "US dollars as a plain decimal: no exponent, no leading or trailing zeros."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_one_spelling() {
        for text in [
            "0",
            "800",
            "0.00042",
            "-1.5",
            "999999999.999999999999999999",
        ] {
            assert_eq!(text.parse::<Money>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "-",
            "-0",
            "+1",
            "1.",
            ".5",
            "1.0",
            "1.50",
            "01",
            "1e3",
            "1,5",
            " 1",
            "0x1",
            "NaN",
            "1000000000",
            "0.0000000000000000001",
            "-0.0",
            "١",
        ] {
            assert!(text.parse::<Money>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn sums_are_exact_and_print_without_trailing_zeros() {
        let total: Money = ["0.1", "0.2", "0.7"]
            .iter()
            .map(|t| t.parse::<Money>().unwrap())
            .sum();
        assert_eq!(total.to_string(), "1");
    }
}
