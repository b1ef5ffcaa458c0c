//! What works here, and what does not: said before anything costs.

use std::process::Command;

use crate::arena::{Arena, engine};
use crate::provider::{Act, Provider, completion};
use crate::script::Script;

const KEY: &str = "SCORESHEET_TEST_KEY";

/// A run file of an engine and a model at this address.
fn run_file(arena: &Arena, url: &str, command: &str) -> String {
    let text = format!(
        "cohort = \"doctor\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"it works\"\n\
         primary_endpoints = [\"placement rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"rules\"\n\
         preset = \"chessbench-v3\"\n\
         [[engine]]\n\
         name = \"engine\"\n\
         {command}\n\
         [[model]]\n\
         name = \"model\"\n\
         route = \"here\"\n\
         base_url = \"{url}\"\n\
         model = \"test/model\"\n\
         stream = false\n\
         api_key_env = \"{KEY}\"\n"
    );
    arena.write("run.toml", &text).to_str().unwrap().to_owned()
}

/// A server that lists these models, and answers yes.
fn listing(models: &[&str]) -> Provider {
    let models: Vec<_> = models
        .iter()
        .map(|id| format!("{{\"id\": \"{id}\"}}"))
        .collect();
    let body = format!("{{\"data\": [{}]}}", models.join(", "));
    Provider::forgetting(
        move |asked, _| match memchr::memmem::find(asked, b"\"messages\"") {
            Some(_) => completion("yes"),
            None => Act::Say(200, Vec::new(), body.clone()),
        },
    )
}

/// The exit code, and what is said.
fn looked(arena: &Arena, words: &[&str], key: &str) -> (Option<i32>, String) {
    let output = arena.command(words).env(KEY, key).output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
    )
}

#[test]
fn what_works_is_said_and_nothing_is_written() {
    let book = Script::player("", "e2e4");
    let arena = Arena::new();
    let provider = listing(&["other", "test/model"]);
    let file = run_file(&arena, &provider.url, &engine(&book));
    let look = |more: &[&str]| {
        let words = [&["doctor", &file], more].concat();
        let (code, text) = looked(&arena, &words, "not-a-key-at-all");
        assert!(!text.contains("not-a-key-at-all"), "{text}");
        assert_eq!(code, Some(0), "{text}");
        text
    };
    let text = look(&[]);
    for works in [
        "works  ledger: 1 event",
        "works  clock: ",
        "works  engine: ",
        "has test/model",
    ] {
        assert!(text.contains(works), "{works}: {text}");
    }
    assert!(look(&["--ask"]).contains("answers: yes"));
    assert!(look(&["--format", "json"]).contains("\"is_good\": true"));
    assert_eq!(arena.events().len(), 1);
}

#[test]
fn a_missing_key_or_engine_an_unknown_model_a_silent_server_and_no_ledger_are_told() {
    let book = Script::player("", "e2e4");
    let arena = Arena::new();
    let provider = listing(&["a", "b"]);
    let url = provider.url.clone();
    let look = |url: &str, command: &str, key: &str, says: &str| {
        let file = run_file(&arena, url, command);
        let (code, text) = looked(&arena, &["doctor", &file], key);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(says), "{says}: {text}");
    };
    let book = engine(&book);
    look(&url, &book, "", &format!("{KEY} is not set"));
    look(&url, &book, "key", "does not list test/model");
    let missing = "command = \"no-such-engine\"\nnodes = 1";
    look(&url, missing, "key", "WRONG  engine: ");
    look(
        "http://127.0.0.1:9/v1",
        &book,
        "key",
        "WRONG  model: no answer",
    );
    let nowhere = arena.beside("nowhere");
    let output = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(["doctor", "--ledger", nowhere.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("WRONG  ledger: "), "{text}");
}
