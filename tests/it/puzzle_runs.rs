//! Puzzles asked of models over HTTP: once each, whatever happens.

use std::path::PathBuf;
use std::time::Duration;

use scoresheet::event::{CallFailure, What};
use serde_json::Value;

use crate::arena::Arena;
use crate::asking::{self, board_of};
use crate::provider::{Act, Provider, completion, failing};

const CSV: &str = "\
PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
own01,7k/5ppp/8/8/8/8/5PPP/R3R1K1 b - - 0 1,h8g8 e1e8,812,80,90,100,mate mateIn1 oneMove,,
own02,6k1/8/8/8/8/8/R7/1R4K1 b - - 0 1,g8h8 a2a7 h8g8 b1b8,1250,80,90,100,mate mateIn2 short,,
own03,r4k2/8/8/1N6/8/8/8/4K3 b - - 0 1,f8e8 b5c7 e8d8 c7a8,1700,80,90,100,fork pin short,,
";

/// A ledger with a partial dataset of three puzzles, and a run file for it.
pub(crate) fn asked(provider: &Provider, more: &str) -> (Arena, PathBuf) {
    let arena = Arena::new();
    let csv = arena.write("puzzles.csv", CSV);
    let draw = [
        "dataset",
        "puzzles",
        csv.to_str().unwrap(),
        "--name",
        "small",
    ];
    let how = ["--seed", "november", "--per-cell", "1", "--allow-short"];
    arena.call(&[&draw[..], &how].concat()).ends_with(0);
    let file = write(&arena, provider, more);
    (arena, file)
}

fn write(arena: &Arena, provider: &Provider, more: &str) -> PathBuf {
    asking::write(arena, provider, "puzzle", "small", more)
}

/// Which of the three puzzles a request is about.
pub(crate) fn puzzle(body: &Value) -> usize {
    let boards = [
        "6k1/5ppp/8/8/8/8/5PPP/R3R1K1",
        "7k/8/8/8/8/8/R7/1R4K1",
        "r3k3/8/8/1N6/8/8/8/4K3",
    ];
    board_of(body, &boards)
}

