use shakmaty::{Bitboard, CastlingMode, Chess, Position as _, Rank, Role, Square, attacks};

use crate::chess::text::words;
use crate::chess::{Position, UciMove};

words! {
    /// Why an answer was no legal move.
    pub enum RejectionClass {
        /// Nothing was answered.
        Empty = "empty",
        /// No move could be read.
        Unparseable = "unparseable",
        /// More than one move could be meant.
        Ambiguous = "ambiguous",
        /// No piece stands on the square of departure.
        NoPiece = "no_piece",
        /// The piece belongs to the other side.
        WrongSide = "wrong_side",
        /// A piece stands on the way or on the square of arrival.
        Blocked = "blocked",
        /// The piece does not move like that.
        Unreachable = "unreachable",
        /// The own king would be in check.
        LeavesKingInCheck = "leaves_king_in_check",
        /// Castling that the rules do not allow here.
        Castling = "castling",
        /// A promotion is missing, or there is one where none can be.
        Promotion = "promotion",
        /// A legal move in another notation than the one asked for.
        WrongFormat = "wrong_format",
        /// The system declined to move.
        Refused = "refused",
        /// The answer was cut off by its length limit.
        CutOff = "cut_off",
    }
}

/// Returns why a move that is not legal in the position is none.
///
/// A spelling that the library takes for a legal move, such as the king onto its
/// rook for castling in standard chess, is a wrong format.
pub(in crate::chess) fn why(position: &Position, uci: UciMove) -> RejectionClass {
    if uci.to_library().to_move(position.chess()).is_ok() {
        return RejectionClass::WrongFormat;
    }
    wrong(position.chess(), position.mode(), uci)
}

fn wrong(position: &Chess, mode: CastlingMode, uci: UciMove) -> RejectionClass {
    let text = uci.as_str();
    let square = |part: &str| part.parse::<Square>().ok();
    let (Some(from), Some(to)) = (square(&text[..2]), square(&text[2..4])) else {
        return RejectionClass::Unparseable;
    };
    let board = position.board();
    let Some(piece) = board.piece_at(from) else {
        return RejectionClass::NoPiece;
    };
    if piece.color != position.turn() {
        return RejectionClass::WrongSide;
    }
    let last_rank = piece.color.fold_wb(Rank::Eighth, Rank::First);
    let promotes = piece.role == Role::Pawn && to.rank() == last_rank;
    if promotes != (text.len() == 5) {
        return RejectionClass::Promotion;
    }
    if piece.role == Role::King && is_castling_try(position, mode, from, to) {
        return RejectionClass::Castling;
    }
    let reaches = |occupied: Bitboard| {
        if piece.role == Role::Pawn {
            pawn_reaches(position, from, to, occupied)
        } else {
            attacks::attacks(from, piece, occupied).contains(to)
        }
    };
    let is_own = board.by_color(piece.color).contains(to);
    if reaches(board.occupied()) && !is_own {
        RejectionClass::LeavesKingInCheck
    } else if reaches(Bitboard::EMPTY) {
        RejectionClass::Blocked
    } else {
        RejectionClass::Unreachable
    }
}

fn is_castling_try(position: &Chess, mode: CastlingMode, from: Square, to: Square) -> bool {
    if from.rank() != to.rank() {
        return false;
    }
    match mode {
        CastlingMode::Standard => 1 < from.file().distance(to.file()),
        CastlingMode::Chess960 => {
            let own_rook = position.our(Role::Rook).contains(to);
            own_rook || 1 < from.file().distance(to.file())
        }
    }
}

/// Whether a pawn moves like that, with these squares occupied.
fn pawn_reaches(position: &Chess, from: Square, to: Square, occupied: Bitboard) -> bool {
    let color = position.turn();
    if attacks::pawn_attacks(color, from).contains(to) {
        let is_en_passant = position
            .pseudo_legal_ep_square()
            .is_some_and(|square| square == to);
        return position.them().contains(to) || is_en_passant;
    }
    let step = color.fold_wb(8, -8);
    let one = from.offset(step);
    let two = one.and_then(|square| square.offset(step));
    let starts = from.rank() == color.fold_wb(Rank::Second, Rank::Seventh);
    let free = |square: Option<Square>| square.is_some_and(|square| !occupied.contains(square));
    (one == Some(to) && free(one)) || (starts && two == Some(to) && free(one) && free(two))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fen, Variant};

    fn class(fen: &str, text: &str) -> Option<RejectionClass> {
        let fen = fen.parse::<Fen>().unwrap();
        let position = fen.position(Variant::Standard).unwrap();
        position.judge(text).err()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn each_class_names_what_is_wrong_with_the_move() {
        for (text, expected) in [
            ("e2e4", None),
            ("", Some(RejectionClass::Empty)),
            ("(none)", Some(RejectionClass::Unparseable)),
            ("E2E4", Some(RejectionClass::WrongFormat)),
            ("e4e5", Some(RejectionClass::NoPiece)),
            ("e7e5", Some(RejectionClass::WrongSide)),
            ("e2e5", Some(RejectionClass::Unreachable)),
            ("e2f3", Some(RejectionClass::Unreachable)),
            ("b1d3", Some(RejectionClass::Unreachable)),
            ("a1a3", Some(RejectionClass::Blocked)),
            ("a1a2", Some(RejectionClass::Blocked)),
            ("b1d2", Some(RejectionClass::Blocked)),
            ("e1g1", Some(RejectionClass::Castling)),
            ("e2e4q", Some(RejectionClass::Promotion)),
        ] {
            assert_eq!(class(START, text), expected, "{text}");
        }
        let pinned = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1";
        assert_eq!(
            class(pinned, "e2c3"),
            Some(RejectionClass::LeavesKingInCheck)
        );
        let promotion = "8/P7/8/8/8/8/8/K1k5 w - - 0 1";
        assert_eq!(class(promotion, "a7a8"), Some(RejectionClass::Promotion));
        assert_eq!(class(promotion, "a7a8q"), None);
        let blocked = "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1";
        assert_eq!(class(blocked, "e2e4"), Some(RejectionClass::Blocked));
        assert_eq!(class(blocked, "e2e3"), Some(RejectionClass::Blocked));
    }
}
