use shakmaty::fen;

/// One of the six fields of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FenField {
    /// Piece placement, rank 8 first.
    Board,
    /// Side to move.
    Turn,
    /// Castling rights.
    Castling,
    /// En passant square.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// Number of the move, from 1.
    FullmoveNumber,
}

impl FenField {
    /// What the field must be, in words.
    pub(in crate::chess) const fn expected(self) -> &'static str {
        match self {
            Self::Board => "eight ranks of eight squares, separated by `/`, as piece placement",
            Self::Turn => "`w` or `b` as side to move",
            Self::Castling => {
                "`-` or up to four different rights (`KQkq` or rook files) as castling rights"
            }
            Self::EnPassant => "`-` or a square on rank 3 or 6 as en passant square",
            Self::HalfmoveClock => "a number from 0, without leading zeros, as half-move clock",
            Self::FullmoveNumber => "a number from 1, without leading zeros, as move number",
        }
    }

    /// Returns the first field that uses characters it must not, if there is one.
    pub(in crate::chess) fn first_malformed(fields: &[&str; 6]) -> Option<Self> {
        let [board, turn, castling, en_passant, clock, number] = fields;
        let digits_meet = board
            .as_bytes()
            .windows(2)
            .any(|pair| pair.iter().all(u8::is_ascii_digit));
        let is_board = !digits_meet && board.bytes().all(|c| b"/12345678PNBRQKpnbrqk".contains(&c));
        let is_castling = *castling == "-"
            || ((1..=4).contains(&castling.len())
                && castling
                    .bytes()
                    .all(|c| matches!(c.to_ascii_lowercase(), b'a'..=b'h' | b'k' | b'q')));
        let is_square = matches!(en_passant.as_bytes(), [b'a'..=b'h', b'3' | b'6']);
        [
            (Self::Board, is_board),
            (Self::Turn, matches!(*turn, "w" | "b")),
            (Self::Castling, is_castling),
            (Self::EnPassant, *en_passant == "-" || is_square),
            (Self::HalfmoveClock, is_counter(clock)),
            (Self::FullmoveNumber, is_counter(number) && *number != "0"),
        ]
        .into_iter()
        .find(|(_, is_good)| !is_good)
        .map(|(field, _)| field)
    }

    /// Returns the field that the library complains about.
    pub(in crate::chess) fn blamed_by(error: &fen::ParseFenError) -> Option<Self> {
        match error {
            fen::ParseFenError::InvalidBoard | fen::ParseFenError::InvalidPocket => {
                Some(Self::Board)
            }
            fen::ParseFenError::InvalidTurn => Some(Self::Turn),
            fen::ParseFenError::InvalidCastling => Some(Self::Castling),
            fen::ParseFenError::InvalidEpSquare => Some(Self::EnPassant),
            fen::ParseFenError::InvalidHalfmoveClock
            | fen::ParseFenError::InvalidRemainingChecks => Some(Self::HalfmoveClock),
            fen::ParseFenError::InvalidFullmoves => Some(Self::FullmoveNumber),
            fen::ParseFenError::InvalidFen => None,
        }
    }
}

/// Whether the text is a number in its one spelling. A larger number would be
/// cut down by the library without a word.
fn is_counter(text: &str) -> bool {
    text.parse::<u32>()
        .is_ok_and(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<FenField> {
        let fields: Vec<_> = text.split(' ').collect();
        FenField::first_malformed(&fields.try_into().unwrap())
    }

    #[test]
    fn the_first_malformed_field_is_the_one_named() {
        assert_eq!(fault("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), None);
        assert_eq!(fault("4k3/8/8/8/8/8/8/4K3 W x - 0 1"), Some(FenField::Turn));
        assert_eq!(
            fault("4k3/44/8/8/8/8/8/4K3 W - - 0 1"),
            Some(FenField::Board)
        );
    }

    #[test]
    fn a_counter_has_one_spelling_and_fits_32_bits() {
        for text in ["0", "99", "4294967295"] {
            assert!(is_counter(text), "{text}");
        }
        for text in ["", "-1", "+1", "01", "1.0", "4294967296"] {
            assert!(!is_counter(text), "{text}");
        }
    }
}
