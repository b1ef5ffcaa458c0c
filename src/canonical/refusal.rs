use std::fmt;

use serde::de;

use crate::canonical::node::{Node, Shape};
use crate::canonical::{Fault, key_shown, nearest, one_of};

/// What a type said of a part that it does not take.
///
/// It arises without a place; the innermost part that it passes gives it one.
#[derive(Debug)]
pub(in crate::canonical) struct Refusal {
    /// Where the part stands, in bytes from 0.
    at: Option<usize>,
    /// What the type asks for. Absent: what its visitor says it expects.
    expected: Option<String>,
    /// What stands there. Absent: the class of the part.
    found: Option<String>,
}

/// A string shorter than this cannot be kept out of a message, and hides nothing.
const SECRET_BYTES_MIN: usize = 8;

impl Refusal {
    fn new(expected: Option<String>, found: Option<String>) -> Self {
        Self {
            at: None,
            expected,
            found,
        }
    }

    /// The same refusal, of this part by a visitor that expects this; one that
    /// has its place already stays as it is.
    pub(in crate::canonical) fn of(self, node: &Node, wanted: &str) -> Self {
        if self.at.is_some() {
            return self;
        }
        let quotes_value = |message: &String| match &node.shape {
            Shape::Text(text) => SECRET_BYTES_MIN <= text.len() && message.contains(text.as_str()),
            _ => false,
        };
        let expected = self.expected.filter(|message| !quotes_value(message));
        let found = self.found.filter(|message| !quotes_value(message));
        Self {
            at: Some(node.start),
            expected: Some(expected.unwrap_or_else(|| in_json_words(wanted))),
            found: Some(found.unwrap_or_else(|| node.class())),
        }
    }

    /// The same refusal, of the key that begins here.
    pub(in crate::canonical) fn of_key(self, start: usize, key: &str) -> Self {
        Self {
            at: self.at.or(Some(start)),
            expected: self.expected,
            found: self.found.or_else(|| Some(key_shown(key))),
        }
    }

    pub(in crate::canonical) fn into_fault(self) -> Fault {
        Fault::at(
            self.at.unwrap_or_default(),
            self.expected
                .unwrap_or_else(|| "a value of the declared form".to_owned()),
            self.found.unwrap_or_else(|| "another value".to_owned()),
        )
    }
}

/// Returns what a visitor expects, without the words of the program.
fn in_json_words(wanted: &str) -> String {
    match wanted {
        "u64" => "an integer from 0".to_owned(),
        "u32" => format!("an integer from 0 to {}", u32::MAX),
        "a sequence" => "a list".to_owned(),
        _ if wanted.starts_with("struct ") => "an object".to_owned(),
        _ => wanted.to_owned(),
    }
}

impl de::Error for Refusal {
    /// Takes the part of a parser's message that speaks of the form: what
    /// stands before ", found", or behind the quoted value that it begins with.
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = message.to_string();
        if let Some(expected) = message.strip_prefix("expected ") {
            let expected = expected.split(", found ").next();
            return Self::new(expected.map(str::to_owned), None);
        }
        let behind = message
            .strip_prefix('`')
            .and_then(|message| message.rsplit_once('`'))
            .map(|(_, behind)| format!("a string that{behind}"));
        Self::new(None, behind)
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(Some(in_json_words(&expected.to_string())), None)
    }

    fn invalid_value(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(Some(in_json_words(&expected.to_string())), None)
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> Self {
        Self::new(Some(in_json_words(&expected.to_string())), None)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let near = nearest(variant, expected);
        Self::new(
            Some(one_of(expected)),
            near.map(|word| format!("another word, near `{word}`")),
        )
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let near = nearest(field, expected)
            .map(|word| format!(", near `{word}`"))
            .unwrap_or_default();
        let only = if expected.len() == 1 { "key" } else { "keys" };
        Self::new(
            Some(format!("only the {only} {}", one_of(expected))),
            Some(format!("{}{near}", key_shown(field))),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(
            Some(format!("the key `{field}`")),
            Some("an object without it".to_owned()),
        )
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text does not say what it should")
    }
}

impl std::error::Error for Refusal {}
