//! The schema of run files: what the types say, what editors complete and check,
//! and nothing that the reader would take.

use std::collections::BTreeSet;
use std::fs;

use scoresheet::ledger::Waivers;
use scoresheet::run::{Order, RUN_FILE_LISTS, RUN_FILE_SCHEMA, run_file_schema};
use scoresheet::schema::check;
use serde_json::{Value, json};

use crate::arena::Arena;
use crate::events::{at_home, compare, files, with_one_change};

/// One whose opponents follow from results.
const ON_A_LADDER: &str = r#"
    cohort = "climb"
    [preregistration]
    evidence_status = "pilot"
    hypothesis = "h"
    primary_endpoints = ["e"]
    stopping_rule = "s"
    [protocol]
    name = "rules"
    preset = "mini-matches"
    ply_cap = 40
    anchored = { scale = "local" }
    allocator = { anchor_ladder = { start = "anchor", rounds = 2 } }
    [starts]
    standard = 2
    [[anchor]]
    name = "anchor"
    rating = "1320"
    command = "stockfish"
    [[random]]
    name = "random"
    seed = "s"
    "#;

/// A run file of each sort with a part of every sort.
const ALL: [&str; 4] = [
    r#"
    cohort = "cup"
    by = "runner/here"
    parallel = 2
    [preregistration]
    evidence_status = "pilot"
    hypothesis = "h"
    primary_endpoints = ["e"]
    stopping_rule = "s"
    exclusions = "none"
    [protocol]
    name = "rules"
    preset = "anchored"
    anchored = { scale = "local", draw_rate = "0.3", color_effect = "20" }
    adjudication = { win = { cp = 900, positions = 5 }, level = { cp = 5, positions = 30 } }
    grading = { open_cp = 400 }
    attempts = 2
    replays_max = 2
    retries_max = 1
    [deadlines]
    start_ms = 10
    answer_ms = 2000
    [budget]
    usd = "1.5"
    tokens = 5
    calls = 6
    hours = "0.5"
    [starts]
    standard = 2
    chess960 = [518]
    prefixes = [{ name = "sicilian", moves = "e2e4 c7c5" }]
    [analyst]
    name = "analyst"
    command = "stockfish"
    nodes = 1000
    [[anchor]]
    name = "anchor"
    rating = "1320"
    command = "stockfish"
    args = ["x"]
    options = { UCI_LimitStrength = true, UCI_Elo = 1320, Style = "dull" }
    movetime_ms = 100
    [[engine]]
    name = "engine"
    command = "stockfish"
    depth = 3
    [[model]]
    name = "model"
    route = "here"
    base_url = "http://127.0.0.1:8080/v1"
    model = "m"
    api_key_env = "KEY"
    reasoning_effort = "low"
    parameters = { temperature = 0.5, stop = ["x"] }
    stream = false
    tools = false
    context_window = 4096
    output_tokens = 100
    requests_per_minute = 60
    legal_mask = true
    [[program]]
    name = "program"
    command = "sh"
    args = ["agent.sh"]
    pass_env = ["KEY"]
    route = "cli"
    model = "m"
    reasoning_effort = "low"
    parameters = { temperature = 0 }
    tools = true
    context_window = 4096
    output_tokens = 100
    requests_per_minute = 60
    assistance = "legal_mask"
    [[random]]
    name = "random"
    seed = "s"
    [[scripted]]
    name = "scripted"
    white = "e2e4"
    black = "e7e5"
    games = { 2 = "d2d4" }
    "#,
    r#"
    era = "2026"
    [budget]
    calls = 6
    [prompts]
    checklist = false
    [[engine]]
    name = "engine"
    command = "stockfish"
    depth = 3
    [[program]]
    name = "program"
    command = "sh"
    route = "cli"
    model = "m"
    [[random]]
    name = "random"
    seed = "s"
    [[scripted]]
    name = "scripted"
    "#,
    r#"
    puzzles = "small"
    parallel = 3
    [protocol]
    name = "rules"
    retries_max = 1
    [prompts]
    system_file = "system.txt"
    puzzle_file = "puzzle.txt"
    [[model]]
    name = "model"
    route = "here"
    base_url = "http://127.0.0.1:8080/v1"
    model = "m"
    "#,
    r#"
    positions = "probe"
    condition = "listed"
    parallel = 3
    [budget]
    calls = 6
    [protocol]
    name = "rules"
    attempts = 2
    retries_max = 1
    [prompts]
    state = "board"
    legal_moves = true
    feedback = "notice"
    [[model]]
    name = "model"
    route = "here"
    base_url = "http://127.0.0.1:8080/v1"
    model = "m"
    legal_mask = true
    [[program]]
    name = "program"
    command = "sh"
    route = "cli"
    model = "m"
    [[random]]
    name = "random"
    seed = "s"
    [[scripted]]
    name = "scripted"
    games = { 2 = "d2d4" }
    "#,
];

