use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::canonical::{Count, Time};
use crate::event::What;

/// One event: when a clock said it happened, who wrote it, and what happened.
///
/// In a line the keys stand in sorted order, `what` last, so that one pass
/// knows kind and version before it meets the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What a clock said. Data: it orders nothing.
    pub at: Time,
    /// The program or person that wrote the event, such as `runner/kiel-2`.
    pub by: By,
    /// The fact.
    pub what: What,
}

/// Who wrote an event: 1 to 100 printable ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct By(String);

impl By {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for By {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(
                "expected 1 to 100 printable ASCII characters without spaces, such as \"runner/kiel-2\"",
            )
        }
    }
}

impl TryFrom<String> for By {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<By> for String {
    fn from(by: By) -> Self {
        by.0
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

const KEYS: &[&str] = &["at", "by", "kind", "v", "what"];

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kind = self.what.kind();
        let mut line = serializer.serialize_struct("Event", KEYS.len())?;
        line.serialize_field("at", &self.at)?;
        line.serialize_field("by", &self.by)?;
        line.serialize_field("kind", kind.name)?;
        line.serialize_field("v", &kind.v)?;
        line.serialize_field("what", &self.what)?;
        line.end()
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Event", KEYS, EventVisitor)
    }
}

struct EventVisitor;

impl<'de> Visitor<'de> for EventVisitor {
    type Value = Event;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event: an object with the keys at, by, kind, v and what, in this order")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Event, A::Error> {
        let at = field(&mut map, "at")?;
        let by = field(&mut map, "by")?;
        let kind: std::borrow::Cow<'de, str> = field(&mut map, "kind")?;
        let v: Count = field(&mut map, "v")?;
        key(&mut map, "what")?;
        let what = map.next_value_seed(crate::event::kinds::Body { kind: &kind, v })?;
        match map.next_key::<Key>()? {
            None => Ok(Event { at, by, what }),
            Some(Key(extra)) => Err(de::Error::unknown_field(&extra, KEYS)),
        }
    }
}

/// Reads the next key, which must be this one, and its value.
fn field<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    map: &mut A,
    name: &'static str,
) -> Result<T, A::Error> {
    key(map, name)?;
    map.next_value()
}

fn key<'de, A: MapAccess<'de>>(map: &mut A, name: &'static str) -> Result<(), A::Error> {
    match map.next_key::<Key>()? {
        Some(Key(found)) if found == name => Ok(()),
        Some(Key(found)) => Err(de::Error::custom(format_args!(
            "the key `{found}`, expected the key `{name}`"
        ))),
        None => Err(de::Error::missing_field(name)),
    }
}

/// A key, cut to what a message can show.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl Visitor<'_> for KeyVisitor {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_str<E>(self, text: &str) -> Result<Key, E> {
                Ok(Key(text.chars().take(40).collect()))
            }
        }
        deserializer.deserialize_identifier(KeyVisitor)
    }
}
