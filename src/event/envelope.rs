use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::canonical::{Time, read_as_text};
use crate::event::kinds::Body;
use crate::event::{KINDS, Kind, What};

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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct By(String);

impl By {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for By {
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

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

read_as_text!(By, "the program or person that wrote the event");

impl JsonSchema for By {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "By".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[!-~]{1,100}$",
            "description": "1 to 100 printable ASCII characters without spaces."
        })
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
        let KnownKind(kind) = field(&mut map, "kind")?;
        key(&mut map, "v")?;
        map.next_value_seed(Version(kind))?;
        key(&mut map, "what")?;
        let what = map.next_value_seed(Body(kind))?;
        match map.next_key_seed(Key("what"))? {
            None => Ok(Event { at, by, what }),
            Some(()) => Err(de::Error::duplicate_field("what")),
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
    map.next_key_seed(Key(name))?
        .ok_or_else(|| de::Error::missing_field(name))
}

/// The key that must come next. Keys come sorted, so that any other one means
/// that it is not there, or that the other has no business here.
struct Key(&'static str);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the key `{}`", self.0)
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<(), E> {
        if key == self.0 {
            Ok(())
        } else if KEYS.contains(&key) {
            Err(E::missing_field(self.0))
        } else {
            Err(E::unknown_field(key, KEYS))
        }
    }
}

/// More than the longest name of a kind has.
const NAME_CHARS_MAX: usize = 64;

/// A kind that this program knows, by its name.
struct KnownKind(Kind);

impl<'de> Deserialize<'de> for KnownKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KindVisitor;
        impl Visitor<'_> for KindVisitor {
            type Value = KnownKind;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a kind")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<KnownKind, E> {
                let known = KINDS.iter().find(|kind| kind.name == text);
                known.copied().map(KnownKind).ok_or_else(|| {
                    // Comparing takes the product of both lengths.
                    let start: String = text.chars().take(NAME_CHARS_MAX).collect();
                    let nearest = KINDS
                        .iter()
                        .min_by_key(|kind| strsim::osa_distance(kind.name, &start))
                        .map_or("", |kind| kind.name);
                    E::custom(format_args!(
                        "expected a kind that this program knows (the nearest is `{nearest}`)"
                    ))
                })
            }
        }
        deserializer.deserialize_str(KindVisitor)
    }
}

/// The version of a kind. There is one of each so far.
struct Version(Kind);

impl<'de> DeserializeSeed<'de> for Version {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_u64(self)
    }
}

impl Visitor<'_> for Version {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {} of {}", self.0.v, self.0.name)
    }

    fn visit_u64<E: de::Error>(self, v: u64) -> Result<(), E> {
        if v == u64::from(self.0.v) {
            Ok(())
        } else {
            Err(E::invalid_value(de::Unexpected::Unsigned(v), &self))
        }
    }
}
