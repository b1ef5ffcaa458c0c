use std::fmt;
use std::str::FromStr;

use crate::canonical::Time;

/// A UTC day, from year 0000 to 9999: `2026-11-29`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    last: Time,
}

impl Day {
    /// The last millisecond of it.
    pub const fn last(self) -> Time {
        self.last
    }
}

/// The text is not a day in its one spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a day, such as 2026-11-29")]
pub struct ParseDayError;

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, ParseDayError> {
        let last = format!("{text}T23:59:59.999Z").parse();
        last.map(|last| Self { last }).map_err(|_| ParseDayError)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.last.day())
    }
}

impl fmt::Debug for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_spelling_and_ends_a_millisecond_before_the_next() {
        for text in ["2026-11-29", "2024-02-29", "0000-01-01", "9999-12-31"] {
            let day: Day = text.parse().unwrap();
            assert_eq!(day.to_string(), text);
            assert_eq!(day.last().to_string(), format!("{text}T23:59:59.999Z"));
            let next = Time::from_unix_ms(day.last().unix_ms() + 1);
            assert!(next.is_none_or(|next| next.day() != text));
        }
        for text in [
            "",
            "2026-02-30",
            "2026-2-3",
            "2026-11-29 ",
            "20261129",
            "2026-11-29T00:00:00.000Z",
            "2026-13-01",
        ] {
            assert_eq!(text.parse::<Day>(), Err(ParseDayError), "{text:?}");
        }
    }
}
