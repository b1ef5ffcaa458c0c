use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::canonical::{self, Count};
use crate::event::{CallFailure, CallTime, EventId};
use crate::run::cassette::{Asked, Head};
use crate::run::player::{Failed, Reply, Took};
use crate::secret::Scanner;

/// What the form of a cassette is called. It is raised when a member changes its
/// meaning or goes.
const FORMAT: &str = "scoresheet-cassette@1";

/// The first line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
}

/// A line that takes an exchange back: the runner was killed before its answer was
/// in the ledger, and asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Void {
    /// The call whose answer nobody took.
    pub(crate) void: EventId,
}

/// A request, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exchange {
    /// The `call.sent` that it is in the ledger of the recorded run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call: Option<EventId>,
    /// The number of the registered cell that was played, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cell: Option<Count>,
    /// Why no answer came, where none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<Failure>,
    pub(crate) request: Asked,
    pub(crate) response: Heard,
    pub(crate) time: CallTime,
    /// The rules of credentials for which what came back is not here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) withheld: Vec<String>,
}

/// What came back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Heard {
    /// All that was read, the pieces of a stream in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// The same in hex digits, where it is no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body_hex: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<Count>,
}

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Failure {
    class: CallFailure,
    detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    http_status: Option<Count>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<Count>,
}

/// A line after the first.
pub(crate) enum Line {
    Exchange(Box<Exchange>),
    Void(EventId),
}

impl Line {
    /// Reads a line, without its newline.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, String> {
        if text.starts_with(b"{\"void\":") {
            let void: Void = canonical::parse(text).map_err(|fault| fault.to_string())?;
            return Ok(Self::Void(void.void));
        }
        let exchange: Exchange = canonical::parse(text).map_err(|fault| fault.to_string())?;
        exchange.response.bytes()?;
        Ok(Self::Exchange(Box::new(exchange)))
    }
}

/// The first line, without its newline.
pub(crate) fn header() -> String {
    format!("{{\"format\":\"{FORMAT}\"}}")
}

/// Checks a first line.
pub(crate) fn check_header(text: &[u8]) -> Result<(), String> {
    let found: Result<Header, _> = canonical::parse(text);
    match found {
        Ok(header) if header.format == FORMAT => Ok(()),
        _ => Err(format!(
            "the file does not begin with {}, as a cassette does",
            header()
        )),
    }
}

impl Heard {
    pub(crate) fn new(head: &Head, raw: &[u8]) -> Self {
        let bytes = head.body.as_deref().unwrap_or(raw);
        let text = std::str::from_utf8(bytes).ok();
        Self {
            body: text.filter(|text| !text.is_empty()).map(str::to_owned),
            body_hex: text.is_none().then(|| hex(bytes)),
            content_type: head.content_type.clone(),
            status: head.status.map(|status| u32::from(status).into()),
        }
    }

    /// All that was read.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, String> {
        match (&self.body, &self.body_hex) {
            (Some(text), None) => Ok(text.clone().into_bytes()),
            (None, Some(digits)) => {
                let bytes = unhex(digits).filter(|bytes| std::str::from_utf8(bytes).is_err());
                bytes.ok_or_else(|| {
                    "expected hex digits of what is no text in `body_hex`".to_owned()
                })
            }
            (None, None) => Ok(Vec::new()),
            (Some(_), Some(_)) => Err("expected one of `body` and `body_hex`".to_owned()),
        }
    }

    /// The same with what looks like a credential left out.
    pub(crate) fn public(&self) -> Self {
        let body = self.body.as_ref();
        Self {
            body: body.map(|text| Scanner::shared().redacted(text)),
            content_type: self.content_type.as_deref().map(public),
            ..self.clone()
        }
    }
}

impl Exchange {
    /// The failure that was recorded, as a player has it.
    pub(crate) fn failed(&self) -> Option<Reply> {
        let failure = self.failure.as_ref()?;
        Some(Reply::Failed(Box::new(Failed {
            class: failure.class,
            detail: failure.detail.clone(),
            http_status: failure
                .http_status
                .and_then(|status| u16::try_from(status.get()).ok()),
            retry_after_ms: failure.retry_after_ms.map(Count::get),
            time: took(self.time),
            raw: self.response.bytes().unwrap_or_default(),
            is_replayed: true,
        })))
    }
}

impl Failure {
    pub(crate) fn of(failed: &Failed) -> Self {
        Self {
            class: failed.class,
            detail: public(&failed.detail),
            http_status: failed.http_status.map(|status| u32::from(status).into()),
            retry_after_ms: failed.retry_after_ms.map(Count::saturating),
        }
    }
}

/// The times of an exchange, as a player has them.
pub(crate) fn took(time: CallTime) -> Took {
    let duration = |ms: Count| Duration::from_millis(ms.get());
    Took {
        first_token: time.first_token_ms.map(duration),
        queue: time.queue_ms.map(duration),
        total: duration(time.total_ms),
    }
}

/// Returns the text as it may stand in a file: without what looks like a credential.
pub(crate) fn public(text: &str) -> String {
    let scanner = Scanner::shared();
    let redacted = scanner.redacted(text);
    if scanner.scan(redacted.as_bytes()).is_empty() {
        redacted
    } else {
        format!("… ({} bytes)", text.len())
    }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or('0');
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(digit).collect()
}

/// Reads lowercase hex digits.
fn unhex(digits: &str) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let bytes = pairs.iter();
    bytes
        .map(|[high, low]| Some(value(*high)? << 4 | value(*low)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_comes_back_as_it_was_text_or_not() {
        for bytes in [&b""[..], b"{}", "é\u{0}\n".as_bytes(), b"\xff\x00a"] {
            let heard = Heard::new(&Head::default(), bytes);
            assert_eq!(heard.bytes().unwrap(), bytes);
            let exchange = Exchange {
                call: None,
                cell: Some(3_u32.into()),
                failure: None,
                request: Asked::post("http://here/v1", "{}"),
                response: heard,
                time: Took::default().in_event(),
                withheld: Vec::new(),
            };
            let line = canonical::write(&exchange).unwrap();
            let Ok(Line::Exchange(read)) = Line::parse(line.as_bytes()) else {
                panic!("{line}");
            };
            assert_eq!(*read, exchange);
        }
    }

    #[test]
    fn what_is_no_line_of_a_cassette_is_refused_and_said_why() {
        let good = r#"{"request":{"body":"{}","method":"POST","path":"/v1"},"response":{"body":"x"},"time":{"total_ms":5}}"#;
        assert!(Line::parse(good.as_bytes()).is_ok());
        for (from, to, says) in [
            (
                "\"body\":\"x\"",
                "\"body\":\"x\",\"body_hex\":\"ff\"",
                "one of",
            ),
            ("\"body\":\"x\"", "\"body_hex\":\"fF\"", "hex digits"),
            ("\"body\":\"x\"", "\"body_hex\":\"fff\"", "hex digits"),
            ("\"body\":\"x\"", "\"body_hex\":\"61\"", "hex digits"),
            ("total_ms", "total", "total"),
            ("{\"request\"", "{ \"request\"", "white space"),
        ] {
            let refused = Line::parse(good.replacen(from, to, 1).as_bytes()).err();
            let refused = refused.unwrap();
            assert!(refused.contains(says), "{refused}");
        }
        assert!(Line::parse(br#"{"void":"abc"}"#).is_err());
        assert!(check_header(header().as_bytes()).is_ok());
        assert!(check_header(b"{\"format\":\"scoresheet-cassette@2\"}").is_err());
    }
}
