use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::canonical::{Time, read_as_text};

/// A UTC day, from year 0000 to 9999. Its one spelling is `2026-11-29`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    /// Its first millisecond.
    begin: Time,
}

/// The milliseconds of a day; UTC as clocks tell it has no leap seconds.
const DAY_MS: i64 = 86_400_000;

/// The text is no day in its one spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a UTC day, such as \"2026-11-29\"")]
pub struct ParseDayError;

impl Day {
    /// Returns the UTC day that this time falls on.
    pub fn of(time: Time) -> Self {
        let begin = time.unix_ms() - time.unix_ms().rem_euclid(DAY_MS);
        Self {
            // The first millisecond of a day is in the same year as the others.
            begin: Time::from_unix_ms(begin).unwrap_or(time),
        }
    }

    /// The first millisecond of the day.
    pub const fn begin(self) -> Time {
        self.begin
    }

    /// The last millisecond of the day.
    pub fn last(self) -> Time {
        // The last millisecond of a day is in the same year as the first.
        Time::from_unix_ms(self.begin.unix_ms() + DAY_MS - 1).unwrap_or(self.begin)
    }

    /// Returns the day so many days later, or nothing beyond the year 9999.
    pub fn plus(self, days: u32) -> Option<Self> {
        let begin = self.begin.unix_ms() + i64::from(days) * DAY_MS;
        Time::from_unix_ms(begin).map(|begin| Self { begin })
    }

    /// Returns how many days later than another day this one is.
    pub const fn days_since(self, earlier: Self) -> i64 {
        (self.begin.unix_ms() - earlier.begin.unix_ms()) / DAY_MS
    }
}

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, ParseDayError> {
        let begin = format!("{text}T00:00:00.000Z").parse();
        begin.map(|begin| Self { begin }).map_err(|_| ParseDayError)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.begin.day())
    }
}

impl fmt::Debug for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

read_as_text!(Day, "a UTC day, such as \"2026-11-29\"");

impl JsonSchema for Day {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
            "description": "A UTC day, such as 2026-11-29."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_spelling_and_all_its_times_fall_on_it() {
        for text in [
            "2026-11-29",
            "0000-01-01",
            "9999-12-31",
            "1969-12-31",
            "2024-02-29",
        ] {
            let day: Day = text.parse().unwrap();
            assert_eq!(day.to_string(), text);
            let last = format!("{text}T23:59:59.999Z").parse().unwrap();
            assert_eq!(Day::of(last), day);
            assert_eq!(Day::of(day.begin()), day);
            assert_eq!(day.last(), last);
        }
        for text in [
            "",
            "2026-11-29T",
            "2023-02-29",
            "2026-1-29",
            "26-11-29",
            " 2026-11-29",
        ] {
            assert!(text.parse::<Day>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn days_are_counted_over_leap_days_and_end_with_the_calendar() {
        let day: Day = "2024-02-28".parse().unwrap();
        let later = day.plus(2).unwrap();
        assert_eq!(later.to_string(), "2024-03-01");
        assert_eq!(later.days_since(day), 2);
        assert_eq!("9999-12-31".parse::<Day>().unwrap().plus(1), None);
    }
}
