//! A submission of the smallest evidence there can be, and what is wrong with others.

use std::sync::LazyLock;

use scoresheet::digest::Digest;
use scoresheet::event::{
    AnchorRegistered, AnchorSeat, CallAnswered, CallFailed, CallSent, CellStart, Event, EventId,
    GameStarted, PreregistrationCommitted, ProtocolPublished, ScheduleCommitted, ScheduleRule,
    Stage, SystemRegistered, Verified,
};
use scoresheet::finding::Code;
use serde_json::{Value, json};

use crate::bundle::{Bundle, File};
use crate::codes::{Case, Look};
use crate::story::{body, event, event_at, fools_mate, start, story};

/// The document in its folder.
pub(crate) const FILE: &str = "submission.json";

/// When the calls are made.
const CALLED: [&str; 2] = ["2026-11-29T12:00:01.000Z", "2026-11-29T12:00:02.000Z"];

/// The engine, the model, the anchor, the protocol and the promise of this status.
fn registrations(status: &str) -> [Verified<Event>; 5] {
    let engine = event(body::<SystemRegistered>(json!({
        "assistance": {"kind": "none"},
        "engine": {
            "files": [{"bytes": 0, "name": "e", "sha256": Digest::of(b"engine")}],
            "limit": {"nodes": 1000}, "name": "Engine 1",
            "options": [{"name": "Hash", "value": "16"}, {"name": "Threads", "value": "1"}],
        },
        "name": "opponent",
    })));
    let model = event(body::<SystemRegistered>(json!({
        "assistance": {"kind": "none"}, "name": "measured",
        "model": {
            "parameters": [], "prompt": Digest::of(b"prompt"), "requested_model": "provider/model",
            "route": "declared-route",
        },
    })));
    let anchor = event(body::<AnchorRegistered>(json!({
        "basis": "nominal", "rating": "1320", "system": engine.id(),
    })));
    let protocol = event(body::<ProtocolPublished>(json!({
        "anchored": {"scale": "local", "color_effect": "0", "draw_rate": "0.3"}, "attempts": 3,
        "candidate_help": "none",
        "colors": "once_each", "context": "fresh_request", "conversation": "kept",
        "failed_request": {"policy": "replay_cell"}, "legal_moves_listed": true,
        "name": "submitted-1", "pairing": "mini_matches", "ply_cap": 300, "rules": "chessjs-1.4",
        "start": "opening_prefix",
    })));
    let promise = event(body::<PreregistrationCommitted>(json!({
        "cohort": "u", "evidence_status": status, "exclusions": "", "hypothesis": "h",
        "primary_endpoints": ["anchored rating"], "stopping_rule": "Every cell once.",
    })));
    [engine, model, anchor, protocol, promise]
}

/// The call of a game before this ply of the model, and its end.
fn call_of(game: EventId, model: EventId, ply: usize) -> [Verified<Event>; 2] {
    let [sent, ended] = CALLED;
    let call = event_at(
        sent,
        body::<CallSent>(json!({
            "attempt": 1, "game": game, "ply": ply, "system": model,
        })),
    );
    let end = if ply == 1 {
        event_at(
            ended,
            body::<CallAnswered>(json!({
                "call": call.id(), "cost_usd": "0.5", "returned_model": "provider/model-1",
                "time": {"total_ms": 7}, "tokens": {"completion": 3, "prompt": 11},
            })),
        )
    } else {
        event_at(
            ended,
            body::<CallFailed>(json!({
                "call": call.id(), "class": "timeout", "detail": "d",
            })),
        )
    };
    [call, end]
}

/// Mini-matches of a model against one engine from so many starts, promised with this
/// status: one game of each is lost and the other won. One call of each is answered,
/// and one fails. What stands before the first game comes apart.
pub(crate) fn events(status: &str, n_starts: u32) -> [Vec<Verified<Event>>; 2] {
    let before = registrations(status);
    let [engine, model, anchor, protocol, promise] = before.each_ref().map(Verified::id);
    let committed = ScheduleCommitted {
        anchors: vec![AnchorSeat {
            anchor,
            system: engine,
        }],
        preregistration: Some(promise),
        protocol,
        rule: ScheduleRule::MiniMatches,
        starts: (1..=n_starts).map(start_of).collect(),
        systems: vec![model],
        ..story().second("u")
    };
    let schedule = event(committed.clone());
    let mut events = Vec::new();
    for cell in 0..2 * usize::try_from(n_starts).unwrap() {
        let mut game = fools_mate(GameStarted {
            stage: Stage::Paired,
            ..start(schedule.id(), &committed, cell)
        });
        // The model moves first, then second.
        let ply = 1 + cell % 2;
        let call = call_of(game[0].id(), model, ply);
        game.splice(ply..ply, call);
        events.extend(game);
    }
    [[before.as_slice(), &[schedule]].concat(), events]
}

