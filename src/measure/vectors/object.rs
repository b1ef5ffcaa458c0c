use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::canonical::{bytes, key_shown, nearest, one_of};
use crate::finding::visible;
use crate::measure::VectorsFault;

/// The longest name of a case or a player, in bytes.
const NAME_BYTES_MAX: usize = 100;

/// The longest number that a message repeats, in bytes.
const SHOWN_BYTES_MAX: usize = 40;

/// A JSON object whose values have not been looked at yet, each key once.
pub(crate) struct Object<'a>(BTreeMap<String, &'a RawValue>);

impl<'a> Object<'a> {
    /// Reads an object of which every key is known.
    pub(crate) fn of(part: &'a RawValue, keys: &[&str]) -> Result<Self, VectorsFault> {
        let object = Self::of_names(part)?;
        let strange = object.0.keys().find(|key| !keys.contains(&key.as_str()));
        strange.map_or(Ok(()), |key| {
            let near = nearest(key, keys).map(|near| format!(", near `{near}`"));
            let found = format!("{}{}", key_shown(key), near.unwrap_or_default());
            Err(VectorsFault::new(
                format!("only the keys {}", one_of(keys)),
                found,
            ))
        })?;
        Ok(object)
    }

    /// Reads an object whose keys are names of players.
    pub(crate) fn of_names(part: &'a RawValue) -> Result<Self, VectorsFault> {
        let wanted = "an object";
        if class(part) != Class::Object {
            return Err(VectorsFault::new(wanted, found(part)));
        }
        let members: Members<'a> = read(part, wanted)?;
        match members.repeated {
            None => Ok(Self(members.once)),
            Some(key) => Err(VectorsFault::new(
                "each key once in an object",
                format!("{} again", key_shown(&key)),
            )),
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, part)| (name.as_str(), *part))
    }

    /// Reads the value of a key that must be there.
    pub(crate) fn need<T>(
        &self,
        key: &str,
        read: impl FnOnce(&'a RawValue) -> Result<T, VectorsFault>,
    ) -> Result<T, VectorsFault> {
        self.have(key, read)?
            .ok_or_else(|| VectorsFault::new("a value", "no such key").inside(key))
    }

    /// Reads the value of a key that may be there.
    pub(crate) fn have<T>(
        &self,
        key: &str,
        read: impl FnOnce(&'a RawValue) -> Result<T, VectorsFault>,
    ) -> Result<Option<T>, VectorsFault> {
        let value = self.0.get(key).map(|part| read(part));
        value.transpose().map_err(|fault| fault.inside(key))
    }
}

struct Members<'a> {
    once: BTreeMap<String, &'a RawValue>,
    repeated: Option<String>,
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Members {
                    once: BTreeMap::new(),
                    repeated: None,
                };
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    match members.once.entry(key) {
                        Entry::Vacant(place) => {
                            place.insert(value);
                        }
                        Entry::Occupied(there) => {
                            let key = there.key().clone();
                            members.repeated.get_or_insert(key);
                        }
                    }
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Object,
    List,
    Text,
    Number,
    Truth,
    Null,
}

/// What sort of value it is, which its first byte says.
fn class(part: &RawValue) -> Class {
    match part.get().as_bytes().first() {
        Some(b'{') => Class::Object,
        Some(b'[') => Class::List,
        Some(b'"') => Class::Text,
        Some(b't' | b'f') => Class::Truth,
        Some(b'n') => Class::Null,
        _ => Class::Number,
    }
}

/// What stands in the place of what was expected.
fn found(part: &RawValue) -> String {
    let text = part.get();
    match class(part) {
        Class::Object => "an object".to_owned(),
        Class::List => "a list".to_owned(),
        Class::Text if SHOWN_BYTES_MAX < text.len() => format!("a text of {}", bytes(text)),
        Class::Text => format!("the text {}", visible(text)),
        Class::Number if SHOWN_BYTES_MAX < text.len() => format!("a number of {}", bytes(text)),
        Class::Number => format!("the number {text}"),
        Class::Truth => text.to_owned(),
        Class::Null => "null".to_owned(),
    }
}

