//! A candidate oracle in runs: what is shown, where it is written down, and that
//! nothing is analyzed twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use scoresheet::chess::{Fen, Termination, UciMove};
use scoresheet::event::{CallSent, Event, EventId, PositionMeasured, Verified, What};
use scoresheet::projection::Projection;
use scoresheet::run::prompts::{Candidates, Presentation};
use serde_json::Value;

use crate::arena::{Arena, Ran};
use crate::program::printed;
use crate::provider::{Act, Provider, completion};
use crate::rows::texts;

/// A run file of one model that is shown this many moves of Stockfish, against a weak
/// Stockfish: two games from one prefix, and more from the standard start.
fn run_file(arena: &Arena, provider: &Provider, width: u32, more: &str) -> PathBuf {
    let url = &provider.url;
    let text = format!(
        "cohort = \"helped\"\n\
         parallel = 2\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"anchored rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"helped\"\n\
         preset = \"mini-matches\"\n\
         anchored = {{ scale = \"local\" }}\n\
         ply_cap = 5\n\
         [starts]\n\
         standard = 1\n\
         prefixes = [{{ name = \"open\", moves = \"e2e4 e7e5\" }}]\n\
         [oracle]\n\
         width = {width}\n\
         condition = \"top-{width}\"\n\
         [oracle.engine]\n\
         name = \"oracle\"\n\
         command = \"stockfish\"\n\
         nodes = 1000\n\
         [[anchor]]\n\
         name = \"anchor\"\n\
         rating = \"1320\"\n\
         command = \"stockfish\"\n\
         nodes = 100\n\
         [[model]]\n\
         name = \"model\"\n\
         route = \"here\"\n\
         base_url = \"{url}\"\n\
         model = \"test/model\"\n\
         stream = false\n\
         {more}\n"
    );
    arena.write("run.toml", &text)
}

/// The candidates in a request, as its text has them.
fn candidates_in(body: &Value) -> Vec<UciMove> {
    let messages = body["messages"].as_array().unwrap();
    let asked = messages.last().unwrap()["content"].as_str().unwrap();
    let line = asked
        .split("in no particular order: ")
        .nth(1)
        .unwrap()
        .lines()
        .next()
        .unwrap();
    line.split(' ').map(|uci| uci.parse().unwrap()).collect()
}

/// Plays the first move that is shown.
fn obedient() -> Provider {
    Provider::start(|body, _| answer(candidates_in(body)[0]))
}

fn answer(uci: UciMove) -> Act {
    completion(&format!("<move>{uci}</move>"))
}

fn measured(events: &[Verified<Event>]) -> Vec<(EventId, PositionMeasured)> {
    let measured = events.iter().filter_map(|event| match &event.what {
        What::PositionMeasured(measured) => Some((event.id(), measured.clone())),
        _ => None,
    });
    measured.collect()
}

fn calls_of_the_model(events: &[Verified<Event>]) -> Vec<CallSent> {
    let calls = events.iter().filter_map(|event| match &event.what {
        What::CallSent(sent) if sent.route.is_some() => Some(sent.clone()),
        _ => None,
    });
    calls.collect()
}

/// What a run of the file comes to.
fn played(arena: &Arena, file: &Path) -> Ran {
    let ran = arena.run(file);
    ran.ends_with(0).says("cohort helped is terminal");
    ran
}

