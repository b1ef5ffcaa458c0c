//! Who is asked for moves, and what came of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::canonical::{Count, Money};
use crate::chess::{self, Position, UciMove};
use crate::event::{
    CallAnswered, CallFailed, CallFailure, CallTime, CellRef, EngineReport, EventId, PrivateBody,
    SubCall, Tokens,
};
use crate::projection::Game;
use crate::run::prompts::Message;

/// Somebody who can be asked for a move. It works on a thread of its own and
/// knows nothing of the ledger.
pub(crate) trait Player: Send {
    /// Asks, and waits until an answer is there or none is going to come.
    fn ask(&mut self, request: &Request) -> Reply;
}

/// What a player is asked.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The game, or the dataset of a puzzle or position.
    pub(crate) game: EventId,
    /// The `call.sent` of this request, where it may be recorded.
    pub(crate) call: Option<EventId>,
    /// The registered cell that it is played for.
    pub(crate) cell: Option<CellRef>,
    /// The listed position that it is.
    pub(crate) place: Option<Place>,
    /// Which answer of the turn this asks for, from 1.
    pub(crate) attempt: u64,
    /// How many of the moves somebody chose in the game; those of its opening nobody
    /// did.
    pub(crate) chosen: usize,
    /// The position to move in.
    pub(crate) position: Position,
    /// The start position, unless it is the standard one.
    pub(crate) fen: Option<String>,
    /// Whether castling is that of Chess960.
    pub(crate) is_chess960: bool,
    /// The moves so far.
    pub(crate) moves: Vec<String>,
    /// What a model is sent.
    pub(crate) prompt: Option<Prompt>,
}

/// Where a position stands in its list.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// From 1.
    pub(crate) number: u64,
    pub(crate) id: String,
}

/// Messages that several requests have in common.
pub(crate) fn shared(messages: Vec<Message>) -> Vec<Arc<Message>> {
    messages.into_iter().map(Arc::new).collect()
}

/// What a model is sent.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    pub(crate) messages: Vec<Arc<Message>>,
    /// Whether the protocol has a tool that a move is submitted with.
    pub(crate) offers_tool: bool,
    /// The tag that a move is answered in, where it is.
    pub(crate) tag: Option<&'static str>,
    /// The legal moves: not part of what is sent, unless a system is declared to be
    /// held to them.
    pub(crate) legal: Vec<UciMove>,
}

impl Request {
    /// What is to be said of a position that is in no game, but in a dataset.
    pub(crate) fn outside_games(
        dataset: EventId,
        position: Position,
        prompt: Option<Prompt>,
    ) -> Self {
        Self {
            game: dataset,
            call: None,
            cell: None,
            place: None,
            attempt: 1,
            chosen: 0,
            fen: Some(position.fen().to_string()),
            position,
            is_chess960: false,
            moves: Vec::new(),
            prompt,
        }
    }

    /// What is to be said of a game.
    pub(crate) fn of(
        game: &Game,
        board: &chess::Game,
        attempt: u64,
        prompt: Option<Prompt>,
    ) -> Self {
        let is_standard = *board.start() == chess::Fen::standard_start();
        Self {
            game: game.id,
            call: None,
            cell: game.cell(),
            place: None,
            attempt,
            chosen: game.moves.len(),
            position: board.position().clone(),
            fen: (!is_standard).then(|| board.start().to_string()),
            is_chess960: board.variant() == chess::Variant::Chess960,
            moves: board.moves().iter().map(ToString::to_string).collect(),
            prompt,
        }
    }
}

/// What became of a call.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// An answer.
    Answered(Box<Answered>),
    /// None.
    Failed(Box<Failed>),
    /// A cassette was to answer and does not hold it, for this reason: nothing
    /// happened that a ledger could tell.
    Missed(String),
}

impl Reply {
    /// What came back, as it came.
    pub(crate) fn raw(&self) -> &[u8] {
        match self {
            Self::Answered(answered) => &answered.raw,
            Self::Failed(failed) => &failed.raw,
            Self::Missed(_) => &[],
        }
    }
}

