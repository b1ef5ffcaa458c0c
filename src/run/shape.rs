use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::run::file::{RunFileError, toml_fault, wrong};

/// Fields of a run file that are lists. A type that is derived would take a list
/// for any table, its fields in their order: nobody means that. A test holds them
/// against the schema.
pub const RUN_FILE_LISTS: [&str; 11] = [
    "anchor",
    "args",
    "chess960",
    "engine",
    "model",
    "pass_env",
    "prefixes",
    "primary_endpoints",
    "program",
    "random",
    "scripted",
];

/// Members of requests, which are whatever a provider reads.
const FOREIGN: &str = "parameters";

/// Reads a run file as it is written.
///
/// # Errors
///
/// When it is no TOML, is of another form, or has a list in the place of a table.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, RunFileError> {
    let file = toml::from_str(text).map_err(|error| toml_fault(&error))?;
    let table: Table = toml::from_str(text).map_err(|error| toml_fault(&error))?;
    refuse_lists(&table)?;
    Ok(file)
}

fn refuse_lists(table: &Table) -> Result<(), RunFileError> {
    for (name, value) in table.iter().filter(|(name, _)| *name != FOREIGN) {
        match value {
            Value::Table(table) => refuse_lists(table)?,
            Value::Array(items) if RUN_FILE_LISTS.contains(&name.as_str()) => {
                for item in items {
                    match item {
                        Value::Table(table) => refuse_lists(table)?,
                        Value::Array(_) => {
                            let expected = format!("no list within the list `{name}`");
                            return Err(wrong(expected, "one"));
                        }
                        _ => {}
                    }
                }
            }
            Value::Array(_) => {
                return Err(wrong(format!("a table in `{name}`"), "a list"));
            }
            _ => {}
        }
    }
    Ok(())
}
