use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use serde_json::{Value, json};

use crate::event::Kind;
use crate::event::kinds::body_schema;

/// Returns the JSON Schema (draft 2020-12) of a line of this kind, or nothing
/// for a kind that does not exist.
///
/// It is derived from the Rust types, so that the two cannot drift. What a
/// schema cannot say (sorted keys, one spelling, references) the line's own
/// check says.
pub fn schema(kind: Kind) -> Option<Value> {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.meta_schema = None)
        .into_generator();
    let mut body = body_schema(&mut generator, kind.name)?;
    RecursiveTransform(absent_not_null).transform(&mut body);
    let mut body = body.to_value();
    let definitions = body.as_object_mut().and_then(|body| body.remove("$defs"));
    let description = body.get("description").cloned().unwrap_or_default();
    let mut line = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind.to_string(),
        "description": description,
        "type": "object",
        "additionalProperties": false,
        "required": ["at", "by", "kind", "v", "what"],
        "properties": {
            "at": {
                "type": "string",
                "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
                "description": "What a clock said, in UTC. Data: it orders nothing."
            },
            "by": {
                "type": "string",
                "pattern": "^[!-~]{1,100}$",
                "description": "The program or person that wrote the event."
            },
            "kind": { "const": kind.name },
            "v": { "const": kind.v },
            "what": body,
        },
    });
    if let (Some(definitions), Some(line)) = (definitions, line.as_object_mut()) {
        line.insert("$defs".to_owned(), definitions);
    }
    Some(line)
}

/// An optional field is absent or has a value; it is never `null`.
fn absent_not_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(branches)) = object.get_mut("anyOf") {
        branches.retain(|branch| *branch != json!({ "type": "null" }));
        if let [Value::Object(only)] = branches.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
    // Absence is the only default there is.
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
}
