use serde::Serialize;
use serde::de::{self, DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::canonical::Fault;

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
    let error = match serde_json::from_slice::<T>(text) {
        Ok(value) => return same_spelling(&value, text).map(|()| value),
        Err(error) => error,
    };
    // Either the content is wrong or the keys are in another order than the
    // reader needs. Sorting them tells which.
    let sorted = sorted(text)?;
    match serde_json::from_str::<T>(&sorted) {
        Ok(value) => Err(same_spelling(&value, text)
            .err()
            .unwrap_or_else(|| Fault::from_json(&error, text))),
        Err(_) if sorted.as_bytes() == text => Err(Fault::from_json(&error, text)),
        Err(sorted_error) => {
            let mut fault = Fault::from_json(&sorted_error, sorted.as_bytes());
            fault.column = first_difference(sorted.as_bytes(), text).min(fault.column);
            Err(fault)
        }
    }
}

/// Returns the value that a text says in any spelling of JSON: for documents
/// that people write. No object may have a key twice.
///
/// # Errors
///
/// The first fault, with its column counted through the whole text.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    let Strict(_) = serde_json::from_slice(text).map_err(|error| Fault::from_json(&error, text))?;
    serde_json::from_slice(text).map_err(|error| Fault::from_json(&error, text))
}

/// Checks that the text is the canonical spelling of the value read from it.
fn same_spelling<T: Serialize>(value: &T, text: &[u8]) -> Result<(), Fault> {
    let canonical = write(value)
        .map_err(|error| Fault::new(1, "a value that can be written again", error.to_string()))?;
    if canonical.as_bytes() == text {
        return Ok(());
    }
    let column = first_difference(canonical.as_bytes(), text);
    let at = usize::try_from(column - 1).unwrap_or(usize::MAX);
    Err(Fault {
        column,
        expected: shown(canonical.as_bytes(), at),
        found: shown(text, at),
        canonical: Some(canonical),
    })
}

/// The column of the first byte that differs, counted from 1.
fn first_difference(a: &[u8], b: &[u8]) -> u64 {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    u64::try_from(same + 1).unwrap_or(u64::MAX)
}

fn shown(text: &[u8], at: usize) -> String {
    match text.get(at) {
        None => "the end of the text".to_owned(),
        Some(byte) if byte.is_ascii_graphic() => format!("`{}`", char::from(*byte)),
        Some(byte) => format!("byte 0x{byte:02x}"),
    }
}

/// Returns the text with every object's keys sorted and no white space.
///
/// # Errors
///
/// Faults of syntax, and duplicate keys, in the text as it stands.
fn sorted(text: &[u8]) -> Result<String, Fault> {
    let Strict(value) =
        serde_json::from_slice(text).map_err(|error| Fault::from_json(&error, text))?;
    write(&value).map_err(|error| Fault::new(1, "JSON", error.to_string()))
}

/// A JSON value in which no object has a key twice.
struct Strict(Value);

impl<'de> de::Deserialize<'de> for Strict {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON without duplicate keys")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = serde_json::Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(de::Error::custom(format_args!(
                    "the key `{}` twice in one object, expected each key once",
                    key.chars().take(60).collect::<String>().escape_debug()
                )));
            }
            let Strict(value) = map.next_value()?;
            object.insert(key, value);
        }
        Ok(object.into())
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
