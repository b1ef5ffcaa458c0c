use serde::{Deserialize, Serialize};

use crate::chess::repetition::Repetitions;
use crate::chess::{
    Color, Fen, GameResult, IllegalMove, IllegalPosition, Ply, Position, Rules, Termination,
    UciMove, Variant,
};

/// A game being played or replayed: a start position and legal moves.
///
/// A move is accepted as long as it is legal, also after a draw condition has
/// arisen, as chess.js does; [`Game::natural_end`] tells the condition, and
/// whoever holds the game to its rules asks after each move.
///
/// Two games are equal when variant, rules, start and moves are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Played", into = "Played")]
pub struct Game {
    start: Fen,
    variant: Variant,
    rules: Rules,
    position: Position,
    repetitions: Repetitions,
    moves: Vec<UciMove>,
}

/// What a game follows from, for whoever keeps one.
#[derive(Serialize, Deserialize)]
struct Played {
    start: Fen,
    variant: Variant,
    rules: Rules,
    moves: Vec<UciMove>,
}

impl From<Game> for Played {
    fn from(game: Game) -> Self {
        Self {
            start: game.start,
            variant: game.variant,
            rules: game.rules,
            moves: game.moves,
        }
    }
}

impl TryFrom<Played> for Game {
    type Error = String;

    fn try_from(played: Played) -> Result<Self, String> {
        let game = Self::new(&played.start, played.variant, played.rules);
        let mut game = game.map_err(|illegal| illegal.to_string())?;
        for uci in played.moves {
            game.play(uci).map_err(|illegal| illegal.to_string())?;
        }
        Ok(game)
    }
}

impl Game {
    /// Returns a game at its start position, or every fault that the position
    /// has in this variant.
    pub fn new(start: &Fen, variant: Variant, rules: Rules) -> Result<Self, IllegalPosition> {
        let position = start.position(variant)?;
        Ok(Self {
            start: start.clone(),
            variant,
            rules,
            repetitions: Repetitions::new(&position),
            position,
            moves: Vec::new(),
        })
    }

    /// The start position, in the text it was given in.
    pub const fn start(&self) -> &Fen {
        &self.start
    }

    /// Which chess is played.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Which rules end the game.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The moves so far, in order: the move of ply n stands at index n - 1.
    pub fn moves(&self) -> &[UciMove] {
        &self.moves
    }

    /// The ply that was played last, 0 at the start.
    pub fn ply(&self) -> Ply {
        Ply(u32::try_from(self.moves.len()).unwrap_or(u32::MAX))
    }

    /// The current position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the FEN of the current position, with the en passant square
    /// after every double pawn push; see [`Position::fen`].
    pub fn fen(&self) -> Fen {
        self.position.fen()
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }

    /// Returns every legal move in its canonical spelling, sorted by text.
    pub fn legal_moves(&self) -> Vec<UciMove> {
        self.position.legal_moves()
    }

    /// Whether this is the canonical spelling of a legal move.
    pub fn is_legal(&self, uci: UciMove) -> bool {
        self.position.is_legal(uci)
    }

    /// Returns the move in standard algebraic notation with `+` for check and
    /// `#` for mate, or nothing when it is not legal.
    pub fn san_of(&self, uci: UciMove) -> Option<String> {
        self.position.san_of(uci)
    }

    /// Returns the moves so far in standard algebraic notation, in order.
    pub fn san_moves(&self) -> Vec<String> {
        let Ok(mut position) = self.start.position(self.variant) else {
            // It was one when the game began.
            return Vec::new();
        };
        let mut sans = Vec::with_capacity(self.moves.len());
        for uci in &self.moves {
            sans.extend(position.san_of(*uci));
            if position.play(*uci).is_err() {
                break;
            }
        }
        sans
    }

    /// Plays a legal move, or leaves the game as it is.
    pub fn play(&mut self, uci: UciMove) -> Result<(), IllegalMove> {
        self.position.play(uci)?;
        self.repetitions.add(&self.position);
        self.moves.push(uci);
        Ok(())
    }

