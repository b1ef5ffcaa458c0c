//! Who is asked for moves, and what came of it.

use std::time::Instant;

use crate::canonical::Count;
use crate::chess;
use crate::event::{
    CallAnswered, CallFailed, CallFailure, CallTime, EngineReport, EventId, Tokens,
};

/// Somebody who can be asked for a move. It works on a thread of its own and
/// knows nothing of the ledger.
pub(crate) trait Player: Send {
    /// Asks, and waits until an answer is there or none is going to come.
    fn ask(&mut self, request: &Request) -> Reply;
}

/// What a player is asked.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The start position, unless it is the standard one.
    pub(crate) fen: Option<String>,
    /// Whether castling is that of Chess960.
    pub(crate) is_chess960: bool,
    /// The moves so far.
    pub(crate) moves: Vec<String>,
}

impl Request {
    /// What is to be said of a game.
    pub(crate) fn of(game: &chess::Game) -> Self {
        let fen = (*game.start() != chess::Fen::standard_start()).then(|| game.start().to_string());
        Self {
            fen,
            is_chess960: game.variant() == chess::Variant::Chess960,
            moves: game.moves().iter().map(ToString::to_string).collect(),
        }
    }
}

/// What became of a call.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// An answer.
    Answered(Box<Answered>),
    /// None.
    Failed(Failed),
}

/// An answer, and what is known of it. Absent is unknown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answered {
    /// The text to judge.
    pub(crate) text: String,
    /// What an engine reported.
    pub(crate) engine: Option<EngineReport>,
    /// How long it took.
    pub(crate) time: Took,
    /// Token counts.
    pub(crate) tokens: Option<Tokens>,
}

/// Why no answer came.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    pub(crate) class: CallFailure,
    pub(crate) detail: String,
    pub(crate) time: Took,
}

/// How long a call took, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Took {
    pub(crate) total_ms: u64,
}

impl Took {
    /// The time since then.
    pub(crate) fn since(asked: Instant) -> Self {
        Self {
            total_ms: u64::try_from(asked.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn in_event(self) -> CallTime {
        CallTime {
            first_token_ms: None,
            queue_ms: None,
            total_ms: Count::saturating(self.total_ms),
        }
    }
}

impl Answered {
    /// What the event says of it.
    pub(crate) fn event(&self, call: EventId) -> CallAnswered {
        CallAnswered {
            bodies: Vec::new(),
            call,
            cost_usd: None,
            engine: self.engine,
            finish_reason: None,
            request_id: None,
            returned_model: None,
            time: self.time.in_event(),
            tokens: self.tokens,
        }
    }
}

impl Failed {
    /// What the event says of it.
    pub(crate) fn event(self, call: EventId) -> CallFailed {
        CallFailed {
            bodies: Vec::new(),
            call,
            class: self.class,
            detail: self.detail,
            http_status: None,
            retry_after_ms: None,
            time: Some(self.time.in_event()),
        }
    }
}
