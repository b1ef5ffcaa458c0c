use std::fmt;
use std::str::FromStr;

use crate::chess::quote::Quoted;
use crate::chess::text::serde_as_text;
use crate::chess::{Position, UciMove};

/// An engine's score, as in UCI: centipawns, or full moves to mate.
///
/// Positive is good for the side it speaks of; in UCI that is the side to
/// move. Whoever stores a score says whose it is. The two kinds are not
/// ordered against each other here: how a mate compares with centipawns is a
/// decision of the measure that needs it.
///
/// Its text is the UCI text: `cp 34`, `mate -3`. `mate 0` is said of the side
/// that has just been mated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Full moves to mate; negative when the side itself is mated.
    Mate(i32),
}

impl Score {
    /// Whether a line of play shows that this is no score of a position: it goes
    /// on to where the mate would stand, and there is none. A line that ends
    /// before, or holds a move that is not legal, contradicts nothing.
    pub fn is_contradicted_by(self, line: &[UciMove], position: &Position) -> bool {
        let Self::Mate(moves) = self else {
            return false;
        };
        // The side that mates has the last move, and the first where it is to move.
        let plies = u64::from(moves.unsigned_abs()) * 2 - u64::from(0 < moves);
        let shown = usize::try_from(plies).ok().and_then(|end| line.get(..end));
        let Some(shown) = shown else {
            return false;
        };
        let mut board = position.clone();
        shown.iter().all(|uci| board.play(*uci).is_ok())
            && (board.has_legal_move() || !board.is_check())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// The text is no score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseScoreError {
    /// The text.
    pub found: String,
}

impl fmt::Display for ParseScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a score such as `cp 34` or `mate -3`, found {}",
            Quoted(&self.found)
        )
    }
}

impl std::error::Error for ParseScoreError {}

impl FromStr for Score {
    type Err = ParseScoreError;

    fn from_str(text: &str) -> Result<Self, ParseScoreError> {
        let score = match text.split_once(' ') {
            Some(("cp", number)) => number.parse().ok().map(Self::Centipawns),
            Some(("mate", number)) => number.parse().ok().map(Self::Mate),
            Some(_) | None => None,
        };
        // Comparing with the written form refuses `+3`, `03` and `-0`.
        score
            .filter(|score| score.to_string() == text)
            .ok_or_else(|| ParseScoreError {
                found: text.to_owned(),
            })
    }
}

serde_as_text!(Score, "a score such as `cp 34` or `mate -3`");

impl schemars::JsonSchema for Score {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Score".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^(cp|mate) (0|-?[1-9][0-9]{0,9})$",
            "description": "A UCI score: `cp 34` in centipawns, `mate -3` in full moves."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_written_as_in_uci_and_reads_back() {
        for (score, text) in [
            (Score::Centipawns(34), "cp 34"),
            (Score::Centipawns(i32::MIN), "cp -2147483648"),
            (Score::Mate(-3), "mate -3"),
            (Score::Mate(0), "mate 0"),
        ] {
            assert_eq!(score.to_string(), text);
            assert_eq!(text.parse(), Ok(score));
        }
    }

    #[test]
    fn a_score_has_one_spelling() {
        for text in [
            "cp +3",
            "cp 03",
            "cp -0",
            "cp  3",
            "cp 3 ",
            "CP 3",
            "mate",
            "34",
            "cp 2147483648",
        ] {
            assert!(text.parse::<Score>().is_err(), "{text}");
        }
    }
}
