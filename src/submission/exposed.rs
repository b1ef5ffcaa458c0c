use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::event::NULL_IS_SAID;

/// A value, or `null` where nobody outside can know it. The key is always there:
/// leaving it out would be a third answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Exposed<T>(pub Option<T>);

impl<T> Exposed<T> {
    /// The value, where it is exposed.
    pub const fn as_ref(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

impl<T> From<Option<T>> for Exposed<T> {
    fn from(value: Option<T>) -> Self {
        Self(value)
    }
}

impl<T: JsonSchema> JsonSchema for Exposed<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Exposed{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        // The form itself and no reference to it: `null` is one more type of it.
        let mut schema = T::json_schema(generator);
        schema.insert(NULL_IS_SAID.to_owned(), true.into());
        schema
    }
}

/// A text of one or more characters that are seen, for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(pub String);

impl Text {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// The longest text, in characters.
const TEXT_MAX: u32 = 4000;

impl JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "maxLength": TEXT_MAX,
            "pattern": r"^[\s\S]*[^ \t\r\n][\s\S]*$",
        })
    }
}