#[test]
fn each_model_is_asked_each_puzzle_once_and_its_lines_are_judged() {
    let provider = Provider::start(|body, _| {
        completion(["e1e8", "1. Ra7 Kg8 2. Rb8#", "I would play b5a7."][puzzle(body)])
    });
    let (arena, file) = asked(&provider, "");
    arena
        .run(&file)
        .ends_with(0)
        .says("model own01: solved")
        .says("model own02: solved")
        .says("model own03: wrong")
        .says("every model was asked every puzzle");
    arena.run(&file).ends_with(0);
    assert_eq!(provider.count(), 3);
    let board = arena.call(&["board", "puzzles"]);
    board.ends_with(0).says("model").says("2 / 3");
    // One run asked, and a second one that had nothing to do left no trace.
    let compute = arena.call(&["board", "compute", "small", "--format", "json"]);
    let compute: Value = serde_json::from_str(&compute.ends_with(0).out).unwrap();
    let runs = compute["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &runs[0]["stopped"]), (1, &"finished".into()));
    // Its protocol keeps what was said, under a key of the dataset.
    let kept = arena.call(&["verify"]);
    kept.ends_with(0).says("private bodies: 3 present");
}

#[test]
fn a_failure_is_asked_again_then_counts_as_wrong_and_stays_a_failure() {
    let provider = Provider::start(|body, _| match puzzle(body) {
        0 => failing(500, "broken"),
        1 => failing(402, "pay first"),
        _ => completion("b5c7 e8d8 c7a8"),
    });
    let (arena, file) = asked(&provider, "");
    arena
        .run(&file)
        .ends_with(0)
        .says("model own01: no answer (server_error), counts as wrong")
        .says("model own02: no answer (usage_limit), counts as wrong")
        .says("model own03: solved");
    assert_eq!(provider.count(), 2 + 1 + 1);
    arena.call(&["board", "puzzles"]).ends_with(0).says("1 / 3");
    arena.call(&["verify"]).ends_with(0);
    // What was nobody's fault is taken out with a reason, and asked again.
    let answers = arena
        .events()
        .into_iter()
        .filter_map(|event| match &event.what {
            What::PuzzleAnswered(answered) if answered.form.is_none() => {
                Some(event.id().to_string())
            }
            _ => None,
        });
    let answers: Vec<_> = answers.collect();
    let words = [
        "correct",
        "--exclude",
        "--reason",
        "an outage",
        "--evidence",
        "x",
        "--yes",
    ];
    let ids: Vec<_> = answers.iter().map(String::as_str).collect();
    arena.call(&[&words[..], &ids].concat()).ends_with(0);
    let mended = Provider::start(|body, _| completion(["e1e8", "a2a7"][puzzle(body)]));
    let file = write(&arena, &mended, "");
    arena.run(&file).ends_with(0).says("model own01: solved");
    assert_eq!(mended.count(), 2);
    arena.call(&["board", "puzzles"]).ends_with(0).says("2 / 3");
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn an_outage_leaves_puzzles_for_another_run() {
    let provider = Provider::start(|_, _| failing(402, "pay first"));
    let (arena, file) = asked(&provider, "");
    let text = std::fs::read_to_string(&file).unwrap();
    let (head, model) = text.split_once("[[model]]").unwrap();
    let other = model
        .replace("\"model\"", "\"other\"")
        .replace("test/model", "test/other");
    let head = head.replacen("parallel = 2", "parallel = 1", 1);
    let file = arena.write(
        "two.toml",
        &format!("{head}[[model]]{model}[[model]]{other}"),
    );
    arena
        .run(&file)
        .ends_with(1)
        .says("three in a row got no answer and count as wrong, 3 puzzles left");
    assert_eq!(provider.count(), 3);
}

#[test]
fn a_killed_run_goes_on_and_asks_nothing_twice_that_was_answered() {
    let provider = Provider::start(|body, before| match (puzzle(body), before) {
        (2, before) if before < 3 => Act::After(Duration::from_secs(20), Box::new(completion(""))),
        (number, _) => completion(["e1e8", "a2a7 h8g8 b1b8", "b5c7 e8d8 c7a8"][number]),
    });
    let (arena, file) = asked(&provider, "");
    let answers = |arena: &Arena| {
        let events = arena.events();
        let answers = events
            .iter()
            .filter(|event| matches!(event.what, What::PuzzleAnswered(_)));
        answers.count()
    };
    let mut child = arena
        .command(&["run", file.to_str().unwrap()])
        .spawn()
        .unwrap();
    while provider.count() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(answers(&arena), 2);
    let compute = arena.call(&["board", "compute"]);
    compute
        .ends_with(0)
        .says("Runs: 1 in")
        .says("of which 1 did not");
    arena
        .run(&file)
        .ends_with(0)
        .says("1 of 1: model own03: solved");
    assert_eq!((answers(&arena), provider.count()), (3, 4));
    let lost = arena
        .events()
        .into_iter()
        .filter(|event| match &event.what {
            What::CallFailed(failed) => failed.class == CallFailure::Lost,
            _ => false,
        });
    assert_eq!(lost.count(), 1);
}

#[test]
fn published_prompts_are_sent_as_they_stand_and_budgets_and_names_hold() {
    let provider = Provider::start(|_, _| completion("e1e8"));
    let (arena, _) = asked(&provider, "");
    let system = arena.write("system.txt", "Solve it.\n");
    let more = format!(
        "[prompts]\nsystem_file = {:?}\n[budget]\ncalls = 1",
        system.to_str().unwrap()
    );
    let file = write(&arena, &provider, &more);
    arena.run(&file).ends_with(0).says("the budget is spent (");
    assert_eq!(provider.seen()[0].1["messages"][0]["content"], "Solve it.");
    // The same name for other prompts is refused.
    let file = write(&arena, &provider, "");
    arena
        .run(&file)
        .ends_with(2)
        .says("the name puzzle-rules stands for another protocol");
    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to, says) in [
        ("\"small\"", "\"large\"", "no dataset is named large"),
        (
            "stream = false",
            "legal_mask = true",
            "no `legal_mask` in puzzles",
        ),
        ("[[model]]", "[[engine]]", "unknown field"),
    ] {
        let file = arena.write("bad.toml", &text.replacen(from, to, 1));
        arena.run(&file).ends_with(2).says(says);
    }
}
