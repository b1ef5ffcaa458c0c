//! No credential gets into a ledger through a run, nor onto a screen.

use std::fs;

use scoresheet::canonical::Time;
use scoresheet::digest::Digest;
use scoresheet::event::{By, Event, PrivateBody, Verified};
use scoresheet::ledger::{Prefix, Writer, open_body, verify};
use scoresheet::projection::Projection;
use scoresheet::run::{Access, Entrant, Record, RunError, RunFile, Tournament};

use crate::arena::{Arena, engine, run_file};
use crate::ledger::Bench;
use crate::script::{Script, spec};

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
fn a_run_file_in_which_a_credential_is_waived_is_played_and_kept() {
    let player = Script::new("");
    let players = [("a", &*engine(&player)), ("b", &*engine(&player))];
    let good = run_file("ply_cap = 2", &players);
    let arena = Arena::new();
    let file = arena.write("run.toml", &format!("# {}\n{good}", key()));
    let file = file.to_str().unwrap();
    let ran = arena.call(&["run", "--dry-run", file]);
    ran.ends_with(2).says("looks like a credential");
    let waived = arena.call(&["waive", file, "--reason", "an example of a manual"]);
    waived.ends_with(0);
    let ran = arena.call(&["run", file]);
    assert!(!ran.err.contains("credential"), "{}", ran.err);
    let kept = Digest::of(&fs::read(file).unwrap());
    let kept = scoresheet::ledger::blob_path(&kept);
    let files = arena.files();
    let kept = files.iter().find(|(path, _)| path.ends_with(&kept));
    assert_eq!(kept.unwrap().1, fs::read(file).unwrap());
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

/// The whole texts that redacted fields of an event line point to.
fn originals(arena: &Arena) -> Vec<PrivateBody> {
    let mut bodies = Vec::new();
    let each = &mut |_, event: &Verified<Event>| bodies.extend(event.what.bodies().to_vec());
    verify(&arena.bench.disk(), &|_, _| (), each).unwrap();
    bodies
}

#[test]
fn what_an_engine_says_later_is_kept_without_the_credential_in_it() {
    for (arm, n_sealed) in [
        (format!("go) echo 'bestmove {}';;", key()), 2),
        // What it says elsewhere is nobody's answer, and not kept at all.
        (format!("go) echo '{}' >&2; exit 1;;", key()), 0),
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
        // Nothing is lost: the whole text is sealed, and bound by a commitment.
        let bodies = originals(&arena);
        assert_eq!(bodies.len(), n_sealed, "one a game");
        for body in &bodies {
            let text = open_body(&arena.bench.disk(), body).unwrap();
            assert_eq!(text[..], *key().as_bytes());
            let redaction = body.redaction.as_ref().unwrap();
            assert_eq!(redaction.field.as_str(), "extracted");
            assert_eq!(redaction.rules, ["openrouter".parse().unwrap()]);
            shows_only_to_a_file(&arena, body, &text);
        }
    }
}

/// The commands that list and read private bodies keep credentials to
/// themselves; what is disclosed goes to a file, and is proved.
#[track_caller]
fn shows_only_to_a_file(arena: &Arena, body: &PrivateBody, text: &[u8]) {
    let (game, sha256) = (body.unit.to_string(), body.sha256.to_string());
    for format in ["text", "json"] {
        for words in [
            vec!["bodies", &game, "--open", "--format", format],
            vec!["show", &game, "--events", "--format", format],
            vec!["verify", "--format", format],
        ] {
            let said = arena.call(&words);
            said.ends_with(0);
            is_nowhere(arena, &[&said.out, &said.err]);
        }
    }
    let file = arena.beside(&sha256);
    let disclose = ["bodies", &game, "--disclose", &sha256, "--into"];
    let words = [&disclose[..], &[file.to_str().unwrap()]].concat();
    let said = arena.call(&words);
    said.ends_with(0).says("it is not redacted");
    is_nowhere(arena, &[&said.out, &said.err]);
    arena.call(&words).ends_with(2).says("File exists");
    // Anybody can check it with the hash alone.
    let disclosed: serde_json::Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let redaction = body.redaction.as_ref().unwrap();
    let opening: Digest = disclosed["key"].as_str().unwrap().parse().unwrap();
    let committed = |text: &[u8]| {
        let field = redaction.field.as_str().as_bytes();
        let hash = blake3::keyed_hash(opening.as_bytes(), &[field, b"\0", text].concat());
        hash.to_hex().to_string()
    };
    assert_eq!(disclosed["text"].as_str().unwrap().as_bytes(), text);
    assert_eq!(committed(text), redaction.commitment.to_string());
    assert_ne!(committed(b"another"), redaction.commitment.to_string());
}

#[test]
fn a_run_in_which_nothing_looks_like_a_credential_makes_no_private_store() {
    let arena = Arena::new();
    let player = Script::player("", "e2e4 e7e5");
    let text = run_file(
        "ply_cap = 2",
        &[("a", &engine(&player)), ("b", &engine(&player))],
    );
    arena.run(&arena.write("run.toml", &text)).ends_with(0);
    assert!(!arena.bench.path().join("private").exists());
}

#[test]
fn what_cannot_be_redacted_is_not_written_and_not_shown() {
    let bench = Bench::opened(Time::EPOCH);
    let disk = bench.disk();
    let by: By = "test".parse().unwrap();
    let (writer, _) = Writer::open(&disk, Time::EPOCH, &by).unwrap();
    let file = run_file(
        "ply_cap = 2",
        &[
            ("a", "command = \"a\"\nnodes = 1"),
            ("b", "command = \"b\"\nnodes = 1"),
        ],
    );
    let file = RunFile::parse(file.as_bytes(), &scoresheet::ledger::Waivers::default()).unwrap();
    let record = Record::new(&disk, writer, Projection::default(), &Time::EPOCH, by);
    let entrants = ["a", "b"].map(|name| Entrant {
        access: Access::Engine(spec("sh")),
        system: crate::story::system(name, &key()),
        tape: scoresheet::run::Tape::None,
    });
    let Err(refused) = Tournament::open(record, &file, &entrants, "test") else {
        panic!("a system with a key in its model is registered");
    };
    assert!(
        matches!(
            refused,
            RunError::Secret {
                kind: "system.registered",
                ..
            }
        ),
        "{refused}"
    );
    assert!(!format!("{refused} {refused:?}").contains(&key()[9..]));
    assert_eq!(Prefix::open(&disk).unwrap().size(), 1);
}
