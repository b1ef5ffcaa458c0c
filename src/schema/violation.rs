use std::collections::BTreeSet;
use std::fmt;

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use crate::canonical::{bytes, key_shown, nearest, one_of};
use crate::finding::{Code, Finding, Place};

/// One place in which a document departs from its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The part of the document, as a JSON Pointer (RFC 6901). Its segments
    /// are keys of the document: show it through Display.
    pub pointer: String,
    /// The key of that part that has no business there. Never show it as it is.
    pub unexpected_key: Option<String>,
    /// What should have stood there.
    pub expected: String,
    /// What sort of value stands there; never the value.
    pub found_class: String,
    /// The keyword that asks for it, as a JSON Pointer into the schema.
    pub schema_place: String,
}

impl Violation {
    /// Returns the violations that one error of the library is, up to so many, and how
    /// many more there are: one for each key that has no business in an object, one
    /// otherwise.
    pub(in crate::schema) fn all_of(
        error: &ValidationError<'_>,
        schema: &Value,
        most: usize,
    ) -> (Vec<Self>, usize) {
        let count = match error.kind() {
            Kind::AdditionalProperties { unexpected } => unexpected.len(),
            _ => 1,
        };
        let schema_place = error.schema_path().as_str();
        // The object that the keyword stands in.
        let holder = schema_place
            .rsplit_once('/')
            .and_then(|(holder, _)| schema.pointer(holder))
            .unwrap_or(schema);
        let expected = expectation(error.kind(), holder);
        let near = |text: &str, words: &[&str]| {
            nearest(text, words).map_or(String::new(), |word| format!(", near `{word}`"))
        };
        let violation = |unexpected_key: Option<&String>, found_class: String| Self {
            pointer: error.instance_path().as_str().to_owned(),
            unexpected_key: unexpected_key.cloned(),
            expected: expected.clone(),
            found_class,
            schema_place: schema_place.to_owned(),
        };
        let found: Vec<_> = match error.kind() {
            Kind::AdditionalProperties { unexpected } => {
                let known = keys(holder);
                let shown = unexpected.iter().take(most);
                let found = |key: &String| format!("{}{}", key_shown(key), near(key, &known));
                shown.map(|key| violation(Some(key), found(key))).collect()
            }
            _ if most == 0 => Vec::new(),
            Kind::Required { .. } => vec![violation(None, "an object without it".to_owned())],
            Kind::OneOfMultipleValid { .. } => {
                vec![violation(None, "more than one of them".to_owned())]
            }
            _ => {
                let text = error.instance().as_str().unwrap_or_default();
                let near = near(text, &words(holder));
                vec![violation(
                    None,
                    format!("{}{near}", class(error.instance())),
                )]
            }
        };
        let more = count - found.len();
        (found, more)
    }

    /// The word of the schema that was most likely meant, where there is one.
    pub fn near(&self) -> Option<&str> {
        let (_, near) = self.found_class.rsplit_once(", near `")?;
        near.strip_suffix('`')
    }

    /// The key that the part lacks, where it lacks one.
    pub fn missing_key(&self) -> Option<&str> {
        let key = self.expected.strip_prefix("the key `")?.strip_suffix('`')?;
        (self.keyword() == "required").then_some(key)
    }

    fn keyword(&self) -> &str {
        self.schema_place.rsplit('/').next().unwrap_or_default()
    }

    /// The pointer, without keys that do not look like the name of a field.
    fn place(&self) -> String {
        pointer_shown(&self.pointer)
    }
}

/// Returns a JSON Pointer as a message may show it: without keys that do not look like
/// the name of a field, and not longer than people read.
pub fn pointer_shown(pointer: &str) -> String {
    const LONGEST: usize = 400;
    let segment = |segment: &str| {
        if segment.parse::<u32>().is_ok() || key_shown(segment).ends_with('`') {
            format!("/{segment}")
        } else {
            format!("/({})", key_shown(segment))
        }
    };
    let shown: String = pointer.split('/').skip(1).map(segment).collect();
    match shown.len() {
        0 => "the document".to_owned(),
        length if LONGEST < length => {
            let mut begin = shown;
            begin.truncate(LONGEST);
            begin.push('…');
            begin
        }
        _ => shown,
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, found) = (self.place(), &self.found_class);
        write!(f, "{place}: expected {}, found {found}", self.expected)
    }
}

/// The violations of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    /// The first ones, in the order of the document.
    pub shown: Vec<Violation>,
    /// How many there are.
    pub count: usize,
    /// The name of the schema.
    pub schema: String,
}

/// How many violations of one document are shown.
const SHOWN_MAX: usize = 50;

impl Violations {
    /// `hidden` counts those that were not even kept.
    pub(in crate::schema) fn new(schema: &str, mut all: Vec<Violation>, hidden: usize) -> Self {
        // Keys stand sorted in a document, the items of a list by number.
        all.sort_by_cached_key(|violation| -> Vec<(u32, String)> {
            let segments = violation.pointer.split('/');
            segments
                .map(|segment| (segment.parse().unwrap_or_default(), segment.to_owned()))
                .collect()
        });
        // One for each cause: nothing more of a value of the wrong type, and
        // no keyword a second time.
        let wrong_types: BTreeSet<_> = all
            .iter()
            .filter(|violation| violation.keyword() == "type")
            .map(|violation| violation.pointer.clone())
            .collect();
        all.retain(|violation| {
            violation.keyword() == "type" || !wrong_types.contains(&violation.pointer)
        });
        all.dedup_by(|a, b| {
            let names_a_key = matches!(a.keyword(), "required" | "additionalProperties");
            a.pointer == b.pointer && a.keyword() == b.keyword() && !names_a_key
        });
        let count = all.len() + hidden;
        all.truncate(SHOWN_MAX);
        Self {
            shown: all,
            count,
            schema: schema.to_owned(),
        }
    }

