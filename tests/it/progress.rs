//! What a run tells while it goes on: a line a game and a puzzle, with what it took.

use std::path::PathBuf;

use serde_json::json;

use crate::arena::{Arena, engine, run_file};
use crate::provider::{Act, Provider, completion, failing, stream};
use crate::puzzle_runs::{asked, puzzle};
use crate::runs::FOOLS_MATE;
use crate::script::Script;

/// A run file of a model with White and Black against chance, three plies a game.
fn against_chance(arena: &Arena, provider: &Provider, more: &str) -> PathBuf {
    let url = &provider.url;
    let text = format!(
        "cohort = \"cup\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"placement rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"rules\"\n\
         preset = \"chessbench-v3\"\n\
         ply_cap = 3\n\
         {more}\n\
         [[model]]\n\
         name = \"model\"\n\
         route = \"here\"\n\
         base_url = \"{url}\"\n\
         model = \"test/model\"\n\
         [[random]]\n\
         name = \"chance\"\n\
         seed = \"floor\"\n"
    );
    arena.write("run.toml", &text)
}

#[test]
fn a_line_says_what_a_game_took_and_what_nobody_told_is_unknown() {
    let arena = Arena::new();
    // With cost and tokens, then with tokens alone; three answers that are no move
    // end a game.
    let provider = Provider::start(|_, before| match before {
        0 | 1 => completion("no move"),
        3 => failing(500, "broken"),
        _ => stream("no move"),
    });
    let file = against_chance(&arena, &provider, "retries_max = 1");
    let ran = arena.run(&file);
    ran.ends_with(0)
        .says("game 1 of 2: model - chance: 0-1 by")
        .says("; 3 calls, 716 tokens, 0.000025 US dollars and unknown for 1 call\n")
        .says("; 4 calls, 36 tokens, US dollars unknown\n");
}

#[test]
fn a_game_of_engines_has_no_bill() {
    let arena = Arena::new();
    let players = [
        Script::player("", FOOLS_MATE),
        Script::player("", FOOLS_MATE),
    ];
    let [a, b] = players.each_ref().map(engine);
    let file = arena.write(
        "run.toml",
        &run_file("ply_cap = 40", &[("a", &a), ("b", &b)]),
    );
    let ran = arena.run(&file);
    ran.ends_with(0)
        .says("game 1 of 2: a - b: 0-1 by checkmate after 4 plies\n");
    // Where standard error is no terminal, nothing is drawn on it.
    assert_eq!(ran.err, "");
}

#[test]
fn a_line_says_what_a_puzzle_took_with_every_request_for_it() {
    let provider = Provider::start(|body, before| match (puzzle(body), before) {
        (0, 0) => failing(500, "broken"),
        (0, _) => {
            let message = json!({"content": "e1e8", "role": "assistant"});
            let choice = json!({"finish_reason": "stop", "index": 0, "message": message});
            let body = json!({"id": "x", "model": "m", "choices": [choice]});
            Act::Say(200, Vec::new(), body.to_string())
        }
        _ => completion("b5c7 e8d8 c7a8"),
    });
    let (arena, file) = asked(&provider, "");
    let text = std::fs::read_to_string(&file).unwrap();
    let file = arena.write(
        "one.toml",
        &text.replacen("parallel = 2", "parallel = 1", 1),
    );
    let ran = arena.run(&file);
    ran.ends_with(0)
        .says("own01: solved; 2 calls, tokens unknown, US dollars unknown\n")
        .says("own03: solved; 1 call, 352 tokens, 0.0000125 US dollars\n");
    assert_eq!(ran.err, "");
}
