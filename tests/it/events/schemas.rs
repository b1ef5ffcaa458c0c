use std::collections::BTreeSet;
use std::fs;

use scoresheet::event::{KINDS, schema, schema_file};
use scoresheet::schema::{NAMES, check};
use serde_json::{Value, json};

use super::{compare, files};

fn name_of(file: &std::path::Path) -> String {
    file.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Whether a schema is named as those of events are: `move.accepted.v1`.
fn is_of_an_event(name: &str) -> bool {
    name.rsplit_once(".v")
        .is_some_and(|(_, v)| v.parse::<u32>().is_ok())
}

#[test]
fn the_schemas_of_events_are_what_the_types_say() {
    let kinds: BTreeSet<_> = KINDS
        .iter()
        .map(|kind| format!("{}.v{}", kind.name, kind.v))
        .collect();
    for (kind, name) in KINDS
        .iter()
        .map(|kind| (kind, format!("{}.v{}", kind.name, kind.v)))
    {
        compare(
            &format!("schemas/{name}.json"),
            &schema_file(*kind).unwrap(),
        );
    }
    let files: BTreeSet<_> = files("schemas", "json")
        .iter()
        .map(|file| name_of(file))
        .filter(|name| is_of_an_event(name))
        .collect();
    assert_eq!(files, kinds);
}

#[test]
fn the_schema_of_the_publication_specification_is_what_the_type_says() {
    let file = scoresheet::release::Specification::schema_file();
    compare("schemas/publication.json", &file);
    let specification = scoresheet::release::Specification::usual(
        "r".parse().unwrap(),
        scoresheet::event::CheckpointRef {
            root: scoresheet::digest::Digest::of(b""),
            size: 7_u32.into(),
        },
        vec!["c".parse().unwrap()],
        &scoresheet::projection::Projection::default(),
    );
    let document: Value = serde_json::from_slice(&specification.file().unwrap()).unwrap();
    let violations = check("publication", &document).unwrap();
    assert!(violations.is_empty(), "{violations:?}");
}

#[test]
fn every_schema_is_embedded() {
    let files: Vec<_> = files("schemas", "json")
        .iter()
        .map(|file| name_of(file))
        .collect();
    assert_eq!(NAMES, files);
}

/// Keywords that hold a schema, a list of them, or schemas by name.
const ONE: &[&str] = &["items", "additionalProperties", "if", "then", "else"];
const LIST: &[&str] = &["anyOf", "oneOf"];
const NAMED: &[&str] = &["properties", "$defs", "dependentSchemas"];
/// The other keywords that we mean something by.
const PLAIN: &[&str] = &[
    "$schema",
    "$id",
    "$ref",
    "title",
    "description",
    "type",
    "const",
    "enum",
    "default",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
    "dependentRequired",
];

/// Calls with every schema inside a schema, and its place.
fn each_schema(place: &str, schema: &Value, call: &mut impl FnMut(&str, &Value)) {
    call(place, schema);
    let Some(object) = schema.as_object() else {
        return;
    };
    for (keyword, value) in object {
        let place = format!("{place}/{keyword}");
        if ONE.contains(&keyword.as_str()) {
            each_schema(&place, value, call);
        } else if LIST.contains(&keyword.as_str()) {
            for (index, branch) in value.as_array().unwrap().iter().enumerate() {
                each_schema(&format!("{place}/{index}"), branch, call);
            }
        } else if NAMED.contains(&keyword.as_str()) {
            for (name, part) in value.as_object().unwrap() {
                each_schema(&format!("{place}/{name}"), part, call);
            }
        }
    }
}

/// Returns the keywords of a schema that nobody means, misspelt ones too: a
/// validator passes them over without a word.
fn strange_keywords(schema: &Value) -> Vec<String> {
    let mut strange = Vec::new();
    each_schema("", schema, &mut |place, part| {
        let known = |word: &str| {
            [ONE, LIST, NAMED, PLAIN]
                .iter()
                .any(|words| words.contains(&word))
        };
        let words = part.as_object().into_iter().flat_map(|part| part.keys());
        strange.extend(
            words
                .filter(|word| !known(word))
                .map(|word| format!("{place}/{word}")),
        );
    });
    strange
}

#[test]
fn schemas_use_only_keywords_that_we_mean() {
    for name in NAMES {
        let text = fs::read_to_string(super::at_home(&format!("schemas/{name}.json"))).unwrap();
        let schema: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(strange_keywords(&schema), [""; 0], "{name}");
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        assert!(check(name, &json!(null)).is_ok(), "{name} does not compile");
    }
    let misspelt = json!({ "properties": { "a": { "patern": "^a$", "format": "uint32" } } });
    assert_eq!(
        strange_keywords(&misspelt),
        ["/properties/a/format", "/properties/a/patern"]
    );
}

/// Returns every choice that does not say by a word or a key which of its branches is
/// meant: a validator has one line for all that is wrong in it.
fn blind_choices(schema: &Value) -> Vec<String> {
    let mut blind = Vec::new();
    each_schema("", schema, &mut |place, part| {
        let branches = ["oneOf", "anyOf"].map(|word| part.get(word).and_then(Value::as_array));
        let mut branches = branches.into_iter().flatten().flatten();
        if !branches.all(|branch| branch.get("const").is_some()) {
            blind.push(place.to_owned());
        }
    });
    blind
}

#[test]
fn the_schema_of_submissions_is_closed_bounded_described_and_without_blind_choices() {
    use scoresheet::submission::{SUBMISSION_SCHEMA, Submission};
    let file = Submission::schema_file();
    compare(&format!("schemas/{SUBMISSION_SCHEMA}.json"), &file);
    let schema: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(complaints(&schema, true), [""; 0]);
    assert_eq!(blind_choices(&schema), [""; 0]);
    assert_eq!(schema["$id"], "urn:scoresheet:benchmark_submission:1");
    // Lists and texts have an end.
    let mut endless = Vec::new();
    each_schema("", &schema, &mut |place, part| {
        let is = |name: &str| part["type"] == name || part["type"][0] == name;
        let bounds = ["maxItems", "maxLength", "pattern", "oneOf", "const"];
        let is_bounded = bounds.iter().any(|word| part.get(word).is_some());
        let is_condition = place.contains("/then/");
        if (is("array") || is("string")) && !is_bounded && !is_condition {
            endless.push(place.to_owned());
        }
    });
    assert_eq!(endless, [""; 0]);
    let blind = json!({ "properties": { "a": { "oneOf": [{ "type": "object" }] } } });
    assert_eq!(blind_choices(&blind), ["/properties/a"]);
}

/// Returns what a person who reads or writes by a schema would stumble over.
fn complaints(schema: &Value, allows_null: bool) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut used = BTreeSet::new();
    each_schema("", schema, &mut |place, part| {
        let mut complain = |what: &str| complaints.push(format!("{place}: {what}"));
        let is_condition = place.contains("/if") || place.contains("/then");
        let is_condition = is_condition || place.contains("/else");
        let is_condition = is_condition || place.contains("/dependentSchemas");
        let is_condition = is_condition || place.contains("/oneOf") || place.contains("/anyOf");
        let plain = part
            .get("type")
            .map(|types| match types.as_array().map(Vec::as_slice) {
                // `null` says something where it is allowed: the value is not exposed.
                Some([one, null]) if allows_null && null == "null" => one,
                _ => types,
            });
        match plain.and_then(Value::as_str) {
            Some("object") => {
                if part.get("additionalProperties") != Some(&json!(false)) {
                    complain("open object");
                }
                if part.get("properties").is_none() {
                    complain("object without properties");
                }
            }
            Some("integer") if part.get("minimum").is_none() || part.get("maximum").is_none() => {
                complain("integer without bounds");
            }
            Some("integer" | "string" | "boolean" | "array") => {}
            Some(_) => complain("a type that events do not have"),
            None if plain.is_some() => complain("several types"),
            None if is_condition || *part == json!(false) => {}
            None if part.get("$ref").is_none() && part.get("const").is_none() => {
                complain("no type");
            }
            None => {}
        }
        if let Some(pattern) = part.get("pattern").and_then(Value::as_str)
            && !(pattern.starts_with('^') && pattern.ends_with('$'))
        {
            complain("pattern without anchors");
        }
        if let Some(target) = part.get("$ref").and_then(Value::as_str) {
            used.insert(target.trim_start_matches("#/$defs/").to_owned());
        }
        let is_member = place.rsplit('/').nth(1) == Some("properties") && !is_condition;
        let is_definition = place.starts_with("/$defs/") && place.matches('/').count() == 2;
        if let Some(text) = part.get("description").and_then(Value::as_str) {
            let artifacts = ["[`", "`]", "::", "\n ", " \n", "  ", "Option<", "///"];
            if artifacts.iter().any(|artifact| text.contains(artifact)) {
                complain("description with marks of its source");
            }
            if text.replace("\n\n", "").contains('\n') {
                complain("description in broken lines");
            }
            if !text.ends_with('.') || text.starts_with('`') {
                complain("description that is no sentence");
            }
        } else if is_definition || is_member && !place.ends_with("/what") {
            complain("no description");
        }
    });
    let defined = schema["$defs"].as_object().unwrap().keys().cloned();
    let defined: BTreeSet<_> = defined.collect();
    if defined != used {
        complaints.push(format!("defines {defined:?}, uses {used:?}"));
    }
    complaints
}

#[test]
fn schemas_of_events_are_closed_bounded_anchored_and_described() {
    for kind in KINDS {
        assert_eq!(
            complaints(&schema(*kind).unwrap(), false),
            [""; 0],
            "{kind}"
        );
    }
    let poor = json!({
        "type": "object",
        "properties": {
            "a": { "type": "integer", "description": "`x`: a [`Count`].", "minimum": 0 },
            "b": { "type": ["string", "null"], "pattern": "^a", "description": "Two\nlines." },
            "c": { "$ref": "#/$defs/C" },
        },
        "$defs": { "D": { "type": "number", "description": "A number." } },
    });
    let found = complaints(&poor, false);
    assert_eq!(found.len(), 10, "{found:#?}");
}
