//! Our ratings beside those of others, and what a file of theirs may not look
//! like.

use std::path::Path;

use proptest::prelude::*;
use scoresheet::measure::{Rating, Report, Tolerance, Vectors, update};
use serde_json::{Value, json};

use crate::program::{Outcome, scoresheet};

/// Vectors that were computed with 70 digits by a program of its own.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/glicko2.json");

/// Those that stand beside the project, where they do.
const SHARED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../shared/data/vectors/glicko2.json"
);

fn own() -> Value {
    serde_json::from_slice(&std::fs::read(OWN).unwrap()).unwrap()
}

fn measured(file: &Value, more: &[&str]) -> Outcome {
    measured_bytes(file.to_string().as_bytes(), more)
}

fn measured_bytes(bytes: &[u8], more: &[&str]) -> Outcome {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let path = file.path().to_str().unwrap();
    let args = [&["measure", "glicko2", path], more].concat();
    scoresheet(Path::new("no-ledger-is-needed"), &args)
}

#[test]
fn ratings_agree_with_those_that_others_computed() {
    let mut n_cases = 0;
    for path in [OWN, SHARED] {
        let Ok(bytes) = std::fs::read(path) else {
            assert_eq!(path, SHARED, "it stands in the project");
            continue;
        };
        let vectors = Vectors::parse(&bytes).unwrap();
        assert!(vectors.tolerance.is_of_file);
        let found = [
            vectors.tolerance.rating,
            vectors.tolerance.deviation,
            vectors.tolerance.volatility,
        ];
        assert!(found.iter().zip([1e-8, 1e-8, 1e-11]).all(|(a, b)| *a <= b));
        let report = Report::of(&vectors, true);
        let verdict = report.check.as_ref().unwrap();
        assert!(verdict.agreement.agrees(), "{report:#?}");
        assert_eq!(verdict.agreement.cases_not_compared, 0);
        n_cases += report.cases.len();
    }
    assert!(20 <= n_cases);
}

#[test]
fn v_and_delta_agree_with_those_that_others_computed() {
    let Ok(bytes) = std::fs::read(SHARED) else {
        return;
    };
    let vectors = Vectors::parse(&bytes).unwrap();
    let report = serde_json::to_value(Report::of(&vectors, false)).unwrap();
    let file: Value = serde_json::from_slice(&bytes).unwrap();
    let cases = file["single_player_periods"].as_array().unwrap();
    let mut n_compared = 0;
    for (case, found) in cases.iter().zip(report["cases"].as_array().unwrap()) {
        assert_eq!(case["id"], found["id"]);
        for name in ["v", "delta"] {
            let Some(expected) = case["intermediate"][name].as_str() else {
                continue;
            };
            let expected: f64 = expected.parse().unwrap();
            let found = found["intermediate"][name].as_f64().unwrap();
            let scale = expected.abs().max(1.0);
            assert!((found - expected).abs() <= 1e-9 * scale, "{case} {found}");
            n_compared += 1;
        }
    }
    assert!(20 <= n_compared);
}

/// Every place in the file that says what should come out.
fn expectations(file: &Value) -> Vec<(String, f64)> {
    fn walk(value: &Value, path: &str, is_expected: bool, found: &mut Vec<(String, f64)>) {
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    let says = is_expected || key.starts_with("expected");
                    let says = says || matches!(key.as_str(), "after" | "final");
                    walk(value, &format!("{path}/{key}"), says, found);
                }
            }
            Value::Array(values) => {
                for (number, value) in values.iter().enumerate() {
                    walk(value, &format!("{path}/{number}"), is_expected, found);
                }
            }
            Value::String(text) if is_expected => {
                found.push((path.to_owned(), text.parse().unwrap()));
            }
            Value::Number(number) if is_expected => {
                found.push((path.to_owned(), number.as_f64().unwrap()));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(file, "", false, &mut found);
    found
}

#[test]
fn every_figure_that_a_file_expects_is_compared() {
    let file = own();
    let expectations = expectations(&file);
    assert!(500 < expectations.len());
    let all = Report::of(&Vectors::parse(file.to_string().as_bytes()).unwrap(), true)
        .check
        .unwrap();
    assert_eq!(all.agreement.figures_compared, expectations.len());
    for (place, expected) in expectations {
        let mut other = file.clone();
        *other.pointer_mut(&place).unwrap() = json!(expected + 0.5);
        let vectors = Vectors::parse(other.to_string().as_bytes()).unwrap();
        let verdict = Report::of(&vectors, true).check.unwrap();
        assert!(!verdict.agreement.agrees(), "{place}");
        assert_eq!(verdict.agreement.differences, 1, "{place}");
    }
}

