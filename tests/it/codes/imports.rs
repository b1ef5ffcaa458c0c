//! What imported sources can contradict, and what must not be passed over.

use scoresheet::event::{EventId, GameImported, ImportFinished, ImportStarted, What};
use scoresheet::finding::Code;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::codes::{Case, Look, case};
use crate::story::{body, event};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Appends a source with one game that says this, and its end.
fn import(bundle: &Bundle, moves: &[&str], said: &Value, counts: &Value) {
    let started = event(body::<ImportStarted>(json!({
        "bytes": 1, "format": "pgn", "name": "a.pgn", "sha256": EventId::of(b"a"), "version": 1,
    })));
    let mut game = json!({
        "black": {}, "import": started.id(), "moves": moves, "number": 1,
        "start": {"fen": START, "variant": "standard"}, "white": {},
    });
    let fields = said.as_object().unwrap().clone();
    game.as_object_mut().unwrap().extend(fields);
    let mut finished = json!({
        "calls": 0, "contradicted": 0, "faulty": 0, "games": 1, "import": started.id(), "plies": moves.len(),
        "skipped": 0,
    });
    let counts = counts.as_object().unwrap().clone();
    finished.as_object_mut().unwrap().extend(counts);
    let game: What = body::<GameImported>(game).into();
    let finished: What = body::<ImportFinished>(finished).into();
    bundle.append(&[started, event(game), event(finished)]);
}

/// A fault of this kind.
fn fault(kind: &str) -> Value {
    json!({"faults": [{"expected": "e", "found": "f", "kind": kind}]})
}

/// A mate that the header says nothing of.
fn mate_passed_over(bundle: &Bundle) {
    let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let said = json!({"stated": [{"by": "header", "result": "1-0"}]});
    import(bundle, &moves, &said, &json!({}));
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    use Look::Verify;
    vec![
        case(Code::ImportFaulty, Verify, |b| import(b, &[], &fault("cut_off"), &json!({"faulty": 1}))),
        case(Code::ImportContradicted, Verify, |b| import(b, &[], &fault("contradiction"), &json!({"contradicted": 1}))),
        case(Code::ImportDiffers, Verify, mate_passed_over),
        case(Code::ImportDiffers, Verify, |b| import(b, &["e2e5"], &json!({}), &json!({}))),
        case(Code::ImportDiffers, Verify, |b| import(b, &["e2e4"], &json!({"number": 2}), &json!({}))),
        case(Code::ImportDiffers, Verify, |b| import(b, &["e2e4"], &json!({}), &json!({"games": 2}))),
        case(Code::ImportDiffers, Verify, |b| import(b, &["e2e4"], &json!({"stated": [{"by": "header", "result": "1-0"}, {"by": "moves"}]}), &json!({}))),
    ]
}
