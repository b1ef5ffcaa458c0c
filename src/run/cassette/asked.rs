use serde::{Deserialize, Serialize};

use serde_json::{Value, json};

use crate::chess::{Position, Variant};
use crate::digest::Digest;
use crate::run::cassette::exchange::public;
use crate::run::player::Request;

/// What was asked, as it is told from other requests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The whole body, the keys of its objects sorted. What looks like a credential
    /// in it is left out, before it is kept and before it is looked for.
    body: String,
    /// How it was sent.
    method: String,
    /// Where to: an address without its server, or the name of a program.
    path: String,
}

impl Asked {
    /// A request to a server at this address.
    #[cfg(any(feature = "chat", test))]
    pub(crate) fn post(url: &str, body: &str) -> Self {
        let (_, rest) = url.split_once("://").unwrap_or(("", url));
        let path = rest.find('/').map_or("/", |at| &rest[at..]);
        Self::of("POST", path, body)
    }

    /// A document that a program reads, which is registered as what has this digest. The game or dataset in it
    /// is left out: it has another id in every ledger.
    pub(crate) fn program(name: &str, system: &Digest, document: &[u8]) -> Self {
        let value = serde_json::from_slice::<Value>(document);
        let mut value = value.unwrap_or_default();
        if let Some(members) = value.as_object_mut() {
            members.remove("game");
            members.remove("dataset");
            members.insert("system".to_owned(), json!(system.to_string()));
        }
        Self::of("RUN", name, &value.to_string())
    }

    /// The position that a player of this name is to move in, here.
    pub(crate) fn position(name: &str, system: &Digest, request: &Request) -> Self {
        let body = json!({
            "attempt": request.attempt,
            "is_chess960": request.is_chess960,
            "moves": request.moves,
            "start": request.fen,
            "system": system.to_string(),
        });
        Self::of("MOVE", name, &body.to_string())
    }

    /// A position that an analyst of this name is to measure.
    pub(crate) fn measurement(
        name: &str,
        system: &Digest,
        position: &Position,
        variant: Variant,
    ) -> Self {
        let body = json!({
            "fen": position.fen().as_str(),
            "is_chess960": variant == Variant::Chess960,
            "system": system.to_string(),
        });
        Self::of("MEASURE", name, &body.to_string())
    }

    fn of(method: &str, path: &str, body: &str) -> Self {
        Self {
            body: public(body),
            method: method.to_owned(),
            path: public(path),
        }
    }

    /// The same request with nothing said of its body but how long it is.
    pub(crate) fn blanked(&self) -> Self {
        Self {
            body: format!("… ({} bytes)", self.body.len()),
            ..self.clone()
        }
    }

    /// How alike two requests are: method and path, then bytes at both ends of the body.
    pub(crate) fn likeness(&self, other: &Self) -> (bool, usize) {
        let is_same_place = (&self.method, &self.path) == (&other.method, &other.path);
        let ends = self.start_in_common(other) + self.end_in_common(other);
        (is_same_place, ends)
    }

    fn start_in_common(&self, other: &Self) -> usize {
        let pairs = self.body.bytes().zip(other.body.bytes());
        pairs.take_while(|(one, other)| one == other).count()
    }

    fn end_in_common(&self, other: &Self) -> usize {
        let pairs = self.body.bytes().rev().zip(other.body.bytes().rev());
        pairs.take_while(|(one, other)| one == other).count()
    }

    /// In what this request differs from one that was recorded, in words.
    pub(crate) fn difference(&self, recorded: &Self) -> String {
        if self.likeness(recorded).0 {
            let at = self.start_in_common(recorded);
            return format!(
                "its body has {} from byte {at} on where this one has {}",
                recorded.excerpt(at),
                self.excerpt(at)
            );
        }
        format!("it is {recorded}")
    }

    /// Some of the body around a byte.
    fn excerpt(&self, at: usize) -> String {
        const BEFORE: usize = 20;
        const AFTER: usize = 40;
        let body = &self.body;
        let from = body.floor_char_boundary(at.saturating_sub(BEFORE));
        let to = body.floor_char_boundary((at + AFTER).min(body.len()));
        let shown = body.get(from..to).unwrap_or_default();
        let before = if from == 0 { "" } else { "..." };
        let after = if to == body.len() { "" } else { "..." };
        format!("`{before}{}{after}`", crate::finding::visible(shown))
    }
}

impl std::fmt::Display for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = crate::finding::visible(&self.path);
        write!(f, "{} {path} with {} bytes", self.method, self.body.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_told_by_its_path_and_body_and_not_by_its_server() {
        let one = Asked::post("http://127.0.0.1:1234/v1/chat/completions", "{}");
        let other = Asked::post("https://example.org/v1/chat/completions", "{}");
        assert_eq!(one, other);
        assert_eq!(one.to_string(), "POST /v1/chat/completions with 2 bytes");
        assert_ne!(one, Asked::post("https://example.org/v2", "{}"));
        assert_ne!(
            one,
            Asked::post("https://example.org/v1/chat/completions", "[]")
        );
    }

    #[test]
    fn a_program_is_asked_the_same_in_every_ledger() {
        let system = Digest::of(b"a system");
        let asked = |document: &str| Asked::program("agent", &system, document.as_bytes());
        let one = asked(r#"{"fen":"8/8","game":"aa"}"#);
        assert_eq!(one, asked("{\"game\":\"bb\",\"fen\":\"8/8\"}\n"));
        assert_ne!(one, asked(r#"{"fen":"8/7","game":"aa"}"#));
        let other = Digest::of(b"another system");
        let document = br#"{"fen":"8/8","game":"aa"}"#;
        assert_ne!(one, Asked::program("agent", &other, document));
    }

    #[test]
    fn a_difference_is_shown_where_it_begins() {
        let asked = |body: &str| Asked::post("http://here/v1", body);
        let long = "x".repeat(100);
        let one = asked(&format!("{long}e4{long}"));
        let other = asked(&format!("{long}é5{long}"));
        let said = one.difference(&other);
        let x = "x".repeat(20);
        assert!(said.contains(&format!("`...{x}é5")), "{said}");
        assert!(said.contains(&format!("`...{x}e4")), "{said}");
        assert!(said.contains("byte 100 "), "{said}");
        let said = one.difference(&Asked::of("RUN", "agent", "{}"));
        assert_eq!(said, "it is RUN agent with 2 bytes");
    }
}
