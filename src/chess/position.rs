use std::fmt;

use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position as _, Setup};

use crate::chess::{Color, Fen, GameResult, Termination, UciMove};

/// A legal position of one variant, from [`Fen::position`] or a legal move.
///
/// Two positions are equal when their [`Position::fen`]s and variants are:
/// the counters and an en passant square without a capture count.
#[derive(Clone)]
pub struct Position(Chess);

impl Position {
    pub(in crate::chess) fn of(position: Chess) -> Self {
        Self(position)
    }

    /// The position as the library holds it.
    pub(in crate::chess) const fn chess(&self) -> &Chess {
        &self.0
    }

    /// The position as the library sets it up.
    pub(in crate::chess) fn setup(&self, mode: EnPassantMode) -> Setup {
        self.0.to_setup(mode)
    }

    /// Returns the FEN.
    ///
    /// The en passant square is written after every double pawn push, whether
    /// or not a capture is possible, as the FEN definition has it (PGN
    /// standard, 16.1.3.4). It is the only one of the three customs that loses
    /// nothing: reading the text back and writing it again gives the same
    /// text, and the same key for repetition.
    pub fn fen(&self) -> Fen {
        Fen::of(self.setup(EnPassantMode::Always))
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.0.turn().into()
    }

    /// The number of plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        self.0.halfmoves()
    }

    /// The number of the move, from 1; it grows after Black's move.
    pub fn fullmove_number(&self) -> u32 {
        self.0.fullmoves().get()
    }

    /// Returns every legal move in its canonical spelling, sorted by text.
    pub fn legal_moves(&self) -> Vec<UciMove> {
        let mut moves: Vec<_> = self
            .0
            .legal_moves()
            .into_iter()
            .filter_map(|candidate| UciMove::of(candidate, self.mode()))
            .collect();
        moves.sort_unstable();
        moves
    }

    /// Whether there is a legal move at all.
    pub fn has_legal_move(&self) -> bool {
        !self.0.legal_moves().is_empty()
    }

    /// Whether this is the canonical spelling of a legal move.
    pub fn is_legal(&self, uci: UciMove) -> bool {
        self.find(uci).is_some()
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.0.is_check()
    }

    /// Whether neither side can mate with what it has: king against king; one
    /// knight or one bishop more; or nothing but bishops, all on one color of
    /// squares. Two knights against a king are enough. These are the cases of
    /// chess.js 1.4; the rule of `shakmaty` is the same when both sides lack
    /// material.
    pub fn is_insufficient_material(&self) -> bool {
        self.0.is_insufficient_material()
    }

    /// How chess ends the game here, where nobody need claim it: by mate,
    /// stalemate, or for want of material.
    pub fn forced_end(&self) -> Option<(GameResult, Termination)> {
        if !self.has_legal_move() {
            if self.is_check() {
                let winner = self.side_to_move().other();
                return Some((GameResult::win_for(winner), Termination::Checkmate));
            }
            return Some((GameResult::Draw, Termination::Stalemate));
        }
        let is_dead = self.is_insufficient_material();
        is_dead.then_some((GameResult::Draw, Termination::InsufficientMaterial))
    }

    /// The material of a color in points: 1 for a pawn, 3 for a knight or bishop,
    /// 5 for a rook, 9 for a queen.
    pub fn material(&self, color: Color) -> u32 {
        const POINTS: [(shakmaty::Role, u32); 5] = [
            (shakmaty::Role::Pawn, 1),
            (shakmaty::Role::Knight, 3),
            (shakmaty::Role::Bishop, 3),
            (shakmaty::Role::Rook, 5),
            (shakmaty::Role::Queen, 9),
        ];
        let of_color = self.0.board().by_color(match color {
            Color::White => shakmaty::Color::White,
            Color::Black => shakmaty::Color::Black,
        });
        let points = POINTS.iter().map(|(role, points)| {
            let pieces = (self.0.board().by_role(*role) & of_color).count();
            points * u32::try_from(pieces).unwrap_or(u32::MAX)
        });
        points.sum()
    }

    /// Plays a move that is legal here.
    pub(in crate::chess) fn play_legal(&mut self, legal: Move) {
        self.0.play_unchecked(legal);
    }

    /// Plays a legal move, or leaves the position as it is.
    pub fn play(&mut self, uci: UciMove) -> Result<(), IllegalMove> {
        match self.find(uci) {
            Some(legal) => {
                self.0.play_unchecked(legal);
                Ok(())
            }
            None => Err(IllegalMove {
                uci,
                fen: self.fen(),
            }),
        }
    }

    /// Returns the move in standard algebraic notation with `+` for check and
    /// `#` for mate (PGN standard, section 8.2.3), or nothing when it is not
    /// legal.
    pub fn san_of(&self, uci: UciMove) -> Option<String> {
        let legal = self.find(uci)?;
        let mut text = String::with_capacity(8);
        San::from_move(&self.0, legal).append_to_string(&mut text);
        let mut after = self.clone();
        after.0.play_unchecked(legal);
        // Most moves give no check, and only a check can be a mate.
        if after.is_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        Some(text)
    }

    pub(in crate::chess) fn mode(&self) -> CastlingMode {
        self.0.castles().mode()
    }

    /// Membership among the legal moves decides, by canonical spelling. What
    /// else a library would take for a move (`e1h1` for castling in standard
    /// chess, `e7e8Q`) is not legal here.
    fn find(&self, uci: UciMove) -> Option<Move> {
        let legal = uci.to_library().to_move(&self.0).ok()?;
        (UciMove::of(legal, self.mode()) == Some(uci)).then_some(legal)
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        // The library's own equality ignores the counters.
        self.mode() == other.mode()
            && self.setup(EnPassantMode::Always) == other.setup(EnPassantMode::Always)
    }
}

