//! What events can contradict: each line is valid, and what they say is not.

use scoresheet::chess::{Fen, GameResult, Ply, RejectionClass, Termination};
use scoresheet::digest::Digest;
use scoresheet::event::{
    AnchorRegistered, AnchorSeat, BillingCorrected, CallAnswered, CallSent, CellRef,
    CorrectionRecorded, EventId, GameFinished, GameStarted, MoveRejected, PositionMeasured,
    ProtocolPublished, ScheduleCommitted, ScheduleRule, Stage, SystemRegistered, TablebaseProbed,
    What,
};
use scoresheet::finding::Code;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::codes::{Case, Look, case};
use crate::story::{TIME, accepted, body, event, event_at, start, story, system};

/// Appends the start of a game that no schedule asks for, and what happens in it.
fn in_a_game(bundle: &Bundle, what: impl FnOnce(EventId) -> What) {
    let started = event(story().stray());
    let happened = event(what(started.id()));
    bundle.append(&[started, happened]);
}

/// Appends the start of another game for this cell.
fn start_again(bundle: &Bundle, cell: usize, index: u32) {
    let schedule = story().schedule;
    let index = index.into();
    bundle.append(&[event(GameStarted {
        cell: Some(CellRef { index, schedule }),
        stage: Stage::Manual,
        ..story().start(cell)
    })]);
}

/// Rejects a text as one in which no move could be read.
fn rejected(game: EventId, extracted: &str) -> What {
    let rejected = MoveRejected {
        attempt: 1_u32.into(),
        bodies: Vec::new(),
        call: None,
        class: RejectionClass::Unparseable,
        extracted: extracted.to_owned(),
        game,
        ply: Ply(1),
    };
    rejected.into()
}

fn won(game: EventId) -> What {
    let finished = GameFinished {
        game,
        plies: 0_u32.into(),
        result: GameResult::WhiteWins,
        termination: Termination::Checkmate,
    };
    finished.into()
}

/// Appends a call that is answered twice.
fn answer_twice(bundle: &Bundle) {
    let sent = event(body::<CallSent>(
        json!({"attempt": 1, "system": story().systems[0]}),
    ));
    let answered: CallAnswered = body(json!({"call": sent.id(), "time": {"total_ms": 1}}));
    let later = event_at(&TIME.replace("12:", "13:"), answered.clone());
    bundle.append(&[sent, event(answered), later]);
}

/// Appends a bill to which a cost was recorded that the ledger does not have.
fn correct_what_was_not_recorded(bundle: &Bundle) {
    bundle.append(&[event(body::<BillingCorrected>(json!({
        "corrected_usd": "2", "note": "bill", "part": "placement", "recorded_usd": "1",
    })))]);
}

/// Appends a schedule whose second cell is played first.
fn play_the_second_first(bundle: &Bundle) {
    let second = story().second("u");
    let schedule = event(second.clone());
    let started = event(start(schedule.id(), &second, 1));
    bundle.append(&[schedule, started]);
}

/// Appends the exclusion of a game, and two reversals of it.
fn reverse_twice(bundle: &Bundle) {
    let correction = |change: &str, target: EventId, evidence: &str| {
        event(body::<CorrectionRecorded>(json!({
            "change": change, "evidence": evidence, "reason": "x", "targets": [target],
        })))
    };
    let excluded = correction("exclude", story().games[0], "a");
    let reversals = ["a", "b"].map(|evidence| correction("reverse", excluded.id(), evidence));
    bundle.append(&[&[excluded][..], &reversals].concat());
}

/// Appends an engine, and what it measures of the start position.
fn measure(bundle: &Bundle, best: &[&str]) {
    let lines: Vec<_> = best
        .iter()
        .map(|best| (*best, json!({"cp": 20, "pv": [best]})))
        .collect();
    measure_lines(bundle, &lines);
}

