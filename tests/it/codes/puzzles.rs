//! What answers to puzzles can contradict.

use scoresheet::event::{CallAnswered, CallFailed, CallSent, EventId, PuzzleAnswered};
use scoresheet::finding::Code;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::codes::{Case, Look, case};
use crate::puzzles::{dataset, protocol};
use crate::story::{body, event, event_at, story};

/// Appends a dataset, a call that ends like this, and what is said of it.
fn answer(bundle: &Bundle, is_failed: bool, said: &[Value]) {
    let dataset = event(dataset("p", "one"));
    let protocol = event(protocol());
    let system = story().systems[0];
    let mut events = vec![dataset, protocol];
    let [dataset, protocol] = [events[0].id(), events[1].id()];
    for (said, second) in said.iter().zip(1..) {
        let sent: CallSent = body(json!({"attempt": second, "system": system}));
        let sent = event(sent);
        let call = json!({
            "call": sent.id(), "class": "timeout", "detail": "", "time": {"total_ms": 1},
        });
        let ended = if is_failed {
            event(body::<CallFailed>(call))
        } else {
            let answered = json!({"call": sent.id(), "time": {"total_ms": 1}});
            event(body::<CallAnswered>(answered))
        };
        let mut answered = json!({
            "call": ended.id(), "dataset": dataset, "protocol": protocol, "puzzle": "aB3xZ",
            "system": system,
        });
        let fields = said.as_object().unwrap().clone();
        answered.as_object_mut().unwrap().extend(fields);
        let answered = event(body::<PuzzleAnswered>(answered));
        events.extend([sent, ended, answered]);
    }
    bundle.append(&events);
}

fn right() -> Value {
    json!({"form": "as_is", "line": ["e1e8"]})
}

fn of(field: &str, id: EventId) -> Value {
    let mut said = right();
    said[field] = json!(id);
    said
}

/// Appends two datasets of one name.
fn name_twice(bundle: &Bundle) {
    let twice = ["2026-11-29T12:00:00.000Z", "2026-11-29T12:00:01.000Z"];
    let events = twice.map(|time| event_at(time, dataset("p", "one")));
    bundle.append(&events);
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    use Look::Verify;
    vec![
        case(Code::DatasetTwice, Verify, name_twice),
        case(Code::PuzzleUnknown, Verify, |b| answer(b, false, &[json!({"form": "wrong", "puzzle": "zzzzz"})])),
        case(Code::PuzzleTwice, Verify, |b| answer(b, false, &[right(), json!({"form": "wrong"})])),
        case(Code::PuzzleContradicted, Verify, |b| answer(b, true, &[right()])),
        case(Code::PuzzleContradicted, Verify, |b| answer(b, false, &[json!({})])),
        case(Code::PuzzleContradicted, Verify, |b| answer(b, false, &[of("system", story().systems[1])])),
        case(Code::PuzzleContradicted, Verify, |b| answer(b, false, &[of("protocol", story().protocol)])),
    ]
}
