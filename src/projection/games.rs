use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::canonical::Time;
use crate::chess::{self, Color, Fen, GameResult, Ply, RejectionClass, Termination, UciMove};
use crate::event::{AbortCause, CellRef, EventId, GameAborted, GameFinished, GameStarted, Seats};
use crate::projection::{ByColor, ById, Resources, Streaks, Tablebases};

/// A game, from its start to wherever it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// The id of its `game.started`.
    pub id: EventId,
    /// The position of its start in the ledger.
    pub index: u64,
    /// What a clock said at its start.
    pub started_at: Time,
    /// What it started from.
    pub started: GameStarted,
    /// Where it is.
    pub state: GameState,
    /// The accepted moves, without the opening. A projection that forgets has
    /// none of a game that has ended.
    pub moves: Vec<PlayedMove>,
    /// The rejected answers of all turns; forgotten like the moves.
    pub rejected: Vec<RejectedAnswer>,
    /// How many moves were accepted, without the opening.
    pub accepted: u64,
    /// How many answers of each side were rejected.
    pub rejections: ByColor<u64>,
    /// Why it was aborted, in words, where it was.
    pub abort_reason: Option<String>,
    /// What the calls of each seat took.
    pub resources: ByColor<Resources>,
    /// The era that the game was started in.
    pub era: Option<EventId>,
    /// Where the players stood when the game was started; nothing for games of
    /// no era.
    pub at_start: Option<ByColor<StandingAtStart>>,
    /// Whether a correction takes the game out of every figure.
    pub is_excluded: bool,
    /// The end that its `game.finished` records, whatever counts now.
    pub recorded_end: Option<Recorded>,
    /// The correction that puts another result in the place of the recorded one.
    pub corrected_by: Option<EventId>,
    /// The end that the moves and the protocol give, where they give one.
    pub(crate) given_end: Option<Recorded>,
    /// The position, while the game goes on and its start could be set up.
    pub(crate) board: Option<chess::Game>,
    /// The position in which it finished, where endgame tables could hold it:
    /// kept when the moves are forgotten.
    pub(crate) endgame: Option<Fen>,
    /// Rejected answers of the turn at hand.
    pub(crate) rejected_this_turn: u64,
    /// What the measured positions speak for.
    pub(crate) streaks: Streaks,
}

/// A result, and why the game ended.
pub type Recorded = (GameResult, Termination);

/// Where a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameState {
    /// Still being played.
    Playing,
    /// It has a result.
    Finished {
        /// The `game.finished`.
        id: EventId,
        /// What a clock said.
        at: Time,
        /// The result that counts.
        result: GameResult,
        /// Why it ended.
        termination: Termination,
    },
    /// It has no result and never will.
    Aborted {
        /// The `game.aborted`.
        id: EventId,
        /// What a clock said.
        at: Time,
        /// Whose trouble it was.
        cause: AbortCause,
    },
}

/// Where a player stood when a game was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StandingAtStart {
    /// A system's rank. Absent: it was unranked.
    pub rank: Option<u64>,
    /// A system's rating or a person's Elo, in points. Absent: it had none.
    #[serde(with = "crate::projection::bits::known")]
    pub rating: Option<f64>,
}

/// An accepted move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// Its `move.accepted`.
    pub id: EventId,
    /// The `call.answered` that it came from.
    pub call: Option<EventId>,
    /// The move.
    pub uci: UciMove,
}

/// A rejected answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedAnswer {
    /// Its `move.rejected`.
    pub id: EventId,
    /// The `call.answered` that it came from.
    pub call: Option<EventId>,
    /// The ply that it would have made.
    pub ply: Ply,
    /// Which answer of the turn it was, from 1.
    pub attempt: u64,
    /// Who answered.
    pub color: Color,
    /// Why it was no move.
    pub class: RejectionClass,
    /// The text that was judged.
    pub extracted: String,
}

impl Game {
    /// The system with this color.
    pub const fn seat(&self, color: Color) -> &EventId {
        seat(&self.started.seats, color)
    }

    /// Both colors, each with its system.
    pub const fn seats(&self) -> [(Color, &EventId); 2] {
        [
            (Color::White, self.seat(Color::White)),
            (Color::Black, self.seat(Color::Black)),
        ]
    }

    /// The color that this system has, where it plays.
    pub fn color_of(&self, system: &EventId) -> Option<Color> {
        [Color::White, Color::Black]
            .into_iter()
            .find(|color| self.seat(*color) == system)
    }

    /// The result, where there is one.
    pub const fn result(&self) -> Option<GameResult> {
        match self.state {
            GameState::Finished { result, .. } => Some(result),
            GameState::Playing | GameState::Aborted { .. } => None,
        }
    }

    /// Whether the game has a result that no correction takes out.
    pub const fn counts(&self) -> bool {
        self.result().is_some() && !self.is_excluded
    }

    /// What a clock said when the game got its result, where it has one.
    pub const fn finished_at(&self) -> Option<Time> {
        match self.state {
            GameState::Finished { at, .. } => Some(at),
            GameState::Playing | GameState::Aborted { .. } => None,
        }
    }

    /// Why the game ended, where it has a result.
    pub const fn termination(&self) -> Option<Termination> {
        match self.state {
            GameState::Finished { termination, .. } => Some(termination),
            GameState::Playing | GameState::Aborted { .. } => None,
        }
    }

    /// The cell that the game is played for.
    pub const fn cell(&self) -> Option<CellRef> {
        self.started.cell
    }

    /// The position, while the game goes on.
    pub const fn board(&self) -> Option<&chess::Game> {
        self.board.as_ref()
    }