#[test]
fn a_difference_is_told_with_its_case_and_both_values() {
    let mut file = own();
    *file
        .pointer_mut("/sequential/1/games/3/after")
        .unwrap()
        .as_object_mut()
        .unwrap()
        .values_mut()
        .next()
        .unwrap()
        .get_mut(1)
        .unwrap() = json!("12.25");
    let outcome = measured(&file, &["--check"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (1, ""));
    let lines: Vec<_> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with("sequential \"forty_games_of_five_without_step_6\": games[3].after."),
        "{lines:?}"
    );
    assert!(lines[0].contains(".rd: expected 12.25, found "));
    assert!(lines[1].starts_with("differs: 20 cases compared, 0 not, 1 difference of 612"));
    let outcome = measured(&file, &["--check", "--format", "json"]);
    assert_eq!(outcome.code, 1);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["check"]["verdict"], "differs");
    let cases = report["cases"].as_array().unwrap().iter();
    let differences: Vec<_> = cases
        .flat_map(|case| case["differences"].as_array().unwrap())
        .collect();
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0]["expected"], 12.25);
    assert!(differences[0]["found"].is_f64());
}

#[test]
fn what_agrees_passes_and_what_compares_nothing_does_not() {
    let file = own();
    let outcome = measured(&file, &["--check"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert!(
        outcome
            .stdout
            .starts_with("agrees: 20 cases compared, 0 not, 0 differences")
    );
    let silent = json!({"rating_periods": [
        {"id": "a", "tau": 0.5, "init": {"A": [1500, 350, 0.06]}, "games": []},
    ]});
    for (file, n_not) in [
        (json!({}), 0),
        (json!({"sequential": []}), 0),
        (json!({"about": "nothing"}), 0),
        (silent, 1),
    ] {
        let outcome = measured(&file, &["--check"]);
        assert_eq!(outcome.code, 1, "{file}");
        let wanted = format!("nothing compared: 0 cases compared, {n_not} not");
        assert!(outcome.stdout.contains(&wanted), "{}", outcome.stdout);
        assert_eq!(measured(&file, &[]).code, 0);
    }
    for bytes in [
        b"".as_slice(),
        b" \n",
        b"null",
        b"[]",
        b"\xff",
        b"{",
        b"{} {}",
    ] {
        let outcome = measured_bytes(bytes, &["--check"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
        assert!(outcome.stderr.contains("is no file of vectors"));
    }
    let outcome = scoresheet(Path::new("l"), &["measure", "glicko2", "no-such-file"]);
    assert_eq!(outcome.code, 2);
}

#[test]
fn every_digit_is_printed_and_each_game_of_a_sequence() {
    let outcome = measured(&own(), &[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    // Each number as a program with exact reading of numbers takes it.
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let case = |section: &str, id: &str| {
        let cases = report["cases"].as_array().unwrap().iter();
        let mut cases = cases.filter(|case| case["section"] == section && case["id"] == id);
        cases.next().unwrap().clone()
    };
    let idle = case("rating_periods", "one_who_does_not_play");
    let found = &idle["values"][2];
    let expected = update(&Rating::initial(), &[], 0.5).unwrap();
    assert_eq!(found["player"], "idle");
    assert!(
        outcome
            .stdout
            .contains(&format!("{:?}", expected.deviation))
    );
    assert_eq!(found["flags"], json!(["deviation-above-350"]));
    assert_eq!(
        (&found["games"], &found["points"]),
        (&json!(0), &json!(0.0))
    );
    let sequence = case("sequential", "forty_games_of_five_with_step_6");
    let after = sequence["after"].as_array().unwrap();
    assert_eq!(after.len(), 40);
    let numbers = after.iter().map(|after| after["game"].as_u64().unwrap());
    assert!(numbers.eq(1..=40));
    assert_eq!(sequence["values"].as_array().unwrap().len(), 5);
    for (player, last) in sequence["values"].as_array().unwrap().iter().map(|value| {
        let of_player = |game: &Value| {
            let values = game["values"].as_array().unwrap().iter();
            let mut values = values.filter(|other| other["player"] == value["player"]);
            values.next().cloned()
        };
        (value, after.iter().rev().find_map(of_player))
    }) {
        assert_eq!(Some(player), last.as_ref());
    }
    let table = measured(&own(), &["--format", "text"]).stdout;
    assert!(table.contains("| sequential "), "{table}");
    assert!(table.contains("deviation-above-350"), "{table}");
}

/// A small file that is right; `change` makes it wrong.
pub(crate) fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut file = json!({
        "single_player_periods": [{
            "id": "one", "tau": 0.5, "player": {"rating": 1500, "rd": 200, "vol": 0.06},
            "games": [{"opp_rating": 1400, "opp_rd": 30, "score": 1}],
            "expected": {"rating": "1563.6", "rd": "175.4", "vol": "0.06"},
        }],
        "two_player_no_inflation": [{
            "id": "two", "tau": 0.5, "white": [1500, 350, 0.06], "black": [1500, 350, 0.06],
            "white_score": 0.5,
        }],
        "sequential": [{
            "id": "three", "tau": 0.5, "init": {"A": [1500, 350, 0.06], "B": [1500, 350, 0.06]},
            "step6_inflation": true,
            "games": [{"white": "A", "black": "B", "white_score": 1,
                "after": {"A": [1, 2, 3], "B": [1, 2, 3]}}],
            "final": {"A": [1, 2, 3], "B": [1, 2, 3]},
        }],
        "rating_periods": [{
            "id": "four", "tau": 0.5, "init": {"A": [1500, 350, 0.06], "B": [1500, 350, 0.06]},
            "games": [["A", "B", 1]], "final": {"A": [1, 2, 3], "B": {"rating": 1, "rd": 2, "vol": 3}},
        }],
    });
    Vectors::parse(file.to_string().as_bytes()).unwrap();
    change(&mut file);
    file
}

#[test]
fn a_case_without_a_finite_answer_says_so_and_the_others_have_theirs() {
    let absurd = changed(|file| {
        file["single_player_periods"][0]["tau"] = json!(0);
        file["two_player_no_inflation"][0]["white"] = json!([1e308, 1e308, 1e308]);
        file["sequential"][0]["init"]["A"] = json!([1500, 350, 0]);
        file["rating_periods"][0]["init"]["A"] = json!([1e300, 30, 0.06]);
    });
    let outcome = measured(&absurd, &["--check", "--format", "json"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    for case in report["cases"].as_array().unwrap() {
        let fault = case["fault"].as_str().unwrap();
        assert!(fault.contains("did not converge"), "{fault}");
        assert!(case.get("values").is_none());
        for difference in case["differences"].as_array().unwrap() {
            assert!(difference.get("found").is_none());
        }
    }
    assert_eq!(
        measured(&absurd, &[]).code,
        0,
        "the case says so; nothing was compared"
    );
    let mixed = changed(|file| file["sequential"][0]["tau"] = json!(0));
    let text = measured(&mixed, &["--format", "text"]).stdout;
    assert!(text.contains("did not converge"), "{text}");
    assert!(text.contains("rating_periods"), "{text}");
}

#[test]
fn what_the_file_tolerates_counts_and_else_what_the_guide_says() {
    let near = |tolerance: Option<Value>| {
        let mut file = own();
        let members = file.as_object_mut().unwrap();
        match tolerance {
            Some(tolerance) => members.insert("recommended_tolerance".to_owned(), tolerance),
            None => members.remove("recommended_tolerance"),
        };
        let value = file
            .pointer_mut("/single_player_periods/0/expected/rating")
            .unwrap();
        *value = json!(value.as_str().unwrap().parse::<f64>().unwrap() + 1e-6);
        measured(&file, &["--check"])
    };
    let wide = json!({"rating": 1e-5, "rd": "1e-5", "vol": 1e-7});
    assert_eq!(near(Some(json!({"eps_1e_12": wide}))).code, 0);
    // That one is for others.
    for tolerance in [None, Some(json!({})), Some(json!({"eps_1e_6": wide}))] {
        let outcome = near(tolerance);
        assert_eq!(outcome.code, 1);
        assert!(
            outcome
                .stdout
                .contains("1e-8 in rating, 1e-8 in rd, 1e-11 in vol, our default")
        );
    }
    let default = Tolerance::DEFAULT;
    let default = [default.rating, default.deviation, default.volatility];
    assert_eq!(
        default.map(f64::to_bits),
        [1e-8, 1e-8, 1e-11].map(f64::to_bits)
    );
    for tolerance in [
        json!([]),
        json!({"eps_1e_12": {"rating": 1}}),
        json!({"eps": wide}),
    ] {
        assert_eq!(near(Some(tolerance)).code, 2);
    }
}

proptest! {
    #[test]
    fn a_number_is_read_as_the_nearest_one_and_printed_so_that_it_reads_back(
        rating in -5000.0..5000.0_f64,
        deviation in 0.0..500.0_f64,
        is_text in any::<bool>(),
    ) {
        let spelled = |number: f64| if is_text { json!(format!("{number:?}")) } else { json!(number) };
        // Without games and step 6, what goes in comes out.
        let case = json!({"sequential": [{
            "id": "a", "tau": 0.5, "init": {"A": [spelled(rating), spelled(deviation), "0.06"]},
            "step6_inflation": false, "games": [],
        }]});
        let vectors = Vectors::parse(case.to_string().as_bytes()).unwrap();
        let text = serde_json::to_string(&Report::of(&vectors, false)).unwrap();
        for number in [rating, deviation] {
            let printed = serde_json::to_string(&number).unwrap();
            let is_there = text.contains(&printed);
            prop_assert!(is_there, "{} in {}", printed, text);
        }
    }
}