    /// Whether the document fits its schema.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns them as findings in a file; one more counts those not shown.
    pub fn findings(&self, place: &Place) -> Vec<Finding> {
        let shown = self.shown.iter();
        let shown = shown.map(|violation| self.finding(violation, place.clone()));
        shown.chain(self.hidden(place)).collect()
    }

    /// Returns one of them as a finding at a place.
    pub fn finding(&self, violation: &Violation, place: Place) -> Finding {
        let expected = format!("{}: {}", violation.place(), violation.expected);
        let found = violation.found_class.clone();
        let remedy = format!("see {} at {}", self.file(), violation.schema_place);
        Finding::new(Code::SchemaViolation, place, expected, found).with_remedy(remedy)
    }

    /// Returns a finding that counts those not shown, where there are any.
    pub fn hidden(&self, place: &Place) -> Option<Finding> {
        let hidden = self.count - self.shown.len();
        let expected = format!("a document that fits {}", self.file());
        let found = format!("{hidden} more violations");
        (0 < hidden).then(|| Finding::new(Code::SchemaViolation, place.clone(), expected, found))
    }

    fn file(&self) -> String {
        format!("schemas/{}.json", self.schema)
    }
}

/// What a keyword asks for, in words. `holder` is what it stands in.
fn expectation(kind: &Kind, holder: &Value) -> String {
    match kind {
        Kind::Type {
            kind: TypeKind::Single(only),
        } => type_in_words(only.as_str()),
        Kind::Type {
            kind: TypeKind::Multiple(several),
        } => {
            let words: Vec<_> = several
                .iter()
                .map(|one| type_in_words(one.as_str()))
                .collect();
            words.join(" or ")
        }
        Kind::AdditionalProperties { .. } => "no key beside those of the schema".to_owned(),
        Kind::Required { property } => format!("the key `{}`", property.as_str().unwrap_or("?")),
        Kind::Constant { expected_value } => match expected_value.as_str() {
            Some(word) => format!("`{word}`"),
            None => expected_value.to_string(),
        },
        Kind::Pattern { pattern } => match holder.get("description").and_then(Value::as_str) {
            Some(description) => format!("a string of this form: {}", first_line(description)),
            None => format!("a string that matches {pattern}"),
        },
        Kind::Minimum { limit } => format!("at least {limit}"),
        Kind::Maximum { limit } => format!("at most {limit}"),
        Kind::MinLength { limit } => format!("at least {limit} characters"),
        Kind::MaxLength { limit } => format!("at most {limit} characters"),
        Kind::MinItems { limit } => format!("at least {limit} in the list"),
        Kind::MaxItems { limit } => format!("at most {limit} in the list"),
        Kind::MinProperties { limit } => format!("at least {limit} of its keys"),
        Kind::MaxProperties { limit } => format!("at most {limit} of its keys"),
        Kind::UniqueItems => "a list in which all differ".to_owned(),
        Kind::FalseSchema => "no such key here".to_owned(),
        Kind::Enum { .. } | Kind::OneOfNotValid { .. } | Kind::OneOfMultipleValid { .. } => {
            match (words(holder), alternatives(holder, "/required/0")) {
                (words, _) if !words.is_empty() => one_of(&words),
                (_, keys) => format!("exactly one of the keys {}", one_of(&keys)),
            }
        }
        Kind::AnyOf { .. } => "one of the forms that the schema lists".to_owned(),
        other => format!("what the keyword `{}` asks for", other.keyword()),
    }
}

fn type_in_words(name: &str) -> String {
    match name {
        "array" => "a list".to_owned(),
        "null" => "null".to_owned(),
        "integer" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// The first paragraph of a description, as part of a sentence.
fn first_line(description: &str) -> &str {
    let line = description.lines().next().unwrap_or_default();
    line.trim_end_matches('.')
}

/// The words of a closed set.
fn words(holder: &Value) -> Vec<&str> {
    let listed = holder.get("enum").and_then(Value::as_array);
    let listed = listed.into_iter().flatten().filter_map(Value::as_str);
    listed.chain(alternatives(holder, "/const")).collect()
}

/// One word of each alternative of a `oneOf`.
fn alternatives<'a>(holder: &'a Value, pointer: &str) -> Vec<&'a str> {
    let branches = holder.get("oneOf").and_then(Value::as_array);
    let branches = branches.into_iter().flatten();
    branches
        .filter_map(|branch| branch.pointer(pointer)?.as_str())
        .collect()
}

/// The keys that an object may have.
fn keys(holder: &Value) -> Vec<&str> {
    let properties = holder.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    properties.map(|(key, _)| key.as_str()).collect()
}

/// What sort of value it is.
fn class(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Number(number) if number.is_f64() => "a number with a fraction".to_owned(),
        Value::Number(number) if number.is_u64() => "an integer".to_owned(),
        Value::Number(_) => "a negative integer".to_owned(),
        Value::String(text) => format!("a string of {}", bytes(text)),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
