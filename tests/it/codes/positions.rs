//! What answers to listed positions can contradict.

use scoresheet::event::{
    CallAnswered, CallFailed, CallSent, CellAnswered, EventId, PositionsRegistered,
    ProtocolPublished,
};
use scoresheet::finding::Code;
use scoresheet::run::ModelProtocol;
use scoresheet::run::prompts::TrackA;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::codes::{Case, Look, case};
use crate::puzzles::dataset;
use crate::story::{body, event, event_at, story};

/// A list of one position, with this name.
fn list(name: &str) -> PositionsRegistered {
    body(json!({
        "name": name,
        "positions": [{"fen": "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", "id": "own"}],
        "source_sha256": "0".repeat(64),
    }))
}

fn protocol() -> ProtocolPublished {
    let name = "positions".parse().unwrap();
    ModelProtocol::positions(name, TrackA::default(), 3).published
}

/// Appends a list and a protocol of one attempt; and, for each, a call that ends like
/// this, and what is said of it. Members of `sent` begin with `sent_`.
fn answer(bundle: &Bundle, is_failed: bool, said: &[Value]) {
    let (list, protocol) = (event(list("list")), event(protocol()));
    let system = story().systems[0];
    let (dataset, rules) = (list.id(), protocol.id());
    let mut events = vec![list, protocol];
    for (number, said) in said.iter().enumerate() {
        let mut sent = json!({
            "attempt": 1, "position": {"dataset": dataset, "id": "own"}, "system": system,
        });
        let mut answered = json!({
            "condition": "base", "dataset": dataset, "position": "own", "protocol": rules,
            "system": system,
        });
        for (field, value) in said.as_object().unwrap() {
            match field.strip_prefix("sent_") {
                Some(field) => sent[field] = value.clone(),
                None => answered[field] = value.clone(),
            }
        }
        let time = format!("2026-11-29T12:00:0{number}.000Z");
        let sent = event_at(&time, body::<CallSent>(sent));
        let mut ended = json!({"call": sent.id(), "time": {"total_ms": 1}});
        let ended = if is_failed {
            ended["class"] = json!("timeout");
            ended["detail"] = json!("");
            event(body::<CallFailed>(ended))
        } else {
            event(body::<CallAnswered>(ended))
        };
        answered["call"] = json!(ended.id());
        let answered = event(body::<CellAnswered>(answered));
        events.extend([sent, ended, answered]);
    }
    bundle.append(&events);
}

fn legal() -> Value {
    json!({"uci": "e1e8"})
}

fn rejected(class: &str, extracted: &str) -> Value {
    json!({"class": class, "extracted": extracted})
}

fn with(field: &str, value: Value) -> Value {
    let mut said = legal();
    said[field] = value;
    said
}

fn of(field: &str, id: EventId) -> Value {
    with(field, json!(id))
}

/// One answer again, and one that rests on the call of the other.
fn one_call_for_two(bundle: &Bundle) {
    let (list, protocol) = (event(list("list")), event(protocol()));
    let (dataset, rules) = (list.id(), protocol.id());
    let system = story().systems[0];
    let sent: CallSent = body(json!({
        "attempt": 1, "position": {"dataset": dataset, "id": "own"}, "system": system,
    }));
    let sent = event(sent);
    let ended = json!({"call": sent.id(), "time": {"total_ms": 1}});
    let ended = event(body::<CallAnswered>(ended));
    let said = |condition: &str| {
        event(body::<CellAnswered>(json!({
            "call": ended.id(), "condition": condition, "dataset": dataset, "position": "own",
            "protocol": rules, "system": system, "uci": "e1e8",
        })))
    };
    let both = [said("base"), said("other")];
    let [one, other] = both;
    bundle.append(&[list, protocol, sent, ended.clone(), one, other]);
}

/// Appends a list of one position, and a further part of it with this changed.
fn continued(bundle: &Bundle, change: &Value) {
    let first = event(list("list"));
    let mut part = json!({
        "continues": first.id(), "name": "list", "source_sha256": "0".repeat(64),
        "positions": [{"fen": "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1", "id": "other"}],
    });
    for (field, value) in change.as_object().unwrap() {
        part[field] = value.clone();
    }
    bundle.append(&[first, event(body::<PositionsRegistered>(part))]);
}

/// The same move counters aside, under another id.
fn again_under(id: &str, fen: &str) -> Value {
    json!({"positions": [{"fen": fen, "id": id}]})
}

/// A part behind the first answer.
fn continued_late(bundle: &Bundle) {
    answer(bundle, false, &[legal()]);
    let part = json!({
        "continues": event(list("list")).id(), "name": "list", "source_sha256": "0".repeat(64),
        "positions": [{"fen": "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1", "id": "other"}],
    });
    bundle.append(&[event(body::<PositionsRegistered>(part))]);
}

/// A part of what is itself a further part.
fn continued_from_a_part(bundle: &Bundle) {
    continued(bundle, &json!({}));
    let second = event(body::<PositionsRegistered>(json!({
        "continues": event(list("list")).id(), "name": "list", "source_sha256": "0".repeat(64),
        "positions": [{"fen": "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1", "id": "other"}],
    })));
    let third = json!({
        "continues": second.id(), "name": "list", "source_sha256": "0".repeat(64),
        "positions": [{"fen": "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "id": "third"}],
    });
    bundle.append(&[event(body::<PositionsRegistered>(third))]);
}

fn name_of_puzzles(bundle: &Bundle) {
    bundle.append(&[event(dataset("p", "one")), event(list("p"))]);
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    use Look::Verify;
    vec![
        case(Code::DatasetTwice, Verify, name_of_puzzles),
        case(Code::PositionsContinued, Verify, |b| continued(b, &json!({"name": "another"}))),
        case(Code::PositionsContinued, Verify, |b| continued(b, &json!({"source_sha256": "1".repeat(64)}))),
        case(Code::PositionsContinued, Verify, |b| continued(b, &again_under("own", "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"))),
        case(Code::PositionsContinued, Verify, |b| continued(b, &again_under("other", "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 7 9"))),
        case(Code::PositionsContinued, Verify, continued_late),
        case(Code::PositionsContinued, Verify, continued_from_a_part),
        case(Code::PositionUnknown, Verify, |b| answer(b, false, &[with("position", json!("other"))])),
        case(Code::CellTwice, Verify, |b| answer(b, false, &[legal(), with("sent_attempt", json!(2))])),
        case(Code::CellTwice, Verify, |b| answer(b, false, &[rejected("empty", ""), with("sent_attempt", json!(2))])),
        case(Code::CellContradicted, Verify, |b| answer(b, true, &[legal()])),
        case(Code::CellContradicted, Verify, |b| answer(b, false, &[json!({})])),
        case(Code::CellContradicted, Verify, |b| answer(b, false, &[with("sent_attempt", json!(2))])),
        case(Code::CellContradicted, Verify, |b| answer(b, false, &[of("system", story().systems[1])])),
        case(Code::CellContradicted, Verify, |b| answer(b, false, &[of("protocol", story().protocol)])),
        case(Code::CellContradicted, Verify, one_call_for_two),
        case(Code::MoveIllegal, Verify, |b| answer(b, false, &[with("uci", json!("e1d2"))])),
        case(Code::MoveLegal, Verify, |b| answer(b, false, &[rejected("wrong_format", "e1e8")])),
        case(Code::RejectionDiffers, Verify, |b| answer(b, false, &[rejected("blocked", "e2e4")])),
    ]
}
