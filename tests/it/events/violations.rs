use std::fmt::Write as _;

use scoresheet::event::{Event, Verified};
use scoresheet::finding::Place;
use scoresheet::schema::check;
use serde_json::{Value, json};

use super::{compare, goldens, with_one_change};

/// What is said of chances that are not 1000 per mille together, of names that are
/// not in their order, of rungs that are not there, of what a dataset of puzzles
/// adds up, of positions, and of tables of other cohorts.
const NO_SCHEMA_KNOWS: [&str; 12] = [
    "chances of 1000 per mille together",
    "prompts in the order of their names, each once",
    "every puzzle once",
    "as many puzzles as a cell is to have, or as it has candidates",
    "a rating in the band of its cell",
    "a solution of one ply or three",
    "a solution of legal moves from a legal position",
    "a legal position with a legal move",
    "every position once, under an id of its own",
    "a first rung below",
    "plies of the game, in ascending order",
    "a table of a cohort that the claim stands on",
];

/// Types and schemas must refuse the same things. What no schema can say is
/// left out of the changes: spellings, legal moves, days that are none; and no
/// schema can add up, or put in order.
#[test]
fn a_schema_and_its_type_agree_on_every_changed_line() {
    let mut counts = [0, 0];
    for golden in goldens() {
        let documents = with_one_change(&golden.value(), &changes);
        for document in documents {
            let line = scoresheet::canonical::write(&document).unwrap();
            let typed = Verified::<Event>::parse(line.as_bytes());
            let violations = check(&golden.name, &document).unwrap();
            let fault = typed.as_ref().err().map(ToString::to_string);
            let violation = violations.shown.first().map(ToString::to_string);
            let is_said = |words| fault.as_ref().is_some_and(|fault| fault.contains(words));
            if NO_SCHEMA_KNOWS.into_iter().any(is_said) {
                continue;
            }
            // A changed kind is another line, but its schema is the old one.
            let is_same_kind = typed
                .as_ref()
                .is_ok_and(|event| golden.name.starts_with(event.what.kind().name));
            assert_eq!(
                is_same_kind,
                violations.is_empty(),
                "{line}\n  type:   {fault:?}\n  schema: {violation:?}"
            );
            counts[usize::from(is_same_kind)] += 1;
        }
    }
    assert!(counts.iter().all(|count| 500 < *count), "{counts:?}");
}