    /// Which answer of the turn the next one is, from 1.
    pub const fn next_attempt(&self) -> u64 {
        self.rejected_this_turn + 1
    }

    /// How many moves of this color were accepted.
    pub fn moves_of(&self, color: Color) -> u64 {
        // White's moves and Black's alternate, whoever began.
        let first_mover = match &self.started.opening {
            Some(opening) if opening.moves.len() % 2 == 1 => self.first_to_move().other(),
            Some(_) | None => self.first_to_move(),
        };
        let of_first = self.accepted.div_ceil(2);
        if color == first_mover {
            of_first
        } else {
            self.accepted - of_first
        }
    }

    /// The side to move after the moves that were accepted.
    pub(crate) fn to_move(&self) -> Color {
        if let Some(board) = &self.board {
            return board.side_to_move();
        }
        let opening = self.started.opening.as_ref();
        let opening = opening.is_some_and(|opening| opening.moves.len() % 2 == 1);
        match self.first_to_move() {
            first if opening == (self.accepted % 2 == 1) => first,
            first => first.other(),
        }
    }

    /// How many answers were rejected, of both sides.
    pub const fn rejected_answers(&self) -> u64 {
        self.rejections.white + self.rejections.black
    }

    /// The ply that the next accepted move makes, counted from the start
    /// position.
    pub(crate) fn next_ply(&self) -> Ply {
        let opening = self.started.opening.as_ref();
        let opening = opening.map_or(0, |opening| opening.moves.len());
        let opening = u64::try_from(opening).unwrap_or(u64::MAX);
        let plies = self.accepted.saturating_add(opening);
        Ply(u32::try_from(plies).unwrap_or(u32::MAX)).next()
    }

    /// The side to move in the start position.
    pub(crate) fn first_to_move(&self) -> Color {
        match self.started.start.fen.as_str().split(' ').nth(1) {
            Some("b") => Color::Black,
            _ => Color::White,
        }
    }

    /// Returns the position after the opening and these moves, or nothing where
    /// one of them cannot be played.
    pub fn replay(&self, rules: chess::Rules) -> Option<chess::Game> {
        let mut board = self.after_opening(rules)?;
        for played in &self.moves {
            board.play(played.uci).ok()?;
        }
        Some(board)
    }

    /// Returns the position after the opening, or nothing where it cannot be
    /// played.
    pub(crate) fn after_opening(&self, rules: chess::Rules) -> Option<chess::Game> {
        let start = &self.started.start;
        let mut board = chess::Game::new(&start.fen, start.variant, rules).ok()?;
        let opening = self.started.opening.iter();
        for uci in opening.flat_map(|opening| &opening.moves) {
            board.play(*uci).ok()?;
        }
        Some(board)
    }

    pub(crate) fn finish(&mut self, id: EventId, at: Time, finished: &GameFinished) {
        self.state = GameState::Finished {
            id,
            at,
            result: finished.result,
            termination: finished.termination,
        };
        self.recorded_end = Some((finished.result, finished.termination));
        let last = self.board.take().map(|board| board.fen());
        self.endgame = last.filter(Tablebases::could_hold);
    }

    /// Forgets how the game went; what became of it stays.
    pub(crate) fn forget(&mut self) {
        self.moves = Vec::new();
        self.rejected = Vec::new();
        self.abort_reason = None;
    }

    pub(crate) fn abort(&mut self, id: EventId, at: Time, aborted: &GameAborted) {
        let cause = aborted.cause;
        self.state = GameState::Aborted { id, at, cause };
        self.abort_reason = Some(aborted.reason.clone());
        self.board = None;
    }
}

/// The system with this color.
pub(crate) const fn seat(seats: &Seats, color: Color) -> &EventId {
    match color {
        Color::White => &seats.white,
        Color::Black => &seats.black,
    }
}

/// All games, by id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(
    clippy::struct_field_names,
    reason = "the games themselves, beside two ways to look at them"
)]
pub struct Games {
    games: ById<Game>,
    order: Vec<EventId>,
    playing: BTreeSet<EventId>,
    /// From a `game.finished` to its game.
    finished_by: ById<EventId>,
}

impl Games {
    /// The game with this id.
    pub fn game(&self, id: &EventId) -> Option<&Game> {
        self.games.get(id)
    }

    pub(crate) fn game_mut(&mut self, id: &EventId) -> Option<&mut Game> {
        self.games.get_mut(id)
    }

    /// The games, in the order they were started.
    pub fn iter(&self) -> impl Iterator<Item = &Game> {
        self.order.iter().filter_map(|id| self.games.get(id))
    }

    /// The games whose id begins with these hex digits, in the order they were started.
    pub fn beginning_with(&self, digits: &str) -> Vec<&Game> {
        self.iter()
            .filter(|game| game.id.to_string().starts_with(digits))
            .collect()
    }

    /// The game that this `game.finished` gave its result.
    pub fn finished_by(&self, event: &EventId) -> Option<&Game> {
        self.games.get(self.finished_by.get(event)?)
    }

    /// The number of games, of any state.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// The games that go on, in the order of their ids.
    pub fn playing(&self) -> impl Iterator<Item = &Game> {
        self.playing.iter().filter_map(|id| self.games.get(id))
    }

    /// Notes that a game does not go on any more.
    pub(crate) fn end(&mut self, id: &EventId) {
        self.playing.remove(id);
        if let Some(GameState::Finished { id: event, .. }) =
            self.games.get(id).map(|game| game.state)
        {
            self.finished_by.insert(event, *id);
        }
    }

    pub(crate) fn insert(&mut self, game: Game) {
        self.playing.insert(game.id);
        self.order.push(game.id);
        self.games.insert(game.id, game);
    }
}
