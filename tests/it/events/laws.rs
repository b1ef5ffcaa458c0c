use std::fmt::Write as _;

use proptest::prelude::*;
use scoresheet::event::{Event, Verified};
use serde_json::Value;

use super::goldens;
use super::strategy::{event, text};

fn line() -> impl Strategy<Value = String> {
    event().prop_map(|event| Verified::write(event).unwrap().line().to_owned())
}

/// A stream of small numbers from a seed (`SplitMix64`).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn space(&mut self, is_free: bool) -> &'static str {
        match self.below(8) {
            side if is_free && side < 3 => [" ", "\t", "\r\n"][usize::try_from(side).unwrap()],
            _ => "",
        }
    }
}

/// Writes a document with its keys in any order and, when all is free, with
/// white space, long escapes and `null` in places where they say nothing.
pub(super) fn respelled(value: &Value, is_all_free: bool, dice: &mut Dice) -> String {
    let mut parts = Vec::new();
    let (open, close) = match value {
        Value::Object(object) => {
            let mut keys: Vec<_> = object.keys().collect();
            while !keys.is_empty() {
                let at = dice.below(u64::try_from(keys.len()).unwrap());
                let key = keys.swap_remove(usize::try_from(at).unwrap());
                let member = respelled(&object[key], is_all_free, dice);
                let key = quoted(key, is_all_free, dice);
                let (before, behind) = (dice.space(is_all_free), dice.space(is_all_free));
                parts.push(format!("{before}{key}{behind}:{member}"));
            }
            ('{', '}')
        }
        Value::Array(items) => {
            parts.extend(items.iter().map(|item| respelled(item, is_all_free, dice)));
            ('[', ']')
        }
        Value::String(text) => return quoted(text, is_all_free, dice),
        Value::Null | Value::Bool(_) | Value::Number(_) => return value.to_string(),
    };
    let (before, behind) = (dice.space(is_all_free), dice.space(is_all_free));
    format!("{before}{open}{}{behind}{close}", parts.join(","))
}

fn quoted(text: &str, is_all_free: bool, dice: &mut Dice) -> String {
    if !is_all_free {
        return Value::from(text).to_string();
    }
    let mut quoted = "\"".to_owned();
    for c in text.chars() {
        let must = matches!(c, '"' | '\\' | '\0'..='\x1f');
        if must || dice.below(10) == 0 {
            for unit in c.encode_utf16(&mut [0; 2]) {
                match dice.below(2) {
                    0 => write!(quoted, "\\u{unit:04x}").unwrap(),
                    _ => write!(quoted, "\\u{unit:04X}").unwrap(),
                }
            }
        } else {
            quoted.push(c);
        }
    }
    quoted.push('"');
    quoted
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("at"),
        Just("by"),
        Just("kind"),
        Just("v"),
        Just("what"),
        Just("x")
    ];
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_as_the_same_event(event in event()) {
        let written = Verified::write(event.clone()).unwrap();
        let read = Verified::<Event>::parse(written.line().as_bytes()).unwrap();
        prop_assert_eq!(&read, &written);
        prop_assert_eq!(Event::clone(&read), event);
        let value: Value = serde_json::from_str(written.line()).unwrap();
        let canonical = serde_json_canonicalizer::to_string(&value).unwrap();
        prop_assert_eq!(written.line(), canonical);
        let kind = read.what.kind();
        let name = format!("{}.v{}", kind.name, kind.v);
        prop_assert_eq!(scoresheet::schema::check(&name, &value).unwrap().shown, []);
    }

    #[test]
    fn a_flipped_byte_is_refused_or_makes_another_event(
        line in line(),
        at in any::<prop::sample::Index>(),
        flip in 1..=u8::MAX,
    ) {
        let event = Verified::<Event>::parse(line.as_bytes()).unwrap();
        let mut bytes = line.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(other) = Verified::<Event>::parse(&bytes) {
            prop_assert_ne!(other.id(), event.id());
            prop_assert_ne!(Event::clone(&other), Event::clone(&event));
        }
    }

    #[test]
    fn keys_in_another_order_are_refused_with_the_line_as_remedy(line in line(), seed: u64) {
        refused_with_the_line(&line, false, seed)?;
    }

    #[test]
    fn another_spelling_is_refused_with_the_line_as_remedy(line in line(), seed: u64) {
        refused_with_the_line(&line, true, seed)?;
    }

    #[test]
    fn bytes_are_refused_without_a_panic(bytes: Vec<u8>) {
        prop_assert!(Verified::<Event>::parse(&bytes).is_err());
    }

    #[test]
    fn json_is_refused_without_a_panic(json in json()) {
        prop_assert!(Verified::<Event>::parse(json.to_string().as_bytes()).is_err());
        for name in scoresheet::schema::NAMES {
            prop_assert!(!scoresheet::schema::check(name, &json).unwrap().is_empty());
        }
    }

    #[test]
    fn a_line_with_a_piece_of_another_never_panics(
        which: prop::sample::Index,
        other: prop::sample::Index,
        cut: (prop::sample::Index, prop::sample::Index, prop::sample::Index),
    ) {
        let goldens = goldens();
        let line = which.get(&goldens).line.as_bytes();
        let piece = other.get(&goldens).line.as_bytes();
        let (start, end) = (cut.0.index(line.len()), cut.1.index(line.len()));
        let mut bytes = line[..start].to_vec();
        bytes.extend(&piece[cut.2.index(piece.len())..][..(piece.len() - cut.2.index(piece.len())).min(20)]);
        bytes.extend(&line[end..]);
        match Verified::<Event>::parse(&bytes) {
            Ok(event) => prop_assert_eq!(event.line().as_bytes(), bytes),
            Err(fault) => {
                let end = u64::try_from(bytes.len() + 1).unwrap();
                prop_assert!((1..=end).contains(&fault.column), "{}", fault);
            }
        }
    }
}

fn refused_with_the_line(line: &str, is_all_free: bool, seed: u64) -> Result<(), TestCaseError> {
    let value: Value = serde_json::from_str(line).unwrap();
    let other = respelled(&value, is_all_free, &mut Dice(seed));
    if other == line {
        return Ok(());
    }
    let fault = Verified::<Event>::parse(other.as_bytes()).unwrap_err();
    prop_assert_eq!(fault.canonical.as_deref(), Some(line));
    let same = line.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
    prop_assert_eq!(fault.column, u64::try_from(same.count() + 1).unwrap());
    Ok(())
}
