//! Files in good form that do not say what the raw events say.

use std::fs;

use scoresheet::digest::Digest;
use scoresheet::event::{
    AbortCause, CohortFrozen, Event, EvidenceStatus, GameAborted, GameStarted, Stage, Verified,
};
use scoresheet::finding::Code;
use serde_json::json;

use crate::bundle::Bundle;
use crate::codes::claims::{claim, claimed, promise, promised};
use crate::mutations::{Mutation, blocks, not_applicable};
use crate::story::{event, event_at, fools_mate, start, story};

const BOARD: &str = "release/board.csv";
const EVENTS: &str = "ledger/events/000000.jsonl";
/// Later than everything else: two facts share no line.
const LATER: &str = "2031-01-01T00:00:00.000Z";

/// Changes the manifest of the cohort.
fn remake(bundle: &Bundle, from: &str, to: &str) {
    bundle.edit(&bundle.only("manifests/"), |text| {
        text.replacen(from, to, 1)
    });
}

/// Freezes the cohort once more, with a manifest that was changed.
fn refreeze(bundle: &Bundle, from: &str, to: &str) {
    let made = String::from_utf8(bundle.read(&bundle.only("manifests/"))).unwrap();
    let changed = made.replacen(from, to, 1);
    assert_ne!(made, changed);
    let manifest = Digest::of(changed.as_bytes());
    bundle.write(&format!("manifests/t-{manifest}.json"), changed.as_bytes());
    let events = String::from_utf8(bundle.read(EVENTS)).unwrap();
    let line = events
        .lines()
        .find(|line| line.contains("\"cohort.frozen\""));
    let mut frozen: serde_json::Value = serde_json::from_str(line.unwrap()).unwrap();
    frozen["what"]["manifest"] = json!(manifest);
    let frozen: CohortFrozen = serde_json::from_value(frozen["what"].take()).unwrap();
    bundle.append(&[event_at(LATER, frozen)]);
    bundle.bind();
}

/// Claims of the smallest cohort so many finished games, and has it reviewed.
fn say(bundle: &Bundle, games: &str) {
    claimed(bundle, &claim(games, |_| ()));
}

/// Plays a cell of the finished cohort again.
fn replay(bundle: &Bundle, change: impl FnOnce(&mut GameStarted)) {
    let mut started = GameStarted {
        stage: Stage::Manual,
        ..story().start(0)
    };
    change(&mut started);
    bundle.append(&fools_mate(started));
    bundle.bind();
}

/// A second cohort, of which these cells are played, in this order.
fn second(cells: &[usize]) -> Vec<Verified<Event>> {
    let committed = story().second("u");
    let schedule = event(committed.clone());
    let id = schedule.id();
    let games = cells.iter().map(|cell| start(id, &committed, *cell));
    std::iter::once(schedule)
        .chain(games.flat_map(fools_mate))
        .collect()
}

/// Adds the second cohort to the release, frozen so.
fn release_second(bundle: &Bundle, events: &[Verified<Event>], freeze: &[&str]) {
    bundle.append(events);
    bundle.run(&[&["freeze", "u", "--time", LATER, "--by", "t"], freeze].concat());
    bundle.bind();
    bundle.specify(|spec| spec["cohorts"] = json!(["t", "u"]));
}

/// Plays the second cohort; its first game is stopped before it is played.
pub(crate) fn retry(bundle: &Bundle, cause: AbortCause) {
    let mut events = second(&[0, 1]);
    let stopped = event_at(LATER, start(events[0].id(), &story().second("u"), 0));
    let aborted = GameAborted {
        call: None,
        cause,
        game: stopped.id(),
        reason: "it went badly".to_owned(),
    };
    events.splice(1..1, [stopped, event(aborted)]);
    release_second(bundle, &events, &[]);
}

/// Puts the project whose cohort was promised in the place of this one.
fn promise_first(bundle: &Bundle) {
    for folder in ["ledger", "manifests", "release"] {
        fs::remove_dir_all(bundle.at(folder)).unwrap();
    }
    for (path, bytes) in promised().files() {
        bundle.write(&path, &bytes);
    }
}

/// Promises once more, when the games are played.
fn promise_late(bundle: &Bundle, exclusions: &str, stopping_rule: &str) {
    promise_first(bundle);
    let mut late = promise(EvidenceStatus::Provisional);
    exclusions.clone_into(&mut late.exclusions);
    stopping_rule.clone_into(&mut late.stopping_rule);
    bundle.append(&[event(late)]);
    bundle.bind();
}

/// Pins a hand-made table in the place of a generated one.
fn make_by_hand(bundle: &Bundle, role: &str) {
    bundle.specify(|spec| spec["artifacts"][2]["role"] = json!(role));
}

