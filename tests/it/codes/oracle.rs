//! What a call shows of candidates beside the record that it was taken from.

use scoresheet::chess::{Fen, UciMove, Variant};
use scoresheet::digest::Digest;
use scoresheet::event::{
    AnchorRegistered, AnchorSeat, CallSent, CellRef, Event, EventId, GameStarted, PositionMeasured,
    ProtocolPublished, ScheduleCommitted, ScheduleRule, ShownCandidates, Stage, SystemRegistered,
    Verified,
};
use scoresheet::finding::Code;
use scoresheet::run::prompts::{Candidates, Presentation};
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::codes::{Case, Look, case};
use crate::story::{TIME, body, event, event_at, start, story};

/// What the oracle ranks in the start position, best first.
const RANKED: [&str; 4] = ["e2e4", "d2d4", "g1f3", "c2c4"];

/// A cohort with an oracle of width 3, and its first game before the first call.
struct Helped {
    events: Vec<Verified<Event>>,
    advisor: EventId,
    model: EventId,
    game: EventId,
}

fn prompt() -> Digest {
    Digest::of(b"prompt")
}

/// With an engine that stops at this limit, and a model that is registered with this
/// help.
fn helped(limit: &Value, assistance: &Value) -> Helped {
    let advisor = event(body::<SystemRegistered>(json!({
        "assistance": {"kind": "none"},
        "engine": {
            "files": [{"bytes": 0, "name": "e", "sha256": Digest::of(b"")}],
            "limit": limit, "name": "e", "options": [],
        },
        "name": "advisor",
    })));
    let model = event(body::<SystemRegistered>(json!({
        "assistance": assistance, "name": "helped",
        "model": {"parameters": [], "prompt": prompt(), "requested_model": "m", "route": "r"},
    })));
    let seat = story().systems[1];
    let anchor = event(body::<AnchorRegistered>(json!({
        "basis": "nominal", "rating": "1320", "system": seat,
    })));
    let protocol = event(body::<ProtocolPublished>(json!({
        "anchored": {"scale": "local"}, "attempts": 3, "candidate_help": "candidate_oracle",
        "colors": "once_each", "context": "fresh_request", "conversation": "kept",
        "failed_request": {"policy": "replay_cell"}, "legal_moves_listed": false,
        "name": "helped", "pairing": "mini_matches", "ply_cap": 300, "rules": "chessjs-1.4",
        "oracle": {
            "advisor": advisor.id(), "condition": "top-3", "repetition": 0, "width": 3,
        },
        "start": "opening_prefix",
    })));
    let committed = ScheduleCommitted {
        anchors: vec![AnchorSeat {
            anchor: anchor.id(),
            system: seat,
        }],
        protocol: protocol.id(),
        rule: ScheduleRule::MiniMatches,
        starts: vec![body(json!({
            "start": {"fen": Fen::standard_start(), "variant": "standard"},
        }))],
        systems: vec![model.id()],
        ..story().second("u")
    };
    let schedule = event(committed.clone());
    let started = event(GameStarted {
        cell: Some(CellRef {
            index: 0_u32.into(),
            schedule: schedule.id(),
        }),
        stage: Stage::Paired,
        ..start(schedule.id(), &committed, 0)
    });
    Helped {
        advisor: advisor.id(),
        model: model.id(),
        game: started.id(),
        events: vec![advisor, model, anchor, protocol, schedule, started],
    }
}

fn help(width: u32) -> Value {
    json!({
        "candidate_count": width, "kind": "candidate_oracle", "ranks_visible": false,
        "scores_visible": false,
    })
}

fn as_declared() -> Helped {
    helped(&json!({"nodes": 1000}), &help(3))
}

/// The record of the start position, at this time.
fn record(helped: &Helped, time: &str) -> Verified<Event> {
    let lines = RANKED.map(|uci| json!({"cp": 20, "pv": [uci]}));
    event_at(
        time,
        body::<PositionMeasured>(json!({
            "analyst": helped.advisor, "best": "e2e4", "fen": Fen::standard_start(),
            "lines": lines, "variant": "standard",
        })),
    )
}

/// The moves that are shown, as anyone can draw their order again.
fn shown() -> Vec<UciMove> {
    let ranked = RANKED.map(|uci| uci.parse().unwrap());
    let position = Fen::standard_start().position(Variant::Standard).unwrap();
    let presentation = Presentation {
        experiment: "u",
        condition: "top-3",
        repetition: 0,
        prompt: prompt(),
    };
    let candidates = Candidates::of(&position, &ranked, 3, &presentation).unwrap();
    candidates.shown().to_vec()
}

/// A call for the first move that shows these moves.
fn call(helped: &Helped, candidates: Option<(EventId, Vec<UciMove>)>) -> Verified<Event> {
    let candidates = candidates.map(|(measured, moves)| ShownCandidates { measured, moves });
    event(CallSent {
        candidates,
        ..body(json!({
            "attempt": 1, "game": helped.game, "ply": 1, "system": helped.model,
        }))
    })
}

/// A project in which a call shows what it has to.
fn start_right() -> Bundle {
    let bundle = Bundle::new();
    let helped = as_declared();
    let record = record(&helped, TIME);
    let call = call(&helped, Some((record.id(), shown())));
    bundle.append(&[helped.events, vec![record, call]].concat());
    bundle
}

/// Appends another call in the same game, as somebody would have it who knows the
/// record and the moves that are to be shown.
fn call_with(
    bundle: &Bundle,
    candidates: impl FnOnce(EventId, Vec<UciMove>) -> Option<(EventId, Vec<UciMove>)>,
) {
    let helped = as_declared();
    let record = record(&helped, TIME);
    bundle.append(&[call(&helped, candidates(record.id(), shown()))]);
}

/// Appends a second record of the position, and a call that is taken from it.
fn call_from_another_record(bundle: &Bundle) {
    let helped = as_declared();
    let another = record(&helped, &TIME.replace("12:", "13:"));
    let call = call(&helped, Some((another.id(), shown())));
    bundle.append(&[another, call]);
}

/// Appends a game and a call in it before anything was measured.
fn call_before_the_record(bundle: &Bundle) {
    let helped = as_declared();
    let call = call(&helped, None);
    bundle.append(&[helped.events.clone(), vec![call]].concat());
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    let differ = |change| Case { start: start_right, ..case(Code::CandidatesDiffer, Look::Verify, change) };
    vec![
        differ(|b| call_with(b, |record, mut moves| { moves.reverse(); Some((record, moves)) })),
        differ(|b| call_with(b, |record, mut moves| { moves.pop(); Some((record, moves)) })),
        differ(|b| call_with(b, |_, _| None)),
        differ(call_from_another_record),
        case(Code::CandidatesDiffer, Look::Verify, call_before_the_record),
        case(Code::OracleUnfit, Look::Verify, |b| b.append(&helped(&json!({"movetime_ms": 10}), &help(3)).events)),
        case(Code::OracleUnfit, Look::Verify, |b| b.append(&helped(&json!({"nodes": 9}), &help(2)).events)),
        case(Code::OracleUnfit, Look::Verify, |b| b.append(&helped(&json!({"nodes": 9}), &json!({"kind": "none"})).events)),
    ]
}

#[test]
fn an_oracle_that_is_as_declared_raises_nothing() {
    let (plain, _) = Look::Verify.codes(&Bundle::new());
    let (found, _) = Look::Verify.codes(&start_right());
    assert_eq!(found, plain);
}
