//! JSON of others, in which nothing stands twice.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads a document. One with a key that stands there twice says two things, and
/// most readers would take the later one without a word: it is refused.
pub(in crate::import) fn document(bytes: &[u8]) -> Result<Value, String> {
    // Spreadsheets and editors put a byte-order mark before it.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let read = serde_json::from_slice::<Unique>(bytes);
    read.map(|document| document.0)
        .map_err(|error| error.to_string())
}

struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let Unique(value) = members.next_value()?;
            if values.insert(key, value).is_some() {
                return Err(de::Error::custom("a key stands there twice"));
            }
        }
        Ok(Value::Object(values))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_is_read_as_it_is_and_one_that_says_two_things_is_not() {
        let text = br#"{"a":[1,-2,0.5,"x",null,true,{"b":{}}]}"#;
        let read = document(text).unwrap();
        assert_eq!(read, json!({"a": [1, -2, 0.5, "x", null, true, {"b": {}}]}));
        assert_eq!(
            document(&[b"\xef\xbb\xbf".as_slice(), text].concat()),
            Ok(read)
        );
        for wrong in [
            r#"{"a":1,"a":1}"#,
            r#"[{"b":{"c":1,"c":2}}]"#,
            "{\"a\":NaN}",
            "{} {}",
            "",
        ] {
            assert!(document(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