    /// Returns how chess ends the game in the current position, or nothing
    /// while it goes on. An ending by repetition or by the clock is gone again
    /// once a further move leaves it.
    pub fn natural_end(&self) -> Option<(GameResult, Termination)> {
        match self.rules {
            Rules::ChessJs14 => self.chess_js_end(),
        }
    }

    /// The order of chess.js 1.4: a mate on the hundredth ply is a mate.
    fn chess_js_end(&self) -> Option<(GameResult, Termination)> {
        let position = &self.position;
        let is_stuck = !position.has_legal_move();
        if is_stuck && position.is_check() {
            let winner = position.side_to_move().other();
            return Some((GameResult::win_for(winner), Termination::Checkmate));
        }
        let draw = if 100 <= position.halfmove_clock() {
            Termination::FiftyMoves
        } else if is_stuck {
            Termination::Stalemate
        } else if position.is_insufficient_material() {
            Termination::InsufficientMaterial
        } else if 3 <= self.repetitions.count(position) {
            Termination::ThreefoldRepetition
        } else {
            return None;
        };
        Some((GameResult::Draw, draw))
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        // Everything else follows from these.
        self.variant == other.variant
            && self.rules == other.rules
            && self.start == other.start
            && self.moves == other.moves
    }
}

impl Eq for Game {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CASTLES: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    fn game(fen: &str, moves: &str) -> Game {
        let mut game =
            Game::new(&fen.parse().unwrap(), Variant::Standard, Rules::ChessJs14).unwrap();
        for uci in moves.split_whitespace() {
            game.play(uci.parse().unwrap()).unwrap();
        }
        game
    }

    fn end(fen: &str, moves: &str) -> Option<(GameResult, Termination)> {
        game(fen, moves).natural_end()
    }

