//! `reproduce` on a project that holds: it writes nothing, and it says the same
//! everywhere and always.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;

use scoresheet::event::{EventId, Verified};
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::story::{TIME, accepted, event, event_at, fools_mate, start, story};

/// What the system knows of everything in a folder, but the time of last access.
fn traces(folder: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
    let trace = |entry: walkdir::DirEntry| {
        let it = entry.metadata().unwrap();
        let times = (it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec());
        format!(
            "{} {} {} {:o} {times:?}",
            entry.path().display(),
            it.ino(),
            it.size(),
            it.mode()
        )
    };
    entries
        .into_iter()
        .map(|entry| trace(entry.unwrap()))
        .collect()
}

/// Runs the program as a person does, and returns its standard output.
fn program(folder: &Path, environment: &[(&str, &str)], shell: &str) -> String {
    let done = Command::new("/bin/sh")
        .args(["-c", shell])
        .current_dir(folder)
        .env_clear()
        .env("SCORESHEET", env!("CARGO_BIN_EXE_scoresheet"))
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    let errors = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{shell}: {out}{errors}");
    assert_eq!(errors, "", "{shell}");
    out
}

#[test]
fn it_writes_nothing_in_the_project_and_says_the_same_twice() {
    let bundle = Bundle::new();
    let before = traces(bundle.folder());
    let first = bundle.must(&["reproduce"]);
    assert_eq!(bundle.must(&["reproduce"]), first);
    bundle.must(&["reproduce", "--format", "json"]);
    assert_eq!(traces(bundle.folder()), before);
    bundle.write("release/notes.md", b"Other.\n");
    let before = traces(bundle.folder());
    assert_eq!(bundle.run(&["reproduce"]).code, 1);
    assert_eq!(traces(bundle.folder()), before);
}

