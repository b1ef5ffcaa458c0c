//! What made an artifact, from what, and whether it would make the same today.

use std::fs::File;
use std::process::Command;
use std::time::{Duration, SystemTime};

use scoresheet::digest::Digest;
use scoresheet::finding::Code;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::mutations::{Mutation, blocks, not_applicable, passes};
use crate::story::{event, expense};

const BOARD: &str = "release/board.csv";
const NOTES: &str = "release/notes.md";
const STATEMENT: &str = "release/provenance/board.csv.json";

/// Changes the generator of the board in the specification.
fn generator(bundle: &Bundle, field: &str, value: Value) {
    bundle.specify(|spec| spec["artifacts"][0]["generator"][field] = value);
}

/// Changes the statement about the board.
fn state(bundle: &Bundle, from: &str, to: &str) {
    bundle.edit(STATEMENT, |text| text.replacen(from, to, 1));
}

/// Appends an event and binds the release to it, but builds nothing.
fn outlive(bundle: &Bundle) {
    bundle.append(&[event(expense("a disk"))]);
    bundle.bind();
}

/// Says that a file was changed at this time.
fn touch(bundle: &Bundle, path: &str, time: SystemTime) {
    let file = File::options().write(true).open(bundle.at(path)).unwrap();
    file.set_modified(time).unwrap();
}

/// Declares inputs of an artifact.
fn declare(bundle: &Bundle, artifact: usize, inputs: &[(&str, Digest)]) {
    let inputs = inputs
        .iter()
        .map(|(path, sha256)| json!({"kind": "file", "path": path, "sha256": sha256}));
    let inputs: Vec<_> = inputs.collect();
    bundle.specify(|spec| spec["artifacts"][artifact]["inputs"] = json!(inputs));
}

/// The digest of a file as it stands.
fn digest(bundle: &Bundle, path: &str) -> Digest {
    Digest::of(&bundle.read(path))
}

/// Makes two pinned files out of one another.
fn turn_in_a_circle(bundle: &Bundle) {
    bundle.write("release/methods.md", b"Methods.\n");
    bundle.specify(|spec| {
        let mut methods = spec["artifacts"][2].clone();
        methods["path"] = json!("release/methods.md");
        methods["sha256"] = json!(Digest::of(b"Methods.\n"));
        spec["artifacts"].as_array_mut().unwrap().push(methods);
    });
    declare(
        bundle,
        2,
        &[("release/methods.md", digest(bundle, "release/methods.md"))],
    );
    declare(bundle, 3, &[(NOTES, digest(bundle, NOTES))]);
}

/// Builds the release again, somewhere else and for somebody else.
fn rebuild(bundle: &Bundle) {
    for path in [BOARD, STATEMENT, "release/games.csv"] {
        bundle.remove(path);
    }
    let built = Command::new("/bin/sh")
        .args([
            "-c",
            "umask 077; exec \"$SCORESHEET\" --project \"$PROJECT\" release build",
        ])
        .current_dir("/")
        .env_clear()
        .env("SCORESHEET", env!("CARGO_BIN_EXE_scoresheet"))
        .env("PROJECT", bundle.folder())
        .envs([
            ("TZ", "Pacific/Chatham"),
            ("LANG", "tr_TR.UTF-8"),
            ("LC_ALL", "ar_EG.UTF-8"),
        ])
        .envs([
            ("COLUMNS", "20"),
            ("RAYON_NUM_THREADS", "1"),
            ("HOME", "/nonexistent"),
        ])
        .status()
        .unwrap();
    assert!(built.success());
}

