//! What a line must be: golden lines of every kind, kept for ever; faults with
//! the words for them; the schemas; laws over generated events; and what Node
//! makes of them.

mod golden;
mod invalid;
mod laws;
mod node;
mod schemas;
mod silence;
mod strategy;
mod violations;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// One golden line.
pub(crate) struct Golden {
    /// The kind and version, as the file is named.
    pub(crate) name: String,
    /// Which line of the file, from 1.
    pub(crate) number: usize,
    pub(crate) line: String,
}

impl Golden {
    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.line).unwrap()
    }
}

/// Returns every golden line, in the order of their files' names.
pub(crate) fn goldens() -> Vec<Golden> {
    let mut goldens = Vec::new();
    for file in files("tests/events/valid", "jsonl") {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.ends_with('\n'), "{name} has no final newline");
        for (index, line) in text.lines().enumerate() {
            goldens.push(Golden {
                name: name.clone(),
                number: index + 1,
                line: line.to_owned(),
            });
        }
    }
    goldens
}

/// Returns the document again and again, each time with one part replaced by
/// one of what `change` makes of it.
pub(crate) fn with_one_change(value: &Value, change: &dyn Fn(&Value) -> Vec<Value>) -> Vec<Value> {
    let mut changed = change(value);
    let mut put = |place: &dyn Fn(&mut Value) -> &mut Value, part: &Value| {
        for part in with_one_change(part, change) {
            let mut whole = value.clone();
            *place(&mut whole) = part;
            changed.push(whole);
        }
    };
    match value {
        Value::Object(object) => {
            for (key, member) in object {
                put(&|whole| &mut whole[key], member);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                put(&|whole| &mut whole[index], item);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    changed
}

/// Returns the files of a folder of this repository, sorted.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(at_home(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

pub(crate) fn at_home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Whether golden files are to be written instead of compared.
#[expect(
    clippy::disallowed_methods,
    reason = "a person asks the tests for new golden files"
)]
fn is_blessing() -> bool {
    std::env::var_os("SCORESHEET_BLESS").is_some_and(|value| value == "1")
}

/// Compares a golden file with what it should be, or writes it.
pub(crate) fn compare(path: &str, text: &str) {
    let file = at_home(path);
    if is_blessing() {
        fs::write(file, text).unwrap();
        return;
    }
    let committed = fs::read_to_string(file).unwrap_or_default();
    let differing = committed
        .lines()
        .zip(text.lines())
        .position(|(committed, now)| committed != now)
        .unwrap_or(committed.lines().count().min(text.lines().count()));
    assert!(
        committed == text,
        "{path} differs from line {} on:\n- {}\n+ {}\nrun again with SCORESHEET_BLESS=1 if the change is meant",
        differing + 1,
        committed.lines().nth(differing).unwrap_or("(the end)"),
        text.lines().nth(differing).unwrap_or("(the end)"),
    );
}
