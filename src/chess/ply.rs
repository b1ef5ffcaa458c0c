use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::chess::quote::Quoted;

/// How many moves, of either side, were played in a game so far.
///
/// Ply 0 is the start position and the first move is ply 1, whoever makes
/// it. Written as an integer.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct Ply(pub u32);

impl Ply {
    /// The start position, before any move.
    pub const START: Self = Self(0);

    /// The ply after this one; the last representable ply stays itself.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is no ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePlyError {
    /// The text.
    pub found: String,
}

impl fmt::Display for ParsePlyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a ply from 0 to {} without leading zeros, found {}",
            u32::MAX,
            Quoted(&self.found)
        )
    }
}

impl std::error::Error for ParsePlyError {}

impl FromStr for Ply {
    type Err = ParsePlyError;

    fn from_str(text: &str) -> Result<Self, ParsePlyError> {
        // Comparing with the written form refuses signs and leading zeros.
        match text.parse() {
            Ok(number) if Self(number).to_string() == text => Ok(Self(number)),
            Ok(_) | Err(_) => Err(ParsePlyError {
                found: text.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ply_is_written_as_an_integer() {
        assert_eq!(serde_json::to_string(&Ply(17)).unwrap(), "17");
        assert_eq!(serde_json::from_str::<Ply>("17").unwrap(), Ply(17));
        assert!(serde_json::from_str::<Ply>("-1").is_err());
        assert!(serde_json::from_str::<Ply>("\"17\"").is_err());
    }

    #[test]
    fn a_ply_has_one_spelling() {
        assert_eq!("0".parse(), Ok(Ply::START));
        for text in ["", "+1", "01", "-0", " 1", "4294967296"] {
            assert!(text.parse::<Ply>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_move_is_ply_one() {
        assert_eq!(Ply::START.next(), Ply(1));
        assert_eq!(Ply(u32::MAX).next(), Ply(u32::MAX));
    }
}
