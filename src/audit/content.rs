//! An artifact says something. One that people write has rows where it is a
//! table: a header alone is a promise.

use serde_json::Value;

use crate::finding::{Code, Finding, Place};
use crate::release::ArtifactSpec;

/// Letters that nobody sees, beside white space.
const UNSEEN: [char; 7] = [
    '\0', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{ad}', '\u{feff}',
];
/// What a file is for that has rows.
const OF_ROWS: [&str; 2] = ["data", "table"];

/// Looks at the bytes of an artifact. Which rows a generated one has, its
/// generator says.
pub(crate) fn check(spec: &ArtifactSpec, bytes: &[u8]) -> Option<Finding> {
    let lack = lack(bytes).or_else(|| match spec.generator {
        Some(_) => None,
        None => lack_of_rows(spec, bytes),
    })?;
    let found = format!("{} bytes: {lack}", bytes.len());
    let place = Place::file(&spec.path);
    Some(Finding::new(Code::ArtifactEmpty, place, "content", found))
}

/// What is wrong with a file that says nothing, whatever it is for.
fn lack(bytes: &[u8]) -> Option<&'static str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_unseen = |letter: char| letter.is_whitespace() || UNSEEN.contains(&letter);
    match text.trim_matches(is_unseen) {
        "" => Some("nothing that anybody sees"),
        "{}" | "[]" => Some("brackets around nothing"),
        _ => None,
    }
}

fn lack_of_rows(spec: &ArtifactSpec, bytes: &[u8]) -> Option<&'static str> {
    let (_, ending) = spec.path.rsplit_once('.')?;
    match ending.to_ascii_lowercase().as_str() {
        "csv" | "tsv" => (n_rows(bytes) < 2).then_some("a header without rows"),
        "json" => {
            let value: Value = serde_json::from_slice(bytes).ok()?;
            let wants_rows = OF_ROWS.contains(&spec.role.as_str());
            let is_rowless = wants_rows && has_list(&value) && !has_entry(&value);
            (is_hollow(&value) || is_rowless).then_some("lists without entries")
        }
        "jsonl" | "ndjson" => {
            let lines = bytes.split(|byte| *byte == b'\n');
            let mut lines = lines.filter(|line| !line.trim_ascii().is_empty());
            let is_empty =
                |line: &[u8]| serde_json::from_slice(line).is_ok_and(|it| is_hollow(&it));
            lines.all(is_empty).then_some("lines that say nothing")
        }
        _ => None,
    }
}

/// The number of rows of a table that have a value, the header among them. A
/// newline between quotes ends none.
fn n_rows(bytes: &[u8]) -> usize {
    let mut is_quoted = false;
    let rows = bytes.split(|byte| {
        is_quoted ^= *byte == b'"';
        matches!(byte, b'\n' | b'\r') && !is_quoted
    });
    let is_value = |byte: &u8| !matches!(byte, b'"' | b',' | b';' | b'\t' | b' ');
    rows.filter(|row| row.iter().any(is_value)).count()
}

/// Whether there is nothing in it but more of nothing.
fn is_hollow(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.iter().all(is_hollow),
        Value::Object(members) => members.values().all(is_hollow),
    }
}

fn has_list(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Object(members) => members.values().any(has_list),
        _ => false,
    }
}

/// Whether a list in it has an entry.
fn has_entry(value: &Value) -> bool {
    match value {
        Value::Array(values) => !values.iter().all(is_hollow),
        Value::Object(members) => members.values().any(has_entry),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::State;

    fn is_refused(path: &str, role: &str, text: &str) -> bool {
        let spec = ArtifactSpec {
            generator: None,
            inputs: Vec::new(),
            path: path.to_owned(),
            required_in: None,
            role: role.to_owned(),
            sha256: None,
            state: State::Static,
        };
        check(&spec, text.as_bytes()).is_some()
    }

    #[test]
    fn a_table_has_rows_and_everything_else_something_to_read() {
        for (path, role, text) in [
            ("a.md", "notes", ""),
            ("a.md", "notes", "\u{feff} \u{200b}\r\n"),
            ("a.md", "notes", " {}\n"),
            ("a.csv", "notes", "a,b"),
            ("a.csv", "notes", "\"a\nb\",c\n,\n\"\"\n"),
            ("a.tsv", "data", "a\tb\r\n\r\n"),
            ("a.json", "notes", "{\"a\": [[], {}], \"b\": null}"),
            ("a.json", "data", "{\"rows\": [], \"v\": 1}"),
            ("a.jsonl", "notes", "{}\n\n[]\n"),
        ] {
            assert!(is_refused(path, role, text), "{path} {text:?}");
        }
        for (path, role, text) in [
            ("a.md", "notes", "a"),
            ("a.csv", "data", "a,b\n1,\n"),
            ("a.csv", "data", "a,b\r\"1\""),
            ("a.json", "notes", "{\"rows\": [], \"v\": 1}"),
            ("a.json", "data", "{\"rows\": [{\"n\": 0}], \"v\": 1}"),
            ("a.json", "data", "{\"n\": 0}"),
            ("a.jsonl", "data", "{}\n{\"n\": 0}\n"),
        ] {
            assert!(!is_refused(path, role, text), "{path} {text:?}");
        }
    }
}