#[rustfmt::skip]
pub(crate) fn mutations() -> Vec<Mutation> {
    use Code::{
        ArtifactEdited, CellOrder, CellReplayed, CellRetried, CellUnregistered, ClaimContradicted,
        ClaimOverstated, CohortUnfrozen, LineFault, ManifestChanged, PreregistrationLate, ReleaseEmpty,
        SpecInvalid,
    };
    vec![
        blocks("M89", "another score on the board", ArtifactEdited, |b| b.edit(BOARD, |text| {
            let (header, rows) = text.split_once('\n').unwrap();
            let column = header.split(',').position(|name| name == "wins").unwrap();
            let (first, rest) = rows.split_once('\n').unwrap();
            let mut cells: Vec<_> = first.split(',').collect();
            cells[column] = "2";
            format!("{header}\n{}\n{rest}", cells.join(","))
        })),
        blocks("M89", "other errors in the manifest of a cohort", ManifestChanged, |b| remake(b, "\"forfeits\":0", "\"forfeits\":1")),
        blocks("M89", "another result in the manifest of a cohort", ManifestChanged, |b| remake(b, "\"0-1\"", "\"1-0\"")),
        blocks("M89", "a frozen manifest that counts other calls", ManifestChanged, |b| refreeze(b, "\"calls_sent\":0", "\"calls_sent\":7")),
        blocks("M89", "a frozen manifest that counts other cells", ManifestChanged, |b| refreeze(b, "\"cells\":2", "\"cells\":3")),
        blocks("M89", "a number of a claim that its table does not have", ClaimContradicted, |b| say(b, "3")),
        blocks("M89", "a game counted twice", CellReplayed, |b| replay(b, |_| ())),
        blocks("M89", "a game of a cell that was never registered", CellUnregistered, |b| replay(b, |started| {
            started.cell = started.cell.map(|cell| scoresheet::event::CellRef { index: 9_u32.into(), ..cell });
        })),
        blocks("M89", "cells out of their frozen order", CellOrder, |b| release_second(b, &second(&[1, 0]), &[])),
        blocks("M89", "a cohort that was not played to its end", CohortUnfrozen, |b| release_second(b, &second(&[0]), &[])),
        blocks("M89", "a live manifest of a cohort that grows", CohortUnfrozen, |b| release_second(b, &second(&[0]), &["--live"])),
        blocks("M89", "a cell played again because somebody stopped its game", CellRetried, |b| retry(b, AbortCause::Maintainer)),
        blocks("M89", "a cell played again after a failure that no call had", CellRetried, |b| retry(b, AbortCause::ProviderFailure)),
        blocks("M90", "exclusions named when the outcomes were there", PreregistrationLate, |b| promise_late(b, "The games that were lost.", "Every cell once.")),
        blocks("M90", "a stopping rule named when the outcomes were there", PreregistrationLate, |b| promise_late(b, "", "When it is enough.")),
        blocks("M91", "a release of no game", ReleaseEmpty, |b| b.specify(|spec| spec["cohorts"] = json!([]))),
        blocks("M91", "a claim that counts nothing", ClaimContradicted, |b| say(b, "0")),
        blocks("M91", "a rating without end made finite by hand", ArtifactEdited, |b| b.edit(BOARD, |text| text.replacen('\n', ",elo\n", 1))),
        blocks("M91", "a board that is made by hand", SpecInvalid, |b| make_by_hand(b, "board")),
        blocks("M91", "a table of games that is made by hand", SpecInvalid, |b| make_by_hand(b, "games")),
        blocks("M91", "a board without the columns beside its score", ArtifactEdited, |b| b.edit(BOARD, |text| {
            text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect()
        })),
        blocks("M91", "a claim on dollars that no request has", ClaimContradicted, |b| claimed(b, &claim("0.5", |it| it["figures"][0]["column"] = json!("cost_usd")))),
        not_applicable("M92", "a test position in a public partition", "partitions come later"),
        blocks("M93", "a status raised by hand in the manifest of a cohort", ManifestChanged, |b| remake(b, "\"pilot\"", "\"confirmatory\"")),
        blocks("M93", "a status raised by a second key", ManifestChanged, |b| remake(b, "\"evidence_status\":\"pilot\"", "\"evidence_status\":\"confirmatory\",\"evidence_status\":\"pilot\"")),
        blocks("M93", "a status raised in a manifest that was frozen once more", ManifestChanged, |b| refreeze(b, "\"pilot\"", "\"confirmatory\"")),
        blocks("M93", "a status raised by a second key in an event", LineFault, |b| {
            promise_first(b);
            b.edit(EVENTS, |text| text.replacen("\"evidence_status\":\"provisional\"", "\"evidence_status\":\"provisional\",\"evidence_status\":\"confirmatory\"", 1));
        }),
        blocks("M93", "a claim that is confirmatory on a pilot", ClaimOverstated, |b| claimed(b, &claim("2", |it| it["evidence_status"] = json!("confirmatory")))),
    ]
}
