//! What moves give away and how matches stand, beside what others computed.

use std::path::Path;

use scoresheet::measure::{FigureFormat, FigureReport, Figures};
use serde_json::{Value, json};

use crate::program::{Outcome, scoresheet};

const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/vectors");

/// The files of each format: one with 25 digits that was computed by a program
/// of its own, and one of others, which need not be there.
const FILES: [(FigureFormat, &str, [&str; 2]); 2] = [
    (
        FigureFormat::Grading,
        "grading",
        ["grading.json", "grading.json"],
    ),
    (
        FigureFormat::Match,
        "match",
        ["match.json", "match_statistics.json"],
    ),
];

fn files(format: FigureFormat) -> Vec<Vec<u8>> {
    let (_, _, [own, others]) = *FILES.iter().find(|file| file.0 == format).unwrap();
    let own = std::fs::read(Path::new(OWN).join(own)).unwrap();
    let others = std::fs::read(Path::new(SHARED).join(others)).ok();
    std::iter::once(own).chain(others).collect()
}

fn agrees(file: &Value, format: FigureFormat) -> (bool, usize) {
    let figures = Figures::parse(file.to_string().as_bytes(), format).unwrap();
    let verdict = FigureReport::of(&figures, true).check.unwrap();
    (verdict.agrees(), verdict.figures_compared)
}

#[test]
fn figures_agree_with_those_that_others_computed() {
    for (format, ..) in FILES {
        for bytes in files(format) {
            let figures = Figures::parse(&bytes, format).unwrap();
            let report = FigureReport::of(&figures, true);
            let verdict = report.check.as_ref().unwrap();
            let wrong = report.cases.iter().filter_map(|case| {
                let differences = case.differences.as_ref()?;
                (!differences.is_empty()).then_some((case.section, case.id, differences))
            });
            let wrong: Vec<_> = wrong.collect();
            assert!(verdict.agrees(), "{wrong:#?}");
            assert_eq!(verdict.cases_not_compared, 0);
        }
    }
}

/// The keys under which a file expects something, and which of them are words.
const EXPECTED: [&str; 22] = [
    "win",
    "chances_uncapped",
    "win_before",
    "win_after",
    "accuracy",
    "verdict",
    "white",
    "black",
    "expectation_best",
    "expectation_played",
    "regret",
    "raw",
    "score",
    "elo",
    "elo_err",
    "elo_at_least",
    "elo_at_most",
    "nelo",
    "nelo_err",
    "los",
    "llr",
    "state",
];

/// The places in a file that say what should come out.
fn expectations(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let path = format!("{path}/{key}");
                if !value.is_object() && EXPECTED.contains(&key.as_str()) {
                    found.push(path);
                } else {
                    expectations(value, &path, found);
                }
            }
        }
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                expectations(value, &format!("{path}/{number}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_figure_that_a_file_expects_is_compared() {
    for (format, ..) in FILES {
        let file: Value = serde_json::from_slice(&files(format)[0]).unwrap();
        let mut places = Vec::new();
        expectations(&file, "", &mut places);
        assert!(80 < places.len());
        assert_eq!(agrees(&file, format), (true, places.len()));
        for place in places {
            let mut other = file.clone();
            let value = other.pointer_mut(&place).unwrap();
            let number = value.as_f64();
            let number = number.or_else(|| value.as_str().and_then(|text| text.parse().ok()));
            *value = match number {
                Some(number) => json!(number + 0.000_001 * (1.0 + number.abs())),
                None if place.ends_with("verdict") || place.ends_with("state") => json!("else"),
                None => json!(0.0),
            };
            assert!(!agrees(&other, format).0, "{place}");
        }
    }
}

fn measured(word: &str, file: &str, more: &[&str]) -> Outcome {
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), file).unwrap();
    let name = path.path().to_str().unwrap();
    let args = [&["measure", word, name], more].concat();
    scoresheet(Path::new("no-ledger-is-needed"), &args)
}

