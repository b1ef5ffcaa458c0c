//! No credential gets into a ledger through a run, nor onto a screen.

use crate::arena::{Arena, engine, run_file};
use crate::script::Script;

/// What looks like a key, made here so that the project itself holds none.
fn key() -> String {
    ["sk-", "or-v1-", &"0f1e2d3c".repeat(8)].concat()
}

#[track_caller]
fn is_nowhere(arena: &Arena, said: &[&str]) {
    let secret = &key()[9..];
    for text in said {
        assert!(!text.contains(secret), "{text}");
    }
    for (name, bytes) in arena.files() {
        assert!(!String::from_utf8_lossy(&bytes).contains(secret), "{name}");
    }
}

#[test]
fn a_run_file_with_a_credential_is_refused_before_anything_quotes_it() {
    let player = Script::new("");
    let good = run_file(
        "ply_cap = 2",
        &[("a", &engine(&player)), ("b", &engine(&player))],
    );
    for (from, to) in [
        ("cohort = \"cup\"", format!("cohort = \"cup {}\"", key())),
        ("cohort = \"cup\"", format!("key = {}", key())),
        ("name = \"a\"", format!("name = \"{}\"", key())),
        ("command = \"sh\"", format!("command = \"{}\"", key())),
        (
            "nodes = 20",
            format!("nodes = 20\noptions = {{ \"{}\" = 1 }}", key()),
        ),
        (
            "nodes = 20",
            format!("nodes = 20\noptions = {{ Hash = \"{}\" }}", key()),
        ),
    ] {
        let arena = Arena::new();
        let file = arena.write("run.toml", &good.replacen(from, &to, 1));
        for words in [&["run", "--dry-run"][..], &["run"]] {
            let words = [words, &[file.to_str().unwrap()]].concat();
            let ran = arena.call(&words);
            ran.ends_with(2).says("looks like a credential");
            is_nowhere(&arena, &[&ran.out, &ran.err]);
        }
    }
}

#[test]
fn an_engine_that_introduces_itself_with_a_credential_is_not_registered() {
    let arena = Arena::new();
    let talker = Script::new(&format!("uci) echo 'id name {}'; echo uciok;;", key()));
    let player = Script::new("");
    let text = run_file(
        "ply_cap = 2",
        &[("a", &engine(&talker)), ("b", &engine(&player))],
    );
    let file = arena.write("run.toml", &text);
    let before = arena.files();
    let ran = arena.run(&file);
    ran.ends_with(2).says("looks like a credential");
    is_nowhere(&arena, &[&ran.out, &ran.err]);
    assert_eq!(arena.files(), before);
}

#[test]
fn what_an_engine_says_later_is_kept_without_the_credential_in_it() {
    for arm in [
        format!("go) echo 'bestmove {}';;", key()),
        format!("go) echo '{}' >&2; exit 1;;", key()),
    ] {
        let arena = Arena::new();
        let (talker, player) = (Script::new(&arm), Script::player("", "e2e4 e7e5"));
        let text = run_file(
            "ply_cap = 2\nreplays_max = 0",
            &[("a", &engine(&talker)), ("b", &engine(&player))],
        );
        let file = arena.write("run.toml", &text);
        let ran = arena.run(&file);
        is_nowhere(&arena, &[&ran.out, &ran.err]);
        assert_eq!(arena.games().len(), 2, "{ran:?}");
        arena.call(&["verify"]).ends_with(0);
    }
}
