use std::time::Instant;

use crate::canonical::Count;
use crate::chess::{self, Color, Ply};
use crate::event::{
    AbortCause, CallSent, EventId, GameAborted, GameFinished, MoveAccepted, MoveRejected,
    PrivateBody,
};
use crate::projection::{Candidates, Game, GameState, MeasuredContent, Shown, Unshown, end_of};
use crate::run::RunError;
use crate::run::analyst::MeasureError;
use crate::run::chat::is_passing;
use crate::run::player::{Failed, Prompt, Reply, Request};
use crate::run::record::Record;
use crate::run::reply::Judged;
use crate::run::uci::Analysis;
use crate::run::voice::Voice;
use crate::run::worker::{Done, Task};

/// A table: the game that is played at it, and what is being waited for.
pub(crate) struct Table {
    pub(crate) game: EventId,
    /// Who measures each position after a move, where the protocol adjudicates.
    referee: Option<EventId>,
    voices: [Voice; 2],
    waits_for: Option<Wait>,
    /// What was asked last, for once more where no answer came.
    asked: Option<Prompt>,
    /// How many calls of the attempt at hand failed in this run.
    failures: u64,
    /// Until when nothing is sent, after a failure.
    rests_until: Option<Instant>,
}

/// What is to be done next at a table.
pub(crate) enum Step {
    /// This, once all that was said is durable.
    Do(Task),
    /// Nothing before then.
    Rest(Instant),
    /// Nothing: the game has ended, or someone said stop.
    Leave,
}

/// What a table waits for.
enum Wait {
    /// The answer to a call.
    Answer(EventId, Turn),
    /// What the position after this ply is worth.
    Measurement(Ply),
    /// What the oracle thinks best in this position.
    Advice(MeasuredContent),
}

/// What follows from the state of a game.
enum Follows {
    /// Nothing: it has ended, or someone said stop.
    Nothing,
    /// The oracle measures the position.
    Advice(MeasuredContent),
    /// This call, which shows these candidates.
    Call(EventId, Turn, Option<Candidates>),
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

impl Table {
    /// A table with the voices of White and Black.
    pub(crate) const fn new(game: EventId, referee: Option<EventId>, voices: [Voice; 2]) -> Self {
        Self {
            game,
            referee,
            voices,
            waits_for: None,
            asked: None,
            failures: 0,
            rests_until: None,
        }
    }

