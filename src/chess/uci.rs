use std::fmt;
use std::str::FromStr;

use shakmaty::{CastlingMode, Move, Role, Square, uci};

use crate::chess::quote::Quoted;
use crate::chess::text::serde_as_text;

/// A move in UCI notation: `e2e4`, `a7a8q`.
///
/// Two squares and, for a promotion, the letter of the new piece; nothing
/// else is accepted: no null move, no drop, no capital letter. Castling is the
/// king's two steps in standard chess and king takes own rook in Chess960. The
/// order of moves is the order of their texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
// The text itself, with a zero byte in the place of no promotion: the derived
// order is then the order of the texts.
pub struct UciMove([u8; 5]);

impl UciMove {
    /// The text, four or five ASCII characters.
    pub fn as_str(&self) -> &str {
        let end = if self.0[4] == 0 { 4 } else { 5 };
        // Every constructor writes ASCII.
        std::str::from_utf8(&self.0[..end]).unwrap_or_default()
    }

    /// Returns the canonical spelling of a generated move; none for drops,
    /// which neither variant has.
    pub(in crate::chess) fn of(played: Move, mode: CastlingMode) -> Option<Self> {
        match played.to_uci(mode) {
            uci::UciMove::Normal {
                from,
                to,
                promotion,
            } => {
                let letters = [
                    from.file().char(),
                    from.rank().char(),
                    to.file().char(),
                    to.rank().char(),
                    promotion.map_or('\0', Role::char),
                ];
                let mut bytes = [0; 5];
                for (byte, letter) in bytes.iter_mut().zip(letters) {
                    *byte = u8::try_from(letter).ok()?;
                }
                Some(Self(bytes))
            }
            uci::UciMove::Put { .. } | uci::UciMove::Null => None,
        }
    }

    /// The move as the library writes it.
    pub(in crate::chess) fn to_library(self) -> uci::UciMove {
        let [from_file, from_rank, to_file, to_rank, promotion] = self.0;
        // Every constructor writes the digits and letters of squares.
        let square = |file: u8, rank: u8| {
            let (file, rank) = (u32::from(file - b'a'), u32::from(rank - b'1'));
            Square::new(rank * 8 + file)
        };
        uci::UciMove::Normal {
            from: square(from_file, from_rank),
            to: square(to_file, to_rank),
            promotion: Role::from_char(char::from(promotion)),
        }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is no move in UCI notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseUciMoveError {
    /// The text.
    pub found: String,
}

impl fmt::Display for ParseUciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a UCI move such as `e2e4` or `a7a8q`, found {}",
            Quoted(&self.found)
        )
    }
}

impl std::error::Error for ParseUciMoveError {}

impl FromStr for UciMove {
    type Err = ParseUciMoveError;

    fn from_str(text: &str) -> Result<Self, ParseUciMoveError> {
        let mut bytes = [0; 5];
        let is_move = match text.as_bytes() {
            [squares @ .., b'n' | b'b' | b'r' | b'q'] | squares => matches!(
                squares,
                [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8']
            ),
        };
        if !is_move {
            return Err(ParseUciMoveError {
                found: text.to_owned(),
            });
        }
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self(bytes))
    }
}

serde_as_text!(UciMove, "a UCI move such as `e2e4` or `a7a8q`");

impl schemars::JsonSchema for UciMove {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "UciMove".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^[a-h][1-8][a-h][1-8][nbrq]?$",
            "description": "A UCI move: `e2e4`, `a7a8q`; castling in Chess960 is king takes rook."
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_squares_and_a_promotion_letter_are_a_move() {
        for text in ["e2e4", "a7a8q", "h2h1n", "e1g1", "a1a1"] {
            assert_eq!(text.parse::<UciMove>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_no_move() {
        for text in [
            "",
            "0000",
            "--",
            "e2e9",
            "i2e4",
            "E2E4",
            "e7e8Q",
            "e7e8k",
            "e7e8p",
            "Q@f7",
            "e2-e4",
            "e2e4 ",
            " e2e4",
            "e4",
            "O-O",
            "e7e8=q",
            "e2e4\0",
            "e\u{2061}4",
        ] {
            assert!(text.parse::<UciMove>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_pattern_and_nothing_but_the_pattern_reads_back(
            text in "[a-i][0-9][a-h][1-8][nbrqkNQ]?",
        ) {
            let fits = (b'a'..=b'h').contains(&text.as_bytes()[0])
                && (b'1'..=b'8').contains(&text.as_bytes()[1])
                && !text.ends_with(['k', 'N', 'Q']);
            match text.parse::<UciMove>() {
                Ok(uci) => {
                    prop_assert!(fits);
                    prop_assert_eq!(uci.to_string(), text);
                }
                Err(_) => prop_assert!(!fits),
            }
        }

        #[test]
        fn garbage_is_refused_or_reads_back(text in ".{0,8}") {
            if let Ok(uci) = text.parse::<UciMove>() {
                prop_assert_eq!(uci.to_string(), text);
            }
        }

        #[test]
        fn moves_are_ordered_as_their_texts(
            one in "[a-h][1-8][a-h][1-8][nbrq]?",
            other in "[a-h][1-8][a-h][1-8][nbrq]?",
        ) {
            let order = one.parse::<UciMove>().unwrap().cmp(&other.parse().unwrap());
            prop_assert_eq!(order, one.cmp(&other));
        }
    }
}
