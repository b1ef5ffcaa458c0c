//! What an audit leaves behind, in both modes, whatever it finds.

use std::fs;
use std::os::unix::fs::symlink;

use scoresheet::digest::Digest;
use scoresheet::event::{RecoveryRecorded, Verified};
use scoresheet::ledger::blob_path;
use serde_json::{Value, json};

use crate::bundle::{Bundle, generated};
use crate::story::{event, expense, story};

const DRAFT: &str = "release/audits/draft.json";
const PUBLICATION: &str = "release/audits/publication.json";

/// Audits in a mode, and returns the manifest that is on disk afterwards.
fn audit(bundle: &Bundle, mode: &str) -> (u8, Value) {
    let outcome = bundle.run(&["audit", "--mode", mode]);
    (outcome.code, manifest(bundle, mode))
}

fn manifest(bundle: &Bundle, mode: &str) -> Value {
    let path = format!("release/audits/{mode}.json");
    serde_json::from_slice(&bundle.read(&path)).unwrap()
}

fn codes(manifest: &Value, list: &str) -> Vec<String> {
    let findings = manifest[list].as_array().unwrap().iter();
    let code = |finding: &Value| finding["code"].as_str().unwrap().to_owned();
    findings.map(code).collect()
}

fn gap(code: &str, path: &str) -> Value {
    json!({"code": code, "path": path, "reason": "not yet"})
}

/// Declares one more artifact, which nobody has built.
fn declare_unbuilt(bundle: &Bundle) {
    bundle.specify(|spec| {
        let more = generated("reliability-csv", "release/reliability.csv");
        spec["artifacts"].as_array_mut().unwrap().push(more);
    });
}

#[test]
fn an_audit_writes_the_same_manifest_whenever_it_passes() {
    let bundle = Bundle::new();
    let before = bundle.files();
    for mode in ["draft", "publication"] {
        let (code, manifest) = audit(&bundle, mode);
        assert_eq!((code, manifest["verdict"].as_str()), (0, Some("passed")));
        assert_eq!(manifest["mode"], mode);
        let json = bundle.must(&["audit", "--mode", mode, "--format", "json"]);
        assert_eq!(
            json.as_bytes(),
            bundle.read(&format!("release/audits/{mode}.json"))
        );
    }
    assert!(bundle.files() == before);
}

#[test]
fn a_draft_permits_the_gaps_that_are_named_and_no_others() {
    let bundle = Bundle::new();
    declare_unbuilt(&bundle);
    let (code, manifest) = audit(&bundle, "draft");
    assert_eq!(
        (code, codes(&manifest, "findings")),
        (1, vec!["artifact-missing".to_owned()])
    );

    let named = gap("artifact-missing", "release/reliability.csv");
    bundle.specify(|spec| spec["gaps"] = json!([named]));
    let (code, manifest) = audit(&bundle, "draft");
    assert_eq!((code, manifest["verdict"].as_str()), (0, Some("passed")));
    assert_eq!(codes(&manifest, "permitted"), ["artifact-missing"]);
    assert_eq!(codes(&manifest, "findings"), [""; 0]);

    // Publication takes no notice of gaps.
    let (code, manifest) = audit(&bundle, "publication");
    assert_eq!(
        (code, codes(&manifest, "findings")),
        (1, vec!["artifact-missing".to_owned()])
    );
    assert_eq!(codes(&manifest, "permitted"), [""; 0]);

    // A second gap of the same code, or the same gap at another path, is another gap.
    bundle.remove("release/board.csv");
    let (code, manifest) = audit(&bundle, "draft");
    assert_eq!(
        (code, codes(&manifest, "findings")),
        (1, vec!["artifact-missing".to_owned()])
    );
}

#[test]
fn a_gap_that_is_not_there_is_reported_and_blocks_nothing() {
    let bundle = Bundle::new();
    let unused = gap("artifact-missing", "release/board.csv");
    bundle.specify(|spec| spec["gaps"] = json!([unused]));
    let (code, manifest) = audit(&bundle, "draft");
    assert_eq!(
        (code, codes(&manifest, "findings")),
        (0, vec!["gap-unused".to_owned()])
    );
    let (code, manifest) = audit(&bundle, "publication");
    assert_eq!((code, codes(&manifest, "findings")), (0, vec![]));
}