    /// Says what follows from the state of the game, and returns what is to be
    /// done next.
    pub(crate) fn next(
        &mut self,
        record: &mut Record<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Step, RunError> {
        if let Some(measuring) = self.measuring(record)? {
            return Ok(Step::Do(measuring));
        }
        if let Some(until) = self.rests_until
            && self.is_playing(record)
            && !stop()
        {
            if Instant::now() < until {
                return Ok(Step::Rest(until));
            }
            self.rests_until = None;
        }
        let (call, turn, shown) = match self.say_what_follows(record, stop)? {
            Follows::Nothing => return Ok(Step::Leave),
            Follows::Advice(content) => {
                self.waits_for = Some(Wait::Advice(content));
                let (_, board) = position(record, self.game)?;
                let (position, variant) = (board.position().clone(), board.variant());
                return Ok(Step::Do(Task::Advise(Box::new(position), variant)));
            }
            Follows::Call(call, turn, shown) => (call, turn, shown),
        };
        self.waits_for = Some(Wait::Answer(call, turn));
        let (state, board) = position(record, self.game)?;
        if self.failures == 0 {
            let (attempt, shown) = (turn.attempt.get(), shown.as_ref());
            let voice = voice_of(&mut self.voices, turn.color);
            self.asked = voice.prompt(state, board, attempt, shown);
        }
        let request = Request {
            call: Some(call),
            ..Request::of(state, board, turn.attempt.get(), self.asked.clone())
        };
        Ok(Step::Do(Task::Ask(turn.color, Box::new(request))))
    }

    /// Says what came of the last task.
    pub(crate) fn take(&mut self, record: &mut Record<'_>, done: Done) -> Result<(), RunError> {
        match (self.waits_for.take(), done) {
            (Some(Wait::Answer(call, turn)), Done::Asked(Reply::Answered(answered), bodies)) => {
                let (_, board) = position(record, self.game)?;
                let voice = voice_of(&mut self.voices, turn.color);
                let judged = voice.judge(board.position(), &answered);
                voice.take(&answered, judged.verdict);
                let bodies = record.hold(bodies?);
                let answer = record.say(answered.event(call, bodies))?;
                self.failures = 0;
                self.say_move(record, answer, turn, judged)
            }
            (Some(Wait::Answer(call, _)), Done::Asked(Reply::Failed(failed), bodies)) => {
                let bodies = record.hold(bodies?);
                self.say_failure(record, call, &failed, bodies)
            }
            (Some(Wait::Answer(..)), Done::Asked(Reply::Missed(what), _)) => {
                Err(RunError::Missed { what })
            }
            (Some(Wait::Measurement(ply)), Done::Measured(found)) => {
                self.say_measurement(record, ply, found)
            }
            (Some(Wait::Advice(content)), Done::Advised(found)) => {
                self.say_advice(record, &content, found)
            }
            _ => Err(stuck(self.game, "its worker did something else than asked")),
        }
    }

    /// The position after the last move, where it is to be measured: unless it
    /// was, or the rules of chess end the game there.
    fn measuring(&mut self, record: &Record<'_>) -> Result<Option<Task>, RunError> {
        if self.referee.is_none() || !self.is_playing(record) {
            return Ok(None);
        }
        let (state, board) = position(record, self.game)?;
        let is_due = 0 < state.accepted
            && !state.streaks.has_measured(board.ply())
            && board.natural_end().is_none();
        Ok(is_due.then(|| {
            self.waits_for = Some(Wait::Measurement(board.ply()));
            Task::Measure(Box::new(board.position().clone()), board.variant())
        }))
    }

    /// Says what was measured. A referee that fails aborts the game: it is
    /// nobody's result.
    fn say_measurement(
        &self,
        record: &mut Record<'_>,
        ply: Ply,
        found: Option<Result<Analysis, MeasureError>>,
    ) -> Result<(), RunError> {
        let (_, board) = position(record, self.game)?;
        let variant = board.variant();
        match (self.referee, found) {
            (Some(analyst), Some(Ok(analysis))) => {
                let on_board = Some((self.game, ply));
                record.say(analysis.measured(analyst, (&board.fen(), variant), on_board))?;
            }
            (_, Some(Err(MeasureError::Missed(what)))) => return Err(RunError::Missed { what }),
            (_, found) => {
                let fault = fault_of(found);
                let reason = format!("the referee measured nothing after ply {ply}: {fault}");
                self.abort(record, reason)?;
            }
        }
        Ok(())
    }

    /// Says what the oracle measured; an oracle that fails aborts the game. A position
    /// has one record: where another table was faster, nothing is said.
    fn say_advice(
        &self,
        record: &mut Record<'_>,
        content: &MeasuredContent,
        found: Option<Result<Analysis, MeasureError>>,
    ) -> Result<(), RunError> {
        if record.projection().measurements.of(content).is_some() {
            return Ok(());
        }
        match found {
            Some(Ok(analysis)) => {
                let of_position = (&content.fen, content.variant);
                record.say(analysis.measured(content.analyst, of_position, None))?;
                Ok(())
            }
            Some(Err(MeasureError::Missed(what))) => Err(RunError::Missed { what }),
            found => {
                let (fen, fault) = (&content.fen, fault_of(found));
                self.abort(
                    record,
                    format!("the oracle measured nothing on {fen}: {fault}"),
                )
            }
        }
    }

    fn abort(&self, record: &mut Record<'_>, reason: String) -> Result<(), RunError> {
        record.say(GameAborted {
            call: None,
            cause: AbortCause::RunnerFailure,
            game: self.game,
            reason,
        })?;
        Ok(())
    }

    fn is_playing(&self, record: &Record<'_>) -> bool {
        let game = record.projection().games.game(&self.game);
        game.is_some_and(|game| game.state == GameState::Playing)
    }

    /// Says what follows from the state of the game: its end, or the next call, unless
    /// the oracle has to look at the position first.
    fn say_what_follows(
        &self,
        record: &mut Record<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Follows, RunError> {
        if !self.is_playing(record) {
            return Ok(Follows::Nothing);
        }
        let projection = record.projection();
        let (state, board) = position(record, self.game)?;
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
            record.say(finished)?;
            return Ok(Follows::Nothing);
        }
        if stop() {
            return Ok(Follows::Nothing);
        }
        let turn = Turn::of(state, board);
        let system = *state.seat(turn.color);
        let shown = match projection.shown(state, &system).transpose() {
            Ok(shown) => shown,
            Err(Unshown::Unmeasured(content)) => return Ok(Follows::Advice(content)),
            Err(Unshown::Unfit(error)) => {
                self.abort(record, format!("the oracle is of no use: {error}"))?;
                return Ok(Follows::Nothing);
            }
        };
        let registered = projection.systems.system(&system);
        let registered = registered.map(|system| &system.registered);
        let engine = registered.and_then(|system| system.engine.as_ref());
        let model = registered.and_then(|system| system.model.as_ref());
        let sent = CallSent {
            attempt: turn.attempt,
            bodies: Vec::new(),
            candidates: shown.as_ref().map(Shown::event),
            game: Some(self.game),
            limit: engine.map(|engine| engine.limit),
            ply: Some(turn.ply),
            position: None,
            puzzle: None,
            requested_model: model.map(|model| model.requested_model.clone()),
            route: model.map(|model| model.route.clone()),
            system,
        };
        let shown = shown.map(|shown| shown.candidates);
        Ok(Follows::Call(record.say(sent)?, turn, shown))
    }

    fn say_move(
        &self,
        record: &mut Record<'_>,
        answer: EventId,
        turn: Turn,
        judged: Judged,
    ) -> Result<(), RunError> {
        let (game, call) = (self.game, Some(answer));
        let Turn { ply, attempt, .. } = turn;
        match judged.verdict {
            Ok(uci) => record.say(MoveAccepted {
                attempt,
                call,
                game,
                ply,
                uci,
            })?,
            Err(class) => record.say(MoveRejected {
                attempt,
                bodies: Vec::new(),
                call,
                class,
                extracted: judged.extracted,
                game,
                ply,
            })?,
        };
        Ok(())
    }

    /// Says that no answer came. What may pass is waited for and asked again, as
    /// often as the protocol allows; else the game is aborted.
    fn say_failure(
        &mut self,
        record: &mut Record<'_>,
        call: EventId,
        failed: &Failed,
        bodies: Vec<PrivateBody>,
    ) -> Result<(), RunError> {
        // What the call says is redacted when it is said, and so is the reason.
        let said = record.say(failed.event(call, bodies))?;
        let (state, _) = position(record, self.game)?;
        let protocol = record.projection().protocol_of(state);
        let retries = protocol.and_then(|protocol| protocol.failed_request.retries_max);
        if is_passing(failed.class) && self.failures < retries.map_or(0, Count::get) {
            self.rests_until = Some(Instant::now() + failed.wait(self.failures));
            self.failures += 1;
            return Ok(());
        }
        record.say(GameAborted {
            call: Some(said),
            cause: AbortCause::ProviderFailure,
            game: self.game,
            reason: failed.detail.clone(),
        })?;
        Ok(())
    }
}

const fn voice_of(voices: &mut [Voice; 2], color: Color) -> &mut Voice {
    let [white, black] = voices;
    match color {
        Color::White => white,
        Color::Black => black,
    }
}

/// Why nothing was measured, in words.
fn fault_of(found: Option<Result<Analysis, MeasureError>>) -> String {
    match found {
        Some(Err(fault)) => fault.to_string(),
        Some(Ok(_)) | None => "nobody sits there".to_owned(),
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
