use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::canonical::Fault;
use crate::canonical::fault::column;
use crate::canonical::node::{Misspelling, Node, Shape};
use crate::canonical::parser::shown;
use crate::canonical::reader::Reader;
use crate::canonical::refusal::Refusal;

/// Returns the canonical text of a value whose structs declare their fields in
/// sorted order, without a newline.
///
/// # Errors
///
/// When the value cannot be JSON at all: a map whose keys are no strings, or a
/// `Serialize` of its own that fails.
pub fn write<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string(value)
}

/// Returns the value that a text spells, when the text is its canonical spelling.
///
/// # Errors
///
/// The first fault, with its column. Where only the spelling is wrong (order of
/// keys, white space, escapes, `null` for absent) the fault carries the
/// canonical text.
pub fn parse<T: Serialize + DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    parse_text(utf8(text)?)
}

/// The same, of a text.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_text<T: Serialize + DeserializeOwned>(text: &str) -> Result<T, Fault> {
    match serde_json::from_str(text) {
        Ok(value) if spells(text, &value) => Ok(value),
        Ok(_) | Err(_) => Err(fault_of::<T>(text)),
    }
}

/// Returns the value that a text says in any spelling of the strict subset: for
/// documents that people write.
///
/// # Errors
///
/// The first fault, with its column counted through the whole text.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    let (tree, _) = Node::parse(utf8(text)?)?;
    T::deserialize(Reader(&tree)).map_err(Refusal::into_fault)
}

/// Returns the column of the part of a JSON text that a path of keys, and of
/// places in lists from 0, leads to, or of the last part on the way that is there.
pub fn column_of(text: &[u8], path: &str) -> u64 {
    let Ok((tree, _)) = utf8(text).and_then(Node::parse) else {
        return 1;
    };
    let mut node = &tree;
    for key in path.split('.').filter(|key| !key.is_empty()) {
        let part = match &node.shape {
            Shape::Object(members) => {
                let member = members.iter().find(|member| member.key == key);
                member.map(|member| &member.value)
            }
            Shape::List(items) => key.parse().ok().and_then(|at: usize| items.get(at)),
            _ => None,
        };
        match part {
            Some(part) => node = part,
            None => break,
        }
    }
    column(node.start)
}

/// Whether the text is exactly what is written for the value.
fn spells<T: Serialize>(text: &str, value: &T) -> bool {
    let mut rest = Rest(text.as_bytes());
    serde_json::to_writer(&mut rest, value).is_ok() && rest.0.is_empty()
}

/// What of a text has not been written yet. Writing anything else fails.
struct Rest<'a>(&'a [u8]);

impl io::Write for Rest<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0 = self
            .0
            .strip_prefix(bytes)
            .ok_or(io::ErrorKind::InvalidData)?;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns what is wrong with a text that is not the spelling of a `T`.
fn fault_of<T: Serialize + DeserializeOwned>(text: &str) -> Fault {
    match Node::parse(text) {
        Err(fault) => fault,
        Ok((tree, misspelling)) => match T::deserialize(Reader(&tree)) {
            Ok(value) => misspelled(text, &value, misspelling),
            Err(refusal) => refusal.into_fault(),
        },
    }
}

/// Returns the text that bytes are.
///
/// # Errors
///
/// The first byte that is no part of a character.
pub fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Fault::at(at, "UTF-8", format!("byte 0x{:02x}", bytes[at]))
    })
}

/// Returns the fault of a text that says the value in another spelling.
fn misspelled<T: Serialize>(text: &str, value: &T, misspelling: Option<Misspelling>) -> Fault {
    let canonical = match write(value) {
        Ok(canonical) => canonical,
        Err(error) => return Fault::at(0, "a value that can be written again", error.to_string()),
    };
    let same = text.bytes().zip(canonical.bytes());
    let at = same.take_while(|(a, b)| a == b).count();
    let (expected, found) = match misspelling {
        Some(misspelling) => (
            misspelling.expected().to_owned(),
            misspelling.found().to_owned(),
        ),
        None => (shown(&canonical, at), shown(text, at)),
    };
    Fault {
        canonical: Some(canonical),
        ..Fault::at(at, expected, found)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        a: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        b: Option<String>,
    }

    #[test]
    fn the_canonical_text_parses_to_its_value() {
        let text = br#"{"a":1,"b":"x\n\u0001\u007f"}"#;
        assert!(parse::<Sample>(text).is_err(), "U+007F needs no escape");
        let text = "{\"a\":1,\"b\":\"x\\n\\u0001\u{7f}é\"}";
        assert_eq!(parse::<Sample>(text.as_bytes()).unwrap().a, 1);
    }

    #[test]
    fn other_spellings_of_right_content_come_back_with_the_canonical_text() {
        for (text, column) in [
            (r#"{"b":"x","a":1}"#, 3),
            (r#"{ "a":1,"b":"x"}"#, 2),
            (r#"{"a":1,"b":"\u0078"}"#, 13),
            ("{\"a\":1,\"b\":\"x\"}\n", 16),
        ] {
            let fault = parse::<Sample>(text.as_bytes()).unwrap_err();
            assert_eq!(
                fault.canonical.as_deref(),
                Some(r#"{"a":1,"b":"x"}"#),
                "{text}"
            );
            assert_eq!(fault.column, column, "{text}");
        }
        let fault = parse::<Sample>(br#"{"a":1,"b":null}"#).unwrap_err();
        assert_eq!(fault.canonical.as_deref(), Some(r#"{"a":1}"#));
    }

    #[test]
    fn wrong_content_is_refused_without_a_canonical_text() {
        for text in [
            "",
            "{",
            "[]",
            "{}",
            "nonsense",
            r#"{"a":1.0}"#,
            r#"{"a":1,"a":1}"#,
            r#"{"a":1,"c":1}"#,
            r#"{"a":-1}"#,
            r#"{"a":1,"b":"\ud800"}"#,
            "{\"a\":1,\"b\":\"\u{1}\"}",
            r#"{"a":1}{}"#,
            "\u{feff}{\"a\":1}",
            r#"{"a":NaN}"#,
            r#"{"b":"x","a":"1"}"#,
        ] {
            let fault = parse::<Sample>(text.as_bytes()).unwrap_err();
            assert_eq!(fault.canonical, None, "{text}");
            assert!(1 <= fault.column, "{text}");
        }
        assert!(parse::<Sample>(b"{\"a\":1,\"b\":\"\xff\"}").is_err());
    }

    #[test]
    fn a_duplicate_key_is_named() {
        let fault = parse::<Sample>(br#"{"a":1,"a":2}"#).unwrap_err();
        assert!(fault.found.contains('a'), "{fault}");
    }

    #[test]
    fn no_message_quotes_a_value() {
        for text in [
            r#"{"a":"hunter2hunter2"}"#,
            r#"{"b":1,"a":"hunter2hunter2"}"#,
        ] {
            let fault = parse::<Sample>(text.as_bytes()).unwrap_err();
            assert!(!fault.to_string().contains("hunter2"), "{fault}");
        }
    }
}
