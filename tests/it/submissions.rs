//! Checking what strangers hand in: likely mistakes, hostile documents, and the
//! example that people copy.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;

use scoresheet::ledger::{Prover, SigningKey, add_signatures, issue_checkpoint};
use scoresheet::submission::{SUBMISSION_SCHEMA, Submission};
use serde_json::{Value, json};

use crate::bundle::{Bundle, Outcome};
use crate::codes::submissions::{FILE, answer, begin, begun, change, events, right};
use crate::events::{at_home, compare, with_one_change};
use crate::keys;
use crate::story::story;

fn check(bundle: &Bundle, format: &str) -> Outcome {
    let file = bundle.at(FILE);
    bundle.run(&[
        "submission",
        "check",
        "--format",
        format,
        file.to_str().unwrap(),
    ])
}

/// What people are told, with the file as it is called in its folder.
fn told(bundle: &Bundle) -> String {
    let outcome = check(bundle, "text");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    let folder = format!("{}/", bundle.folder().to_str().unwrap());
    outcome.out.replace(&folder, "")
}

fn set(bundle: &Bundle, pointer: &str, value: Value) {
    change(bundle, |document| {
        *document.pointer_mut(pointer).unwrap() = value;
    });
}

fn replace(bundle: &Bundle, from: &str, to: &str) {
    bundle.edit(FILE, |text| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
}

/// A fake credential, put together only here.
fn credential() -> String {
    ["AKIA", "Q4ZP7XN2LK5RTW6M"].concat()
}

type Mistake = (&'static str, fn(&Bundle));

const MISTAKES: &[Mistake] = &[
    ("A question is left open", |b| {
        set(b, "/system/tools", json!("? Which tools?"));
    }),
    ("A key is misspelt", |b| {
        replace(b, "\"provider\"", "\"provder\"");
    }),
    ("A word is misspelt", |b| {
        replace(b, "\"provisional\"", "\"provisonal\"");
    }),
    ("A key is left out instead of null", |b| {
        change(b, |document| {
            document["system"]
                .as_object_mut()
                .unwrap()
                .remove("reasoning_effort");
        });
    }),
    ("Null stands where a value is needed", |b| {
        set(b, "/submission_id", json!(null));
    }),
    ("A number stands in quotes", |b| {
        set(b, "/results/units/forfeits", json!("0"));
    }),
    ("A dollar amount is a number", |b| {
        set(b, "/resources/costs/0/usd", json!(1));
    }),
    ("A comma stands behind the last entry", |b| {
        replace(b, "\"wins\": 1", "\"wins\": 1,");
    }),
    ("A comment is written into the document", |b| {
        replace(b, "{", "{ // ours");
    }),
    ("The file begins with a byte-order mark", |b| {
        replace(b, "{", "\u{feff}{");
    }),
    ("A key stands twice", |b| {
        replace(b, "{", "{\n  \"evidence_status\": \"confirmatory\",");
    }),
    ("A digest is in capital letters", |b| {
        set(b, "/artifacts/0/sha256", json!("A1".repeat(32)));
    }),
    ("A commit is shortened", |b| {
        set(b, "/code/commit", json!("0123456"));
    }),
    ("A time has no milliseconds", |b| {
        set(
            b,
            "/system/observation_window/from",
            json!("2026-11-29T12:00:00Z"),
        );
    }),
    ("A path leads out of the folder", |b| {
        set(b, "/artifacts/0/path", json!("../games.csv"));
    }),
    ("A file is not in the folder", |b| b.remove("games.csv")),
    ("A file has the name of one with credentials", |b| {
        fs::rename(b.at("games.csv"), b.at(".env")).unwrap();
        set(b, "/artifacts/0/path", json!(".env"));
    }),
    ("A file was changed after its digest was written", |b| {
        b.write("games.csv", b"other\n");
    }),
    ("Ranks are said of candidates that nobody shows", |b| {
        set(b, "/system/assistance/ranks_visible", json!(false));
    }),
    ("A provider failure is not counted", |b| {
        set(b, "/results/units/provider_failures", json!(0));
    }),
    ("A loss is given as a draw", |b| {
        set(
            b,
            "/results/games",
            json!({"draws": 1, "losses": 0, "wins": 1}),
        );
    }),
    ("Two wins of two are a rating", |b| {
        set(
            b,
            "/results/games",
            json!({"draws": 0, "losses": 0, "wins": 2}),
        );
    }),
    ("What nobody reported is zero", |b| {
        set(b, "/resources/engine_nodes/sum", json!(0));
    }),
    ("Costs on one basis are split", |b| {
        change(b, |document| {
            let costs = document["resources"]["costs"].as_array_mut().unwrap();
            costs.push(costs[0].clone());
        });
    }),
    ("More is claimed than the evidence bears", |b| {
        set(b, "/evidence_status", json!("confirmatory"));
    }),
    ("Another model is named", |b| {
        set(b, "/system/returned_model", json!("provider/model-2"));
    }),
    ("The checkpoint is of another ledger", |b| {
        set(b, "/evidence/checkpoint/root", json!("0".repeat(64)));
    }),
    ("An architecture has no baseline", |b| {
        set(b, "/protocol/track", json!("architecture"));
    }),
    ("A credential is in the document", |b| {
        let text = format!("a route with the key {}", credential());
        set(b, "/system/search", json!(text));
    }),
];

/// The page is what a submitter reads who wonders what a message means.
#[test]
fn each_likely_mistake_is_told_as_the_page_prints_it() {
    let mut page = "# Likely mistakes in a submission\n\nWhat `scoresheet submission check` says of each, printed by a test. The document with which nothing is\nwrong is like [the example](submission.json).\n".to_owned();
    for (title, mistake) in MISTAKES {
        let bundle = right();
        mistake(&bundle);
        let told = told(&bundle);
        assert!(!told.contains(&credential()), "{title}");
        assert!(
            told.lines().all(|line| line.chars().count() < 400),
            "{title}: {told}"
        );
        write!(page, "\n## {title}\n\n```text\n{told}```\n").unwrap();
    }
    assert!(20 <= MISTAKES.len());
    compare("docs/submission/mistakes.md", &page);
}

#[test]
fn every_fault_is_told_in_one_pass_and_in_every_format_at_its_place() {
    let bundle = right();
    replace(&bundle, "\"provider\"", "\"provder\"");
    set(&bundle, "/results/units/forfeits", json!("0"));
    replace(
        &bundle,
        "\"table of games\"",
        "\"é\", \"role\": \"table of games\"",
    );
    let report: Value = serde_json::from_str(&check(&bundle, "json").out).unwrap();
    let places = report["findings"].as_array().unwrap().iter();
    let places: Vec<_> = places
        .map(|one| (one["place"]["line"].clone(), one["place"]["column"].clone()))
        .collect();
    assert_eq!(places.len(), 3, "{report:#}");
    assert_eq!(places[0], (json!(5), json!(21)), "{report:#}");
    let sarif: Value = serde_json::from_str(&check(&bundle, "sarif").out).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    // Bytes in ours, characters in theirs.
    let region = &results[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (&region["startLine"], &region["startColumn"]),
        (&json!(5), &json!(20))
    );
    let github = check(&bundle, "github").out;
    assert_eq!(github.lines().count(), 3, "{github}");
    assert!(
        github.lines().all(|line| line.starts_with("::error file=")),
        "{github}"
    );
    assert!(
        github.contains(",line=5,col=21,endColumn=27,title=submission-unreadable::"),
        "{github}"
    );
}

#[test]
fn a_hostile_document_is_refused_with_few_words() {
    let bundle = begun();
    let many = |item: &str, count: usize| vec![item; count].join(",");
    let unknown: Vec<_> = (0..100_000).map(|n| format!("\"k{n}\": 0")).collect();
    for text in [
        "[".repeat(1_000_000),
        format!("{{\"a\": {}1}}", "9".repeat(1_000_000)),
        format!("[{}]", many("0", 1_000_000)),
        format!("[{}]", many("1.5", 300_000)),
        format!("{{\"artifacts\": [{}]}}", many("{}", 100_000)),
        format!("{{\"engines\": [{}]}}", many("\"? x\"", 100_000)),
        format!("{{{}}}", unknown.join(",")),
        format!("{{{}}}", many("\"a\": 1", 100_000)),
        "\u{0}\u{1b}[2J".repeat(1_000),
        " ".repeat(9 << 20),
        String::new(),
    ] {
        bundle.write(FILE, text.as_bytes());
        let outcome = check(&bundle, "text");
        let head: String = text.chars().take(40).collect();
        assert_eq!(outcome.code, 1, "{head}");
        assert!(outcome.out.len() < 300_000, "{head}: {}", outcome.out.len());
        assert!(!outcome.out.contains('\u{1b}'), "{head}");
    }
    bundle.write(FILE, b"{\"a\": \"\xff\"}");
    assert!(told(&bundle).contains("byte 0xff"));
    // A link in the place of the document or of a file leads nowhere.
    let bundle = right();
    fs::rename(bundle.at("games.csv"), bundle.at("elsewhere.csv")).unwrap();
    symlink(bundle.at("elsewhere.csv"), bundle.at("games.csv")).unwrap();
    assert!(told(&bundle).contains("path-escapes"));
    fs::rename(bundle.at(FILE), bundle.at("elsewhere.json")).unwrap();
    symlink(bundle.at("elsewhere.json"), bundle.at(FILE)).unwrap();
    assert!(told(&bundle).contains("path-escapes"));
    bundle.remove(FILE);
    assert_eq!(check(&bundle, "text").code, 2);
}

/// What fits the schema is read, but for times that are none.
#[test]
fn the_schema_of_submissions_and_its_type_agree_on_every_changed_document() {
    let changes = |part: &Value| {
        let mut changes = vec![
            json!(null),
            json!(true),
            json!(-1),
            json!(7),
            json!("x"),
            json!([]),
            json!({}),
        ];
        if let Value::Object(members) = part {
            let mut more = members.clone();
            more.insert("misspelt".to_owned(), json!(1));
            changes.push(Value::Object(more));
        }
        changes
    };
    let document: Value = serde_json::from_slice(&right().read(FILE)).unwrap();
    let mut counts = [0, 0];
    for changed in with_one_change(&document, &changes) {
        let violations = scoresheet::schema::check(SUBMISSION_SCHEMA, &changed).unwrap();
        let read = serde_json::from_value::<Submission>(changed.clone());
        if violations.is_empty() {
            assert!(read.is_ok(), "{:?}\n{changed:#}", read.err());
        }
        counts[usize::from(violations.is_empty())] += 1;
    }
    assert!(300 < counts[0] && 30 < counts[1], "{counts:?}");
}

/// The identity as the benchmark's own text has it.
#[test]
fn the_simplified_identity_of_the_benchmark_has_no_key_or_word_that_is_wrong() {
    let identity = json!({
        "benchmark_version": "0.1-draft",
        "submission_id": "example-system-2026-08",
        "evidence_status": "provisional",
        "system": {
            "requested_model": "provider/model",
            "returned_model": null,
            "provider": "declared-route",
            "reasoning_effort": "high",
            "assistance": {
                "kind": "candidate_oracle",
                "candidate_count": 2,
                "scores_visible": false,
                "ranks_visible": false
            }
        },
        "protocol": {
            "track": "full_game",
            "stopping_rule": "declared before collection"
        }
    });
    let violations = scoresheet::schema::check(SUBMISSION_SCHEMA, &identity).unwrap();
    assert_eq!(violations.count, violations.shown.len());
    for violation in &violations.shown {
        assert!(violation.missing_key().is_some(), "{violation}");
    }
    // What is missing is asked for by name.
    let missing: Vec<_> = violations
        .shown
        .iter()
        .filter_map(|one| one.missing_key())
        .collect();
    for key in [
        "artifacts",
        "code",
        "engines",
        "evidence",
        "observation_window",
        "tools",
    ] {
        assert!(missing.contains(&key), "{key}: {missing:?}");
    }
}

#[test]
fn an_architecture_names_a_baseline_of_the_same_budget() {
    let bundle = right();
    change(&bundle, |document| {
        document["protocol"]["track"] = json!("architecture");
        document["baseline"] = json!({
            "amount": 4000, "matched_on": "tokens_per_move", "submission_id": "plain-2026-08",
        });
    });
    assert_eq!(
        check(&bundle, "text").code,
        0,
        "{}",
        check(&bundle, "text").out
    );
    set(
        &bundle,
        "/baseline/submission_id",
        json!("example-system-2026-08"),
    );
    assert!(told(&bundle).contains("/baseline/submission_id: another submission"));
}

#[test]
fn confirmatory_evidence_passes_where_a_witness_saw_its_promise_and_no_game() {
    let keys = [keys::log("t"), keys::witness("w.example")];
    let [log, witness] = keys.each_ref().map(SigningKey::verifier_key);
    let text_of_policy = format!("log {log}\nwitness W {witness}\nquorum W\n");
    for (n_seen, is_enough) in [(6, true), (5, true), (4, false), (7, false)] {
        let bundle = Bundle::played();
        let size = u64::try_from(story().events.len()).unwrap() + 1 + n_seen;
        let [before, games] = events("confirmatory", 2);
        bundle.append(&before);
        bundle.append(&games);
        let disk = bundle.disk();
        let checkpoint = Prover::open(&disk).unwrap().checkpoint(size).unwrap();
        issue_checkpoint(&disk, &checkpoint).unwrap();
        let text = checkpoint.to_string();
        let signatures = keys.each_ref().map(|key| key.sign(&text, 1_700_000_000));
        add_signatures(&disk, &checkpoint, &signatures).unwrap();
        begin(&bundle);
        answer(&bundle);
        let file = bundle.at(FILE);
        let args = ["submission", "check", file.to_str().unwrap()];
        assert_eq!(
            bundle.must(&args),
            "example-system-2026-08: nothing is wrong\n"
        );
        set(&bundle, "/evidence_status", json!("confirmatory"));
        bundle.write("policy", text_of_policy.as_bytes());
        let policy = bundle.at("policy");
        let trusting = [args.as_slice(), &["--policy", policy.to_str().unwrap()]];
        let outcome = bundle.run(&trusting.concat());
        assert_eq!(outcome.code == 0, is_enough, "{n_seen}: {}", outcome.out);
        // Nobody's word counts by itself.
        let outcome = bundle.run(&args);
        assert!(
            outcome.out.contains("nothing shows that a witness"),
            "{}",
            outcome.out
        );
        assert_eq!(outcome.code, 1);
    }
}

/// The one test that folds the committed evidence for a submission.
#[test]
fn the_example_of_the_documentation_passes_beside_the_committed_evidence() {
    let example = at_home("docs/submission/submission.json");
    let mut out = Vec::new();
    let ledger = at_home("ledger");
    let args = [
        "scoresheet",
        "--ledger",
        ledger.to_str().unwrap(),
        "submission",
        "check",
        example.to_str().unwrap(),
    ];
    let code = scoresheet::cli::run_into(args, &mut out);
    let out = String::from_utf8(out).unwrap();
    assert_eq!(
        (code, out.as_str()),
        (0, "example-gemma-pairs-2026-11: nothing is wrong\n")
    );
}
