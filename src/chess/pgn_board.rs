//! The board on which the moves of a PGN file are replayed.

use shakmaty::Move;
use shakmaty::san::San;

use crate::chess::repetition::Repetitions;
use crate::chess::{
    Color, Fen, GameResult, Ply, Position, SanFault, Termination, UciMove, Variant,
};

/// A game that is replayed until a move cannot be played.
pub(in crate::chess) struct Board {
    start: Fen,
    variant: Variant,
    position: Position,
    repetitions: Repetitions,
    moves: Vec<UciMove>,
    first_number: u32,
    is_stopped: bool,
}

impl Board {
    /// Sets up the start, or says why it cannot.
    pub(in crate::chess) fn new(start: Fen, variant: Variant) -> Result<Self, String> {
        let position = start.position(variant).map_err(|error| error.to_string())?;
        Ok(Self {
            repetitions: Repetitions::new(&position),
            first_number: position.fullmove_number(),
            start,
            variant,
            position,
            moves: Vec::new(),
            is_stopped: false,
        })
    }

    /// The ply that was played last.
    pub(in crate::chess) fn ply(&self) -> Ply {
        Ply(u32::try_from(self.moves.len()).unwrap_or(u32::MAX))
    }

    /// Who played last.
    pub(in crate::chess) fn mover(&self) -> Color {
        self.position.side_to_move().other()
    }

    /// The number of the move that comes next.
    pub(in crate::chess) fn number(&self) -> u32 {
        self.position.fullmove_number()
    }

    /// The same, counted from the start of the game.
    pub(in crate::chess) fn number_from_one(&self) -> u32 {
        self.number()
            .saturating_sub(self.first_number)
            .saturating_add(1)
    }

    pub(in crate::chess) fn fen(&self) -> Fen {
        self.position.fen()
    }

    /// No further move is played.
    pub(in crate::chess) fn stop(&mut self) {
        self.is_stopped = true;
    }

    pub(in crate::chess) const fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    pub(in crate::chess) fn is_check(&self) -> bool {
        self.position.is_check()
    }

    pub(in crate::chess) fn is_mate(&self) -> bool {
        self.position.is_check() && !self.position.has_legal_move()
    }

    /// Reads a move, and says whether it is written as the standard says. Where
    /// it is not, only one move can be meant.
    pub(in crate::chess) fn read(&self, text: &[u8]) -> Result<(Move, bool), SanFault> {
        self.position.read_move(text)
    }

    /// The move in standard notation.
    pub(in crate::chess) fn standard(&self, played: Move) -> San {
        San::from_move(self.position.chess(), played)
    }

    /// Plays a legal move of this position.
    pub(in crate::chess) fn play(&mut self, played: Move) {
        if let Some(uci) = UciMove::of(played, self.position.mode()) {
            self.position.play_legal(played);
            self.repetitions.add(&self.position);
            self.moves.push(uci);
        }
    }

    /// How chess ends the game here, where it does: by what nobody need claim,
    /// or else by the third repetition or the fifty moves, which somebody may.
    pub(in crate::chess) fn end(&self) -> Option<(GameResult, Termination)> {
        if let Some(end) = self.position.forced_end() {
            return Some(end);
        }
        let draw = if 3 <= self.repetitions.count(&self.position) {
            Termination::ThreefoldRepetition
        } else if 100 <= self.position.halfmove_clock() {
            Termination::FiftyMoves
        } else {
            return None;
        };
        Some((GameResult::Draw, draw))
    }

    pub(in crate::chess) fn into_parts(self) -> (Fen, Variant, Vec<UciMove>) {
        (self.start, self.variant, self.moves)
    }
}
