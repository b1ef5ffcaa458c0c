use crate::chess::{self, Color, Fen, Ply, UciMove};
use crate::projection::{Game, PlayedMove};

/// All moves of a game, replayed: those of the opening and the accepted ones.
#[derive(Clone, Debug)]
pub struct MoveList {
    /// The moves, in order.
    pub moves: Vec<ListedMove>,
    /// The position after the last of them. Absent: one of them cannot be
    /// played, and where the game stands is unknown.
    pub position: Option<chess::Game>,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMove {
    /// The ply that it made, from 1, counted from the start position.
    pub ply: Ply,
    /// Who moved.
    pub color: Color,
    /// The move.
    pub uci: UciMove,
    /// The move in standard algebraic notation. Absent: it, or a move before
    /// it, cannot be played.
    pub san: Option<String>,
    /// The event that accepted it. Absent: it belongs to the opening, and
    /// nobody chose it.
    pub played: Option<PlayedMove>,
}

impl MoveList {
    /// Returns the moves of a game under these rules.
    pub fn of(game: &Game, rules: chess::Rules) -> Self {
        let start = &game.started.start;
        let mut position = chess::Game::new(&start.fen, start.variant, rules).ok();
        let opening = game
            .started
            .opening
            .iter()
            .flat_map(|opening| &opening.moves);
        let opening = opening.map(|uci| (*uci, None));
        let accepted = game.moves.iter().map(|played| (played.uci, Some(*played)));
        let (mut ply, mut color) = (Ply::START, game.first_to_move());
        let mut moves = Vec::new();
        for (uci, played) in opening.chain(accepted) {
            ply = ply.next();
            let san = position.as_ref().and_then(|board| board.san_of(uci));
            position = position.and_then(|mut board| board.play(uci).ok().map(|()| board));
            moves.push(ListedMove {
                ply,
                color,
                uci,
                san,
                played,
            });
            color = color.other();
        }
        Self { moves, position }
    }

    /// The position after the last move, as text.
    pub fn final_fen(&self) -> Option<Fen> {
        self.position.as_ref().map(chess::Game::fen)
    }
}
