//! What stands in a database, as texts.

use rusqlite::Connection;
use rusqlite::types::Value;

/// The rows of a query; a NULL is an empty text.
pub(crate) fn texts(connection: &Connection, query: &str) -> Vec<Vec<String>> {
    let mut statement = connection.prepare(query).unwrap();
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let cells = (0..columns).map(|column| {
            Ok(match row.get(column)? {
                Value::Null => String::new(),
                Value::Integer(number) => number.to_string(),
                Value::Text(text) => text,
                Value::Real(_) | Value::Blob(_) => panic!("no column has this type"),
            })
        });
        cells.collect()
    });
    rows.unwrap().map(Result::unwrap).collect()
}

/// The one number that a query gives.
pub(crate) fn number(connection: &Connection, query: &str) -> i64 {
    connection.query_row(query, [], |row| row.get(0)).unwrap()
}

/// Every table of a database with its rows, each ordered by its primary key.
pub(crate) fn dump(connection: &Connection) -> Vec<(String, Vec<Vec<String>>)> {
    let tables = texts(
        connection,
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    );
    let tables = tables.into_iter().map(|table| {
        let table = table.concat();
        let key = texts(
            connection,
            &format!("SELECT name FROM pragma_table_info('{table}') WHERE pk != 0 ORDER BY pk"),
        )
        .concat()
        .join(", ");
        let rows = texts(connection, &format!("SELECT * FROM {table} ORDER BY {key}"));
        (table, rows)
    });
    tables.collect()
}
