use std::fmt::Display;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// A row: its columns by name, each with its value.
pub(crate) type Row = Vec<(&'static str, Value)>;

/// Adds a row to a table.
pub(crate) fn insert(
    connection: &Connection,
    table: &'static str,
    row: Row,
) -> Result<(), rusqlite::Error> {
    let (columns, values): (Vec<_>, Vec<_>) = row.into_iter().unzip();
    let places = vec!["?"; columns.len()].join(", ");
    let columns = columns.join(", ");
    connection
        .prepare_cached(&format!(
            "INSERT INTO {table} ({columns}) VALUES ({places})"
        ))?
        .execute(params_from_iter(values))
        .map(drop)
}

/// What is said, in its one spelling.
pub(crate) fn text(value: impl Display) -> Value {
    Value::Text(value.to_string())
}

/// What may be unknown, in its one spelling.
pub(crate) fn known_text(value: Option<impl Display>) -> Value {
    value.map_or(Value::Null, text)
}

/// A number. Those of the evidence are below 2^53.
pub(crate) fn integer(value: impl TryInto<i64>) -> Value {
    Value::Integer(value.try_into().unwrap_or(i64::MAX))
}

/// A number that may be unknown.
pub(crate) fn known_integer(value: Option<impl TryInto<i64>>) -> Value {
    value.map_or(Value::Null, integer)
}

/// A count of the evidence that may be unknown.
pub(crate) fn known_count(count: Option<impl Into<u64>>) -> Value {
    known_integer(count.map(Into::into))
}

/// A word that is only known by how it is written in an event.
pub(crate) fn word(value: &impl serde::Serialize) -> Value {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Value::Text(word),
        Ok(_) | Err(_) => Value::Null,
    }
}

/// The same, without a detour: for the tables with the most rows.
pub(crate) fn number(count: Option<impl Into<u64>>) -> Option<i64> {
    count.map(|count| i64::try_from(count.into()).unwrap_or(i64::MAX))
}

/// A position in the ledger.
pub(crate) fn position(index: u64) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}