fn document(text: &str) -> Value {
    let table: toml::Table = toml::from_str(text).unwrap();
    serde_json::to_value(table).unwrap()
}

/// Whether a document fits the schema.
fn fits(document: &Value) -> bool {
    check(RUN_FILE_SCHEMA, document).unwrap().is_empty()
}

fn reads(text: &str) -> bool {
    Order::parse(text.as_bytes(), &Waivers::default()).is_ok()
}

/// The run files of the documentation and of the evidence, and ours.
fn good() -> Vec<String> {
    let folders = ["docs", "docs/evidence"].map(|folder| files(folder, "toml"));
    let texts = folders.iter().flatten();
    let texts = texts.map(|path| fs::read_to_string(path).unwrap());
    let ours = ALL.into_iter().chain([ON_A_LADDER]).map(str::to_owned);
    let good: Vec<_> = texts.chain(ours).collect();
    assert!(11 <= good.len());
    good
}

#[test]
fn the_schema_of_run_files_is_what_the_types_say() {
    compare("schemas/run-file-1.json", &run_file_schema());
    let printed = Arena::new().call(&["schema", RUN_FILE_SCHEMA]);
    printed.ends_with(0);
    let file = fs::read_to_string(at_home("schemas/run-file-1.json")).unwrap();
    assert_eq!(printed.out, file);
    let arena = Arena::new();
    arena.call(&["schema"]).ends_with(0).says("\nrun-file-1\n");
    arena
        .call(&["schema", "none"])
        .ends_with(2)
        .says("no schema");
}

#[test]
fn every_run_file_that_is_read_fits() {
    for text in good() {
        assert!(reads(&text), "{text}");
        let violations = check(RUN_FILE_SCHEMA, &document(&text)).unwrap();
        assert!(violations.is_empty(), "{violations:?}\n{text}");
    }
}

#[test]
fn what_is_no_run_file_does_not_fit() {
    let [cohort, ladder, puzzles, positions] = ALL;
    for (text, from, to) in [
        (cohort, "parallel = 2", "paralel = 2"),
        (cohort, "parallel = 2", "parallel = 0"),
        (cohort, "parallel = 2", "parallel = \"2\""),
        (cohort, "cohort = \"cup\"", ""),
        (cohort, "cohort = \"cup\"", "cohort = \"Cup one\""),
        (cohort, "hypothesis = \"h\"", ""),
        (cohort, "\"pilot\"", "\"proof\""),
        (cohort, "preset = \"anchored\"", "preset = \"anchor\""),
        (cohort, "usd = \"1.5\"", "usd = 1.5"),
        (cohort, "tokens = 5", "tokens = -5"),
        (cohort, "[[engine]]", "[engine]"),
        (cohort, "UCI_Elo = 1320", "UCI_Elo = 1320.5"),
        (cohort, "http://", "ftp://"),
        (
            cohort,
            "requests_per_minute = 60",
            "requests_per_minute = 0",
        ),
        (cohort, "seed = \"s\"", "sed = \"s\""),
        // What a table would be if its fields stood in a list.
        (
            cohort,
            "win = { cp = 900, positions = 5 }",
            "win = [900, 5]",
        ),
        (
            cohort,
            "{ name = \"sicilian\", moves = \"e2e4 c7c5\" }",
            "[\"x\", \"e2e4\"]",
        ),
        (ladder, "era = \"2026\"", "era = \"2026\"\ncohort = \"cup\""),
        (
            ladder,
            "[prompts]",
            "[protocol]\nname = \"rules\"\n[prompts]",
        ),
        (ladder, "depth = 3", "depth = 0"),
        (
            puzzles,
            "puzzles = \"small\"",
            "puzzles = \"small\"\nera = \"2026\"",
        ),
        (puzzles, "[[model]]", "[[engine]]"),
        (positions, "[[random]]", "[[engine]]"),
        (positions, "\"listed\"", "\"Two words\""),
        (positions, "state = \"board\"", "state = \"picture\""),
        (positions, "positions = \"probe\"", ""),
        (puzzles, "base_url = \"http://127.0.0.1:8080/v1\"", ""),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from}");
        assert!(!fits(&document(&wrong)), "{to}");
        assert!(!reads(&wrong), "{to}");
    }
}