impl Eq for Position {}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fen())
    }
}

/// A move that is not legal in its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{uci}` is no legal move in `{fen}`")]
pub struct IllegalMove {
    /// The move.
    pub uci: UciMove,
    /// The position.
    pub fen: Fen,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;

    fn position(fen: &str, variant: Variant) -> Position {
        fen.parse::<Fen>().unwrap().position(variant).unwrap()
    }

    /// Counts the leaves of the move tree through our own list of legal moves.
    fn perft(position: &Position, depth: u32) -> usize {
        let moves = position.legal_moves();
        if depth == 1 {
            return moves.len();
        }
        moves
            .into_iter()
            .map(|uci| {
                let mut next = position.clone();
                next.play(uci).unwrap();
                perft(&next, depth - 1)
            })
            .sum()
    }

    #[test]
    fn perft_of_the_start_position_is_the_published_one() {
        let start = Fen::standard_start();
        for variant in Variant::ALL {
            assert_eq!(perft(&start.position(*variant).unwrap(), 3), 8_902);
        }
        assert_eq!(
            perft(&start.position(Variant::Standard).unwrap(), 4),
            197_281
        );
    }

    #[test]
    fn perft_of_kiwipete_is_the_published_one() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        assert_eq!(perft(&position(fen, Variant::Standard), 3), 97_862);
    }

    // The first two figures are the first and the third of "Chess960 Perft
    // Results" in the Chess Programming Wiki. In the last position both sides
    // can castle at once; python-chess 1.11 counts the same.
    #[test]
    fn perft_of_chess960_positions_is_what_others_count() {
        for (fen, count) in [
            (
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                12_189,
            ),
            (
                "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
                10_471,
            ),
            ("rkr5/1pp5/8/8/8/8/1PP5/1RK1R3 w EBca - 0 1", 6_869),
        ] {
            assert_eq!(perft(&position(fen, Variant::Chess960), 3), count, "{fen}");
        }
    }

    /// Every text that a UCI move can have.
    fn every_uci_move() -> impl Iterator<Item = UciMove> {
        let squares = || (b'a'..=b'h').flat_map(|file| (b'1'..=b'8').map(move |rank| [file, rank]));
        let texts = squares().flat_map(move |from| {
            squares().flat_map(move |to| {
                ["", "n", "b", "r", "q"]
                    .map(|piece| [&from[..], &to[..], piece.as_bytes()].concat())
            })
        });
        texts.map(|text| String::from_utf8(text).unwrap().parse().unwrap())
    }

    #[test]
    fn legal_is_what_stands_in_the_list_of_legal_moves_and_nothing_else() {
        let castles = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let passes = "4k3/8/8/2pP4/1P6/8/8/4K3 w - c6 0 2";
        let promotes = "1n2k3/P7/8/8/8/8/7p/4K1N1 b - - 0 1";
        let checked = "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1";
        let beside = "rk6/8/8/8/8/8/8/4KR1R w Fa - 0 1";
        let bare = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
        for fen in [castles, passes, promotes, checked, bare] {
            for variant in Variant::ALL {
                held_to_its_list(&position(fen, *variant));
            }
        }
        held_to_its_list(&position(beside, Variant::Chess960));
    }

    fn held_to_its_list(position: &Position) {
        let legal = position.legal_moves();
        let found: Vec<_> = every_uci_move()
            .filter(|uci| position.is_legal(*uci))
            .collect();
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, legal, "{position:?}");
        for uci in legal {
            let next = &mut position.clone();
            assert!(next.play(uci).is_ok() && position.san_of(uci).is_some());
            let next_legal = next.legal_moves();
            assert!(next_legal.iter().all(|uci| next.is_legal(*uci)));
        }
    }

    #[test]
    fn only_the_canonical_spelling_of_a_move_is_legal() {
        let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Variant::Standard);
        let chess960 = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Variant::Chess960);
        for (kings, rooks) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            assert!(standard.is_legal(kings.parse().unwrap()));
            assert!(!standard.is_legal(rooks.parse().unwrap()));
            assert!(chess960.is_legal(rooks.parse().unwrap()));
            assert!(!chess960.is_legal(kings.parse().unwrap()));
        }
        let promotion = position("8/P6k/8/8/8/8/8/K7 w - - 0 1", Variant::Standard);
        assert!(!promotion.is_legal("a7a8".parse().unwrap()));
        for piece in ["a7a8q", "a7a8r", "a7a8b", "a7a8n"] {
            assert!(promotion.is_legal(piece.parse().unwrap()));
        }
    }

    #[test]
    fn an_illegal_move_changes_nothing_and_says_where() {
        let mut start = Fen::standard_start().position(Variant::Standard).unwrap();
        let before = start.clone();
        let error = start.play("e2e5".parse().unwrap()).unwrap_err();
        assert_eq!(start, before);
        assert_eq!(
            error.to_string(),
            "`e2e5` is no legal move in \
             `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`"
        );
        assert_eq!(start.san_of("e2e5".parse().unwrap()), None);
    }

    #[test]
    fn the_en_passant_square_is_written_after_every_double_push() {
        let mut start = Fen::standard_start().position(Variant::Standard).unwrap();
        start.play("e2e4".parse().unwrap()).unwrap();
        assert_eq!(
            start.fen().as_str(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
        );
    }

    #[test]
    fn san_tells_pieces_apart_and_marks_check_mate_castling_and_promotion() {
        for (fen, uci, san) in [
            ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
            ("4k3/8/8/7R/8/8/4K3/7R w - - 0 1", "h5h3", "R5h3"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ] {
            let position = position(fen, Variant::Standard);
            assert_eq!(position.san_of(uci.parse().unwrap()).unwrap(), san);
        }
    }

    // Where chess.js and FIDE part: two knights may mate a helping king.
    #[test]
    fn insufficient_material_is_what_no_helpmate_could_use() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
            ("4k1b1/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true),
            ("B1B1k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k1b1/8/8/8/8/8/8/2B1K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/2BBK3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false),
            ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
            ("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
            ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", false),
            ("4k2r/8/8/8/8/8/8/4K3 w - - 0 1", false),
            ("4k2q/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ] {
            let position = position(fen, Variant::Standard);
            assert_eq!(position.is_insufficient_material(), expected, "{fen}");
        }
    }
}