#[rustfmt::skip]
pub(crate) fn mutations() -> Vec<Mutation> {
    use Code::{
        ArtifactChanged, ArtifactCircular, ArtifactEdited, ArtifactStale, ArtifactUnregenerable, BlobChanged, HeadMismatch,
        InputsDiffer, ProvenanceDiffers, SpecInvalid,
    };
    vec![
        blocks("M43", "a generator that does not exist", ArtifactUnregenerable, |b| generator(b, "name", json!("board-invented"))),
        blocks("M43", "a generator that is a path in the project", SpecInvalid, |b| generator(b, "name", json!("release/make.sh"))),
        blocks("M43", "a generator that is a path out of the project", SpecInvalid, |b| generator(b, "name", json!("../make.sh"))),
        blocks("M43", "a generator that is an absolute path", SpecInvalid, |b| generator(b, "name", json!("/bin/true"))),
        blocks("M43", "a frozen artifact without a generator", SpecInvalid, |b| b.specify(|spec| {
            spec["artifacts"][0].as_object_mut().unwrap().remove("generator");
        })),
        blocks("M44", "an output of another version of its generator", ProvenanceDiffers, |b| state(b, "\"version\":1", "\"version\":2")),
        blocks("M44", "a version of a generator that there is not yet", ArtifactUnregenerable, |b| generator(b, "version", json!(9))),
        blocks("M45", "an output edited by hand", ArtifactEdited, |b| b.edit(BOARD, |text| text.replacen('1', "2", 1))),
        blocks("M45", "an output edited by hand, and its digest in the statement", ProvenanceDiffers, |b| {
            let before = digest(b, BOARD).to_string();
            b.edit(BOARD, |text| text.replacen('1', "2", 1));
            state(b, &before, &digest(b, BOARD).to_string());
        }),
        blocks("M46", "an event appended and released, nothing built", ProvenanceDiffers, outlive),
        blocks("M46", "a file changed from which another was written", ArtifactStale, |b| declare(b, 2, &[(BOARD, Digest::of(b"system\n"))])),
        blocks("M47", "a stale output with a newer time than its inputs", ProvenanceDiffers, |b| {
            outlive(b);
            let later = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 100);
            for path in [BOARD, STATEMENT] { touch(b, path, later); }
        }),
        passes("M48", "an output with an older time than its inputs", |b| {
            for path in [BOARD, STATEMENT] { touch(b, path, SystemTime::UNIX_EPOCH); }
        }),
        blocks("M49", "an input declared that the generator does not read", InputsDiffer, |b| declare(b, 0, &[(NOTES, digest(b, NOTES))])),
        blocks("M49", "an input left out that the generator reads", InputsDiffer, |b| b.specify(|spec| {
            let checkpoint = spec["checkpoint"].clone();
            let ledger = json!({"from": 0, "kind": "ledger", "root": checkpoint["root"], "to": checkpoint["size"]});
            spec["artifacts"][0]["inputs"] = json!([ledger]);
        })),
        blocks("M49", "an input left out in a statement", ProvenanceDiffers, |b| b.edit(STATEMENT, |text| {
            let mut statement: Value = serde_json::from_str(text).unwrap();
            strip_last(&mut statement);
            format!("{statement}\n")
        })),
        blocks("M50", "an artifact among its own inputs", ArtifactCircular, |b| declare(b, 2, &[(NOTES, digest(b, NOTES))])),
        blocks("M50", "two artifacts made from one another", ArtifactCircular, turn_in_a_circle),
        blocks("M51", "two generators with one output", SpecInvalid, |b| b.specify(|spec| spec["artifacts"][1]["path"] = json!(BOARD))),
        blocks("M52", "the statement of another artifact", ProvenanceDiffers, |b| b.write(STATEMENT, &b.read("release/provenance/games.csv.json"))),
        blocks("M53", "other arguments in the statement than were declared", ProvenanceDiffers, |b| state(b, "\"csv\"", "\"json\"")),
        blocks("M53", "a seed that no generator takes", ArtifactUnregenerable, |b| b.specify(|spec| {
            let arguments = spec["artifacts"][0]["generator"]["arguments"].as_array_mut().unwrap();
            arguments.push(json!({"name": "seed", "value": "1"}));
        })),
        blocks("M53", "an environment in the statement", ProvenanceDiffers, |b| state(b, "{", "{\"environment\":{\"TZ\":\"UTC\"},")),
        passes("M54", "built again in another folder, zone, language and mask of rights", rebuild),
        blocks("M55", "other arguments declared, and the old output kept", ArtifactChanged, |b| b.specify(|spec| {
            spec["artifacts"][0]["generator"]["arguments"][1]["value"] = json!("json");
        })),
        not_applicable("M56", "a rebuild that reads the network or what it did not declare", "generators are functions in the program of the ledger's prefix alone; arrows::* lets their room reach neither disk nor network"),
        blocks("M57", "another requested model in the event of a system", HeadMismatch, |b| {
            b.edit("ledger/events/000000.jsonl", |text| text.replacen("\"requested_model\":\"", "\"requested_model\":\"x", 1));
        }),
        blocks("M57", "a run file, which names prompts and engines, with other bytes than its digest", BlobChanged, |b| {
            b.edit(&b.only("ledger/blobs/"), |text| format!("{text}#\n"));
        }),
        not_applicable("M57", "a dependency of the program changed after a release", "the manifest of an audit names the digest of the lock; outputs are made again and compared, whatever the program was built from"),
        blocks("M58", "a generator without a version", SpecInvalid, |b| b.specify(|spec| {
            spec["artifacts"][0]["generator"].as_object_mut().unwrap().remove("version");
        })),
        blocks("M58", "a generator with a range of versions", SpecInvalid, |b| generator(b, "version", json!(">=1"))),
        not_applicable("M58", "a compiler that is not pinned", "generators are versions of the program; what they make is compared byte for byte"),
    ]
}

/// Removes the last of the inputs that a statement names.
fn strip_last(statement: &mut Value) {
    let inputs = &mut statement["predicate"]["buildDefinition"]["resolvedDependencies"];
    inputs.as_array_mut().unwrap().pop().unwrap();
}
