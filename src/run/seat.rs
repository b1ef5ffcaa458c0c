//! A system in its seat: asked for moves, started when it is first needed.

use std::time::{Duration, Instant};

use crate::canonical::Count;
use crate::chess;
use crate::event::{
    CallAnswered, CallFailed, CallFailure, CallTime, EngineReport, EventId, ReportedScore,
    SearchLimit,
};
use crate::run::Entrant;
use crate::run::file::Deadlines;
use crate::run::uci::{Answer, Engine, EngineFault, in_event};

/// An engine in its seat.
pub(crate) struct Seat<'a> {
    entrant: &'a Entrant,
    engine: Option<Engine>,
    deadlines: Deadlines,
}

/// What became of a call.
pub(crate) enum Reply {
    /// An answer: what the event says of it, and the text to judge.
    Answered(CallAnswered, String),
    /// None.
    Failed(CallFailed),
}

impl<'a> Seat<'a> {
    pub(crate) const fn new(entrant: &'a Entrant, deadlines: Deadlines) -> Self {
        Self {
            entrant,
            engine: None,
            deadlines,
        }
    }

    /// What one search may use.
    pub(crate) fn limit(&self) -> Option<SearchLimit> {
        let engine = self.entrant.system.engine.as_ref();
        engine.map(|engine| engine.limit)
    }

    /// Asks for a move; the call is in the ledger already.
    pub(crate) fn ask(&mut self, call: EventId, game: &chess::Game) -> Reply {
        let asked = Instant::now();
        match self.search(game) {
            Ok(answer) => answered(call, &answer),
            Err(fault) => Reply::Failed(CallFailed {
                bodies: Vec::new(),
                call,
                class: class(&fault),
                detail: fault.to_string(),
                http_status: None,
                retry_after_ms: None,
                time: Some(time(asked.elapsed().as_millis())),
            }),
        }
    }

    fn search(&mut self, game: &chess::Game) -> Result<Answer, EngineFault> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.start()?,
        };
        let fen = game.start().as_str();
        let fen = (*game.start() != chess::Fen::standard_start()).then_some(fen);
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let is_chess960 = game.variant() == chess::Variant::Chess960;
        let deadline = Duration::from_millis(self.deadlines.answer_ms);
        let answer = engine.search(fen, is_chess960, &moves, deadline)?;
        // One that failed is gone, and another is started when it is needed.
        self.engine = Some(engine);
        Ok(answer)
    }

    fn start(&self) -> Result<Engine, EngineFault> {
        let deadline = Duration::from_millis(self.deadlines.start_ms);
        let mut engine = Engine::start(&self.entrant.spec, deadline)?;
        engine.new_game(deadline)?;
        Ok(engine)
    }
}

fn answered(call: EventId, answer: &Answer) -> Reply {
    let score = answer.score().map(|score| {
        let (cp, mate) = in_event(score);
        ReportedScore { cp, mate }
    });
    let event = CallAnswered {
        bodies: Vec::new(),
        call,
        cost_usd: None,
        engine: Some(EngineReport {
            depth: answer.depth().map(Count::from),
            nodes: answer.nodes.map(Count::saturating),
            score,
        }),
        finish_reason: None,
        request_id: None,
        returned_model: None,
        time: time(answer.elapsed_ms),
        tokens: None,
    };
    Reply::Answered(event, answer.bestmove.clone().unwrap_or_default())
}

fn time(total_ms: impl TryInto<u64>) -> CallTime {
    CallTime {
        first_token_ms: None,
        queue_ms: None,
        total_ms: Count::saturating(total_ms),
    }
}

fn class(fault: &EngineFault) -> CallFailure {
    match fault.class() {
        "not_started" => CallFailure::NotStarted,
        "exited" => CallFailure::Exited,
        "deadline" => CallFailure::Timeout,
        _ => CallFailure::Protocol,
    }
}
