//! How the types of this room go through text: one spelling each, the same in
//! Display, `FromStr`, serde and JSON Schema.

use std::fmt;

use crate::chess::quote::Quoted;

/// The text is none of the words of a closed set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseWordError {
    /// The words that are known, in their order.
    pub expected: &'static [&'static str],
    /// The text that was none of them.
    pub found: String,
}

impl fmt::Display for ParseWordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.expected.len().saturating_sub(1);
        f.write_str("expected ")?;
        for (index, word) in self.expected.iter().enumerate() {
            let comma = match index {
                0 => "",
                _ if index == last => " or ",
                _ => ", ",
            };
            write!(f, "{comma}`{word}`")?;
        }
        write!(f, ", found {}", Quoted(&self.found))
    }
}

impl std::error::Error for ParseWordError {}

/// Serializes a type as its Display text and reads it back through `FromStr`.
macro_rules! serde_as_text {
    ($name:ident, $expecting:literal) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        $crate::canonical::read_as_text!($name, $expecting);
    };
}

/// An enum whose values are the words of a closed set.
macro_rules! words {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident {
            $($(#[doc = $what:literal])+ $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[doc = $what])+ $variant,)+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            const WORDS: &'static [&'static str] = &[$($word,)+];

            /// The word for it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::chess::ParseWordError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::chess::ParseWordError {
                        expected: Self::WORDS,
                        found: text.to_owned(),
                    }),
                }
            }
        }

        $crate::chess::text::serde_as_text!($name, "one word of a closed set");

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "enum": Self::WORDS,
                    "description": concat!($($doc),+).trim(),
                })
            }
        }
    };
}

pub(in crate::chess) use {serde_as_text, words};

#[cfg(test)]
mod tests {
    use crate::chess::{Color, GameResult, Termination};

    #[test]
    fn every_word_reads_back_as_its_value() {
        for termination in Termination::ALL {
            assert_eq!(termination.as_str().parse(), Ok(*termination));
            let json = serde_json::to_string(termination).unwrap();
            assert_eq!(json, format!("\"{termination}\""));
            assert_eq!(
                serde_json::from_str::<Termination>(&json).unwrap(),
                *termination
            );
        }
    }

    #[test]
    fn an_unknown_word_is_refused_with_the_known_ones_and_the_escaped_text() {
        let error = "1-0\u{1b}[2K".parse::<GameResult>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected `1-0`, `0-1` or `1/2-1/2`, found `1-0\\u{1b}[2K`"
        );
        let error = serde_json::from_str::<Color>("\"White\"").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("expected `white` or `black`, found `White`")
        );
    }

    #[test]
    fn schema_lists_exactly_the_words() {
        let schema = schemars::schema_for!(Color);
        assert_eq!(
            schema.get("enum"),
            Some(&serde_json::json!(["white", "black"]))
        );
    }
}
