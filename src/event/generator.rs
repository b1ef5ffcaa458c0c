//! What makes a table, by name: events and specifications name it alike.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::event::{Name, NamedValue};

/// A generator, an integer version that is raised when its output changes, and
/// its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneratorRef {
    /// What it is to make.
    pub arguments: Vec<NamedValue>,
    /// Its name.
    pub name: Name,
    /// Its version.
    pub version: Count,
}

impl GeneratorRef {
    /// The value of an argument.
    pub fn argument(&self, name: &str) -> Option<&str> {
        let found = self.arguments.iter().find(|argument| argument.name == name);
        found.map(|argument| argument.value.as_str())
    }
}