#[test]
fn what_a_model_is_shown_follows_from_the_ledger_alone() {
    let (arena, provider) = (Arena::new(), obedient());
    played(&arena, &run_file(&arena, &provider, 3, ""));
    arena.call(&["verify"]).ends_with(0);
    let projection = arena.projection();
    assert!(
        projection
            .games
            .iter()
            .all(|game| { game.termination() == Some(Termination::PlyLimit) })
    );
    let events = arena.events();
    let records: BTreeMap<_, _> = measured(&events).into_iter().collect();
    let system = projection.systems.system_named(&"model".parse().unwrap());
    let registered = &system.unwrap().registered;
    assert_eq!(registered.assistance.kind.as_str(), "candidate_oracle");
    assert_eq!(registered.assistance.candidate_count, Some(3_u32.into()));
    let protocol = projection.systems.protocols().next().unwrap();
    assert_eq!(
        protocol.published.candidate_help.as_str(),
        "candidate_oracle"
    );
    // What stands in the calls is drawn again from what stands before them.
    let mut shown = Vec::new();
    for sent in calls_of_the_model(&events) {
        let candidates = sent.candidates.unwrap();
        let record = &records[&candidates.measured];
        assert!(4 <= record.lines.len(), "one line more than is shown");
        let position = record.fen.position(record.variant).unwrap();
        let presentation = Presentation {
            experiment: "helped",
            condition: "top-3",
            repetition: 0,
            prompt: registered.model.as_ref().unwrap().prompt.unwrap(),
        };
        let ranked = Candidates::record(record);
        let again = Candidates::of(&position, &ranked, 3, &presentation).unwrap();
        assert_eq!(again.shown(), candidates.moves);
        shown.push(candidates.moves);
    }
    // And it is what was sent, without a score or a rank.
    let mut sent: Vec<_> = provider
        .seen()
        .iter()
        .map(|(_, body)| candidates_in(body))
        .collect();
    shown.sort();
    sent.sort();
    assert_eq!(shown, sent);
    assert!(shown.len() == 10 && shown.iter().all(|moves| moves.len() == 3));
    printed(&arena.bench.path(), &["index"]);
    let index = rusqlite::Connection::open(arena.bench.path().join("index.sqlite")).unwrap();
    let query = "SELECT candidates FROM calls
        JOIN position_measurements ON position_measurements.id = candidates_measured
        ORDER BY candidates";
    let mut indexed: Vec<_> = shown.iter().map(|moves| words(moves)).collect();
    indexed.sort();
    assert_eq!(texts(&index, query).concat(), indexed);
    // Engines are shown nothing.
    let all = events
        .iter()
        .filter(|event| matches!(&event.what, What::CallSent(sent) if sent.candidates.is_some()));
    assert_eq!(all.count(), shown.len());
}

#[test]
fn a_position_has_one_record_whoever_stands_in_it() {
    let (arena, provider) = (Arena::new(), obedient());
    let file = run_file(&arena, &provider, 2, "");
    let text = std::fs::read_to_string(&file).unwrap();
    // All tables at once: two of them stand in the start position.
    let text = text.replacen("parallel = 2", "parallel = 8", 1);
    let (before, model) = text.split_once("[[model]]").unwrap();
    let other = model.replacen("name = \"model\"", "name = \"other\"", 1);
    let other = other.replacen("test/model", "test/other", 1);
    let file = arena.write(
        "run.toml",
        &format!("{before}[[model]]{model}[[model]]{other}"),
    );
    played(&arena, &file);
    let records = measured(&arena.events());
    let fens: BTreeSet<&Fen> = records.iter().map(|(_, record)| &record.fen).collect();
    assert_eq!(fens.len(), records.len());
    assert!(fens.len() < provider.count());
    arena.projection();
}

#[test]
fn a_legal_move_beside_the_candidates_counts_as_the_prompt_says() {
    let arena = Arena::new();
    let provider = Provider::start(|body, _| {
        let shown = candidates_in(body);
        let aside: UciMove = "a2a3".parse().unwrap();
        assert!(!shown.contains(&aside));
        answer(aside)
    });
    let file = run_file(&arena, &provider, 2, "");
    let text = std::fs::read_to_string(&file).unwrap();
    let file = arena.write("run.toml", &text.replacen("ply_cap = 5", "ply_cap = 1", 1));
    played(&arena, &file);
    let projection = arena.projection();
    let moves = projection.games.iter().flat_map(|game| &game.moves);
    let aside = moves.filter(|played| played.uci.as_str() == "a2a3");
    assert_eq!(aside.count(), 2, "with White, from both starts");
}

fn words(moves: &[UciMove]) -> String {
    let words: Vec<_> = moves.iter().map(UciMove::as_str).collect();
    words.join(" ")
}

/// What was shown in which position, and that it is what was drawn from its record.
fn shown_in(events: &[Verified<Event>]) -> BTreeMap<Fen, Vec<UciMove>> {
    let mut projection = Projection::default();
    for event in events {
        projection.apply(event);
    }
    assert_eq!(projection.findings, vec![]);
    let records: BTreeMap<_, _> = measured(events).into_iter().collect();
    let calls = calls_of_the_model(events).into_iter();
    let shown = calls.map(|sent| {
        let candidates = sent.candidates.unwrap();
        (records[&candidates.measured].fen.clone(), candidates.moves)
    });
    shown.collect()
}

