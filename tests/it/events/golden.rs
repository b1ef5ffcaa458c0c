use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use scoresheet::event::{Event, KINDS, Verified, schema};
use serde_json::Value;

use super::{at_home, compare, files, goldens};

#[test]
fn every_kind_has_golden_lines_and_nothing_else_has() {
    let kinds: Vec<_> = KINDS
        .iter()
        .map(|kind| format!("{}.v{}.jsonl", kind.name, kind.v))
        .collect();
    let files: Vec<_> = files("tests/events/valid", "jsonl")
        .iter()
        .map(|file| file.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(BTreeSet::from_iter(&kinds), BTreeSet::from_iter(&files));
}

#[test]
fn a_golden_line_is_read_and_written_back_to_the_byte() {
    for golden in goldens() {
        let place = format!("{}:{}", golden.name, golden.number);
        let event = Verified::<Event>::parse(golden.line.as_bytes());
        let event = event.unwrap_or_else(|fault| panic!("{place}: {fault}"));
        assert_eq!(event.line(), golden.line, "{place}");
        let kind = event.what.kind();
        assert_eq!(format!("{}.v{}", kind.name, kind.v), golden.name);
        let again = Verified::write(Event::clone(&event)).unwrap();
        assert_eq!(again, event, "{place}");
    }
}

#[test]
fn a_golden_line_is_what_another_canonicalizer_writes() {
    for golden in goldens() {
        let canonical = serde_json_canonicalizer::to_string(&golden.value()).unwrap();
        assert_eq!(golden.line, canonical, "{}:{}", golden.name, golden.number);
    }
}

#[test]
fn a_golden_line_fits_its_schema() {
    for golden in goldens() {
        let violations = scoresheet::schema::check(&golden.name, &golden.value()).unwrap();
        let place = format!("{}:{}", golden.name, golden.number);
        assert_eq!(violations.shown, [], "{place}");
    }
}

/// Ids may be added. A line that is here stays, and its id with it.
#[test]
fn the_ids_of_golden_lines_stay_for_ever() {
    let mut ids = String::new();
    for golden in goldens() {
        let event = Verified::<Event>::parse(golden.line.as_bytes()).unwrap();
        writeln!(ids, "{} {}:{}", event.id(), golden.name, golden.number).unwrap();
    }
    let pinned = fs::read_to_string(at_home("tests/events/ids.txt")).unwrap_or_default();
    for line in pinned.lines() {
        assert!(ids.lines().any(|id| id == line), "changed or gone: {line}");
    }
    compare("tests/events/ids.txt", &ids);
}

#[test]
fn every_optional_field_stands_in_one_golden_line_and_not_in_another() {
    let mut seen: BTreeMap<(String, String), BTreeSet<bool>> = BTreeMap::new();
    for golden in goldens() {
        each_part(&golden.name, &golden.value(), &mut |place, part, value| {
            let Some(properties) = part.get("properties").and_then(Value::as_object) else {
                return;
            };
            let required = part["required"].as_array().cloned().unwrap_or_default();
            for key in properties.keys() {
                if !required.iter().any(|name| name == key) {
                    seen.entry((golden.name.clone(), format!("{place}/{key}")))
                        .or_default()
                        .insert(value.get(key).is_some());
                }
            }
        });
    }
    assert!(20 < seen.len(), "the walk finds the optional fields");
    seen.retain(|_, sides| sides.len() < 2);
    assert_eq!(
        seen,
        BTreeMap::new(),
        "fields that are only ever there or absent"
    );
}

/// The schema knows which strings are ids and which are blobs; what the events
/// say of themselves must be the same.
#[test]
fn every_reference_and_blob_is_reported() {
    let mut count = 0;
    for golden in goldens() {
        let event = Verified::<Event>::parse(golden.line.as_bytes()).unwrap();
        let references: Vec<_> = event
            .what
            .references()
            .iter()
            .map(|reference| (reference.field.to_owned(), reference.id.to_string()))
            .collect();
        let blobs: Vec<_> = event.what.blobs().iter().map(ToString::to_string).collect();
        let (mut ids, mut digests) = (Vec::new(), Vec::new());
        each_part(&golden.name, &golden.value(), &mut |place, part, value| {
            let field = place.replace("/what/", "").replace('/', ".");
            match part.get("$ref").and_then(Value::as_str) {
                Some("#/$defs/EventId") => ids.push((field, text(value))),
                Some("#/$defs/Blob") => digests.push(text(value)),
                _ => {}
            }
        });
        let place = format!("{}:{}", golden.name, golden.number);
        assert_eq!(references, ids, "{place}");
        assert_eq!(blobs, digests, "{place}");
        count += ids.len() + digests.len();
    }
    assert!(40 < count, "the walk finds the references");
}

#[test]
fn references_lead_to_kinds_that_exist() {
    for golden in goldens() {
        let event = Verified::<Event>::parse(golden.line.as_bytes()).unwrap();
        for reference in event.what.references() {
            assert!(!reference.kinds.is_empty(), "{}", golden.name);
            for kind in reference.kinds {
                assert!(KINDS.iter().any(|known| known.name == *kind), "{kind}");
            }
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Calls with each part of a line and the part of its schema that speaks of
/// it: first as it is, then, where it refers, what it refers to.
fn each_part(name: &str, line: &Value, call: &mut impl FnMut(&str, &Value, &Value)) {
    let kind = KINDS
        .iter()
        .find(|kind| format!("{}.v{}", kind.name, kind.v) == name);
    let schema = schema(*kind.unwrap()).unwrap();
    walk(&schema, "", &schema, line, call);
}

fn walk(
    root: &Value,
    place: &str,
    part: &Value,
    value: &Value,
    call: &mut impl FnMut(&str, &Value, &Value),
) {
    call(place, part, value);
    if let Some(target) = part.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(target.trim_start_matches('#')).unwrap();
        walk(root, place, target, value, call);
    }
    if let (Some(properties), Some(object)) = (part.get("properties"), value.as_object()) {
        for (key, member) in object {
            walk(
                root,
                &format!("{place}/{key}"),
                &properties[key],
                member,
                call,
            );
        }
    }
    if let (Some(items), Some(values)) = (part.get("items"), value.as_array()) {
        for value in values {
            walk(root, place, items, value, call);
        }
    }
}