#[test]
fn no_gap_permits_damage_secrets_or_paths_that_lead_elsewhere() {
    for (code, path) in [
        ("secret-like", "release/notes.md"),
        ("path-escapes", "release/../x"),
        ("segment-changed", "ledger/events/000000.jsonl"),
        ("manifest-changed", "manifests/x"),
        ("no-such-code", "release/x"),
    ] {
        let bundle = Bundle::new();
        bundle.specify(|spec| spec["gaps"] = json!([gap(code, path)]));
        for mode in ["draft", "publication"] {
            let (exit, manifest) = audit(&bundle, mode);
            assert_eq!(exit, 1, "{code}");
            assert!(
                codes(&manifest, "findings").contains(&"spec-invalid".to_owned()),
                "{code}"
            );
        }
    }
    let bundle = Bundle::new();
    let unexplained = json!({"code": "artifact-missing", "path": "release/x", "reason": " "});
    bundle.specify(|spec| spec["gaps"] = json!([unexplained]));
    assert_eq!(audit(&bundle, "draft").0, 1);
}

type Edit = fn(&mut Value);

/// Specifications that say something wrong, and what is found.
const WRONG: [(&str, Edit); 22] = [
    ("spec-invalid", |spec| spec["artefacts"] = json!([])),
    ("spec-invalid", |spec| spec["v"] = json!(3)),
    // Version 1 knows less.
    ("spec-invalid", |spec| spec["v"] = json!(1)),
    ("spec-invalid", |spec| {
        spec["artifacts"][0]["required_in"] = Value::Null;
    }),
    ("spec-invalid", |spec| {
        spec["artifacts"][2]["role"] = json!("poem");
    }),
    ("spec-invalid", |spec| {
        spec["artifacts"][2]["path"] = json!("release/x/..//./board.csv");
    }),
    ("spec-invalid", |spec| {
        spec["artifacts"][2]["inputs"] = json!([{"kind": "file", "path": "release/board.csv"}]);
    }),
    ("path-escapes", |spec| {
        spec["artifacts"][2]["path"] = json!("release/provenance/mine.json");
    }),
    ("spec-invalid", |spec| {
        spec["artifacts"][0]["state"] = json!("final");
    }),
    ("spec-invalid", |spec| {
        spec["artifacts"][0]["sha256"] = json!(Digest::of(b""));
    }),
    ("spec-invalid", |spec| {
        spec["artifacts"][2]["sha256"] = json!("ABC");
    }),
    ("spec-invalid", |spec| {
        let digest = Digest::of(b"Notes.\n").to_string();
        spec["artifacts"][2]["sha256"] = json!(digest.to_uppercase());
    }),
    ("spec-invalid", |spec| {
        let digest = Digest::of(b"Notes.\n");
        spec["artifacts"][2]["sha256"] = json!(format!("sha256:{digest}"));
    }),
    ("spec-invalid", |spec| {
        spec["artifacts"][1]["path"] = json!("release/board.csv");
    }),
    ("spec-invalid", |spec| {
        spec["artifacts"][1]["path"] = json!("release/Board.csv");
    }),
    ("spec-invalid", |spec| spec["cohorts"] = json!(["t", "t"])),
    ("path-escapes", |spec| {
        spec["artifacts"][2]["path"] = json!("/etc/hostname");
    }),
    ("path-escapes", |spec| {
        spec["artifacts"][2]["path"] = json!("release/./notes.md");
    }),
    ("path-escapes", |spec| {
        spec["artifacts"][2]["path"] = json!("ledger/head");
    }),
    ("path-escapes", |spec| {
        spec["artifacts"][2]["path"] = json!("release/publication.json");
    }),
    ("path-escapes", |spec| {
        spec["artifacts"][2]["path"] = json!("release/audits/mine.json");
    }),
    ("path-escapes", |spec| {
        spec["artifacts"][2]["path"] = json!("release/Audits/draft.json");
    }),
];