#[test]
fn killed_behind_any_kind_of_event_a_run_shows_the_same_and_analyzes_nothing_again() {
    let (arena, provider) = (Arena::new(), obedient());
    let file = run_file(&arena, &provider, 2, "");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text
        .replacen("parallel = 2\n", "", 1)
        .replacen("standard = 1\n", "", 1)
        .replacen("ply_cap = 5", "ply_cap = 3", 1);
    let file = arena.write("run.toml", &text);
    played(&arena, &file);
    let events = arena.events();
    let shown = shown_in(&events);
    let before = |event: &Verified<Event>| matches!(event.what, What::WorkerStarted(_));
    let first = events.iter().position(before).unwrap();
    // Batches end anywhere: once behind every kind of event.
    let mut seen = BTreeSet::new();
    for size in first..events.len() {
        if !seen.insert(events[size - 1].what.kind().name) {
            continue;
        }
        let killed = Arena::holding(&events[..size], &arena);
        let known = measured(&events[..size]);
        played(&killed, &file);
        let records = measured(&killed.events());
        assert_eq!(records[..known.len()], known, "killed at {size}");
        let fens: BTreeSet<&Fen> = records.iter().map(|(_, record)| &record.fen).collect();
        assert_eq!(fens.len(), records.len(), "killed at {size}");
        // An anchor that was started anew may play something else.
        for (fen, moves) in shown_in(&killed.events()) {
            assert_eq!(
                moves,
                *shown.get(&fen).unwrap_or(&moves),
                "killed at {size}"
            );
        }
    }
}

#[test]
fn an_oracle_that_finds_too_few_moves_aborts_and_nobody_is_asked() {
    let (arena, provider) = (Arena::new(), obedient());
    let file = run_file(&arena, &provider, 3, "");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replacen("command = \"stockfish\"\nnodes = 1000", ONE_LINE, 1);
    let script = crate::script::Script::new(
        "uci) echo 'id name Short'; echo 'option name MultiPV type spin default 1 min 1 max 9'; echo uciok;;",
    );
    let text = text.replacen("ENGINE", &script.path().display().to_string(), 1);
    let file = arena.write("run.toml", &text);
    arena
        .run(&file)
        .ends_with(1)
        .says("the oracle is of no use");
    assert_eq!(provider.count(), 0);
    arena.call(&["verify"]).ends_with(0);
}

const ONE_LINE: &str = "command = \"sh\"\nargs = ['ENGINE']\nnodes = 1000";

#[test]
fn what_a_run_file_says_of_an_oracle_fits_together() {
    let (arena, provider) = (Arena::new(), obedient());
    let good = std::fs::read_to_string(run_file(&arena, &provider, 3, "")).unwrap();
    let (before, model) = good.split_once("[[model]]").unwrap();
    let no_model = before.replacen(
        "[[anchor]]",
        "[[random]]\nname = \"chance\"\nseed = \"x\"\n[[anchor]]",
        1,
    );
    for (text, says) in [
        (
            good.replacen("width = 3", "width = 0", 1),
            "a `width` from 1 to 218",
        ),
        (
            good.replacen("nodes = 1000", "depth = 5", 1),
            "`nodes` as the limit",
        ),
        (
            good.replacen("nodes = 1000", "nodes = 1000\noptions = { multipv = 2 }", 1),
            "at least the `width`",
        ),
        (
            good.replacen(
                "nodes = 1000",
                "nodes = 1000\noptions = { UCI_LimitStrength = true }",
                1,
            ),
            "at its full strength",
        ),
        (
            good.replacen("name = \"oracle\"", "name = \"oracle\"\nrating = \"9\"", 1),
            "for anchors alone",
        ),
        (
            good.replacen("[oracle]", "[prompts]\nlegal_moves = true\n[oracle]", 1),
            "either an [oracle] or `legal_moves`",
        ),
        (
            good.replacen("mini-matches", "anchored", 1),
            "\"mini-matches\" alone",
        ),
        (
            format!("{before}[[model]]\nlegal_mask = true{model}"),
            "one kind of help",
        ),
        (no_model, "a [[program]] to be helped"),
    ] {
        let file = arena.write("bad.toml", &text);
        arena.run(&file).ends_with(2).says(says);
    }
    assert_eq!(arena.events().len(), 1);
}
