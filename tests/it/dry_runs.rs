//! What a dry run shows: the very prompts, and what a run would take.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::arena::{Arena, Ran};
use crate::provider::{Provider, completion};

/// A run file of a model against chance.
fn run_file(arena: &Arena, provider: &Provider, protocol: &str, of_model: &str) -> PathBuf {
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
         {protocol}\n\
         [[model]]\n\
         name = \"model\"\n\
         route = \"here\"\n\
         base_url = \"{url}\"\n\
         model = \"test/model\"\n\
         {of_model}\n\
         [[random]]\n\
         name = \"chance\"\n\
         seed = \"floor\"\n"
    );
    arena.write("run.toml", &text)
}

fn dry(arena: &Arena, file: &Path) -> Ran {
    let before = arena.files();
    let ran = arena.call(&["run", file.to_str().unwrap(), "--dry-run"]);
    ran.ends_with(0);
    assert!(arena.files() == before, "a dry run writes nothing");
    ran
}

/// Whether every line of every message of a request was shown.
#[track_caller]
fn shows(ran: &Ran, request: &Value) {
    let messages = request["messages"].as_array().unwrap();
    assert!(!messages.is_empty());
    for message in messages {
        let role = message["role"].as_str().unwrap();
        assert!(ran.out.contains(&format!("  {role}:\n")), "{role}");
        let text = message["content"].as_str().unwrap();
        let shown: Vec<_> = text.lines().map(|line| format!("    {line}")).collect();
        let shown: Vec<_> = shown.iter().map(|line| line.trim_end()).collect();
        let shown = shown.join("\n");
        assert!(ran.out.contains(&shown), "{shown}\n\nin\n\n{}", ran.out);
    }
}

/// The number before these words.
#[track_caller]
fn number(ran: &Ran, before: &str, after: &str) -> u64 {
    let (_, rest) = ran.out.split_once(before).expect(before);
    let (number, _) = rest.split_once(after).expect(after);
    number.parse().unwrap()
}

const V3: &str = "preset = \"chessbench-v3\"\nply_cap = 9";

#[test]
fn a_dry_run_needs_no_key() {
    let arena = Arena::new();
    let provider = Provider::start(|_, _| unreachable!("a dry run asks nobody"));
    let keyed = "api_key_env = \"SCORESHEET_TEST_NO_SUCH_KEY\"";
    let file = run_file(&arena, &provider, "preset = \"chessbench-v3\"", keyed);
    dry(&arena, &file).says("model with White");
    arena
        .call(&["run", file.to_str().unwrap()])
        .ends_with(2)
        .says("SCORESHEET_TEST_NO_SUCH_KEY is not set");
}

#[test]
fn a_dry_run_shows_the_prompts_that_are_sent_and_asks_nobody() {
    let arena = Arena::new();
    let provider = Provider::start(|_, _| completion("e2e4"));
    let file = run_file(&arena, &provider, V3, "");
    let ran = dry(&arena, &file);
    assert_eq!(provider.count(), 0);
    ran.says("model: 2 games, 1 with White, 2 open")
        .says("chance: 2 games, 1 with White, 2 open")
        .says("model with White in game 1 is first sent:")
        .says("model with Black in game 2, here after e2e4 is first sent:")
        .says("You play Black")
        .says("  with the tool submit_move");
    arena
        .call(&["run", file.to_str().unwrap(), "--games", "1"])
        .ends_with(0);
    let (_, sent) = provider.seen().swap_remove(0);
    assert_eq!(sent["tools"][0]["function"]["name"], "submit_move");
    shows(&ran, &sent);
}

#[test]
fn a_grammar_and_a_program_are_shown_as_they_are_asked() {
    let arena = Arena::new();
    let provider = Provider::start(|_, _| completion("e2e4"));
    let program = "legal_mask = true\n\
                   [[program]]\n\
                   name = \"agent\"\n\
                   command = \"sh\"\n\
                   route = \"cli\"\n\
                   model = \"test/agent\"\n\
                   tools = false";
    let file = run_file(&arena, &provider, V3, program);
    let ran = dry(&arena, &file);
    ran.says("  with the grammar root ::= \"a2a3\" | \"a2a4\"")
        .says("agent with White in game ");
    assert!(!ran.out.contains("submit_move\n"), "nobody has the tool");
    let plain = run_file(&arena, &provider, "ply_cap = 9", "").with_file_name("plain.toml");
    let text = std::fs::read_to_string(arena.beside("run.toml")).unwrap();
    let (head, model) = text.split_once("[[model]]").unwrap();
    let (_, chance) = model.split_once("[[random]]").unwrap();
    let agent = "name = \"agent\"\ncommand = \"sh\"\nroute = \"cli\"\nmodel = \"test/agent\"\n";
    let text = format!("{head}[[program]]\n{agent}[[random]]{chance}");
    std::fs::write(&plain, text).unwrap();
    dry(&arena, &plain)
        .says("agent with White in game 1 is sent no prompt: it is told of the game")
        .says("agent: about 9 calls; tokens of prompts unknown, of answers unknown; US dollars unknown");
}

