//! A system in its seat: asked for moves, started when it is first needed.

use std::time::Duration;

use crate::canonical::Count;
use crate::chess;
use crate::event::{
    CallAnswered, CallFailed, CallFailure, CallTime, EngineReport, EventId, ReportedScore,
};
use crate::run::file::Deadlines;
use crate::run::uci::{Answer, Engine, EngineFault, EngineSpec, Score};

/// An engine in its seat.
pub(crate) struct Seat<'a> {
    spec: &'a EngineSpec,
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
    pub(crate) const fn new(spec: &'a EngineSpec, deadlines: Deadlines) -> Self {
        Self {
            spec,
            engine: None,
            deadlines,
        }
    }

    /// Asks for a move; the call is in the ledger already.
    pub(crate) fn ask(&mut self, call: EventId, game: &chess::Game) -> Reply {
        match self.search(game) {
            Ok(answer) => answered(call, &answer),
            Err(fault) => {
                self.engine = None;
                Reply::Failed(CallFailed {
                    call,
                    class: class(&fault),
                    detail: fault.to_string(),
                    http_status: None,
                    retry_after_ms: None,
                    time: None,
                })
            }
        }
    }

    fn search(&mut self, game: &chess::Game) -> Result<Answer, EngineFault> {
        let start = Duration::from_millis(self.deadlines.start_ms);
        let engine = match &mut self.engine {
            Some(engine) => engine,
            None => {
                let mut engine = Engine::start(self.spec, start)?;
                engine.new_game(start)?;
                self.engine.insert(engine)
            }
        };
        let fen = game.start().as_str();
        let fen = (*game.start() != chess::Fen::standard_start()).then_some(fen);
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let is_chess960 = game.variant() == chess::Variant::Chess960;
        let deadline = Duration::from_millis(self.deadlines.answer_ms);
        engine.search(fen, is_chess960, &moves, deadline)
    }
}

fn answered(call: EventId, answer: &Answer) -> Reply {
    let score = answer.score().and_then(reported);
    let event = CallAnswered {
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
        time: CallTime {
            first_token_ms: None,
            queue_ms: None,
            total_ms: Count::saturating(answer.elapsed_ms),
        },
        tokens: None,
    };
    Reply::Answered(event, answer.bestmove.clone().unwrap_or_default())
}

fn reported(score: Score) -> Option<ReportedScore> {
    let (cp, mate) = match score {
        Score::Centipawns(cp) => (Some(cp.try_into().ok()?), None),
        Score::Mate(mate) => (None, Some(mate.try_into().ok()?)),
    };
    Some(ReportedScore { cp, mate })
}

fn class(fault: &EngineFault) -> CallFailure {
    match fault.class() {
        "not_started" => CallFailure::NotStarted,
        "exited" => CallFailure::Exited,
        "deadline" => CallFailure::Timeout,
        _ => CallFailure::Protocol,
    }
}
