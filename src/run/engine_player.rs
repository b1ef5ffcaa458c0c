//! An engine as a player: started when it is first needed.

use std::time::{Duration, Instant};

use crate::canonical::Count;
use crate::event::{CallFailure, EngineReport, ReportedScore};
use crate::run::file::Deadlines;
use crate::run::player::{Answered, Failed, Player, Reply, Request, Took};
use crate::run::uci::{Answer, Engine, EngineFault, EngineSpec, in_event};

/// An engine in its seat.
pub(crate) struct EnginePlayer {
    spec: EngineSpec,
    engine: Option<Engine>,
    deadlines: Deadlines,
}

impl EnginePlayer {
    pub(crate) const fn new(spec: EngineSpec, deadlines: Deadlines) -> Self {
        Self {
            spec,
            engine: None,
            deadlines,
        }
    }

    fn search(&mut self, request: &Request) -> Result<Answer, EngineFault> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.start()?,
        };
        let deadline = Duration::from_millis(self.deadlines.answer_ms);
        let fen = request.fen.as_deref();
        let answer = engine.search(fen, request.is_chess960, &request.moves, deadline)?;
        // One that failed is gone, and another is started when it is needed.
        self.engine = Some(engine);
        Ok(answer)
    }

    fn start(&self) -> Result<Engine, EngineFault> {
        let deadline = Duration::from_millis(self.deadlines.start_ms);
        let mut engine = Engine::start(&self.spec, deadline)?;
        engine.new_game(deadline)?;
        Ok(engine)
    }
}

impl Player for EnginePlayer {
    fn ask(&mut self, request: &Request) -> Reply {
        let asked = Instant::now();
        match self.search(request) {
            Ok(answer) => Reply::Answered(Box::new(answered(&answer))),
            Err(fault) => Reply::Failed(Box::new(Failed {
                class: class(&fault),
                detail: fault.to_string(),
                time: Took::since(asked),
                ..Failed::default()
            })),
        }
    }
}

fn answered(answer: &Answer) -> Answered {
    let score = answer.score().map(|score| {
        let (cp, mate) = in_event(score);
        ReportedScore { cp, mate }
    });
    Answered {
        text: answer.bestmove.clone().unwrap_or_default(),
        engine: Some(EngineReport {
            depth: answer.depth().map(Count::from),
            nodes: answer.nodes.map(Count::saturating),
            score,
        }),
        time: Took {
            total: Duration::from_millis(answer.elapsed_ms),
            ..Took::default()
        },
        ..Answered::default()
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
