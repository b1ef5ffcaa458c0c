//! What engines measured: once by content, where it stood in a game, and what
//! they may not say.

use scoresheet::chess::{Fen, Ply, Score, Variant};
use scoresheet::digest::Digest;
use scoresheet::event::{
    CorrectionRecorded, Event, EventId, GameStarted, PositionMeasured, Stage, SystemRegistered,
    Verified, What,
};
use scoresheet::projection::{MeasuredContent, Projection, TOP_MOVES};
use serde_json::{Value, json};

use crate::story::{accepted, body, event, event_at, story};

fn analyst(limit: &Value) -> Verified<Event> {
    event(body::<SystemRegistered>(json!({
        "assistance": {"kind": "none"},
        "engine": {
            "files": [{"bytes": 0, "name": "e", "sha256": Digest::of(b"")}],
            "limit": limit, "name": "e", "options": [],
        },
        "name": "analyst",
    })))
}

fn nodes() -> Verified<Event> {
    analyst(&json!({"nodes": 1000}))
}

/// What is measured of the start position, with these parts changed.
fn measured(analyst: EventId, changes: &Value) -> PositionMeasured {
    let mut what = json!({
        "analyst": analyst, "best": "e2e4", "fen": Fen::standard_start(),
        "lines": [
            {"cp": 50, "depth": 8, "pv": ["e2e4", "e7e5"], "wdl": {"d": 869, "l": 3, "w": 128}},
            {"cp": 22, "pv": ["d2d4"]}, {"cp": 20, "pv": ["d2d4"]}, {"cp": 7, "pv": ["g1f3"]},
        ],
        "variant": "standard",
    });
    for (key, value) in changes.as_object().unwrap() {
        what[key] = value.clone();
    }
    body(what)
}

/// A game that nobody asked for, and what happened so far.
fn game(stage: Stage) -> Verified<Event> {
    let mut started = story().start(0);
    started.cell = None;
    started.stage = stage;
    if stage == Stage::Human {
        started = GameStarted {
            billing: Some(scoresheet::event::Billing::Free),
            ..started
        };
    }
    event(started)
}

fn project(mut projection: Projection, events: &[Verified<Event>]) -> Projection {
    for event in story().events.iter().chain(events) {
        projection.apply(event);
    }
    let text = serde_json::to_string(&projection).unwrap();
    let again: Projection = serde_json::from_str(&text).unwrap();
    assert_eq!(again.measurements, projection.measurements);
    projection
}

/// The codes of what is found, with and without memory.
fn codes(events: &[Verified<Event>]) -> Vec<&'static str> {
    let codes = |projection: Projection| {
        let projection = project(projection, events);
        let findings = projection.findings.iter();
        findings
            .map(|finding| finding.code.as_str())
            .collect::<Vec<_>>()
    };
    let found = codes(Projection::default());
    assert_eq!(codes(Projection::forgetful()), found);
    found
}

fn exclude(target: EventId) -> Verified<Event> {
    event(body::<CorrectionRecorded>(json!({
        "change": "exclude", "evidence": "log", "reason": "wrong engine", "targets": [target],
    })))
}

fn content(analyst: EventId) -> MeasuredContent {
    MeasuredContent {
        analyst,
        fen: Fen::standard_start(),
        variant: Variant::Standard,
    }
}

#[test]
fn what_is_kept_is_the_move_three_first_moves_the_score_and_the_chances() {
    let engine = nodes();
    let measured = event(measured(engine.id(), &json!({})));
    let projection = project(Projection::forgetful(), &[engine.clone(), measured.clone()]);
    let kept = projection.measurements.of(&content(engine.id())).unwrap();
    assert_eq!(kept.id, measured.id());
    let verdict = &kept.verdict;
    assert_eq!(verdict.best, Some("e2e4".parse().unwrap()));
    let top: Vec<_> = verdict.top.iter().map(ToString::to_string).collect();
    assert_eq!(top, ["e2e4", "d2d4", "d2d4"]);
    assert_eq!(top.len(), TOP_MOVES);
    assert_eq!(verdict.score, Some(Score::Centipawns(50)));
    assert_eq!(verdict.wdl.unwrap().win, 128);
    // Another engine, position or variant is another content.
    let mut other = content(engine.id());
    other.variant = Variant::Chess960;
    assert_eq!(projection.measurements.of(&other), None);
    assert_eq!(projection.measurements.of(&content(measured.id())), None);
}

#[test]
fn the_same_again_is_no_finding_and_another_score_is_one_at_fixed_nodes() {
    let again = "2026-11-29T13:00:00.000Z";
    let other = json!({"lines": [{"cp": 51, "pv": ["e2e4"]}]});
    for (limit, found) in [
        (json!({"nodes": 1000}), vec!["measurement-differs"]),
        (json!({"movetime_ms": 10}), vec![]),
    ] {
        let engine = analyst(&limit);
        let id = engine.id();
        let first = event(measured(id, &json!({"time_ms": 5})));
        let same = event_at(again, measured(id, &json!({"time_ms": 6, "nodes": 1017})));
        let differs = event_at(again, measured(id, &other));
        assert_eq!(codes(&[engine.clone(), first.clone(), same]), [""; 0]);
        assert_eq!(codes(&[engine, first, differs]), found);
    }
}

