//! Canonical lines against ECMAScript itself, on which RFC 8785 rests: what
//! `JSON.stringify` of Node writes, with keys sorted by UTF-16 code units.

use std::collections::BTreeSet;
use std::process::Command;

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use scoresheet::canonical;
use scoresheet::event::{Event, KINDS, Verified};
use serde_json::Value;

use super::goldens;
use super::laws::{Dice, respelled};
use super::strategy::event;
use crate::export::fed;

/// Reads documents in any spelling, one a line, and writes them in the one.
const SORTED: &str = r"
const sorted = value => {
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== 'object') return value;
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map(key => [key, sorted(value[key])]));
};
const lines = require('fs').readFileSync(0, 'utf8').split('\n');
lines.pop();
const written = lines.map(line => JSON.stringify(sorted(JSON.parse(line))));
process.stdout.write(written.join('\n') + '\n');
";

const N_GENERATED: usize = 5_000;
const N_CHANGED: usize = 5_000;

/// Texts that writers of JSON disagree about.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "", " ", "\"", "\\", "/", "</script>", "\0", "\u{1}", "\u{8}", "\t", "\n", "\u{b}", "\u{c}", "\r",
    "\u{1b}", "\u{1f}", "\u{7f}", "\u{80}", "\u{9f}", "\u{a0}", "\u{ad}", "é", "e\u{301}", "\u{2028}", "\u{2029}",
    "\u{200f}\u{202e}", "\u{d7ff}", "\u{e000}", "\u{fdd0}", "\u{feff}", "\u{fffd}", "\u{ffff}", "\u{10000}",
    "\u{1f600}\u{1f3ff}", "\u{10ffff}", "\\u0041", "\\ud83d\\ude00", "NaN", "-0", "1e400", "__proto__", "null",
];

const NUMBERS: &[i64] = &[
    0,
    1,
    -1,
    4_294_967_295,
    4_294_967_296,
    999_999_999_999_999,
    1_000_000_000_000_000,
    9_007_199_254_740_990,
    9_007_199_254_740_991,
    -9_007_199_254_740_991,
];

/// Replaces the text or number that stands at this place, counted through the document.
fn replace(value: &mut Value, at: &mut u64, dice: &mut Dice) {
    let mut pick = |n: usize| usize::try_from(dice.below(n.try_into().unwrap())).unwrap();
    let is_here = *at == 0;
    match value {
        Value::Object(object) => object.values_mut().for_each(|part| replace(part, at, dice)),
        Value::Array(items) => items.iter_mut().for_each(|part| replace(part, at, dice)),
        Value::String(text) => {
            if is_here {
                let texts = [0; 3].map(|_| TEXTS[pick(TEXTS.len())]);
                *text = texts.concat();
            }
            *at = at.wrapping_sub(1);
        }
        Value::Number(number) => {
            if is_here {
                *number = NUMBERS[pick(NUMBERS.len())].into();
            }
            *at = at.wrapping_sub(1);
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Golden lines of every kind with other texts and numbers wherever an event
/// may have them.
fn changed_goldens(dice: &mut Dice) -> Vec<Verified<Event>> {
    let goldens = goldens();
    let mut events = Vec::new();
    let mut lines = BTreeSet::new();
    for golden in goldens.iter().cycle() {
        let mut value = golden.value();
        for _ in 0..=dice.below(3) {
            replace(&mut value, &mut dice.below(20), dice);
        }
        let line = value.to_string();
        let event = Verified::<Event>::parse(line.as_bytes());
        if let Ok(event) = event
            && lines.insert(line)
        {
            events.push(event);
        }
        if N_CHANGED <= events.len() {
            return events;
        }
    }
    events
}

fn generated() -> Vec<Verified<Event>> {
    let mut runner = TestRunner::deterministic();
    let strategy = event();
    let mut next = || strategy.new_tree(&mut runner).unwrap().current();
    (0..N_GENERATED)
        .map(|_| Verified::write(next()).unwrap())
        .collect()
}

#[test]
fn node_writes_the_same_lines_whatever_spelling_it_read() {
    let dice = &mut Dice(2026);
    let mut events = changed_goldens(dice);
    let kinds: BTreeSet<_> = events.iter().map(|event| event.what.kind().name).collect();
    assert_eq!(kinds.len(), KINDS.len(), "{kinds:?}");
    events.extend(generated());
    let mut documents = String::new();
    for event in &events {
        let value: Value = serde_json::from_str(event.line()).unwrap();
        let spelled = respelled(&value, true, dice).replace(['\r', '\n'], " ");
        documents.extend([&spelled, "\n"]);
    }
    let what = "node, of the Debian package nodejs that tests/run installs";
    let written = fed(Command::new("node").args(["-e", SORTED]), &documents, what);
    assert_eq!(written.lines().count(), events.len());
    for (written, event) in written.split('\n').zip(&events) {
        assert_eq!(written, event.line());
        assert_eq!(written, canonical::write(&**event).unwrap());
        let read = Verified::<Event>::parse(written.as_bytes());
        assert_eq!(read.as_ref(), Ok(event));
    }
}