#[test]
fn it_needs_no_right_to_write() {
    let bundle = Bundle::new();
    let set_modes = |folder: u32, file: u32| {
        for entry in walkdir::WalkDir::new(bundle.folder()) {
            let entry = entry.unwrap();
            let mode = if entry.file_type().is_dir() {
                folder
            } else {
                file
            };
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set_modes(0o555, 0o444);
    let outcome = bundle.run(&["reproduce"]);
    set_modes(0o755, 0o644);
    assert_eq!(outcome.code, 0, "{}", outcome.out);
}

#[test]
fn neither_place_nor_zone_nor_language_nor_user_makes_a_difference() {
    let bundle = Bundle::new();
    let expected = bundle.must(&["reproduce"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let here = "\"$SCORESHEET\" reproduce";
    let there = "\"$SCORESHEET\" --project \"$PROJECT\" reproduce";
    let last = "\"$SCORESHEET\" reproduce --project \"$PROJECT\"";
    let project = bundle.folder().to_str().unwrap();
    assert_eq!(program(bundle.folder(), &[], here), expected);
    for environment in [
        [
            ("TZ", "Asia/Kathmandu"),
            ("LANG", "tr_TR.UTF-8"),
            ("LC_ALL", "tr_TR.UTF-8"),
        ],
        [
            ("TZ", "America/St_Johns"),
            ("LANG", "C"),
            ("HOME", "/nonexistent"),
        ],
        [
            ("COLUMNS", "20"),
            ("TERM", "dumb"),
            ("RAYON_NUM_THREADS", "1"),
        ],
    ] {
        assert_eq!(program(bundle.folder(), &environment, here), expected);
        let with_project = [&environment[..], &[("PROJECT", project)]].concat();
        for shell in [there, last] {
            assert_eq!(program(elsewhere.path(), &with_project, shell), expected);
        }
    }
    let masked = format!("umask 077; {here}");
    assert_eq!(program(bundle.folder(), &[], &masked), expected);
}

#[test]
fn an_audit_says_the_same_everywhere() {
    let bundle = Bundle::new();
    let before = bundle.files();
    let shell = "umask 077; \"$SCORESHEET\" audit --mode draft && \"$SCORESHEET\" audit && \"$SCORESHEET\" release build";
    let environment = [("TZ", "Pacific/Chatham"), ("LC_ALL", "ar_EG.UTF-8")];
    for path in [
        "release/audits/draft.json",
        "release/audits/publication.json",
    ] {
        bundle.remove(path);
    }
    bundle.remove("release/board.csv");
    program(
        bundle.folder(),
        &environment,
        &format!("\"$SCORESHEET\" release build; {shell}"),
    );
    assert!(bundle.files() == before);
}

#[test]
fn what_is_appended_later_is_counted_and_changes_nothing() {
    let bundle = Bundle::new();
    let none = bundle.must(&["reproduce"]);
    assert!(none.contains("\n0 events since this release\n"), "{none}");
    let stray = event(story().stray());
    let game = stray.id();
    bundle.append(&[stray]);
    let one = bundle.must(&["reproduce"]);
    assert_eq!(one, none.replace("\n0 events", "\n1 event"));
    // Not even what contradicts itself: that is for the next release to answer for.
    bundle.append(&[
        event(accepted(game, 7, "e2e4")),
        event(accepted(game, 8, "e2e4")),
    ]);
    let three = bundle.must(&["reproduce"]);
    assert_eq!(three, none.replace("\n0 events", "\n3 events"));
    let json: Value =
        serde_json::from_str(&bundle.must(&["reproduce", "--format", "json"])).unwrap();
    assert_eq!(json["events_since"], 3);
    assert_eq!(json["verdict"], "reproduced");
    assert_eq!(json["artifacts_regenerated"], 2);
}

/// Plays and freezes another cohort.
fn freeze_another(bundle: &Bundle) {
    let second = story().second("u");
    let schedule = event(second.clone());
    let id = schedule.id();
    let games = (0..2).flat_map(|cell| fools_mate(start(id, &second, cell)));
    let events: Vec<Verified<_>> = std::iter::once(schedule).chain(games).collect();
    bundle.append(&events);
    bundle.freeze("u");
}

#[test]
fn a_manifest_of_another_frozen_cohort_is_fine_and_is_looked_at() {
    let bundle = Bundle::new();
    freeze_another(&bundle);
    assert!(
        bundle
            .must(&["reproduce"])
            .contains("\n14 events since this release\n")
    );
    let files = bundle.files();
    let (path, bytes) = files
        .iter()
        .find(|(path, _)| path.starts_with("manifests/u-"))
        .unwrap();
    let damage: [&dyn Fn(); 3] = [
        &|| bundle.edit(path, |text| text.replacen("\"v\":1", "\"v\":3", 1)),
        &|| bundle.write(path, &bytes[..bytes.len() - 1]),
        &|| bundle.remove(path),
    ];
    for damage in damage {
        damage();
        let outcome = bundle.run(&["reproduce"]);
        assert!(
            outcome.code == 1 && outcome.out.contains(path.as_str()),
            "{}",
            outcome.out
        );
        bundle.write(path, bytes);
    }
    assert_eq!(bundle.run(&["reproduce"]).code, 0);
}

#[test]
fn a_second_release_supersedes_the_first() {
    let bundle = Bundle::new();
    let first = bundle.files();
    freeze_another(&bundle);
    bundle.must(&["release", "new", "r2", "--cohort", "u", "--replace"]);
    bundle.specify(|spec| {
        let artifacts = spec["artifacts"].as_array_mut().unwrap();
        artifacts.retain(|artifact| artifact["path"] == "release/u/games.csv");
    });
    for path in [
        "board.csv",
        "games.csv",
        "notes.md",
        "provenance/board.csv.json",
        "provenance/games.csv.json",
    ] {
        bundle.remove(&format!("release/{path}"));
    }
    let first_audit = bundle.kept_audit();
    // One that was published before audits were kept is kept by the next audit.
    bundle.remove(&first_audit);
    bundle.must(&["release", "build"]);
    // Until it is published, the first release is the one that counts.
    let outcome = bundle.run(&["reproduce"]);
    assert!(
        outcome.code == 1 && outcome.out.contains("spec-changed"),
        "{}",
        outcome.out
    );
    bundle.publish_release();
    let said = bundle.must(&["reproduce"]);
    assert!(said.ends_with("release r2: published as pilot\n"), "{said}");
    assert!(said.contains("\n0 events since this release\n"), "{said}");
    let kept = bundle.read(&first_audit);
    bundle.remove(&first_audit);
    let gone = bundle.run(&["reproduce"]);
    assert!(
        gone.code == 1 && gone.out.contains("audit-gone"),
        "{}",
        gone.out
    );
    bundle.write(&first_audit, &kept);
    let of_release = first
        .iter()
        .filter(|(path, _)| path.starts_with("release/"));
    for (path, bytes) in of_release {
        bundle.write(path, bytes);
    }
    let outcome = bundle.run(&["reproduce"]);
    assert!(
        outcome.code == 1 && outcome.out.contains("spec-changed"),
        "{}",
        outcome.out
    );
    assert_eq!(
        bundle.run(&["release", "publish"]).code,
        1,
        "files of both releases stand there"
    );
}

#[test]
fn a_release_event_that_says_anything_else_is_contradicted() {
    let bundle = Bundle::new();
    let events = bundle.read("ledger/events/000000.jsonl");
    let last = events
        .trim_ascii_end()
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap();
    let last: Value = serde_json::from_slice(last).unwrap();
    let id = EventId::of(serde_json::to_string(&last).unwrap().as_bytes());
    let other = "0".repeat(64);
    for (field, value) in [
        ("evidence_status", json!("confirmatory")),
        ("release", json!("r9")),
        ("bundle", json!(other)),
        ("supersedes", Value::Null),
    ] {
        let bundle = Bundle::new();
        let mut published = last["what"].clone();
        published["supersedes"] = json!(id);
        published[field] = value;
        if published[field].is_null() {
            published.as_object_mut().unwrap().remove(field);
        }
        let published: scoresheet::event::ReleasePublished =
            serde_json::from_value(published).unwrap();
        bundle.append(&[event_at(&TIME.replace("12:", "13:"), published)]);
        let outcome = bundle.run(&["reproduce"]);
        let is_named = outcome.out.contains("release-contradicted");
        assert!(outcome.code == 1 && is_named, "{field}: {}", outcome.out);
    }
}

#[test]
fn the_regenerated_artifacts_can_be_kept() {
    let bundle = Bundle::new();
    let kept = tempfile::tempdir().unwrap();
    let folder = kept.path().join("again");
    let keep = ["reproduce", "--keep", folder.to_str().unwrap()];
    bundle.must(&keep);
    for path in ["release/board.csv", "release/games.csv"] {
        assert_eq!(fs::read(folder.join(path)).unwrap(), bundle.read(path));
    }
    // What is there already, the project itself too, is never written over.
    assert_eq!(bundle.run(&keep).code, 2);
}

#[test]
fn what_a_killed_command_leaves_behind_harms_nobody() {
    let bundle = Bundle::new();
    let half = scoresheet::digest::Digest::of(b"half");
    bundle.write(&format!("ledger/making-{half}"), b"ha");
    bundle.write(".scoresheet-making/.tmpXYZ", b"ha");
    bundle.must(&["verify"]);
    bundle.must(&["reproduce"]);
    // The next command writes beside it all the same.
    bundle.must(&["audit"]);
    bundle.must(&["reproduce"]);
}

#[test]
fn before_anything_was_published_there_is_nothing_to_reproduce() {
    let bundle = Bundle::publish_all_but();
    assert_eq!(bundle.run(&["reproduce"]).code, 2);
    bundle.write("release/notes.md", b"Other.\n");
    assert_eq!(bundle.run(&["reproduce"]).code, 1);
}

#[test]
fn a_fresh_copy_of_what_is_tracked_reproduces_and_says_how_alone_it_was() {
    let bundle = Bundle::new();
    bundle.git(&["init", "--quiet"]);
    bundle.write(".gitignore", b"release/notes.md\n");
    bundle.git(&["add", "--all"]);
    bundle.git(&["commit", "--quiet", "--message=t"]);
    bundle.git(&["tag", "without"]);
    bundle.git(&["add", "--force", "release/notes.md"]);
    bundle.git(&["commit", "--quiet", "--message=t"]);
    bundle.git(&["tag", "with"]);
    let folder = bundle.folder().to_str().unwrap();
    for (from, said) in [
        ("with", "in a fresh clone of with, without environment"),
        (folder, "tracked in"),
    ] {
        let (out, errors) = bundle.program(&["reproduce", "--from", from]);
        assert!(
            out.contains("published as pilot\n") && out.contains(said),
            "{from}: {out}{errors}"
        );
    }
    // What no clone has is missed there, and nowhere else.
    assert_eq!(bundle.run(&["reproduce"]).code, 0);
    let (out, errors) = bundle.program(&["reproduce", "--from", "without"]);
    assert!(
        out.contains("artifact-missing") && out.contains("release/notes.md"),
        "{out}{errors}"
    );
    let (out, errors) = bundle.program(&["reproduce", "--from", "no-such-tag"]);
    assert!(
        out.is_empty() && errors.contains("no-such-tag"),
        "{out}{errors}"
    );
}
