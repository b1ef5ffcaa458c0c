use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use time::{Date, Month};

use crate::canonical::read_as_text;

/// What a clock said: a UTC time to the millisecond, from year 0000 to 9999.
///
/// Its one spelling has exactly three decimals and ends in `Z`:
/// `2026-11-29T20:48:00.123Z` (a profile of RFC 3339). Times are data; they
/// order nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    unix_ms: i64,
}

const DAY_MS: i64 = 86_400_000;

/// The Julian day of 1970-01-01.
const UNIX_DAY: i32 = 2_440_588;

impl Time {
    /// Returns the time so many milliseconds after 1970-01-01T00:00:00Z, or
    /// nothing outside the years 0000 to 9999.
    pub fn from_unix_ms(unix_ms: i64) -> Option<Self> {
        let time = Self { unix_ms };
        (0..=9999).contains(&time.date()?.year()).then_some(time)
    }

    /// 1970-01-01T00:00:00.000Z.
    pub const EPOCH: Self = Self { unix_ms: 0 };

    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    pub const fn unix_ms(self) -> i64 {
        self.unix_ms
    }

    /// The UTC day, as `2026-11-29`.
    pub fn day(self) -> String {
        self.to_string().chars().take(10).collect()
    }

    fn date(self) -> Option<Date> {
        let days = i32::try_from(self.unix_ms.div_euclid(DAY_MS)).ok()?;
        Date::from_julian_day(UNIX_DAY.checked_add(days)?).ok()
    }

    /// Returns the text, 24 ASCII characters.
    fn text(self) -> Option<[u8; 24]> {
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let mut put = |range: std::ops::Range<usize>, mut number: u64| {
            for digit in text[range].iter_mut().rev() {
                *digit = b"0123456789"[usize::try_from(number % 10).unwrap_or_default()];
                number /= 10;
            }
        };
        let (year, month, day) = self.date()?.to_calendar_date();
        let ms = u64::try_from(self.unix_ms.rem_euclid(DAY_MS)).ok()?;
        put(0..4, u64::try_from(year).ok()?);
        put(5..7, u8::from(month).into());
        put(8..10, day.into());
        put(11..13, ms / 3_600_000);
        put(14..16, ms / 60_000 % 60);
        put(17..19, ms / 1_000 % 60);
        put(20..23, ms % 1_000);
        Some(text)
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let text = <&[u8; 24]>::try_from(text).ok()?;
        let form = b"dddd-dd-ddTdd:dd:dd.dddZ";
        let fits = |(byte, mark): (&u8, &u8)| match mark {
            b'd' => byte.is_ascii_digit(),
            _ => byte == mark,
        };
        if !text.iter().zip(form).all(fits) {
            return None;
        }
        let number = |range: std::ops::Range<usize>| {
            text[range].iter().fold(0, |number: u16, digit| {
                number * 10 + u16::from(digit - b'0')
            })
        };
        let small = |range| u8::try_from(number(range)).ok();
        let month = Month::try_from(small(5..7)?).ok()?;
        let date = Date::from_calendar_date(number(0..4).into(), month, small(8..10)?).ok()?;
        let (hour, minute, second) = (number(11..13), number(14..16), number(17..19));
        if 23 < hour || 59 < minute || 59 < second {
            return None;
        }
        let seconds = (i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second);
        let days = i64::from(date.to_julian_day() - UNIX_DAY);
        Some(Self {
            unix_ms: days * DAY_MS + seconds * 1_000 + i64::from(number(20..23)),
        })
    }
}

/// Where times come from. Only `cli` has one that reads the wall clock.
pub trait Clock: Sync {
    /// What the clock says.
    fn now(&self) -> Time;
}

/// A clock that somebody else keeps.
impl<C: Clock + ?Sized> Clock for &C {
    fn now(&self) -> Time {
        (**self).now()
    }
}

/// A clock that always says the same.
impl Clock for Time {
    fn now(&self) -> Time {
        *self
    }
}

/// The text is not a time in its one spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a UTC time with three decimals, such as \"2026-11-29T20:48:00.123Z\"")]
pub struct ParseTimeError;

impl FromStr for Time {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Self, ParseTimeError> {
        Self::parse(text.as_bytes()).ok_or(ParseTimeError)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text().ok_or(fmt::Error)?;
        f.pad(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Every way to make a time keeps it within the years that have a text.
        let text = self
            .text()
            .ok_or_else(|| S::Error::custom(ParseTimeError))?;
        serializer.serialize_str(std::str::from_utf8(&text).map_err(S::Error::custom)?)
    }
}

read_as_text!(
    Time,
    "a UTC time with three decimals, such as \"2026-11-29T20:48:00.123Z\""
);

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl JsonSchema for Time {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$",
            "description": "A UTC time with exactly three decimals, such as 2026-11-29T20:48:00.123Z."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_one_spelling() {
        for text in [
            "2026-11-29T20:48:00.123Z",
            "0000-01-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z",
            "1969-12-31T23:59:59.999Z",
            "2024-02-29T12:00:00.001Z",
        ] {
            let time: Time = text.parse().unwrap();
            assert_eq!(time.to_string(), text);
            assert_eq!(Time::from_unix_ms(time.unix_ms()), Some(time));
        }
        for text in [
            "",
            "2026-11-29T20:48:00Z",
            "2026-11-29T20:48:00.12Z",
            "2026-11-29t20:48:00.123Z",
            "2026-11-29T20:48:00.123z",
            "2026-11-29 20:48:00.123Z",
            "2026-11-29T20:48:00.123+",
            "2026-02-29T20:48:00.123Z",
            "2026-13-01T20:48:00.123Z",
            "2026-11-29T24:00:00.000Z",
            "2026-11-29T23:59:60.000Z",
            "2026-11-29T2a:59:00.000Z",
            "+026-11-29T20:48:00.123Z",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text:?}");
        }
        assert_eq!(Time::from_unix_ms(i64::MAX), None);
    }
}