/// The same of a best move with its line.
fn measure_lines(bundle: &Bundle, lines: &[(&str, Value)]) {
    let engine = event(body::<SystemRegistered>(json!({
        "assistance": {"kind": "none"},
        "engine": {
            "files": [{"bytes": 0, "name": "e", "sha256": Digest::of(b"")}],
            "limit": {"nodes": 1000}, "name": "e", "options": [],
        },
        "name": "analyst",
    })));
    let analyst = engine.id();
    let measured = lines.iter().map(|(best, line)| {
        event(body::<PositionMeasured>(json!({
            "analyst": analyst, "best": best, "fen": Fen::standard_start(),
            "lines": [line], "variant": "standard",
        })))
    });
    let events: Vec<_> = std::iter::once(engine).chain(measured).collect();
    bundle.append(&events);
}

/// Appends what tables said of one position, twice.
fn probe(bundle: &Bundle, says: [i32; 2]) {
    let probed = says.map(|wdl| {
        event(body::<TablebaseProbed>(json!({
            "fen": "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1",
            "files": [{"bytes": 0, "name": "KQvK.rtbw", "sha256": Digest::of(b"")}],
            "wdl": wdl,
        })))
    });
    bundle.append(&probed);
}

/// Appends a protocol against anchors, and a game under it between two systems
/// that are none.
fn meet_without_an_anchor(bundle: &Bundle) {
    let [white, black] = [story().systems[0], story().systems[1]];
    let protocol = event(against_anchors(json!({})));
    let started = event(body::<GameStarted>(json!({
        "protocol": protocol.id(), "seats": {"black": black, "white": white},
        "stage": "anchored",
        "start": {"fen": Fen::standard_start(), "variant": "standard"},
    })));
    bundle.append(&[protocol, started]);
}

/// Appends a protocol against anchors, and a schedule under it that has none.
fn commit_without_anchors(bundle: &Bundle) {
    let protocol = event(against_anchors(json!({})));
    let mut schedule = story().second("u");
    schedule.protocol = protocol.id();
    bundle.append(&[protocol, event(schedule)]);
}

/// Appends a schedule that has, for an anchor, a system it was not fixed for.
fn seat_another_as_the_anchor(bundle: &Bundle) {
    let [player, anchor] = story().systems;
    let protocol = event(against_anchors(json!({})));
    let fixed = event(body::<AnchorRegistered>(json!({
        "basis": "nominal", "rating": "1320", "system": anchor,
    })));
    let schedule = event(ScheduleCommitted {
        anchors: vec![AnchorSeat {
            anchor: fixed.id(),
            system: player,
        }],
        protocol: protocol.id(),
        rule: ScheduleRule::Anchored,
        starts: vec![body(json!({
            "start": {"fen": Fen::standard_start(), "variant": "standard"},
        }))],
        systems: vec![anchor],
        ..story().second("u")
    });
    bundle.append(&[protocol, fixed, schedule]);
}

fn against_anchors(more: Value) -> ProtocolPublished {
    let mut rules = json!({
        "anchored": {"scale": "local"}, "attempts": 3, "candidate_help": "none",
        "colors": "alternate", "context": "fresh_request", "conversation": "kept",
        "failed_request": {"policy": "abort_uncounted"}, "legal_moves_listed": false,
        "name": "against-anchors", "pairing": "anchors_only", "ply_cap": 300,
        "rules": "chessjs-1.4", "start": "same_positions",
    });
    if let (Value::Object(rules), Value::Object(more)) = (&mut rules, more) {
        rules.extend(more);
    }
    body(rules)
}

