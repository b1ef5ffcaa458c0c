use std::sync::Arc;

use crate::canonical::{self, Count};
use crate::event::{CallTime, EventId};
use crate::run::cassette::exchange::{Exchange, Failure, Heard, took};
use crate::run::cassette::{Asked, CassetteFault, Recorder, Replay};
use crate::run::chat::{Sent, is_stream};
use crate::run::player::{Answered, Reply, Request};
use crate::secret::Scanner;

/// What stands between a player and whoever it asks.
#[derive(Clone, Debug, Default)]
pub enum Tape {
    /// Nobody is asked: a dry run.
    Nobody,
    /// Nothing.
    #[default]
    None,
    /// A cassette that is written.
    Record(Arc<Recorder>),
    /// A cassette that answers; nobody else is asked.
    Replay(Arc<Replay>),
}

/// Reads an answer that was kept: its body, and what type that is of.
pub(crate) type Again<'a> = dyn Fn(&[u8], Option<&str>) -> Option<Answered> + 'a;

/// What of an answer stands before its body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) status: Option<u16>,
    pub(crate) content_type: Option<String>,
    /// What is kept, where nothing came back as bytes.
    pub(crate) body: Option<Vec<u8>>,
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whose {
    /// The `call.sent` of it, where it is one.
    pub(crate) call: Option<EventId>,
    /// The number of the registered cell that is played, from 0.
    pub(crate) cell: Option<Count>,
}

impl Whose {
    pub(crate) fn of(request: &Request) -> Self {
        Self {
            call: request.call,
            cell: request.cell.map(|cell| cell.index),
        }
    }
}

impl Tape {
    /// Whether nobody is asked but a cassette.
    pub const fn is_replay(&self) -> bool {
        matches!(self, Self::Replay(_))
    }

    /// Whether somebody is asked, and so needs what opens a door.
    pub(crate) const fn is_live(&self) -> bool {
        matches!(self, Self::None | Self::Record(_))
    }

    /// Whether an exchange could not be recorded: the run is to stop.
    pub fn is_faulty(&self) -> bool {
        matches!(self, Self::Record(recorder) if recorder.is_faulty())
    }

    /// Why an exchange could not be recorded.
    ///
    /// # Errors
    ///
    /// The first that could not.
    pub fn check(&self) -> Result<(), CassetteFault> {
        match self {
            Self::Record(recorder) => recorder.take_fault().map_or(Ok(()), Err),
            Self::None | Self::Nobody | Self::Replay(_) => Ok(()),
        }
    }

    /// Asks: `live` asks whoever is asked, and `again` reads what came back once
    /// more.
    pub(crate) fn ask(
        &self,
        whose: Whose,
        asked: impl FnOnce() -> Asked,
        live: impl FnOnce() -> (Reply, Head),
        again: &Again<'_>,
    ) -> Reply {
        match self {
            Self::None => live().0,
            Self::Nobody => Reply::Missed("a dry run asks nobody".to_owned()),
            Self::Record(recorder) => {
                let (reply, head) = live();
                recorder.add(&recorded(whose, asked(), &reply, &head, again));
                reply
            }
            Self::Replay(replay) => match replay.take(whose.cell, &asked()) {
                Err(miss) => Reply::Missed(miss),
                Ok(exchange) => replayed(exchange, again),
            },
        }
    }
}

fn replayed(exchange: &Exchange, again: &Again<'_>) -> Reply {
    if let Some(failed) = exchange.failed() {
        return failed;
    }
    let raw = exchange.response.bytes().unwrap_or_default();
    let kind = exchange.response.content_type.as_deref();
    match again(&raw, kind) {
        Some(answered) => Reply::Answered(Box::new(Answered {
            time: took(exchange.time),
            ..answered
        })),
        None => Reply::Missed(format!(
            "what the cassette holds of {} cannot be read as an answer",
            exchange.request
        )),
    }
}

/// The exchange as it may stand in a file.
fn recorded(whose: Whose, asked: Asked, reply: &Reply, head: &Head, again: &Again<'_>) -> Exchange {
    let (failure, time) = match reply {
        Reply::Answered(answered) => (None, answered.time.in_event()),
        Reply::Failed(failed) => (Some(Failure::of(failed)), failed.time.in_event()),
        Reply::Missed(_) => (None, nothing()),
    };
    let is_in_pieces = is_stream(head.content_type.as_deref());
    let kept = match reply {
        // A replay needs the failure alone, and nobody put together what is in pieces.
        Reply::Failed(_) if is_in_pieces => &[],
        _ => reply.raw(),
    };
    let exchange = Exchange {
        call: whose.call,
        cell: whose.cell,
        failure,
        request: asked,
        response: Heard::new(head, kept).public(),
        time,
        withheld: Vec::new(),
    };
    let mut rules = hits(&canonical::write(&exchange).unwrap_or_default());
    // What is no text stands there in hex.
    let bytes = exchange.response.bytes().unwrap_or_default();
    rules.extend(hits(&String::from_utf8_lossy(&bytes)));
    if matches!(reply, Reply::Answered(_)) {
        // A credential in pieces is one only when they are put together.
        let raw = exchange.response.bytes().unwrap_or_default();
        let read = again(&raw, head.content_type.as_deref());
        match read {
            Some(answered) => rules.extend(hits(&said(&answered))),
            None => rules.push("redacted".to_owned()),
        }
    }
    if rules.is_empty() {
        return exchange;
    }
    rules.sort_unstable();
    rules.dedup();
    let withheld = Exchange {
        failure: None,
        response: Heard::default(),
        withheld: rules,
        ..exchange
    };
    let line = canonical::write(&withheld).unwrap_or_default();
    if hits(&line).is_empty() {
        return withheld;
    }
    Exchange {
        request: withheld.request.blanked(),
        ..withheld
    }
}

const fn nothing() -> CallTime {
    CallTime {
        first_token_ms: None,
        queue_ms: None,
        total_ms: Count::ZERO,
    }
}

/// The rules that speak at a text.
fn hits(text: &str) -> Vec<String> {
    let hits = Scanner::shared().scan(text.as_bytes()).into_iter();
    hits.map(|hit| hit.rule.to_owned()).collect()
}

/// All that a model said, put together.
fn said(answered: &Answered) -> String {
    let message = answered.message.as_ref();
    let message =
        message.map(|message| serde_json::to_string(&Sent::of(message)).unwrap_or_default());
    format!("{}\n{}", answered.text, message.unwrap_or_default())
}