#[test]
fn a_specification_says_each_thing_once_and_stays_in_its_place() {
    for (number, (code, edit)) in WRONG.into_iter().enumerate() {
        let bundle = Bundle::new();
        bundle.specify(edit);
        let (exit, manifest) = audit(&bundle, "publication");
        let found = codes(&manifest, "findings");
        assert!(
            exit == 1 && found.contains(&code.to_owned()),
            "{number}: {exit} {found:?}"
        );
        // Nothing is built where it must not stand.
        if code == "path-escapes" {
            bundle.specify(|spec| {
                let path = spec["artifacts"][2]["path"].clone();
                spec["artifacts"] = json!([generated("games-csv", path.as_str().unwrap())]);
            });
            let before = bundle.files();
            assert_eq!(bundle.run(&["release", "build"]).code, 1, "{number}");
            assert!(bundle.files() == before, "{number}");
        }
    }
    let bundle = Bundle::new();
    bundle.edit("release/publication.json", |text| {
        text.replacen('{', "{\"v\": 1,", 1)
    });
    assert_eq!(
        codes(&audit(&bundle, "draft").1, "findings"),
        ["spec-invalid"]
    );
}

#[test]
fn an_audit_that_dies_leaves_no_earlier_pass_behind() {
    for mode in ["draft", "publication"] {
        let bundle = Bundle::new();
        assert_eq!(manifest(&bundle, mode)["verdict"], "passed");
        fs::remove_dir_all(bundle.at("ledger")).unwrap();
        let (code, left) = audit(&bundle, mode);
        assert_eq!((code, left["verdict"].as_str()), (2, Some("unfinished")));
        bundle.write("ledger", b"no folder");
        assert_eq!(audit(&bundle, mode).0, 2);
    }
    let unborn = Bundle::empty();
    assert_eq!(unborn.run(&["audit"]).code, 2);
    assert!(unborn.files().is_empty(), "an audit begins no project");
}

#[test]
fn a_damaged_ledger_is_refused_in_a_manifest() {
    for path in [
        "ledger/LEDGER.json",
        "ledger/head",
        "release/publication.json",
    ] {
        let bundle = Bundle::new();
        bundle.remove(path);
        let (code, manifest) = audit(&bundle, "publication");
        assert_eq!(
            (code, manifest["verdict"].as_str()),
            (1, Some("refused")),
            "{path}"
        );
        assert_eq!(manifest["findings"][0]["place"]["file"], path);
        assert_eq!(manifest.get("inventory"), None);
    }
}

