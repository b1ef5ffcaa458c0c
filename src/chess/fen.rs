use std::fmt;
use std::str::FromStr;

use shakmaty::{CastlingMode, Chess, Setup, fen};

use crate::chess::quote::Quoted;
use crate::chess::text::serde_as_text;
use crate::chess::{FenField, IllegalPosition, Position, PositionFault, Variant};

/// The longest text that is a FEN, in bytes. Sixty-four squares, the rank
/// separators and five fields take at most 83; the rest is for the counters.
const LENGTH_MAX: usize = 100;

/// The standard start position.
const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position in Forsyth-Edwards notation (PGN standard, section 16.1).
///
/// Keeps the text as it was given: exactly six fields with single spaces
/// between them, at most 100 bytes, and a position that is legal in some
/// variant. Castling rights are letters `KQkq`, which mean the outermost rook
/// (X-FEN), or in Chess960 also the files of the rooks (Shredder-FEN). Which
/// variant is played is not in the text: [`Fen::position`] asks for it.
///
/// Two texts of one position are two values; compare positions by their
/// [`Position::fen`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fen(String);

impl Fen {
    /// The start position of standard chess.
    pub fn standard_start() -> Self {
        Self(STANDARD_START.to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the position, or every fault that it has in this variant. In
    /// standard chess a castling right needs its king on the e-file, its rook
    /// in the corner, and one of the letters `KQkq`.
    pub fn position(&self, variant: Variant) -> Result<Position, IllegalPosition> {
        let illegal = |faults| IllegalPosition {
            found: self.0.clone(),
            variant: Some(variant),
            faults,
        };
        // Parsing accepted the text once and is a pure function of it.
        let setup = fen::Fen::from_ascii(self.0.as_bytes())
            .map_err(|_| illegal(Vec::new()))?
            .into_setup();
        if variant == Variant::Standard && names_rook_files(&self.0) {
            return Err(illegal(vec![PositionFault::CastlingRights]));
        }
        setup
            .position::<Chess>(variant.into())
            .map(Position::of)
            .map_err(|error| illegal(PositionFault::all_of(error.kinds())))
    }

    /// The FEN of a position that was reached by legal moves, or set up, and
    /// therefore needs no second look.
    pub(in crate::chess) fn of(setup: Setup) -> Self {
        let fen = fen::Fen::try_from_setup(setup).unwrap_or_else(fen::LossyFenError::ignore);
        Self(fen.to_string())
    }
}

/// Whether the castling field names rooks by their files.
fn names_rook_files(text: &str) -> bool {
    text.split(' ')
        .nth(2)
        .is_some_and(|field| field.bytes().any(|letter| !b"KQkq-".contains(&letter)))
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is no FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseFenError {
    /// The text is longer than a FEN can be.
    Length {
        /// The text.
        found: String,
    },
    /// The text is not six fields with single spaces between them.
    Fields {
        /// The text.
        found: String,
    },
    /// A field is malformed.
    Field {
        /// The first field that is.
        field: FenField,
        /// The text.
        found: String,
    },
    /// The form is good, but the position is legal in no variant.
    Position(IllegalPosition),
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => write!(
                f,
                "expected a FEN of at most {LENGTH_MAX} bytes, found {} bytes: {}",
                found.len(),
                Quoted(found)
            ),
            Self::Fields { found } => write!(
                f,
                "expected a FEN of six fields with single spaces between them, found {}",
                Quoted(found)
            ),
            Self::Field { field, found } => {
                write!(
                    f,
                    "expected {} in a FEN, found {}",
                    field.expected(),
                    Quoted(found)
                )
            }
            Self::Position(illegal) => illegal.fmt(f),
        }
    }
}

impl std::error::Error for ParseFenError {}

impl FromStr for Fen {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        let found = || text.to_owned();
        if LENGTH_MAX < text.len() {
            return Err(ParseFenError::Length { found: found() });
        }
        let fields: Vec<_> = text.split(' ').collect();
        let Ok(fields) = <[&str; 6]>::try_from(fields) else {
            return Err(ParseFenError::Fields { found: found() });
        };
        let fault = |field| ParseFenError::Field {
            field,
            found: found(),
        };
        // The library accepts more spellings than a FEN has: check the form
        // before asking it.
        if let Some(field) = FenField::first_malformed(&fields) {
            return Err(fault(field));
        }
        let setup = fen::Fen::from_ascii(text.as_bytes())
            .map_err(|error| {
                FenField::blamed_by(&error).map_or(ParseFenError::Fields { found: found() }, fault)
            })?
            .into_setup();
        let letters = fields[2].bytes().filter(|letter| *letter != b'-').count();
        if setup.castling_rights.count() != letters {
            return Err(fault(FenField::Castling));
        }
        // Whatever castling standard chess allows, Chess960 allows too.
        match setup.position::<Chess>(CastlingMode::Chess960) {
            Ok(_) => Ok(Self(found())),
            Err(error) => Err(ParseFenError::Position(IllegalPosition {
                found: found(),
                variant: None,
                faults: PositionFault::all_of(error.kinds()),
            })),
        }
    }
}

