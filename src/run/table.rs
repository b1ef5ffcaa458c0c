use crate::canonical::Count;
use crate::chess::{self, Color, Ply, RejectionClass, UciMove};
use crate::event::{
    AbortCause, CallFailed, CallSent, EventId, GameAborted, GameFinished, MoveAccepted,
    MoveRejected,
};
use crate::projection::{Game, GameState, end_of};
use crate::run::RunError;
use crate::run::analyst::Analyst;
use crate::run::record::Record;
use crate::run::seat::{Reply, Seat};

/// A table: the game that is played at it, and who sits there.
pub(crate) struct Table<'t, 'a> {
    pub(crate) record: &'t mut Record<'a>,
    pub(crate) game: EventId,
    pub(crate) white: Seat<'a>,
    pub(crate) black: Seat<'a>,
    /// Who measures each position after a move, where the protocol adjudicates.
    pub(crate) referee: Option<(EventId, Analyst<'a>)>,
}

/// The answer that a call asks for.
#[derive(Clone, Copy)]
struct Turn {
    color: Color,
    ply: Ply,
    attempt: Count,
}

impl Turn {
    fn of(game: &Game, board: &chess::Game) -> Self {
        Self {
            color: board.side_to_move(),
            ply: board.ply().next(),
            attempt: Count::saturating(game.next_attempt()),
        }
    }
}

impl Table<'_, '_> {
    /// Plays until the game has ended or someone says stop. What came of the
    /// last call is said then, and still to be committed.
    ///
    /// One commit a turn: what came of a call, and the next one before it leaves.
    pub(crate) fn play(&mut self, stop: &dyn Fn() -> bool) -> Result<(), RunError> {
        loop {
            self.measure()?;
            let Some((call, turn)) = self.say_what_follows(stop)? else {
                return Ok(());
            };
            self.record.commit()?;
            let (_, board) = position(self.record, self.game)?;
            let seat = match turn.color {
                Color::White => &mut self.white,
                Color::Black => &mut self.black,
            };
            match seat.ask(call, board) {
                Reply::Answered(answered, text) => {
                    let judged = board.position().judge(&text);
                    let answer = self.record.say(answered)?;
                    self.say_move(answer, turn, judged, &text)?;
                }
                Reply::Failed(failed) => self.say_failure(failed)?,
            }
        }
    }

    /// Has the position after the last move measured, unless it was or the rules
    /// of chess end the game there. A referee that fails aborts the game: it is
    /// nobody's result.
    fn measure(&mut self) -> Result<(), RunError> {
        let is_playing = self.is_playing();
        let Some((analyst, referee)) = self.referee.as_mut().filter(|_| is_playing) else {
            return Ok(());
        };
        let (state, board) = position(self.record, self.game)?;
        let is_due = 0 < state.accepted
            && !state.streaks.has_measured(board.ply())
            && board.natural_end().is_none();
        if !is_due {
            return Ok(());
        }
        let (ply, variant) = (board.ply(), board.variant());
        match referee.measure(board.position(), variant) {
            Ok(analysis) => {
                let on_board = Some((self.game, ply));
                let measured = analysis.measured(*analyst, (&board.fen(), variant), on_board);
                self.record.say(measured)?;
            }
            Err(fault) => {
                self.record.say(GameAborted {
                    call: None,
                    cause: AbortCause::RunnerFailure,
                    game: self.game,
                    reason: format!("the referee measured nothing after ply {ply}: {fault}"),
                })?;
            }
        }
        Ok(())
    }

    fn is_playing(&self) -> bool {
        let game = self.record.projection().games.game(&self.game);
        game.is_some_and(|game| game.state == GameState::Playing)
    }

    /// Says what follows from the state of the game: its end, or the next call.
    fn say_what_follows(
        &mut self,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<(EventId, Turn)>, RunError> {
        if !self.is_playing() {
            return Ok(None);
        }
        let projection = self.record.projection();
        let (state, board) = position(self.record, self.game)?;
        let protocol = projection
            .protocol_of(state)
            .ok_or_else(|| stuck(self.game, "its protocol is not in the ledger"))?;
        if let Some((result, termination)) = end_of(state, board, protocol) {
            let finished = GameFinished {
                game: self.game,
                plies: Count::saturating(state.moves.len()),
                result,
                termination,
            };
            self.record.say(finished)?;
            return Ok(None);
        }
        if stop() {
            return Ok(None);
        }
        let turn = Turn::of(state, board);
        let seat = match turn.color {
            Color::White => &self.white,
            Color::Black => &self.black,
        };
        let sent = CallSent {
            attempt: turn.attempt,
            bodies: Vec::new(),
            game: Some(self.game),
            limit: seat.limit(),
            ply: Some(turn.ply),
            requested_model: None,
            route: None,
            system: *state.seat(turn.color),
        };
        Ok(Some((self.record.say(sent)?, turn)))
    }

    fn say_move(
        &mut self,
        answer: EventId,
        turn: Turn,
        judged: Result<UciMove, RejectionClass>,
        text: &str,
    ) -> Result<(), RunError> {
        let (game, call) = (self.game, Some(answer));
        let Turn { ply, attempt, .. } = turn;
        match judged {
            Ok(uci) => self.record.say(MoveAccepted {
                attempt,
                call,
                game,
                ply,
                uci,
            })?,
            Err(class) => self.record.say(MoveRejected {
                attempt,
                bodies: Vec::new(),
                call,
                class,
                extracted: text.to_owned(),
                game,
                ply,
            })?,
        };
        Ok(())
    }

    fn say_failure(&mut self, failed: CallFailed) -> Result<(), RunError> {
        // What the call says is redacted when it is said, and so is this.
        let reason = failed.detail.clone();
        let call = self.record.say(failed)?;
        self.record.say(GameAborted {
            call: Some(call),
            cause: AbortCause::ProviderFailure,
            game: self.game,
            reason,
        })?;
        Ok(())
    }
}

/// Returns the game and its position.
fn position<'r>(
    record: &'r Record<'_>,
    game: EventId,
) -> Result<(&'r Game, &'r chess::Game), RunError> {
    let state = record.projection().games.game(&game);
    let state = state.ok_or_else(|| stuck(game, "it is not in the ledger"))?;
    let board = state.board();
    let board = board.ok_or_else(|| stuck(game, "a move in it is not legal"))?;
    Ok((state, board))
}

const fn stuck(game: EventId, reason: &'static str) -> RunError {
    RunError::Stuck { game, reason }
}
