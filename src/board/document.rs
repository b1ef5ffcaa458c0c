use serde_json::{Value, json};

use crate::board::Table;
use crate::projection::Source;

/// Returns a table as a JSON document that ends in a newline: what it is of, the
/// prefix that it follows from, and its rows. A cell without text is left out.
pub(crate) fn table_document(
    of: &str,
    about: &[(&str, &str)],
    table: &Table,
    source: &Source,
) -> Vec<u8> {
    let rows: Vec<_> = table.objects().into_iter().map(Value::Object).collect();
    let mut document = json!({
        "board": of,
        "origin": source.origin.as_str(),
        "root": source.root.to_string(),
        "rows": rows,
        "size": source.size,
        "v": 1,
    });
    for (name, value) in about {
        document[*name] = (*value).into();
    }
    // A document of texts and small integers is always JSON.
    format!("{document:#}\n").into_bytes()
}