    #[test]
    fn checkmate_wins_for_the_side_that_gave_it() {
        let start = Fen::standard_start().to_string();
        assert_eq!(
            end(&start, "f2f3 e7e5 g2g4 d8h4"),
            Some((GameResult::BlackWins, Termination::Checkmate))
        );
        assert_eq!(
            end(&start, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"),
            Some((GameResult::WhiteWins, Termination::Checkmate))
        );
        assert_eq!(end(&start, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6"), None);
    }

    #[test]
    fn no_legal_move_without_check_is_stalemate() {
        assert_eq!(
            end("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"),
            Some((GameResult::Draw, Termination::Stalemate))
        );
        assert_eq!(end("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f6"), None);
    }

    #[test]
    fn the_hundredth_ply_without_progress_draws_but_mate_on_it_wins() {
        let mating = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80";
        assert_eq!(end(mating, ""), None);
        assert_eq!(
            end(mating, "a1a7"),
            Some((GameResult::Draw, Termination::FiftyMoves))
        );
        assert_eq!(
            end(mating, "a1a8"),
            Some((GameResult::WhiteWins, Termination::Checkmate))
        );
        let stalemating = "7k/8/6K1/8/8/8/8/5Q2 w - - 99 80";
        assert_eq!(
            end(stalemating, "f1f7"),
            Some((GameResult::Draw, Termination::FiftyMoves))
        );
    }

    #[test]
    fn insufficient_material_draws_and_two_knights_play_on() {
        assert_eq!(
            end("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "e1d2"),
            Some((GameResult::Draw, Termination::InsufficientMaterial))
        );
        assert_eq!(end("4k3/8/8/8/8/8/3r4/4KNN1 w - - 0 1", "e1d2"), None);
    }

    #[test]
    fn the_third_time_draws_and_leaving_it_goes_on() {
        let twice = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        let start = Fen::standard_start().to_string();
        assert_eq!(end(&start, twice), None);
        let thrice = format!("{twice} f6g8");
        assert_eq!(
            end(&start, &thrice),
            Some((GameResult::Draw, Termination::ThreefoldRepetition))
        );
        assert_eq!(end(&start, &format!("{thrice} e2e4")), None);
    }

    // Black can never take en passant because of the pin along the rank. FIDE
    // counts the first position with the two later ones, chess.js does not.
    #[test]
    fn an_en_passant_square_counts_even_when_a_pin_forbids_the_capture() {
        let start = "8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1";
        let twice = "d2d4 a4b5 h4h3 b5a4 h3h4 a4b5 h4h3 b5a4 h3h4";
        assert_eq!(end(start, twice), None);
        let thrice = format!("{twice} a4b5 h4h3 b5a4 h3h4");
        assert_eq!(
            end(start, &thrice),
            Some((GameResult::Draw, Termination::ThreefoldRepetition))
        );
    }

    #[test]
    fn the_same_board_with_fewer_castling_rights_is_another_position() {
        // Rooks out and back: after four plies all rights are gone.
        let cycle = "a1b1 a8b8 b1a1 b8a8";
        let twice = format!("{cycle} {cycle}");
        assert_eq!(end(CASTLES, &twice), None);
        assert_eq!(
            end(CASTLES, &format!("{twice} {cycle}")),
            Some((GameResult::Draw, Termination::ThreefoldRepetition))
        );
    }

    #[test]
    fn a_pawn_move_forgets_the_positions_before_it() {
        let start = "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1";
        let shuffle = "e1d1 e8d8 d1e1 d8e8";
        let twice = format!("{shuffle} {shuffle}");
        assert_eq!(
            end(start, &twice),
            Some((GameResult::Draw, Termination::ThreefoldRepetition))
        );
        let forgetful = game(start, &format!("{twice} a2a3"));
        assert_eq!(forgetful.repetitions.count(&forgetful.position), 1);
    }

    #[test]
    fn an_illegal_move_leaves_the_game_as_it_was() {
        let mut opening = game(Fen::standard_start().as_str(), "e2e4");
        let before = opening.clone();
        assert!(opening.play("e7e4".parse().unwrap()).is_err());
        assert_eq!(opening, before);
        assert_eq!(opening.ply(), Ply(1));
        assert_eq!(opening.side_to_move(), Color::Black);
    }

    fn starts() -> impl Strategy<Value = (Fen, Variant)> {
        prop::sample::select(vec![
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                Variant::Standard,
            ),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                Variant::Standard,
            ),
            ("8/PPP4k/8/8/8/8/4Kppp/8 b - - 97 70", Variant::Standard),
            (
                "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1",
                Variant::Chess960,
            ),
            (
                "rkr5/1pp5/8/8/8/8/1PP5/1RK1R3 w EBca - 0 1",
                Variant::Chess960,
            ),
            ("1rr1k3/8/8/8/8/8/8/R1R1K1RR w GCc - 0 1", Variant::Chess960),
        ])
        .prop_map(|(fen, variant)| (fen.parse().unwrap(), variant))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn in_every_position_of_a_random_game_texts_round_trip_and_the_list_decides(
            (start, variant) in starts(),
            picks in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
            guesses in prop::collection::vec("[a-h][1-8][a-h][1-8][nbrq]?", 20),
        ) {
            let mut game = Game::new(&start, variant, Rules::ChessJs14).unwrap();
            for pick in picks {
                let fen = game.fen();
                prop_assert_eq!(&fen.as_str().parse::<Fen>().unwrap(), &fen);
                let reread = fen.position(variant).unwrap();
                prop_assert_eq!(&reread, game.position());

                let legal = game.legal_moves();
                prop_assert!(legal.is_sorted());
                for uci in &legal {
                    prop_assert_eq!(uci.to_string().parse::<UciMove>().unwrap(), *uci);
                    prop_assert!(game.is_legal(*uci) && game.san_of(*uci).is_some());
                }
                for guess in &guesses {
                    let guess: UciMove = guess.parse().unwrap();
                    prop_assert_eq!(game.is_legal(guess), legal.contains(&guess));
                    prop_assert_eq!(game.clone().play(guess).is_ok(), legal.contains(&guess));
                }
                if legal.is_empty() {
                    prop_assert!(game.natural_end().is_some());
                    break;
                }
                game.play(*pick.get(&legal)).unwrap();
            }
        }
    }
}
