use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// What a clock said: a UTC time to the millisecond, from year 0000 to 9999.
///
/// Its one spelling has exactly three decimals and ends in `Z`:
/// `2026-11-29T20:48:00.123Z` (a profile of RFC 3339). Times are data; they
/// order nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Time {
    unix_ms: i64,
}

impl Time {
    /// Returns the time so many milliseconds after 1970-01-01T00:00:00Z, or
    /// nothing outside the years 0000 to 9999.
    pub fn from_unix_ms(unix_ms: i64) -> Option<Self> {
        let time = Self { unix_ms };
        (0..=9999)
            .contains(&time.calendar()?.year())
            .then_some(time)
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

    fn calendar(self) -> Option<time::OffsetDateTime> {
        time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.unix_ms) * 1_000_000).ok()
    }
}

/// Where times come from. Only `cli` has one that reads the wall clock.
pub trait Clock: Sync {
    /// What the clock says.
    fn now(&self) -> Time;
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
        let bytes = text.as_bytes();
        if bytes.len() != 24 {
            return Err(ParseTimeError);
        }
        for (at, mark) in [
            (4, b'-'),
            (7, b'-'),
            (10, b'T'),
            (13, b':'),
            (16, b':'),
            (19, b'.'),
            (23, b'Z'),
        ] {
            if bytes[at] != mark {
                return Err(ParseTimeError);
            }
        }
        let number = |range: std::ops::Range<usize>| {
            bytes[range].iter().try_fold(0_u16, |number, digit| {
                digit
                    .is_ascii_digit()
                    .then(|| number * 10 + u16::from(digit - b'0'))
                    .ok_or(ParseTimeError)
            })
        };
        let small = |range| number(range).and_then(|n| u8::try_from(n).map_err(|_| ParseTimeError));
        let month = time::Month::try_from(small(5..7)?).map_err(|_| ParseTimeError)?;
        let moment = time::Date::from_calendar_date(number(0..4)?.into(), month, small(8..10)?)
            .and_then(|date| {
                let (hour, minute) = (small(11..13), small(14..16));
                let (second, milli) = (small(17..19), number(20..23));
                // A digit that is none reads as an hour that is none.
                date.with_hms_milli(
                    hour.unwrap_or(99),
                    minute.unwrap_or(99),
                    second.unwrap_or(99),
                    milli.unwrap_or(9999),
                )
            })
            .map_err(|_| ParseTimeError)?
            .assume_utc();
        i64::try_from(moment.unix_timestamp_nanos() / 1_000_000)
            .map(|unix_ms| Self { unix_ms })
            .map_err(|_| ParseTimeError)
    }
}

impl TryFrom<String> for Time {
    type Error = ParseTimeError;

    fn try_from(text: String) -> Result<Self, ParseTimeError> {
        text.parse()
    }
}

impl From<Time> for String {
    fn from(time: Time) -> Self {
        time.to_string()
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = self.calendar().ok_or(fmt::Error)?;
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            moment.year(),
            u8::from(moment.month()),
            moment.day(),
            moment.hour(),
            moment.minute(),
            moment.second(),
            moment.millisecond(),
        )
    }
}

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
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
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
