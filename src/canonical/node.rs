use crate::canonical::parser::{Forgiven, Limits, Parser};
use crate::canonical::{Fault, bytes};

/// A JSON value of the strict subset that remembers where its parts stand.
///
/// Reading one forgives spellings (and keeps the first to report) but nothing
/// that would make two readers disagree.
pub(in crate::canonical) struct Node {
    /// Where it begins, in bytes from 0.
    pub(in crate::canonical) start: usize,
    /// Where the next thing begins.
    pub(in crate::canonical) end: usize,
    pub(in crate::canonical) shape: Shape,
}

pub(in crate::canonical) enum Shape {
    /// Forgiven only in the place of an optional value.
    Null,
    Bool(bool),
    Integer(i64),
    Text(String),
    List(Vec<Node>),
    /// In the order of the keys, whatever order they stand in.
    Object(Vec<Member>),
}

pub(in crate::canonical) struct Member {
    /// Where the key begins.
    pub(in crate::canonical) start: usize,
    /// Where its closing quote ends.
    pub(in crate::canonical) key_end: usize,
    pub(in crate::canonical) key: String,
    pub(in crate::canonical) value: Node,
}

/// One way in which right content is spelled wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::canonical) enum Misspelling {
    Space,
    Order,
    Null,
    Escape,
}

impl Misspelling {
    pub(in crate::canonical) const fn expected(self) -> &'static str {
        match self {
            Self::Space => "no white space between values",
            Self::Order => "the keys of an object in sorted order",
            Self::Null => "no key for an absent value",
            Self::Escape => "each character in its shortest form",
        }
    }

    pub(in crate::canonical) const fn found(self) -> &'static str {
        match self {
            Self::Space => "white space",
            Self::Order => "a key that sorts elsewhere",
            Self::Null => "a key with `null`",
            Self::Escape => "a longer escape",
        }
    }
}

impl Node {
    /// Returns the value of a text, and its first misspelling.
    ///
    /// # Errors
    ///
    /// When the text is not one JSON value of the strict subset.
    pub(in crate::canonical) fn parse(text: &str) -> Result<(Self, Option<Misspelling>), Fault> {
        let mut parser = Parser::of(text, Limits::OF_LINES);
        let node = parser.whole()?;
        Ok((node, parser.misspelling()))
    }

    /// Returns the value of a text and, in the order of the text, each place where two
    /// readers would disagree.
    ///
    /// # Errors
    ///
    /// When the text is no JSON, or beyond the limits.
    pub(in crate::canonical) fn parse_forgiving(
        text: &str,
        limits: Limits,
    ) -> Result<(Self, Forgiven), Fault> {
        let mut parser = Parser::of(text, limits);
        let node = parser.whole()?;
        Ok((node, parser.into_forgiven()))
    }

    /// What sort of value it is, without the value.
    pub(in crate::canonical) fn class(&self) -> String {
        match &self.shape {
            Shape::Null => "null".to_owned(),
            Shape::Bool(_) => "a boolean".to_owned(),
            Shape::Integer(number) if *number < 0 => "a negative integer".to_owned(),
            Shape::Integer(_) => "an integer".to_owned(),
            Shape::Text(text) => format!("a string of {}", bytes(text)),
            Shape::List(nodes) => format!("a list of {}", nodes.len()),
            Shape::Object(_) => "an object".to_owned(),
        }
    }
}
