//! A board in words: where each piece stands, and the board as text.

use std::fmt::Write as _;

use shakmaty::{Bitboard, Position as _, Role, Square};

use crate::chess::text::words;
use crate::chess::{Color, Position};

words! {
    /// A kind of piece.
    pub enum PieceKind {
        /// The king.
        King = "king",
        /// A queen.
        Queen = "queen",
        /// A rook.
        Rook = "rook",
        /// A bishop.
        Bishop = "bishop",
        /// A knight.
        Knight = "knight",
        /// A pawn.
        Pawn = "pawn",
    }
}

impl PieceKind {
    const fn role(self) -> Role {
        match self {
            Self::King => Role::King,
            Self::Queen => Role::Queen,
            Self::Rook => Role::Rook,
            Self::Bishop => Role::Bishop,
            Self::Knight => Role::Knight,
            Self::Pawn => Role::Pawn,
        }
    }
}

impl Position {
    /// Returns the squares on which pieces of one color and kind stand now, a1
    /// first, then along the ranks. A promoted piece is of its new kind.
    pub fn squares_of(&self, color: Color, kind: PieceKind) -> Vec<String> {
        let board = self.chess().board();
        let of_color = match color {
            Color::White => board.white(),
            Color::Black => board.black(),
        };
        let squares: Bitboard = of_color & board.by_role(kind.role());
        squares
            .into_iter()
            .map(|square: Square| square.to_string())
            .collect()
    }

    /// Returns the board as nine lines of text, White below: a rank each with
    /// its number before it, pieces as FEN letters and `.` where none stands,
    /// then the letters of the files.
    pub fn board_text(&self) -> String {
        let fen = self.fen();
        let placement = fen.as_str().split(' ').next().unwrap_or_default();
        let mut text = String::with_capacity(9 * 18);
        for (number, rank) in (1..=8).rev().zip(placement.split('/')) {
            // Writing to a string does not fail.
            _ = write!(text, "{number}");
            for sign in rank.chars() {
                match sign.to_digit(10) {
                    Some(empty) => (0..empty).for_each(|_| text.push_str(" .")),
                    None => text.extend([' ', sign]),
                }
            }
            text.push('\n');
        }
        text.push_str("  a b c d e f g h");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fen, Variant};

    #[test]
    fn every_piece_of_the_board_text_is_in_one_list_and_promoted_ones_in_their_new() {
        let fen = "Q6r/6k1/8/1pP5/8/8/8/4K2Q w - b6 0 30";
        let fen: Fen = fen.parse().unwrap();
        let position = fen.position(Variant::Standard).unwrap();
        assert_eq!(
            position.squares_of(Color::White, PieceKind::Queen),
            ["h1", "a8"]
        );
        assert_eq!(position.squares_of(Color::Black, PieceKind::Queen), [""; 0]);
        let lists = Color::ALL.iter().flat_map(|color| {
            let kinds = PieceKind::ALL.iter();
            kinds.flat_map(|kind| position.squares_of(*color, *kind))
        });
        assert_eq!(lists.count(), 7);
        assert_eq!(
            position.board_text(),
            "8 Q . . . . . . r\n7 . . . . . . k .\n6 . . . . . . . .\n5 . p P . . . . .\n\
             4 . . . . . . . .\n3 . . . . . . . .\n2 . . . . . . . .\n1 . . . . K . . Q\n\
             \u{20} a b c d e f g h"
        );
    }
}