#[test]
fn what_nothing_tells_is_unknown_and_what_the_ledger_tells_is_used() {
    let arena = Arena::new();
    let provider = Provider::start(|_, _| completion("no move"));
    let file = run_file(
        &arena,
        &provider,
        V3,
        "\n[budget]\nusd = \"0.001\"\ncalls = 5",
    );
    // With White five of nine plies, and with Black four.
    let ran = dry(&arena, &file);
    ran.says("9 plies a game, the most that the protocol allows")
        .says("model: about 9 calls; tokens of prompts ")
        .says(", of answers unknown; US dollars unknown, no price")
        .says("budget, usd: 0 taken, unknown to come, 0.001 allowed\n")
        .says("budget, calls: 0 taken, about 9 to come, 5 allowed; too little");
    // A conversation grows, so that nine prompts are more than nine first ones.
    let tokens = number(&ran, "tokens of prompts ", ", of answers");
    let first = ran.out.split("is first sent:").nth(1).unwrap();
    assert!(9 * u64::try_from(first.len()).unwrap() / 4 < tokens);
    let price = [
        "price",
        "record",
        "--model",
        "test/model",
        "--route",
        "here",
    ];
    let what = ["--prompt", "2", "--completion", "10", "--source", "a list"];
    arena.call(&[&price[..], &what].concat()).ends_with(0);
    let ran = dry(&arena, &file);
    ran.says("US dollars unknown, 0.0")
        .says(" for the prompts alone");
    // Three rejected answers end a game before a move of the model.
    let more = ["--budget-calls", "100", "--budget-usd", "1"];
    arena
        .call(&[&["run", file.to_str().unwrap()], &more[..]].concat())
        .ends_with(0);
    let ran = dry(&arena, &file);
    ran.says("model: 2 games, 1 with White, 0 open").says(
        "model: about 0 calls; tokens of prompts 0, of answers about 0 (the mean of its 6 so far); US dollars about 0",
    );
    let other = std::fs::read_to_string(&file).unwrap();
    let other = arena.write("other.toml", &other.replacen("\"cup\"", "\"mug\"", 1));
    let ran = dry(&arena, &other);
    ran.says("1 ply a game, the mean of 2 that ended under rules")
        .says("model: about 1 call; tokens of prompts ")
        .says(", of answers about 12 (the mean of its 6 so far); US dollars about 0.00");
    let tokens = number(&ran, "tokens of prompts ", ", of answers");
    // Two dollars a million prompt tokens and ten a million of answers.
    let (_, cost) = ran.out.split_once("US dollars about ").unwrap();
    let cost: f64 = cost.lines().next().unwrap().parse().unwrap();
    let expected = f64::from(u32::try_from(tokens).unwrap() * 2 + 120);
    assert!((cost * 1e6 - expected).abs() < 1e-3, "{cost} {expected}");
}

#[test]
fn a_run_of_puzzles_shows_its_first_and_counts_what_is_left() {
    let provider = Provider::start(|_, _| completion("e1e8"));
    let (arena, file) = crate::puzzle_runs::asked(&provider, "\n[budget]\ntokens = 1000000\n");
    let ran = dry(&arena, &file);
    assert_eq!(provider.count(), 0);
    ran.says("dataset small: 3 puzzles")
        .says("model for puzzle own01 is first sent:")
        .says("model: about 3 calls; tokens of prompts ")
        .says("budget, tokens: 0 taken, unknown to come, 1000000 allowed");
    arena.run(&file).ends_with(0);
    let mut seen = provider.seen().into_iter().map(|(_, body)| body);
    let first = seen.find(|body| body.to_string().contains("6k1/5ppp"));
    shows(&ran, &first.unwrap());
    dry(&arena, &file).says("model: about 0 calls");
    let text = std::fs::read_to_string(&file).unwrap();
    let file = arena.write("none.toml", &text.replacen("small", "none", 1));
    arena
        .call(&["run", file.to_str().unwrap(), "--dry-run"])
        .ends_with(2)
        .says("no dataset is named none");
}
