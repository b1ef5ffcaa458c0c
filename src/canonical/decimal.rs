use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::canonical::read_as_text;

/// An exact decimal number, written as a JSON string because JSON numbers are not exact.
///
/// It has one spelling: no exponent, no leading or trailing zeros, no `-0`, no
/// plus sign, at most nine digits before the point and eighteen after it:
/// `0.06`, `1500`, `-1.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(rust_decimal::Decimal);

/// An amount of US dollars. Absent is unknown; zero is free. A [`Total`](crate::canonical::Total)
/// adds them up.
pub type Money = Decimal;

/// The most digits before, and after, the decimal point.
const MAX_INTEGER_DIGITS: usize = 9;
const MAX_FRACTION_DIGITS: usize = 18;

impl Decimal {
    /// Zero. Not the same as absent.
    pub const ZERO: Self = Self(rust_decimal::Decimal::ZERO);

    /// Returns so many tenths.
    pub(crate) fn of_tenths(tenths: i64) -> Self {
        Self(rust_decimal::Decimal::new(tenths, 1))
    }

    /// Returns the nearest double, for arithmetic that is not exact anyway.
    pub fn to_f64(self) -> f64 {
        // The text of a decimal always reads as a double.
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Its digits as a whole number, and how many of them stand behind the point.
    pub(crate) const fn parts(self) -> (i128, u32) {
        (self.0.mantissa(), self.0.scale())
    }

    /// Whether the number is below zero.
    pub const fn is_negative(self) -> bool {
        self.0.is_sign_negative() && !self.0.is_zero()
    }
}

/// The text is not a decimal number in its one spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a plain decimal such as \"0.00042\": no exponent, no leading or trailing zeros, at most {MAX_INTEGER_DIGITS} digits before and {MAX_FRACTION_DIGITS} after the point"
)]
pub struct ParseDecimalError;

impl FromStr for Decimal {
    type Err = ParseDecimalError;

    fn from_str(text: &str) -> Result<Self, ParseDecimalError> {
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
            return Err(ParseDecimalError);
        }
        rust_decimal::Decimal::from_str_exact(text)
            .map(Self)
            .map_err(|_| ParseDecimalError)
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

read_as_text!(Decimal, "a plain decimal such as \"0.00042\"");

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.normalize(), f)
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(0|-?[1-9][0-9]{0,8}|-?(0|[1-9][0-9]{0,8})\\.[0-9]{0,17}[1-9])$",
            "description": "A plain decimal number: no exponent, no leading or trailing zeros."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_has_one_spelling() {
        for text in [
            "0",
            "800",
            "0.00042",
            "-1.5",
            "-0.5",
            "999999999.999999999999999999",
        ] {
            assert_eq!(text.parse::<Decimal>().unwrap().to_string(), text);
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
            assert!(text.parse::<Decimal>().is_err(), "{text:?}");
        }
    }
}