/// Appends a game that is adjudicated after one position of a stretch of two.
fn adjudicate_too_early(bundle: &Bundle) {
    let [player, anchor] = [story().systems[0], story().systems[1]];
    let engine = event(system("c", "analyst"));
    let analyst = engine.id();
    let protocol = event(against_anchors(json!({
        "adjudication": {"analyst": analyst, "win": {"cp": 1000, "positions": 2}},
    })));
    let fixed = event(body::<AnchorRegistered>(json!({
        "basis": "nominal", "rating": "1320", "system": anchor,
    })));
    let started = event(body::<GameStarted>(json!({
        "protocol": protocol.id(), "seats": {"black": anchor, "white": player},
        "stage": "anchored",
        "start": {"fen": Fen::standard_start(), "variant": "standard"},
    })));
    let game = started.id();
    let moved = event(accepted(game, 1, "e2e4"));
    let measured = event(body::<PositionMeasured>(json!({
        "analyst": analyst, "best": "e7e5",
        "fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "game": game, "lines": [{"cp": -1000, "pv": ["e7e5"]}], "ply": 1, "variant": "standard",
    })));
    let finished = event(body::<GameFinished>(json!({
        "game": game, "plies": 1, "result": "1-0", "termination": "adjudication",
    })));
    bundle.append(&[engine, protocol, fixed, started, moved, measured, finished]);
}

const DOCUMENT: &str = "document.json";

/// A project with a document beside it: the line that opened its ledger.
fn documented() -> Bundle {
    let bundle = Bundle::new();
    let events = bundle.read("ledger/events/000000.jsonl");
    let first = events.split(|byte| *byte == b'\n').next();
    bundle.write(DOCUMENT, first.unwrap());
    bundle
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    use Look::Verify;
    vec![
        case(Code::DanglingReference, Verify, |b| b.append(&[event(accepted(EventId::of(b"x"), 1, "e2e4"))])),
        case(Code::ReferenceKind, Verify, |b| b.append(&[event(accepted(story().protocol, 1, "e2e4"))])),
        case(Code::GameState, Verify, |b| b.append(&[event(accepted(story().games[0], 5, "a2a3"))])),
        case(Code::GameState, Verify, |b| in_a_game(b, |game| accepted(game, 2, "e2e4").into())),
        case(Code::MoveIllegal, Verify, |b| in_a_game(b, |game| accepted(game, 1, "e2e5").into())),
        case(Code::MoveLegal, Verify, |b| {
            in_a_game(b, |game| rejected(game, "e2e4"));
        }),
        case(Code::RejectionDiffers, Verify, |b| {
            in_a_game(b, |game| rejected(game, "e2e5"));
        }),
        case(Code::ResultContradicted, Verify, |b| in_a_game(b, won)),
        case(Code::NameTwice, Verify, |b| b.append(&[event(system("a", "n"))])),
        case(Code::CohortTwice, Verify, |b| b.append(&[event(story().second("t"))])),
        case(Code::CellUnregistered, Verify, |b| start_again(b, 0, 99)),
        case(Code::CellUnregistered, Verify, |b| start_again(b, 0, 1)),
        case(Code::ScheduleContradicted, Verify, commit_without_anchors),
        case(Code::ScheduleContradicted, Verify, seat_another_as_the_anchor),
        case(Code::PairingForbidden, Verify, meet_without_an_anchor),
        case(Code::ResultContradicted, Verify, adjudicate_too_early),
        case(Code::CellReplayed, Verify, |b| start_again(b, 0, 0)),
        case(Code::CellOrder, Verify, play_the_second_first),
        case(Code::CallState, Verify, answer_twice),
        case(Code::BillingContradicted, Verify, correct_what_was_not_recorded),
        case(Code::AnalysisIllegal, Verify, |b| measure(b, &["e2e5"])),
        case(Code::AnalysisIllegal, Verify, |b| measure_lines(b, &[("e2e4", json!({"mate": 1, "pv": ["e2e4"]}))])),
        case(Code::MeasurementDiffers, Verify, |b| measure(b, &["e2e4", "d2d4"])),
        case(Code::TablebaseDiffers, Verify, |b| probe(b, [2, 0])),
        case(Code::CorrectionContradicted, Verify, reverse_twice),
        Case { start: documented, ..case(Code::SchemaViolation, Look::Schema(DOCUMENT), |b| b.edit(DOCUMENT, |text| text.replacen("\"by\"", "\"of\"", 1))) },
    ]
}