/// Reads a part whose class fits. What can still be wrong with it is a text
/// that is no Unicode.
fn read<'a, T: Deserialize<'a>>(part: &'a RawValue, wanted: &str) -> Result<T, VectorsFault> {
    let read = serde_json::from_str(part.get());
    read.map_err(|_| VectorsFault::new(wanted, "one with half a surrogate pair in it"))
}

/// Reads a list.
pub(crate) fn list(part: &RawValue) -> Result<Vec<&RawValue>, VectorsFault> {
    match class(part) {
        Class::List => read(part, "a list"),
        _ => Err(VectorsFault::new("a list", found(part))),
    }
}

/// Reads each part of a list.
pub(crate) fn each<'a, T>(
    part: &'a RawValue,
    mut read: impl FnMut(&'a RawValue) -> Result<T, VectorsFault>,
) -> Result<Vec<T>, VectorsFault> {
    let parts = list(part)?.into_iter().enumerate();
    parts
        .map(|(number, part)| read(part).map_err(|fault| fault.inside(format!("[{number}]"))))
        .collect()
}

/// Reads the name of a case or a player.
pub(crate) fn name(part: &RawValue) -> Result<String, VectorsFault> {
    let wanted = format!("a text of 1 to {NAME_BYTES_MAX} bytes");
    if class(part) != Class::Text {
        return Err(VectorsFault::new(wanted, found(part)));
    }
    let name: String = read(part, &wanted)?;
    check_name(&name).map(|()| name)
}

/// Whether a key may be the name of a player.
pub(crate) fn check_name(name: &str) -> Result<(), VectorsFault> {
    if (1..=NAME_BYTES_MAX).contains(&name.len()) {
        return Ok(());
    }
    let wanted = format!("a text of 1 to {NAME_BYTES_MAX} bytes");
    Err(VectorsFault::new(wanted, format!("one of {}", bytes(name))))
}

/// A name as a message may repeat it.
pub(crate) fn name_shown(name: &str) -> String {
    if name.len() <= NAME_BYTES_MAX {
        format!("{name:?}")
    } else {
        format!("a name of {}", bytes(name))
    }
}

/// Reads true or false.
pub(crate) fn truth(part: &RawValue) -> Result<bool, VectorsFault> {
    match part.get() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(VectorsFault::new("true or false", found(part))),
    }
}

/// Reads a number, which stands there as such or, with all its digits, as a
/// text; as the nearest one of 64 bits.
pub(crate) fn number(part: &RawValue) -> Result<f64, VectorsFault> {
    let text = match class(part) {
        Class::Number => part.get().to_owned(),
        Class::Text => read(part, "a number")?,
        _ => return Err(VectorsFault::new("a number", found(part))),
    };
    // What the program reads as a number is more than what JSON does: `NaN`,
    // `inf`, `1.` and `+1` are none.
    let spelled = serde_json::from_str::<&RawValue>(&text);
    let is_number =
        spelled.is_ok_and(|spelled| spelled.get() == text && class(spelled) == Class::Number);
    if !is_number {
        return Err(VectorsFault::new("a number", found(part)));
    }
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| VectorsFault::new("a number that 64 bits can hold", found(part)))
}

/// Reads an integer of 32 bits.
pub(crate) fn integer(part: &RawValue) -> Result<i32, VectorsFault> {
    let wanted = "an integer of 32 bits";
    if class(part) != Class::Number {
        return Err(VectorsFault::new(wanted, found(part)));
    }
    let integer = part.get().parse();
    integer.map_err(|_| VectorsFault::new(wanted, found(part)))
}

/// Reads a number that is not below zero.
pub(crate) fn number_from_zero(part: &RawValue) -> Result<f64, VectorsFault> {
    let number = number(part)?;
    if number < 0.0 {
        return Err(VectorsFault::new("a number from 0", found(part)));
    }
    Ok(number)
}

/// Reads the points of a game, in halves.
pub(crate) fn half_points(part: &RawValue) -> Result<u8, VectorsFault> {
    // Adding zero makes one value of the two zeros.
    let doubled = 2.0 * number(part)? + 0.0;
    let mut halves = [0_u8, 1, 2].into_iter();
    halves
        .find(|halves| f64::from(*halves).to_bits() == doubled.to_bits())
        .ok_or_else(|| VectorsFault::new("0, 0.5 or 1", found(part)))
}
