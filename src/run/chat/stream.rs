use std::io::{self, BufRead, Read as _};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::event::CallFailure;
use crate::run::chat::completion::Completion;
use crate::run::chat::failure::Trouble;

/// An answer that came in pieces.
pub(crate) struct Streamed {
    pub(crate) completion: Completion,
    /// When the first piece with something in it came.
    pub(crate) first: Option<Duration>,
}

/// Whether an answer of this type comes in pieces.
pub(crate) fn is_stream(content_type: Option<&str>) -> bool {
    content_type.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// The longest line of a stream, in bytes.
const LINE_MAX: u64 = 1 << 22;

/// The most that is read of one answer, in bytes.
pub(crate) const ANSWER_MAX: u64 = 1 << 25;

/// Reads server-sent events to their end, each cleaned before it is looked at,
/// and adds what was read to `raw`.
pub(crate) fn read(
    from: impl BufRead,
    asked: Instant,
    clean: &dyn Fn(&[u8]) -> Vec<u8>,
    raw: &mut Vec<u8>,
) -> Result<Streamed, Trouble> {
    let mut from = from.take(ANSWER_MAX);
    let mut streamed = Streamed {
        completion: Completion::default(),
        first: None,
    };
    let mut is_done = false;
    while !is_done {
        let mut line = Vec::new();
        let read = (&mut from).take(LINE_MAX).read_until(b'\n', &mut line);
        let read = read.map_err(|error| broken(&error))?;
        if read == 0 {
            break;
        }
        let line = clean(&line);
        raw.extend_from_slice(&line);
        // Comments keep the connection open, and other fields say nothing.
        let Some(data) = line.strip_prefix(b"data:") else {
            continue;
        };
        let data = data.trim_ascii();
        if data == b"[DONE]" {
            is_done = true;
            continue;
        }
        let Ok(piece) = serde_json::from_slice::<Value>(data) else {
            let message = "a stream with a piece that is no JSON";
            return Err(Trouble::new(CallFailure::BrokenStream, message));
        };
        let before = streamed.completion.clone();
        streamed.completion.take(&piece, "delta")?;
        let has_more = has_content(&piece) || before.text != streamed.completion.text;
        if has_more && streamed.first.is_none() {
            streamed.first = Some(asked.elapsed());
        }
    }
    // Some end without the last word; then the reason must have come.
    if is_done || streamed.completion.finish_reason.is_some() {
        if streamed.completion.has_choice {
            return Ok(streamed);
        }
        return Err(Trouble::new(
            CallFailure::ErrorAnswer,
            "an answer without a choice in it",
        ));
    }
    Err(Trouble::new(
        CallFailure::BrokenStream,
        "the stream ended before the answer did",
    ))
}

/// Whether a piece has something of an answer, or of the thinking before it.
fn has_content(piece: &Value) -> bool {
    let delta = piece.pointer("/choices/0/delta");
    [
        "content",
        "reasoning",
        "reasoning_content",
        "tool_calls",
        "reasoning_details",
    ]
    .iter()
    .filter_map(|name| delta?.get(name))
    .any(|value| match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(parts) => !parts.is_empty(),
        _ => false,
    })
}

fn broken(error: &io::Error) -> Trouble {
    let class = match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => CallFailure::Timeout,
        _ => CallFailure::BrokenStream,
    };
    Trouble::new(class, format!("the stream broke off: {error}"))
}
