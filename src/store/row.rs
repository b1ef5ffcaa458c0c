use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Statement, params_from_iter};

use crate::board::Table;
use crate::chess::UciMove;

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

/// A cell of a printed board, by its column. An empty one is a figure that there
/// is not.
pub(crate) fn figure(table: &Table, cells: &[String], wanted: &str) -> Value {
    let column = table.columns().iter().position(|name| *name == wanted);
    let cell = column.and_then(|column| cells.get(column));
    known_text(cell.filter(|cell| !cell.is_empty()))
}

/// What is said, in its one spelling.
pub(crate) fn text(value: impl Display) -> Value {
    Value::Text(value.to_string())
}

/// Moves, one blank apart.
pub(crate) fn in_words(line: &[UciMove]) -> String {
    let words: Vec<_> = line.iter().map(UciMove::as_str).collect();
    words.join(" ")
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

/// How rows get into a table that grows with the moves: nothing is copied on the
/// way, and columns whose value is unknown are left out.
pub(crate) struct Insert<'a> {
    connection: &'a Connection,
    table: &'static str,
    /// The statement for each number of columns and set of known ones.
    statements: BTreeMap<u64, Statement<'a>>,
}

/// A column and its value, NULL where it is unknown.
pub(crate) type Known<'a> = (&'static str, ToSqlOutput<'a>);

const fn is_known(value: &ToSqlOutput<'_>) -> bool {
    !matches!(value, ToSqlOutput::Borrowed(ValueRef::Null))
}

impl<'a> Insert<'a> {
    pub(crate) const fn new(connection: &'a Connection, table: &'static str) -> Self {
        Self {
            connection,
            table,
            statements: BTreeMap::new(),
        }
    }

    /// Adds a row, given in parts. Rows with as many columns have the same ones;
    /// there are at most 58.
    pub(crate) fn row(&mut self, parts: &[&[Known<'_>]]) -> Result<(), rusqlite::Error> {
        let columns = || parts.iter().copied().flatten();
        let known = || columns().filter(|(_, value)| is_known(value));
        let count = columns().fold(0_u64, |count, _| count + 1);
        let bits = columns().fold(0, |bits, (_, value)| bits << 1 | u64::from(is_known(value)));
        let statement = match self.statements.entry(bits << 6 | count) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let table = self.table;
                let names: Vec<_> = known().map(|(name, _)| *name).collect();
                let places = vec!["?"; names.len()].join(", ");
                let names = names.join(", ");
                let insert = format!("INSERT INTO {table} ({names}) VALUES ({places})");
                entry.insert(self.connection.prepare(&insert)?)
            }
        };
        for ((_, value), place) in known().zip(1..) {
            statement.raw_bind_parameter(place, value)?;
        }
        statement.raw_execute().map(drop)
    }
}

/// A text of the row, where it is known.
pub(crate) fn borrowed<'a>(text: impl Into<Option<&'a str>>) -> ToSqlOutput<'a> {
    let text = text.into().map(str::as_bytes);
    ToSqlOutput::Borrowed(text.map_or(ValueRef::Null, ValueRef::Text))
}

/// A number of the row, where it is known. Those of the evidence are below 2^53.
pub(crate) fn number(count: Option<impl TryInto<i64>>) -> ToSqlOutput<'static> {
    let number = count.map(|count| count.try_into().unwrap_or(i64::MAX));
    ToSqlOutput::Borrowed(number.map_or(ValueRef::Null, ValueRef::Integer))
}