/// An answer, and what is known of it. Absent is unknown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answered {
    /// The text to judge.
    pub(crate) text: String,
    /// The whole message of a model, as it is sent back to it.
    pub(crate) message: Option<Message>,
    /// Whether the model declined.
    pub(crate) is_refusal: bool,
    /// Whether the length limit ended it.
    pub(crate) is_cut_off: bool,
    /// What the provider counted in the request.
    pub(crate) prompt_tokens: Option<u64>,
    pub(crate) tokens: Option<Tokens>,
    /// Tokens of the route's own instructions; part of `tokens`.
    pub(crate) overhead: Option<Tokens>,
    /// What a program asked of models to find its answer.
    pub(crate) calls: Vec<SubCall>,
    pub(crate) cost_usd: Option<Money>,
    pub(crate) finish_reason: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) returned_model: Option<String>,
    /// What an engine reported.
    pub(crate) engine: Option<EngineReport>,
    /// How long it took.
    pub(crate) time: Took,
    /// What came back, as it came: private.
    pub(crate) raw: Vec<u8>,
}

/// Why no answer came.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    pub(crate) class: CallFailure,
    pub(crate) detail: String,
    pub(crate) http_status: Option<u16>,
    /// How long the server asks to wait.
    pub(crate) retry_after_ms: Option<u64>,
    pub(crate) time: Took,
    /// What came back, as it came: private.
    pub(crate) raw: Vec<u8>,
    /// Whether it was recorded: nobody has to wait for it to pass.
    pub(crate) is_replayed: bool,
}

impl Default for Failed {
    fn default() -> Self {
        Self {
            class: CallFailure::Protocol,
            detail: String::new(),
            http_status: None,
            retry_after_ms: None,
            time: Took::default(),
            raw: Vec::new(),
            is_replayed: false,
        }
    }
}

/// How long a call took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Took {
    /// Until the first token.
    pub(crate) first_token: Option<Duration>,
    /// In a queue of ours.
    pub(crate) queue: Option<Duration>,
    /// All of it.
    pub(crate) total: Duration,
}

impl Took {
    /// The time since then.
    pub(crate) fn since(asked: Instant) -> Self {
        Self {
            total: asked.elapsed(),
            ..Self::default()
        }
    }

    pub(crate) fn in_event(self) -> CallTime {
        let ms = |time: Duration| Count::saturating(time.as_millis());
        CallTime {
            first_token_ms: self.first_token.map(ms),
            queue_ms: self.queue.map(ms),
            total_ms: ms(self.total),
        }
    }
}

impl Answered {
    /// What the event says of it.
    pub(crate) fn event(&self, call: EventId, bodies: Vec<PrivateBody>) -> CallAnswered {
        CallAnswered {
            bodies,
            call,
            calls: self.calls.clone(),
            cost_usd: self.cost_usd,
            engine: self.engine,
            finish_reason: self.finish_reason.clone(),
            overhead: self.overhead,
            request_id: self.request_id.clone(),
            returned_model: self.returned_model.clone(),
            time: self.time.in_event(),
            tokens: self.tokens,
        }
    }
}

impl Failed {
    /// How long to wait before the same is asked again, after so many failures
    /// before: as long as the server asks, else half a second and twice as long each
    /// time.
    pub(crate) fn wait(&self, failures: u64) -> Duration {
        if self.is_replayed {
            return Duration::ZERO;
        }
        let asked = self.retry_after_ms.map(Duration::from_millis);
        asked.unwrap_or_else(|| backoff(failures)).min(WAIT_MAX)
    }

    /// What the event says of it.
    pub(crate) fn event(&self, call: EventId, bodies: Vec<PrivateBody>) -> CallFailed {
        CallFailed {
            bodies,
            call,
            class: self.class,
            detail: self.detail.clone(),
            http_status: self.http_status.map(|status| u32::from(status).into()),
            retry_after_ms: self.retry_after_ms.map(Count::saturating),
            time: Some(self.time.in_event()),
        }
    }
}

/// The longest wait before something is sent again.
const WAIT_MAX: Duration = Duration::from_mins(10);

fn backoff(failures: u64) -> Duration {
    let doublings = u32::try_from(failures).unwrap_or(u32::MAX).min(7);
    Duration::from_millis(500) * 2_u32.pow(doublings)
}