#[test]
fn a_saturated_score_has_a_bound_and_says_that_it_has_no_elo() {
    let won = r#"{"wdl": [{"stats": [10, 0, 0]}]}"#;
    let shown = measured("match", won, &[]);
    let report: Value = serde_json::from_str(&shown.stdout).unwrap();
    let values = &report["cases"][0]["values"];
    assert_eq!(values["elo"], Value::Null);
    assert_eq!(values["los"], Value::Null);
    assert!((values["elo_at_least"].as_f64().unwrap() - 182.729_096).abs() < 1e-6);
    let table = measured("match", won, &["--format", "text"]).stdout;
    assert!(table.contains("| elo_err      | none "), "{table}");
    let finite = r#"{"wdl": [{"stats": [10, 0, 0], "elo": 581.07}]}"#;
    let refused = measured("match", finite, &["--check"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stdout.contains("elo: expected 581.07, found none"),
        "{}",
        refused.stdout
    );
}

#[test]
fn nothing_compared_does_not_pass_and_a_percentage_is_read_with_its_digits() {
    let bare = r#"{"wdl": [{"stats": [1, 2, 3]}]}"#;
    let outcome = measured("match", bare, &["--check"]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stdout.contains("nothing compared"),
        "{}",
        outcome.stdout
    );
    for (los, code) in [("27.62 %", 0), ("27.00 %", 1), ("28.50 %", 1), ("28 %", 0)] {
        let file = format!(r#"{{"wdl": [{{"stats": [1, 2, 3], "los": "{los}"}}]}}"#);
        let outcome = measured("match", &file, &["--check"]);
        assert_eq!(outcome.code, code, "{los}: {}", outcome.stdout);
    }
}

#[test]
fn what_a_file_may_not_say_is_refused_with_its_place() {
    for (word, file, told) in [
        (
            "match",
            r#"{"wdl": [{"stats": [1, 2]}]}"#,
            "section wdl, case 1, field stats: expected wins, losses and draws, found a list of 2",
        ),
        (
            "match",
            r#"{"wdl": [{"stats": [1, 2, -3]}]}"#,
            "field stats[2]: expected a count from 0",
        ),
        (
            "match",
            r#"{"wdl": [{"stats": [1, 2, 1.5]}]}"#,
            "field stats[2]: expected an integer of 32 bits",
        ),
        (
            "match",
            r#"{"wdl": [{"stats": [1, 2, 3], "elo_at_least": 3}]}"#,
            "field elo_at_least: expected counts of which everything",
        ),
        (
            "match",
            r#"{"wdl": [{"stats": [1, 2, 3], "neelo": 3}]}"#,
            "near `nelo`",
        ),
        (
            "match",
            r#"{"penta": [{"stats": [1, 2, 3]}]}"#,
            "expected pairs with LL, LD, WL, DD, WD and WW",
        ),
        (
            "match",
            r#"{"sprt_logistic_trinomial": [{"stats": [1, 2, 3], "elo0": 0}]}"#,
            "field elo1: expected a value",
        ),
        (
            "match",
            r#"{"sprt_logistic_trinomial": [{"stats": [1, 2, 3], "elo0": 0, "elo1": 1e300}]}"#,
            "field elo1: expected at most 4000 Elo apart",
        ),
        (
            "match",
            r#"{"sprt_logistic_trinomial": [{"stats": [1, 2, 3], "elo0": 0, "elo1": 5, "alpha": 0}]}"#,
            "field alpha: expected a number between 0 and 0.5",
        ),
        (
            "grading",
            r#"{"judgement": [{"before": ["cp", 0], "after": ["pawns", 1]}]}"#,
            "field after[0]: expected cp or mate",
        ),
        (
            "grading",
            r#"{"win_percent": [{"win": 50}]}"#,
            "section win_percent, case 1, field cp: expected a value",
        ),
        (
            "grading",
            r#"{"wdl_regret": [{"best_wdl_mover": [1, 2, 3], "after_wdl_opponent": [0, 1000, 0]}]}"#,
            "field best_wdl_mover: expected win, draw and loss, 1000 together",
        ),
        ("grading", r#"{"wdl": []}"#, "expected only the keys"),
        ("grading", "[]", "expected an object, found a list"),
        ("grading", "{", "expected one JSON document"),
    ] {
        let outcome = measured(word, file, &[]);
        assert_eq!(outcome.code, 2, "{file}");
        assert!(outcome.stderr.contains(told), "{file}: {}", outcome.stderr);
    }
}
