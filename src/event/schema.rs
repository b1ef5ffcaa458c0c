use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::canonical::Time;
use crate::event::kinds::body_schema;
use crate::event::{By, Kind};

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
    let mut what = body_schema(&mut generator, kind)?;
    let mut line = json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind.to_string(),
        "description": what.remove("description")?,
        "type": "object",
        "properties": {
            "at": described::<Time>(&mut generator, "What a clock said, in UTC. Data: it orders nothing."),
            "by": described::<By>(&mut generator, "The program or person that wrote the event, such as `runner/kiel-2`."),
            "kind": { "const": kind.name, "description": "What sort of fact it is, and so the form of `what`." },
            "v": { "const": kind.v, "description": "The version of the kind's meaning." },
            "what": what,
        },
        "required": ["at", "by", "kind", "v", "what"],
        "additionalProperties": false,
        "$defs": generator.take_definitions(false),
    });
    RecursiveTransform(in_plain_words).transform(&mut line);
    Some(line.to_value())
}

/// Returns the schema as a file for people: keywords in reading order, two
/// spaces of indent, a newline at the end.
pub fn schema_file(kind: Kind) -> Option<String> {
    let mut file = String::new();
    print(&schema(kind)?, 0, Of::Schema, &mut file);
    file.push('\n');
    Some(file)
}

/// Returns the schema of a document that is no event, as a file for people.
pub fn document_schema_file<T: JsonSchema>(title: &str) -> String {
    let generator = SchemaSettings::draft2020_12().into_generator();
    document_file::<T>(generator, title, None)
}

fn document_file<T: JsonSchema>(
    generator: SchemaGenerator,
    title: &str,
    id: Option<&str>,
) -> String {
    let mut document = generator.into_root_schema_for::<T>();
    document.insert("title".to_owned(), title.into());
    if let Some(id) = id {
        document.insert("$id".to_owned(), id.into());
    }
    RecursiveTransform(in_plain_words).transform(&mut document);
    let mut file = String::new();
    print(&document.to_value(), 0, Of::Schema, &mut file);
    file.push('\n');
    file
}

/// The same, with an identifier of its own that says the version of the form.
pub fn identified_schema_file<T: JsonSchema>(title: &str, id: &str) -> String {
    let generator = SchemaSettings::draft2020_12().into_generator();
    document_file::<T>(generator, title, Some(id))
}

/// What marks a schema whose value may be `null`, which then says something: it is
/// turned into one more type.
pub(crate) const NULL_IS_SAID: &str = "x-null-is-said";

/// Where a digest names a public blob of the ledger: only a schema tells it
/// from other digests.
pub(crate) struct Blob;

impl JsonSchema for Blob {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Blob".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "A public blob of the ledger, by its SHA-256 digest."
        })
    }
}

/// A definition with what it is for in this place.
fn described<T: JsonSchema>(generator: &mut SchemaGenerator, description: &str) -> Schema {
    let mut schema = generator.subschema_for::<T>();
    schema.insert("description".to_owned(), description.into());
    schema
}

/// Takes out of a schema what comes from Rust and means nothing to its reader.
fn in_plain_words(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    absent_not_null(object);
    bounds_not_formats(object);
    one_type_of_words(object);
    null_that_is_said(object);
    if let Some(Value::String(description)) = object.get_mut("description") {
        *description = paragraphs(description);
    }
}

/// An optional field is absent or has a value; it is never `null`.
fn absent_not_null(object: &mut Map<String, Value>) {
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

/// `uint32` is no format of JSON Schema; its bounds are keywords. Wider ones have
/// no upper bound that every reader of JSON holds.
fn bounds_not_formats(object: &mut Map<String, Value>) {
    if object
        .get("format")
        .is_some_and(|format| format == "uint32")
    {
        object.remove("format");
        object.entry("maximum").or_insert(u32::MAX.into());
    }
    let format = object.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| format.starts_with("uint")) {
        object.remove("format");
    }
}

/// The words of a closed set share one type.
fn one_type_of_words(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get_mut("oneOf") else {
        return;
    };
    let mut are_words = true;
    for branch in branches {
        are_words &= branch.get("const").is_some_and(Value::is_string);
        if let (true, Some(branch)) = (are_words, branch.as_object_mut()) {
            branch.remove("type");
        }
    }
    if are_words {
        object.insert("type".to_owned(), "string".into());
    }
}

/// Where `null` says that a value is not exposed, it is a type beside the other.
fn null_that_is_said(object: &mut Map<String, Value>) {
    if object.remove(NULL_IS_SAID).is_none() {
        return;
    }
    if let Some(name) = object.get("type").and_then(Value::as_str) {
        let types = json!([name, "null"]);
        object.insert("type".to_owned(), types);
    }
    if let Some(Value::Array(words)) = object.get_mut("oneOf") {
        words.push(json!({ "const": null, "description": "It is not exposed." }));
    }
}

/// Joins the lines of each paragraph, and begins without the kind's own name.
fn paragraphs(description: &str) -> String {
    let text = match description
        .strip_prefix('`')
        .and_then(|rest| rest.split_once("`: "))
    {
        Some((_, text)) => text,
        None => description,
    };
    let joined: Vec<_> = text
        .split("\n\n")
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let joined = joined.join("\n\n");
    match joined.chars().next() {
        Some(first) => first.to_uppercase().chain(joined.chars().skip(1)).collect(),
        None => joined,
    }
}

/// What the keys of an object are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Schema,
    Names,
    Data,
}

/// The keywords in the order in which a person asks.
const KEYWORDS: &[&str] = &[
    "$schema",
    "$id",
    "title",
    "$ref",
    "type",
    "const",
    "description",
    "enum",
    "default",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "items",
    "properties",
    "required",
    "dependentRequired",
    "minProperties",
    "maxProperties",
    "additionalProperties",
    "oneOf",
    "if",
    "then",
    "else",
    "$defs",
];

/// A list of words stands on one line up to this length.
const WIDTH: usize = 80;

fn print(value: &Value, indent: usize, of: Of, out: &mut String) {
    let inner = indent + 2;
    match value {
        Value::Object(object) if !object.is_empty() => {
            let mut members: Vec<_> = object.iter().collect();
            if of == Of::Schema {
                members.sort_by_key(|(key, _)| KEYWORDS.iter().position(|word| word == key));
            }
            out.push('{');
            for (index, (key, member)) in members.into_iter().enumerate() {
                new_line(index, inner, out);
                out.push_str(&json!(key).to_string());
                out.push_str(": ");
                let of_member = match (of, key.as_str()) {
                    (Of::Schema, "properties" | "$defs") => Of::Names,
                    (Of::Schema, "dependentRequired" | "const" | "default") | (Of::Data, _) => {
                        Of::Data
                    }
                    (Of::Schema | Of::Names, _) => Of::Schema,
                };
                print(member, inner, of_member, out);
            }
            new_line(0, indent, out);
            out.push('}');
        }
        Value::Array(items)
            if WIDTH < value.to_string().len() || items.iter().any(Value::is_object) =>
        {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                new_line(index, inner, out);
                print(item, inner, of, out);
            }
            new_line(0, indent, out);
            out.push(']');
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(Value::to_string).collect();
            out.push('[');
            out.push_str(&items.join(", "));
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// Begins the line of a member or item; all but the first follow a comma.
fn new_line(index: usize, indent: usize, out: &mut String) {
    out.push_str(if index == 0 { "\n" } else { ",\n" });
    out.extend(std::iter::repeat_n(' ', indent));
}
