use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use zeroize::Zeroizing;

use crate::run::prompts::Window;

/// A model behind a server, and how it is asked.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Where the server is, up to `/chat/completions`.
    pub base_url: String,
    /// What it is paid with, where it is.
    pub key: Option<ApiKey>,
    /// The model, as the request names it.
    pub model: String,
    /// The thinking setting, as the request names it.
    pub reasoning_effort: Option<String>,
    /// Further members of the request.
    pub parameters: BTreeMap<String, Value>,
    /// Whether the answer is asked for piece by piece.
    pub streams: bool,
    /// Whether a move may be submitted by a tool.
    pub has_tools: bool,
    /// Whether the server is given a grammar that only lets legal moves through.
    pub masks_illegal: bool,
    /// The room that a conversation has.
    pub window: Window,
    /// Requests a minute at most, over all games. Absent: no bound.
    pub per_minute: Option<u32>,
}

/// A key of an account. It is shown nowhere, and forgotten when it is dropped.
#[derive(Clone)]
pub struct ApiKey(Zeroizing<String>);

impl ApiKey {
    /// Takes a key in.
    pub fn new(key: String) -> Self {
        Self(Zeroizing::new(key))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes the key out of a text. Returns whether it stood there.
    pub(crate) fn scrub(&self, text: &mut String) -> bool {
        let clean = String::from_utf8_lossy(&self.scrubbed(text.as_bytes())).into_owned();
        let is_changed = clean != *text;
        *text = clean;
        is_changed
    }

    /// Whether the key stands in what came back once its JSON is read: there a
    /// character may be written in several ways.
    pub(crate) fn is_hidden_in(&self, raw: &[u8]) -> bool {
        let mut lines = raw.split(|byte| *byte == b'\n').chain([raw]);
        lines.any(|line| {
            let data = line.strip_prefix(b"data:").unwrap_or(line);
            let value = serde_json::from_slice::<Value>(data);
            value.is_ok_and(|value| self.stands_in(&value))
        })
    }

    fn stands_in(&self, value: &Value) -> bool {
        let has = |text: &str| self.scrub(&mut text.to_owned());
        match value {
            Value::String(text) => has(text),
            Value::Array(values) => values.iter().any(|value| self.stands_in(value)),
            Value::Object(members) => members
                .iter()
                .any(|(name, value)| has(name) || self.stands_in(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Returns the text without the key: a server may quote what it was sent, and
    /// a model may repeat what it has seen.
    pub(crate) fn scrubbed(&self, text: &[u8]) -> Vec<u8> {
        const SHOWN: &[u8] = b"[the key]";
        let key = self.0.as_bytes();
        let mut clean = Vec::with_capacity(text.len());
        let mut rest = text;
        // A very short key would be found everywhere, and is none.
        while let Some(at) = (8 <= key.len())
            .then(|| memchr::memmem::find(rest, key))
            .flatten()
        {
            clean.extend_from_slice(&rest[..at]);
            clean.extend_from_slice(SHOWN);
            rest = &rest[at + key.len()..];
        }
        clean.extend_from_slice(rest);
        clean
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_out_wherever_it_stands_and_never_shown() {
        let key = ApiKey::new("not-a-real-key".to_owned());
        let said = b"not-a-real-key and not-a-real-keynot-a-real-key";
        assert_eq!(key.scrubbed(said), b"[the key] and [the key][the key]");
        assert_eq!(key.scrubbed(b"nothing"), b"nothing");
        assert_eq!(format!("{key:?}"), "ApiKey");
        assert_eq!(ApiKey::new(String::new()).scrubbed(b"text"), b"text");
    }
}
