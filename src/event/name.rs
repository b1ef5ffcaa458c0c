use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::canonical::read_as_text;

/// A name that may also stand in a file name: 1 to 64 lowercase letters,
/// digits, `-`, `_` and `.`, of which the first is a letter or digit and the
/// last is no dot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Name(String);

/// The text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a name of 1 to 64 lowercase letters, digits, `-`, `_` or `.` that begins with a letter or digit and ends in no dot"
)]
pub struct ParseNameError;

impl Name {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Name {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, ParseNameError> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = text.as_bytes();
        let fits = bytes.len() <= 64
            && bytes.first().is_some_and(|byte| plain(*byte))
            && bytes.last() != Some(&b'.')
            && bytes
                .iter()
                .all(|byte| plain(*byte) || matches!(byte, b'-' | b'_' | b'.'));
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseNameError)
        }
    }
}

read_as_text!(Name, "a name of lowercase letters, digits, `-`, `_` or `.`");

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl JsonSchema for Name {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9_-])?$",
            "description": "A name that may stand in a file name."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_safe_in_file_names() {
        for text in ["a", "pilot-1", "0.1-draft", "a_b"] {
            assert_eq!(text.parse::<Name>().unwrap().as_str(), text);
        }
        let long = "a".repeat(65);
        for text in [
            "",
            ".",
            "..",
            "-a",
            "A",
            "a/b",
            "a b",
            "a.",
            "é",
            long.as_str(),
        ] {
            assert!(text.parse::<Name>().is_err(), "{text:?}");
        }
    }
}