serde_as_text!(Fen, "a position in Forsyth-Edwards notation");

impl schemars::JsonSchema for Fen {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Fen".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "maxLength": LENGTH_MAX,
            "pattern": concat!(
                "^[1-8BKNPQRbknpqr]{1,8}(/[1-8BKNPQRbknpqr]{1,8}){7} [wb] ",
                "(-|[A-HKQa-hkq]{1,4}) (-|[a-h][36]) (0|[1-9][0-9]*) [1-9][0-9]*$"
            ),
            "description": "A legal position in FEN: six fields, one space apart."
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";

    fn fault_of(text: &str) -> String {
        text.parse::<Fen>().unwrap_err().to_string()
    }

    #[test]
    fn the_text_is_kept_exactly() {
        for text in [
            STANDARD_START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b QKqk e3 0 1",
            "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1",
        ] {
            assert_eq!(text.parse::<Fen>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_fen_is_six_fields_with_single_spaces() {
        for text in [
            "",
            KINGS,
            &format!("{KINGS} w - - 0"),
            &format!("{KINGS} w - - 0 1 "),
            &format!("{KINGS} w  - - 0 1"),
            &format!(" {KINGS} w - - 0 1"),
            &format!("{KINGS}_w_-_-_0_1"),
            &format!("{KINGS} w - - 3+3 0 1"),
        ] {
            assert!(
                fault_of(text).starts_with("expected a FEN of six fields"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_malformed_field_is_named() {
        for (text, field) in [
            ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "piece placement"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "piece placement"),
            ("4k3/44/8/8/8/8/8/4K3 w - - 0 1", "piece placement"),
            ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "piece placement"),
            ("4k3/8/8/8/8/8/8/4KQ~2 w - - 0 1", "piece placement"),
            ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling"),
            ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "castling"),
            ("4k3/8/8/8/8/8/8/4K2R w x - 0 1", "castling"),
            ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "en passant"),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 00 1", "half-move clock"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 4294967296 1", "half-move clock"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 +1", "move number"),
        ] {
            assert!(fault_of(text).contains(field), "{text}: {}", fault_of(text));
        }
    }

    #[test]
    fn every_fault_of_an_illegal_position_is_named_in_words() {
        assert_eq!(
            fault_of("4k3/8/8/8/8/8/8/P6R b K - 0 1"),
            "`4k3/8/8/8/8/8/8/P6R b K - 0 1` is no legal position: a side has no king; \
             a pawn stands on the first or last rank; \
             a castling right has no king and rook to go with it"
        );
        for (text, fault) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
            ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "more than one king"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant square"),
            ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "not to move is in check"),
            ("4k3/3P1P2/8/8/8/8/8/K7 b - - 0 1", "given this check"),
            ("4k3/8/8/8/8/QQQQQQQQ/QQ6/K7 b - - 0 1", "more pieces"),
        ] {
            assert!(fault_of(text).contains(fault), "{text}: {}", fault_of(text));
        }
    }

    #[test]
    fn the_offending_text_is_quoted_escaped_and_cut() {
        assert!(fault_of("a\u{1b}[2K\u{202e}").contains("`a\\u{1b}[2K\\u{202e}`"));
        let long = fault_of(&"8".repeat(5_000));
        assert!(long.contains("at most 100 bytes, found 5000 bytes"));
        assert!(long.len() < 300);
    }

    #[test]
    fn standard_chess_refuses_castling_that_only_chess960_has() {
        for text in [
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
        ] {
            let fen: Fen = text.parse().unwrap();
            assert!(fen.position(Variant::Chess960).is_ok(), "{text}");
            let illegal = fen.position(Variant::Standard).unwrap_err();
            assert_eq!(illegal.faults, [PositionFault::CastlingRights], "{text}");
            assert!(
                illegal
                    .to_string()
                    .contains("is no legal standard position")
            );
        }
    }

    #[test]
    fn the_standard_start_is_legal_in_both_variants() {
        let start = Fen::standard_start();
        assert_eq!(start.as_str().parse(), Ok(start.clone()));
        for variant in Variant::ALL {
            assert_eq!(start.position(*variant).unwrap().fen(), start);
        }
    }

    proptest! {
        #[test]
        fn garbage_is_refused_without_a_panic(text in ".{0,110}") {
            prop_assert!(text.parse::<Fen>().is_err());
        }

        #[test]
        fn texts_made_of_fen_characters_never_panic(
            text in "[1-8PNBRQKpnbrqk/]{1,20}( [wb] [KQkqA-H-]{1,3} [a-h-][36]?( [0-9]{1,3}){2})?",
        ) {
            if let Ok(fen) = text.parse::<Fen>() {
                prop_assert_eq!(fen.as_str(), text.as_str());
            }
        }
    }
}
