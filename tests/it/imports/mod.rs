//! Games of others: what is read, what is told of it, and that nothing is lost,
//! put right or counted twice.

pub(crate) mod kaggle;
pub(crate) mod llm_chess;
pub(crate) mod pgn;

use std::fs;

use serde_json::Value;

use crate::bundle::Bundle;
use crate::harness;
use crate::story::TIME;

/// The lines of the ledger of a project.
fn lines(bundle: &Bundle) -> Vec<String> {
    let text = String::from_utf8(bundle.read("ledger/events/000000.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A project with an empty ledger.
fn project() -> Bundle {
    let bundle = Bundle::empty();
    bundle.must(&["init", "--origin", "t", "--time", TIME]);
    bundle
}

/// Writes a file beside the ledger and imports it; returns the report.
fn import(bundle: &Bundle, format: &str, name: &str, bytes: &[u8]) -> Value {
    bundle.write(name, bytes);
    let path = bundle.at(name);
    let path = path.to_str().unwrap();
    let args = ["import", format, path, "--time", TIME, "--format", "json"];
    serde_json::from_str(&bundle.must(&args)).unwrap()
}

/// The bodies of the events of a kind.
fn bodies(bundle: &Bundle, kind: &str) -> Vec<Value> {
    let lines = lines(bundle).into_iter();
    let events = lines.map(|line| serde_json::from_str::<Value>(&line).unwrap());
    let of_kind = events.filter(|event| event["kind"] == kind);
    of_kind.map(|event| event["what"].clone()).collect()
}

/// What is wrong, a line each: code, line, expected, found.
fn told(report: &Value) -> String {
    let findings = report["sources"][0]["findings"].as_array().unwrap().iter();
    let told = findings.map(|finding| {
        format!(
            "{} {}: expected {}, found {}\n",
            finding["code"].as_str().unwrap(),
            finding["place"]["line"],
            finding["expected"].as_str().unwrap(),
            finding["found"].as_str().unwrap()
        )
    });
    told.collect::<Vec<_>>().concat()
}

/// Every truncation and every flipped byte of a sample obeys the laws.
fn survives(name: &str, sample: &[u8]) {
    let check = harness::of(name).check;
    for length in 0..=sample.len() {
        check(&sample[..length]);
    }
    let mut bytes = sample.to_vec();
    for at in 0..bytes.len() {
        let before = bytes[at];
        // Another letter, another case, or no ASCII.
        bytes[at] = before ^ [0x01, 0x20, 0x80, 0x02][at % 4];
        check(&bytes);
        bytes[at] = before;
    }
}

#[test]
fn what_was_interrupted_goes_on_and_what_is_there_is_left_alone() {
    let whole = project();
    whole.write("a.pgn", pgn::SAMPLE);
    let path = whole.at("a.pgn");
    let path = path.to_str().unwrap();
    let args = ["import", "pgn", path, "--time", TIME];
    let before = lines(&whole).len();
    let dry = whole.must(&[&args[..], &["--dry-run"]].concat());
    assert_eq!(lines(&whole).len(), before, "a dry run writes nothing");
    whole.must(&args);
    let all = lines(&whole);
    let written = all[before..].join("\n") + "\n";
    assert_eq!(dry, written, "a dry run shows what is written");
    let again = whole.must(&args);
    assert!(again.contains("is there already: 12 games"), "{again}");
    assert_eq!(lines(&whole), all);
    // As after a death between two commits.
    for number in [1, 4, all.len() - before - 1] {
        let cut = project();
        let start: Vec<_> = dry
            .lines()
            .take(number)
            .map(|line| format!("{line}\n"))
            .collect();
        cut.write("start.jsonl", start.concat().as_bytes());
        fs::create_dir_all(cut.at("ledger/blobs")).unwrap();
        for (name, bytes) in whole.files() {
            if name.starts_with("ledger/blobs/") {
                cut.write(&name, &bytes);
            }
        }
        let start = cut.at("start.jsonl");
        cut.must(&["append", start.to_str().unwrap()]);
        let said = cut.must(&args);
        assert!(said.contains("was imported to its end: 12 games"), "{said}");
        assert_eq!(lines(&cut), all, "cut off behind {number} events");
        cut.must(&["verify"]);
    }
}

#[test]
fn games_of_others_change_no_figure_and_block_no_release() {
    let bundle = Bundle::new();
    let board = bundle.must(&["board", "placement", "t", "--format", "json"]);
    let report = import(&bundle, "pgn", "a.pgn", pgn::SAMPLE);
    assert_eq!(report["sources"][0]["how"], "imported");
    let after = bundle.must(&["board", "placement", "t", "--format", "json"]);
    let rows = |text: &str| serde_json::from_str::<Value>(text).unwrap()["rows"].clone();
    assert_eq!(rows(&board), rows(&after));
    bundle.must(&["reproduce"]);
}