fn changes(part: &Value) -> Vec<Value> {
    let mut parts = vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(4_294_967_295_u64),
        json!(4_294_967_296_u64),
        json!(9_007_199_254_740_991_u64),
        json!(9_007_199_254_740_992_u64),
        json!(-9_007_199_254_740_991_i64),
        json!(-9_007_199_254_740_992_i64),
        json!([]),
        json!({}),
    ];
    parts.extend(
        [
            "", "x", "X", "é", "none", "-1", "0", "1", "-0", "1.50", "0.5", "-0.5", "1e3", "01",
            "e2e4\n", "a b", "a.", "A", "+",
        ]
        .map(Value::from),
    );
    match part {
        Value::Object(object) => {
            for key in object.keys() {
                let mut fewer = object.clone();
                fewer.remove(key);
                parts.push(fewer.into());
            }
            let optional = [
                ("zz", json!(1)),
                ("cp", json!(1)),
                ("depth", json!(1)),
                ("nodes", json!(0)),
                ("rolled_forward", json!(1)),
                ("ply", json!(1)),
            ];
            for (key, value) in optional {
                let mut more = object.clone();
                more.insert(key.to_owned(), value);
                parts.push(more.into());
            }
        }
        Value::Array(items) => {
            // Moves would not be legal in another order, and no schema knows.
            let are_moves = items.first().is_some_and(|item| item == "e2e4");
            for (index, item) in items.iter().enumerate().filter(|_| !are_moves) {
                let mut fewer = items.clone();
                fewer.remove(index);
                parts.push(fewer.into());
                parts.push([&items[..], std::slice::from_ref(item)].concat().into());
            }
        }
        Value::String(text) => {
            parts.push(text.to_uppercase().into());
            parts.push(format!("{text} ").into());
            parts.push(format!("{text}\n").into());
            parts.push(text.repeat(40).into());
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    parts
}

/// Documents with something wrong in them, each with a title and its schema.
fn wrong_documents() -> Vec<(&'static str, &'static str, Value)> {
    let golden = |name: &str, number: usize, change: &dyn Fn(&mut Value)| {
        let mut goldens = goldens().into_iter();
        let golden = goldens.find(|golden| golden.name == name && golden.number == number);
        let mut value = golden.unwrap().value();
        change(&mut value["what"]);
        value
    };
    let remove = |what: &mut Value, key: &str| what.as_object_mut().unwrap().remove(key);
    let many = json!({
        "at": "2026-11-29T09:13:00Z",
        "by": 7,
        "id": "x",
        "kind": "move.acepted",
        "v": 1,
        "what": {
            "attempt": 0, "class": "no_peice", "extracted": null, "ply": -1, "plyy": 1.5, "x": []
        },
    });
    let engine = "system.registered.v1";
    let sent = "call.sent.v1";
    let limit = |limit: Value| golden(sent, 3, &|what| what["limit"] = limit.clone());
    let torn = "recovery.recorded.v1";
    vec![
        ("many at once", "move.rejected.v1", many),
        ("no object", "move.rejected.v1", json!([1, 2])),
        (
            "neither engine nor model",
            engine,
            golden(engine, 1, &|what| drop(remove(what, "engine"))),
        ),
        (
            "engine and model",
            engine,
            golden(engine, 1, &|what| {
                what["model"] = json!({ "parameters": [], "requested_model": "m", "route": "r" });
            }),
        ),
        ("two limits", sent, limit(json!({ "depth": 1, "nodes": 1 }))),
        ("no limit", sent, limit(json!({}))),
        (
            "game without ply",
            sent,
            golden(sent, 3, &|what| drop(remove(what, "ply"))),
        ),
        (
            "rolled forward with a torn tail",
            torn,
            golden(torn, 1, &|what| what["rolled_forward"] = json!(1)),
        ),
        (
            "a torn head not rolled forward",
            torn,
            golden(torn, 2, &|what| drop(remove(what, "rolled_forward"))),
        ),
        (
            "the same system twice",
            "schedule.committed.v1",
            golden("schedule.committed.v1", 1, &|what| {
                what["systems"][1] = what["systems"][0].clone();
            }),
        ),
    ]
}

#[test]
fn violations_come_in_the_order_of_the_document_one_for_each_cause() {
    let mut table = String::new();
    for (title, name, document) in wrong_documents() {
        let violations = check(name, &document).unwrap();
        assert_eq!(violations.count, violations.shown.len());
        writeln!(table, "{title} ({name})").unwrap();
        for violation in &violations.shown {
            writeln!(table, "    {violation}").unwrap();
        }
        let findings = violations.findings(&Place::file("a.json"));
        writeln!(table, "    as a finding:\n{}", findings[0]).unwrap();
    }
    compare("tests/events/violations.txt", &table);
}

#[test]
fn many_violations_are_counted_and_not_all_shown() {
    let mut schedule = goldens()
        .iter()
        .find(|golden| golden.name == "schedule.committed.v1")
        .unwrap()
        .value();
    schedule["what"]["systems"] = (0..120).map(Value::from).collect();
    let violations = check("schedule.committed.v1", &schedule).unwrap();
    assert_eq!((violations.shown.len(), violations.count), (50, 120));
    assert_eq!(violations.shown[11].pointer, "/what/systems/11");
    let findings = violations.findings(&Place::file("a.json"));
    assert_eq!(findings.len(), 51);
    assert_eq!(findings[50].found, "70 more violations");
}

#[test]
fn a_schema_that_is_not_there_is_no_verdict() {
    let error = check("move.acepted.v1", &json!({})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the schema `move.acepted.v1` cannot be used: there is none"
    );
}
