use std::collections::BTreeMap;

use shakmaty::{EnPassantMode, Setup};

use crate::chess::Position;

/// What makes two positions the same for repetition: board, side to move,
/// castling rights, and the en passant square when an enemy pawn stands beside
/// the pushed pawn.
///
/// The whole content, packed, and no hash of it: a collision would end a game
/// that goes on. Four bit planes number the piece on each square; the fifth
/// word holds the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key([u64; 5]);

impl Key {
    fn of(position: &Position) -> Self {
        // chess.js 1.4 sets the square when an enemy pawn is adjacent and does
        // not ask whether a pin forbids the capture.
        let Setup {
            board,
            turn,
            castling_rights,
            ep_square,
            ..
        } = position.setup(EnPassantMode::PseudoLegal);
        let planes = [
            board.pawns() | board.bishops() | board.queens(),
            board.knights() | board.bishops() | board.kings(),
            board.rooks() | board.queens() | board.kings(),
            board.black(),
        ];
        let [ones, twos, fours, black] = planes.map(u64::from);
        // Castling rights are rooks on the first and last rank: rank 8 and
        // rank 1 fill the outer bytes, and the six ranks between are free.
        let en_passant = ep_square.map_or(0, |square| 1 + u64::from(square.to_u32()));
        let rest = u64::from(castling_rights) | en_passant << 8 | u64::from(turn.is_black()) << 16;
        Self([ones, twos, fours, black, rest])
    }
}

impl Position {
    /// What makes two positions the same for repetition, whatever their counters say.
    pub fn repetition_key(&self) -> [u64; 5] {
        Key::of(self).0
    }
}

/// How often each position of a game was seen since the last capture or pawn
/// move; no earlier position can come again.
#[derive(Clone, Debug)]
pub(in crate::chess) struct Repetitions(BTreeMap<Key, u32>);

impl Repetitions {
    /// Starts with the first position of a game, seen once.
    pub(in crate::chess) fn new(start: &Position) -> Self {
        Self(BTreeMap::from([(Key::of(start), 1)]))
    }

    /// Takes in the position after a move.
    pub(in crate::chess) fn add(&mut self, position: &Position) {
        // Losing a castling right is irreversible too, but leaves the clock
        // running; the key holds the rights, so that nothing is mixed up.
        if position.halfmove_clock() == 0 {
            self.0.clear();
        }
        *self.0.entry(Key::of(position)).or_default() += 1;
    }

    /// How often this position was seen.
    pub(in crate::chess) fn count(&self, position: &Position) -> u32 {
        self.0.get(&Key::of(position)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fen, Variant};

    fn key(fen: &str) -> Key {
        Key::of(
            &fen.parse::<Fen>()
                .unwrap()
                .position(Variant::Chess960)
                .unwrap(),
        )
    }

    #[test]
    fn board_turn_castling_and_en_passant_all_tell_positions_apart() {
        let keys = [
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b Qkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQk - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b - - 0 1",
            "r3k2r/8/8/8/3bP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3nP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3rP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3qP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3PP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq - 0 1",
        ]
        .map(key);
        for (index, one) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(one), "{index}");
        }
    }

    #[test]
    fn counters_and_an_en_passant_square_without_a_neighbor_do_not_count() {
        let one = key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
        let other = key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 7 9");
        assert_eq!(one, other);
    }

    #[test]
    fn the_spelling_of_castling_rights_does_not_count() {
        assert_eq!(
            key("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            key("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1")
        );
    }
}