/// The standard position, with another number of moves before it.
fn start_of(number: u32) -> CellStart {
    let fen = scoresheet::chess::Fen::standard_start().to_string();
    let fen = fen.replace(" 0 1", &format!(" 0 {number}"));
    body(json!({"start": {"fen": fen, "variant": "standard"}}))
}

/// Begins the submission of a ledger.
pub(crate) fn begin(bundle: &Bundle) {
    bundle.write("games.csv", b"game,result\n1,0-1\n");
    bundle.write("code/Cargo.lock", b"lock\n");
    let [out, code] = [FILE, "code"].map(|path| bundle.at(path));
    let [out, code] = [&out, &code].map(|path| path.to_str().unwrap());
    bundle.must(&[
        "submission",
        "new",
        "--id",
        "example-system-2026-08",
        "--cohort",
        "u",
        "--artifact",
        "games.csv",
        "--code",
        code,
        "--out",
        out,
    ]);
}

/// The files of a submission whose questions are open.
fn submitted() -> &'static [File] {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
        let bundle = Bundle::played();
        bundle.append(&events("provisional", 1).concat());
        begin(&bundle);
        bundle.files()
    });
    &FILES
}

/// A submission that is begun, with every question open.
pub(crate) fn begun() -> Bundle {
    Bundle::of(submitted())
}

/// A submission with which nothing is wrong.
pub(crate) fn right() -> Bundle {
    let bundle = begun();
    answer(&bundle);
    bundle
}

/// Answers every question.
pub(crate) fn answer(bundle: &Bundle) {
    change(bundle, |document| {
        document["artifacts"][0]["role"] = json!("table of games");
        document["code"]["commit"] = json!("0123456789abcdef0123456789abcdef01234567");
        document["code"]["dirty_diff_sha256"] = json!(null);
        document["system"]["chess_corpora"] = json!({"retrieval": [], "training": null});
        document["system"]["inference_budget"]["time_ms"] = json!(60_000);
        document["system"]["search"] = json!(null);
        document["system"]["state_representation"] = json!("FEN and a board, anew each turn");
        document["system"]["tools"] = json!([]);
    });
}

/// Changes the document.
pub(crate) fn change(bundle: &Bundle, change: impl FnOnce(&mut Value)) {
    let mut document = serde_json::from_slice(&bundle.read(FILE)).unwrap();
    change(&mut document);
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    bundle.write(FILE, text.as_bytes());
}

macro_rules! put {
    ($($pointer:literal: $value:tt),+) => {
        |bundle| change(bundle, |document| {
            $(*document.pointer_mut($pointer).unwrap() = json!($value);)+
        })
    };
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    let case = |code, change| Case { code, start: right, change, look: Look::Submission };
    vec![
        case(Code::SubmissionUnreadable, |b| b.edit(FILE, |text| text.replacen('{', "{\"code\": 1,", 1))),
        case(Code::SubmissionOpen, put!("/system/tools": "? Which?")),
        case(Code::SubmissionContradicted, put!("/system/assistance/ranks_visible": true)),
        case(Code::SubmissionBound, put!("/results/games": {"draws": 0, "losses": 0, "wins": 2})),
        case(Code::SubmissionCost, |b| change(b, |document| {
            let costs = document["resources"]["costs"].as_array_mut().unwrap();
            costs.push(costs[0].clone());
        })),
        case(Code::SubmissionArtifact, |b| b.write("games.csv", b"game,result\n1,1-0\n")),
        case(Code::SubmissionEvidence, put!("/evidence/checkpoint/size": 30)),
        case(Code::SubmissionIdentity, put!("/system/requested_model": "provider/other")),
        case(Code::SubmissionWindow, put!("/system/observation_window/until": "2026-11-30T00:00:00.000Z")),
        case(Code::SubmissionCounts, put!("/results/units/provider_failures": 0)),
        case(Code::SubmissionResult, put!("/results/primary/estimate": "1321")),
        case(Code::SubmissionResources, put!("/resources/prompt_tokens": {"covered": 1, "of": 2, "sum": 11})),
        case(Code::SubmissionStatus, put!("/evidence_status": "confirmatory")),
    ]
}

#[test]
fn a_submission_whose_questions_are_answered_has_nothing_wrong() {
    let (codes, exit) = Look::Submission.codes(&begun());
    assert_eq!(
        (codes.into_iter().collect::<Vec<_>>(), exit),
        (vec!["submission-open".to_owned()], 1)
    );
    let bundle = right();
    let (codes, exit) = Look::Submission.codes(&bundle);
    assert_eq!((codes.len(), exit), (0, 0), "{codes:?}");
    // What was begun is never written over.
    let out = bundle.at(FILE);
    let again = bundle.run(&[
        "submission",
        "new",
        "--id",
        "a",
        "--cohort",
        "u",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert_eq!(again.code, 2);
}