#[test]
fn an_excluded_measurement_is_as_if_it_had_not_been() {
    let engine = nodes();
    let id = engine.id();
    let first = event(measured(id, &json!({})));
    let second = event(measured(
        id,
        &json!({"lines": [{"cp": 51, "pv": ["e2e4"]}]}),
    ));
    let wrong = exclude(first.id());
    let events = [engine, first, wrong, second.clone()];
    assert_eq!(codes(&events), [""; 0]);
    let projection = project(Projection::default(), &events);
    let counts = projection.measurements.of(&content(id)).unwrap();
    assert_eq!(counts.id, second.id());
    assert_eq!(projection.measurements.iter().count(), 1);
    assert_eq!(projection.measurements.count(), 2);
}

#[test]
fn a_move_that_is_not_legal_is_found_in_every_line_until_it_is_excluded() {
    let engine = nodes();
    let illegal = |changes: Value| event(measured(engine.id(), &changes));
    for wrong in [
        illegal(json!({"best": "e2e5"})),
        illegal(json!({"lines": [{"cp": 1, "pv": ["e2e4"]}, {"cp": 1, "pv": ["e7e5"]}]})),
        illegal(json!({"best": "b1b2", "fen": "7k/8/6K1/8/8/8/8/1N6 b - - 0 1"})),
        // Castling as the other variant writes it.
        illegal(json!({
            "best": "e1h1", "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "lines": [{"cp": 1, "pv": ["e1g1"]}],
        })),
    ] {
        let events = [engine.clone(), wrong.clone()];
        assert_eq!(codes(&events), ["analysis-illegal"], "{}", wrong.line());
        let events = [engine.clone(), wrong.clone(), exclude(wrong.id())];
        assert_eq!(codes(&events), [""; 0], "{}", wrong.line());
    }
    let mut silent = measured(engine.id(), &json!({}));
    silent.best = None;
    assert_eq!(
        codes(&[engine.clone(), event(silent)]),
        ["analysis-illegal"]
    );
    let mate = json!({
        "fen": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "lines": [{"mate": 0, "pv": []}],
    });
    let mut mated = measured(engine.id(), &mate);
    mated.best = None;
    assert_eq!(codes(&[engine, event(mated)]), [""; 0]);
}

#[test]
fn what_is_measured_during_play_is_the_position_on_the_board() {
    let engine = nodes();
    let started = game(Stage::Manual);
    let at = |ply: u32, fen: &str| {
        let best = if fen.contains(" w ") { "d2d4" } else { "d7d5" };
        let lines = json!([{"cp": 1, "pv": [best]}]);
        let mut what = measured(
            engine.id(),
            &json!({"best": best, "fen": fen, "lines": lines}),
        );
        (what.game, what.ply) = (Some(started.id()), Some(Ply(ply)));
        event(what)
    };
    let moved: Verified<Event> = event(accepted(started.id(), 1, "e2e4"));
    let [start, after] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ];
    let begun = [engine.clone(), started.clone(), at(0, start), moved];
    let right = [&begun[..], &[at(1, after)]].concat();
    assert_eq!(codes(&right), [""; 0]);
    let projection = project(Projection::forgetful(), &right);
    let measurements = &projection.measurements;
    assert_eq!(measurements.at(&started.id(), Ply(1)).len(), 1);
    assert_eq!(measurements.during(&started.id()).count(), 2);
    let by = measurements
        .by(&engine.id(), &started.id(), Ply(1))
        .unwrap();
    assert_eq!(by.verdict.score, Some(Score::Centipawns(1)));
    for wrong in [at(0, after), at(2, after), at(1, start), at(0, start)] {
        let events = [&begun[..], &[wrong]].concat();
        let found = codes(&events);
        // The last one says a line that stands there already.
        assert_eq!(found, ["game-state"]);
    }
    let ended = story().games[0];
    let mut late = measured(engine.id(), &json!({}));
    (late.game, late.ply) = (Some(ended), Some(Ply(4)));
    let late = event(late);
    let events = [engine.clone(), late];
    assert_eq!(codes(&events), ["game-state"]);
    assert_eq!(codes(&[&events[..], &[exclude(ended)]].concat()), [""; 0]);
}

#[test]
fn nothing_is_measured_in_public_while_a_person_plays() {
    let engine = nodes();
    let started = game(Stage::Human);
    let mut early = measured(engine.id(), &json!({}));
    (early.game, early.ply) = (Some(started.id()), Some(Ply(0)));
    let what = What::from(early);
    let found = codes(&[engine, started, event(what)]);
    assert!(found.contains(&"evaluation-early"), "{found:?}");
}