/// What a part of a run file may be replaced by: something of every sort, or the
/// same with a member more or less.
fn others(part: &Value) -> Vec<Value> {
    let mut others = vec![
        json!(true),
        json!(0),
        json!(-1),
        json!(7),
        json!(0.5),
        json!(""),
        json!("other words"),
        json!([]),
        json!({}),
    ];
    if let Value::Object(members) = part {
        for name in members.keys() {
            let mut less = members.clone();
            less.remove(name);
            others.push(Value::Object(less));
        }
        let mut more = members.clone();
        more.insert("misspelt".to_owned(), json!(1));
        others.push(Value::Object(more));
    }
    others
}

#[test]
fn what_the_schema_refuses_is_refused_when_it_is_read() {
    let (mut refused, mut taken) = (0, 0);
    for text in good() {
        for changed in with_one_change(&document(&text), &others) {
            let Ok(text) = toml::to_string(&changed) else {
                continue;
            };
            if fits(&changed) {
                taken += 1;
            } else {
                refused += 1;
                assert!(!reads(&text), "the schema is stricter:\n{text}");
            }
        }
    }
    // Both happen, or the law says nothing.
    assert!(1_000 < refused && 200 < taken, "{refused} {taken}");
}

#[test]
fn every_field_is_described() {
    let schema: Value = serde_json::from_str(&run_file_schema()).unwrap();
    let mut fields = 0;
    for (name, sort) in schema["$defs"].as_object().unwrap() {
        assert!(sort["description"].is_string(), "{name}");
        let Some(properties) = sort["properties"].as_object() else {
            continue;
        };
        assert_eq!(sort["additionalProperties"], json!(false), "{name}");
        for (field, what) in properties {
            let words = what["description"].as_str().unwrap_or_default();
            assert!(
                words.ends_with('.') && !words.contains("[`"),
                "{name}.{field}: {words}"
            );
            fields += 1;
        }
    }
    assert!(100 < fields, "{fields}");
}

/// A list in the place of a table is refused by name: so every list has to be known.
#[test]
fn the_fields_that_are_read_as_lists_are_those_of_the_schema() {
    let schema: Value = serde_json::from_str(&run_file_schema()).unwrap();
    let mut lists = BTreeSet::new();
    let sorts = schema["$defs"].as_object().unwrap().values();
    let fields = sorts.filter_map(|sort| sort["properties"].as_object());
    for (field, what) in fields.flatten() {
        // Members of requests are whatever a provider reads.
        let kind = &what["type"];
        let is_list =
            *kind == "array" || kind.as_array().is_some_and(|k| k.contains(&json!("array")));
        if is_list && field != "parameters" {
            lists.insert(field.as_str());
        }
    }
    assert_eq!(lists.into_iter().collect::<Vec<_>>(), RUN_FILE_LISTS);
}