#[test]
fn no_manifest_is_written_through_a_link_or_over_a_folder() {
    let elsewhere = tempfile::tempdir().unwrap();
    let bundle = Bundle::new();
    bundle.remove(PUBLICATION);
    symlink(elsewhere.path().join("target"), bundle.at(PUBLICATION)).unwrap();
    assert_eq!(bundle.run(&["audit"]).code, 2);
    fs::remove_file(bundle.at(PUBLICATION)).unwrap();
    fs::create_dir(bundle.at(PUBLICATION)).unwrap();
    assert_eq!(bundle.run(&["audit"]).code, 2);
    fs::remove_dir_all(bundle.at("release/audits")).unwrap();
    symlink(elsewhere.path(), bundle.at("release/audits")).unwrap();
    assert_eq!(bundle.run(&["audit"]).code, 2);
    assert_eq!(bundle.run(&["release", "publish"]).code, 2);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn a_dry_run_of_publishing_prints_the_event_and_writes_nothing() {
    let bundle = Bundle::publish_all_but();
    let before = bundle.files();
    let said = bundle.must(&["release", "publish", "--dry-run"]);
    assert!(said.contains("\"kind\":\"release.published\""), "{said}");
    assert!(bundle.files() == before);
}

/// A token of a kind that is known, made here so that the repository holds none.
fn token() -> String {
    ["gsk", "_", &"aB3dE5gH7k".repeat(4)].concat()
}

#[test]
fn a_secret_is_refused_wherever_it_stands_and_shown_nowhere() {
    type Plant = fn(&Bundle);
    let plants: [(&str, Plant); 9] = [
        ("an artifact", |b| {
            b.edit("release/board.csv", |text| text.to_owned() + &token());
        }),
        ("a pinned file", |b| {
            b.write("release/notes.md", token().as_bytes());
            let digest = json!(Digest::of(token().as_bytes()));
            b.specify(|spec| spec["artifacts"][2]["sha256"] = digest);
        }),
        ("a manifest", |b| {
            b.edit(&b.only("manifests/"), |text| text.to_owned() + &token());
        }),
        ("the specification", |b| {
            b.specify(|spec| spec["artifacts"][0]["role"] = json!(token()));
        }),
        ("a key of the specification", |b| {
            b.specify(|spec| spec[&token()] = json!(1));
        }),
        ("a name in the release", |b| {
            b.write(&format!("release/{}", token()), b"x");
        }),
        ("a name in the ledger", |b| {
            b.write(&format!("ledger/{}", token()), b"x");
        }),
        ("an event", |b| {
            b.append(&[event(expense(&token()))]);
            rebuild(b);
        }),
        ("a blob", |b| {
            // Nothing of ours stores such a blob.
            let blob = Digest::of(token().as_bytes());
            b.write(&format!("ledger/{}", blob_path(&blob)), token().as_bytes());
            let second = scoresheet::event::ScheduleCommitted {
                anchors: Vec::new(),
                starts: Vec::new(),
                run_file: Some(blob),
                ..story().second("u")
            };
            b.append(&[event(second)]);
            rebuild(b);
        }),
    ];
    for (what, plant) in plants {
        let bundle = Bundle::new();
        plant(&bundle);
        let mut said = Vec::new();
        for mode in ["draft", "publication"] {
            for format in ["text", "json"] {
                let outcome = bundle.run(&["audit", "--mode", mode, "--format", format]);
                assert_eq!(outcome.code, 1, "{what}: {}", outcome.out);
                said.push(outcome.out);
            }
            said.push(manifest(&bundle, mode).to_string());
        }
        said.push(bundle.run(&["reproduce"]).out);
        said.push(bundle.run(&["verify"]).out);
        for args in [
            &["audit"][..],
            &["release", "build"],
            &["release", "publish"],
        ] {
            let (out, errors) = bundle.program(args);
            said.extend([out, errors]);
        }
        let is_found = said.iter().any(|text| text.contains("secret-like"));
        assert!(is_found || what.contains("name"), "{what}: {said:?}");
        for text in said {
            assert!(!text.contains(&token()[4..]), "{what}: {text}");
        }
    }
}

/// Binds the release to the ledger as it stands, and builds it again.
fn rebuild(bundle: &Bundle) {
    bundle.bind();
    bundle.must(&["release", "build"]);
}

#[test]
fn quarantined_bytes_are_looked_into_as_well() {
    let bundle = Bundle::new();
    let torn = format!("{{\"at\":\"{}", token());
    bundle.edit("ledger/events/000000.jsonl", |text| text.to_owned() + &torn);
    bundle.append(&[]);
    rebuild(&bundle);
    let (code, manifest) = audit(&bundle, "publication");
    let places = manifest["findings"].to_string();
    assert_eq!(code, 1);
    assert!(
        places.contains("secret-like") && places.contains("ledger/quarantine/"),
        "{places}"
    );
    let events: Vec<u8> = bundle.read("ledger/events/000000.jsonl");
    let last = events.trim_ascii_end().rsplit(|byte| *byte == b'\n').next();
    let recorded = Verified::parse(last.unwrap()).unwrap();
    let is_recovery = matches!(
        recorded.what,
        scoresheet::event::What::RecoveryRecorded(RecoveryRecorded { .. })
    );
    assert!(is_recovery);
}

#[test]
fn both_manifests_stand_beside_a_published_release() {
    let bundle = Bundle::new();
    for path in [DRAFT, PUBLICATION] {
        let manifest: Value = serde_json::from_slice(&bundle.read(path)).unwrap();
        assert_eq!(manifest["verdict"], "passed", "{path}");
    }
}

#[test]
fn what_a_specification_says_wrong_is_said_with_its_line() {
    type Edit = fn(&mut Value);
    let edits: [(Edit, &str); 4] = [
        (|spec| spec["artefacts"] = json!([]), "artifacts"),
        (|spec| spec["artifacts"][2]["role"] = json!("poem"), "poem"),
        (
            |spec| spec["artifacts"][1]["path"] = json!("release/./board.csv"),
            "release/./board.csv",
        ),
        (
            |spec| spec["gaps"] = json!([gap("artifact-missing", " ")]),
            "",
        ),
    ];
    for (edit, said) in edits {
        let bundle = Bundle::new();
        bundle.specify(edit);
        let (_, manifest) = audit(&bundle, "draft");
        let findings = manifest["findings"].as_array().unwrap().iter();
        let mut of_specification = findings.filter(|finding| {
            ["spec-invalid", "gap-unused"].contains(&finding["code"].as_str().unwrap())
        });
        let is_placed = of_specification.any(|it| {
            1 < it["place"]["line"].as_u64().unwrap_or(0) && it.to_string().contains(said)
        });
        assert!(is_placed, "{said}: {manifest:#}");
    }
}

#[test]
fn a_waiver_of_the_specification_lets_these_bytes_pass_and_is_listed() {
    let bundle = Bundle::publish_all_but();
    crate::codes::release::waive(&bundle, "reason", json!("made up for a test"));
    for mode in ["draft", "publication"] {
        let (code, manifest) = audit(&bundle, mode);
        assert_eq!((code, codes(&manifest, "findings")), (0, vec![]), "{mode}");
        let listed = &manifest["waivers"]["specification"];
        assert_eq!(listed[0]["reason"], "made up for a test");
        assert_eq!(
            manifest["inventory"]["artifacts"][2]["secret_scan"],
            "clean"
        );
    }
    // One reviewer is enough for a draft.
    crate::codes::release::waive(&bundle, "second_reviewer", Value::Null);
    assert_eq!(
        [audit(&bundle, "draft").0, audit(&bundle, "publication").0],
        [0, 1]
    );
}

#[test]
fn what_only_a_publication_needs_may_be_missing_in_a_draft() {
    let bundle = Bundle::new();
    bundle.specify(|spec| {
        let mut more = generated("reliability-csv", "release/reliability.csv");
        more["required_in"] = json!("publication");
        spec["artifacts"].as_array_mut().unwrap().push(more);
    });
    let (code, manifest) = audit(&bundle, "draft");
    assert_eq!((code, codes(&manifest, "findings")), (0, vec![]));
    let (code, manifest) = audit(&bundle, "publication");
    assert_eq!(
        (code, codes(&manifest, "findings")),
        (1, vec!["artifact-missing".to_owned()])
    );
}

#[test]
fn each_state_has_its_own_rule_and_only_the_live_one_is_never_published() {
    let bundle = Bundle::publish_all_but();
    bundle.specify(|spec| {
        spec["artifacts"][1]["state"] = json!("generated");
        let notes = spec["artifacts"][2].as_object_mut().unwrap();
        notes.remove("sha256");
        notes["state"] = json!("static");
    });
    bundle.write("release/notes.md", b"Other notes.\n");
    let (code, manifest) = audit(&bundle, "publication");
    assert_eq!((code, codes(&manifest, "findings")), (0, vec![]));
    let artifacts = &manifest["inventory"]["artifacts"];
    let freshness = |at: usize| artifacts[at]["freshness"]["verdict"].as_str().unwrap();
    assert_eq!([freshness(0), freshness(2)], ["fresh", "unverifiable"]);
    assert_eq!(artifacts[2]["sha256"], json!(Digest::of(b"Other notes.\n")));
    for key in ["bodies_withheld", "lock", "program", "rules", "schemas"] {
        assert!(!manifest["run"][key].is_null(), "{key}");
    }
    bundle.specify(|spec| spec["artifacts"][1]["state"] = json!("live"));
    bundle.must(&["release", "build"]);
    assert_eq!(
        [audit(&bundle, "draft").0, audit(&bundle, "publication").0],
        [0, 1]
    );
    // Notes that were written from it are as live as it is, whatever they say.
    bundle.specify(|spec| {
        let games = json!({"kind": "file", "path": "release/games.csv", "sha256": Digest::of(&[])});
        spec["artifacts"][2]["inputs"] = json!([games]);
    });
    let found = codes(&audit(&bundle, "draft").1, "findings");
    assert_eq!(found, ["artifact-live", "artifact-stale"]);
}

#[test]
fn a_statement_that_says_anything_else_is_told_from_an_edited_artifact() {
    type Damage = fn(&Bundle, &str);
    let statement = "release/provenance/board.csv.json";
    let other = Digest::of(b"other").to_string();
    let damages: [(&[&str], Damage); 7] = [
        (&["artifact-edited"], |b, _| {
            b.write("release/board.csv", b"system\n");
        }),
        (&["artifact-changed", "provenance-missing"], |b, path| {
            b.write("release/board.csv", b"system\n");
            b.remove(path);
        }),
        (&["provenance-differs"], |b, path| {
            b.edit(path, |it| it.replace("\"csv\"", "\"json\""));
        }),
        (&["provenance-differs"], |b, path| {
            b.edit(path, |it| it.replace("\"from\":0", "\"from\":1"));
        }),
        (&["provenance-differs"], |b, path| {
            b.edit(path, |it| it.replacen('{', "{\"x\":1,", 1));
        }),
        (&["provenance-differs"], |b, path| {
            b.edit(path, |it| it.replace("\"version\":1", "\"version\":2"));
        }),
        (&["provenance-differs"], |b, path| {
            b.edit(path, |it| it.trim_end().to_owned());
        }),
    ];
    for (number, (expected, damage)) in damages.into_iter().enumerate() {
        let bundle = Bundle::new();
        damage(&bundle, statement);
        let (code, manifest) = audit(&bundle, "publication");
        let mut found = codes(&manifest, "findings");
        found.dedup();
        assert_eq!(
            (code, found),
            (1, expected.iter().map(|it| (*it).to_owned()).collect()),
            "{number}"
        );
        bundle.must(&["release", "build"]);
        assert_eq!(audit(&bundle, "publication").0, 0, "{number}");
    }
    // An artifact and a statement about it that were made of another prefix.
    let bundle = Bundle::new();
    bundle.edit(statement, |it| {
        it.replace(
            &Digest::of(&bundle.read("release/board.csv")).to_string(),
            &other,
        )
    });
    assert_eq!(
        codes(&audit(&bundle, "draft").1, "findings"),
        ["provenance-differs"]
    );
}

#[test]
fn a_manifest_that_cannot_be_written_leaves_no_earlier_pass() {
    let bundle = Bundle::new();
    let passed = bundle.read(PUBLICATION);
    // Nothing can be made where a file stands in the folder's place.
    bundle.write(".scoresheet-making", b"");
    assert_eq!(bundle.run(&["audit"]).code, 2);
    assert!(!bundle.at(PUBLICATION).exists());
    bundle.remove(".scoresheet-making");
    assert_eq!(
        bundle.read(&format!("release/audits/{}.json", Digest::of(&passed))),
        passed
    );
    bundle.must(&["audit"]);
    assert_eq!(bundle.read(PUBLICATION), passed);
}

/// Starts an audit and kills it as soon as its first manifest is there; says what
/// stands there then.
fn killed(bundle: &Bundle) -> String {
    let before = bundle.read(PUBLICATION);
    let mut audit = std::process::Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .arg("audit")
        .current_dir(bundle.folder())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while bundle.read(PUBLICATION) == before && audit.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    audit.kill().unwrap();
    audit.wait().unwrap();
    manifest(bundle, "publication")["verdict"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn an_audit_that_is_killed_leaves_an_unfinished_manifest_and_no_earlier_pass() {
    let bundle = Bundle::new();
    // On a busy machine an audit may come to its end before it is killed.
    let is_unfinished = (0..20).any(|_| killed(&bundle) == "unfinished");
    assert!(is_unfinished);
    assert_eq!(bundle.run(&["audit"]).code, 0);
    assert_eq!(manifest(&bundle, "publication")["verdict"], "passed");
}

#[test]
fn a_specification_of_version_1_is_not_published_any_more() {
    let bundle = Bundle::publish_all_but();
    bundle.specify(|spec| {
        spec["v"] = json!(1);
        for artifact in spec["artifacts"].as_array_mut().unwrap() {
            artifact.as_object_mut().unwrap().remove("required_in");
        }
    });
    for name in ["board", "games"] {
        bundle.remove(&format!("release/provenance/{name}.csv.json"));
    }
    bundle.must(&["audit"]);
    let before = bundle.files();
    for args in [
        &["release", "publish"][..],
        &["release", "publish", "--dry-run"],
    ] {
        assert_eq!(bundle.run(args).code, 2, "{args:?}");
        let (out, errors) = bundle.program(args);
        assert!(
            out.is_empty() && errors.contains("is of version 1"),
            "{errors}"
        );
        assert!(errors.contains("scoresheet release new NAME"), "{errors}");
    }
    assert!(bundle.files() == before);
}
