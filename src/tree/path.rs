use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The longest path, in bytes; what Linux takes.
const PATH_BYTES_MAX: usize = 4096;
/// The longest component, in bytes; what every common file system takes.
const COMPONENT_BYTES_MAX: usize = 255;

/// A path below a root, of plain names that mean the same on every system.
///
/// Components are ASCII letters, digits, `.`, `_` and `-`, with `/` between
/// them. So there are no two spellings of one file: no `..`, no case of
/// Unicode normalization, nothing that a terminal would obey.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativePath(String);

impl RelativePath {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The components, outermost first.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// Returns the path of that name in the folder at this path.
    pub fn join(&self, name: &str) -> Result<Self, ParsePathError> {
        format!("{self}/{name}").parse()
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl AsRef<str> for RelativePath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// What makes a text no [`RelativePath`]. The text is evidence: it is shown
/// with everything but plain ASCII escaped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePathError {
    /// There is no name at all.
    #[error("the path is empty")]
    Empty,
    /// The path begins with `/`.
    #[error("the path begins with `/`")]
    Absolute,
    /// The path is longer than any system call takes.
    #[error("the path has {0} bytes, more than {PATH_BYTES_MAX}")]
    Long(usize),
    /// Two slashes meet, or the path ends in one.
    #[error("a component of the path is empty")]
    EmptyComponent,
    /// A component is `.` or `..`.
    #[error("the component `{0}` is no name")]
    DotComponent(String),
    /// A component is longer than file systems take.
    #[error("a component has {0} bytes, more than {COMPONENT_BYTES_MAX}")]
    LongComponent(usize),
    /// A component holds a character outside the grammar.
    #[error("the component `{}` contains `{}`", .component.escape_default(), .character.escape_default())]
    Character {
        /// The component.
        component: String,
        /// Its first character that is not allowed.
        character: char,
    },
    /// A component would be taken for an option by other programs.
    #[error("the component `{0}` begins with `-`")]
    LeadingDash(String),
    /// A component loses its end on Windows.
    #[error("the component `{0}` ends in `.`")]
    TrailingDot(String),
    /// A component names a device on Windows, whatever its extension.
    #[error("the component `{0}` is a device on Windows")]
    Device(String),
}

impl FromStr for RelativePath {
    type Err = ParsePathError;

    fn from_str(text: &str) -> Result<Self, ParsePathError> {
        if text.is_empty() {
            return Err(ParsePathError::Empty);
        }
        if text.starts_with('/') {
            return Err(ParsePathError::Absolute);
        }
        if PATH_BYTES_MAX < text.len() {
            return Err(ParsePathError::Long(text.len()));
        }
        text.split('/').try_for_each(check_component)?;
        Ok(Self(text.to_owned()))
    }
}

fn check_component(component: &str) -> Result<(), ParsePathError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let owned = || component.to_owned();
    if component.is_empty() {
        Err(ParsePathError::EmptyComponent)
    } else if component == "." || component == ".." {
        Err(ParsePathError::DotComponent(owned()))
    } else if COMPONENT_BYTES_MAX < component.len() {
        Err(ParsePathError::LongComponent(component.len()))
    } else if let Some(character) = component.chars().find(|c| !allowed(*c)) {
        Err(ParsePathError::Character {
            component: owned(),
            character,
        })
    } else if component.starts_with('-') {
        Err(ParsePathError::LeadingDash(owned()))
    } else if component.ends_with('.') {
        Err(ParsePathError::TrailingDot(owned()))
    } else if is_device(component) {
        Err(ParsePathError::Device(owned()))
    } else {
        Ok(())
    }
}

fn is_device(component: &str) -> bool {
    let stem = component.split('.').next().unwrap_or(component);
    let stem = stem.to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" => true,
        _ => {
            let digit = stem
                .strip_prefix("COM")
                .or_else(|| stem.strip_prefix("LPT"));
            matches!(digit.map(str::as_bytes), Some([b'0'..=b'9']))
        }
    }
}

impl Serialize for RelativePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RelativePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for RelativePath {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RelativePath".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        // Wider than the grammar where a regular expression would be unreadable:
        // `..`, trailing dots and device names are left to `parse`.
        schemars::json_schema!({
            "type": "string",
            "minLength": 1,
            "maxLength": PATH_BYTES_MAX,
            "pattern": "^[A-Za-z0-9._][A-Za-z0-9._-]*(/[A-Za-z0-9._][A-Za-z0-9._-]*)*$",
            "description": "A relative path of plain ASCII names."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> ParsePathError {
        text.parse::<RelativePath>().unwrap_err()
    }

    #[test]
    fn plain_names_are_paths_and_print_as_they_were_written() {
        let longest = "a".repeat(255);
        for text in [
            "a",
            "a/b",
            ".gitattributes",
            "x-1/..a/_b",
            "con_/com10",
            &longest,
        ] {
            let path: RelativePath = text.parse().unwrap();
            assert_eq!(path.to_string(), text);
        }
    }

    #[test]
    fn every_rule_of_the_grammar_has_its_own_error() {
        use ParsePathError as E;
        assert_eq!(fault(""), E::Empty);
        assert_eq!(fault("/etc/passwd"), E::Absolute);
        assert_eq!(fault(&"a/".repeat(2049)), E::Long(4098));
        for text in ["a//b", "a/"] {
            assert_eq!(fault(text), E::EmptyComponent);
        }
        for (text, dots) in [("../a", ".."), ("a/../b", ".."), ("./a", "."), ("a/.", ".")] {
            assert_eq!(fault(text), E::DotComponent(dots.to_owned()));
        }
        assert_eq!(fault(&"a".repeat(256)), E::LongComponent(256));
        assert_eq!(fault("a/-rf"), E::LeadingDash("-rf".to_owned()));
        assert_eq!(fault("a./b"), E::TrailingDot("a.".to_owned()));
        for text in ["nul", "Aux.txt", "a/COM1", "lpt9.tar.gz"] {
            assert!(matches!(fault(text), E::Device(_)), "{text}");
        }
        for text in [
            "a b",
            "a\\b",
            "a\nb",
            "\u{430}",
            "a\u{202e}b",
            "é",
            "a:b",
            "C:",
        ] {
            assert!(matches!(fault(text), E::Character { .. }), "{text:?}");
        }
    }

    #[test]
    fn an_error_shows_the_offending_text_escaped() {
        assert_eq!(
            fault("a/b\u{1b}[2K").to_string(),
            "the component `b\\u{1b}[2K` contains `\\u{1b}`"
        );
    }

    #[test]
    fn joining_checks_the_new_name() {
        let path: RelativePath = "a/b".parse().unwrap();
        assert_eq!(path.join("c").unwrap().as_str(), "a/b/c");
        assert!(path.join("..").is_err());
        assert!(path.join("/c").is_err());
    }
}
