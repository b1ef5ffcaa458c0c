use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::canonical::Fault;
use crate::canonical::node::{Member, Node, Shape};
use crate::canonical::parser::{Forgiven, Limits};
use crate::canonical::reader::Reader;
use crate::canonical::refusal::Refusal;

/// A document that people write, with the place of each of its parts.
///
/// Two readers must not read it differently: what would let them (a key twice, a
/// number beyond 2^53-1 or with a fraction) is a fault each, and the rest is
/// looked at all the same.
pub struct Outline {
    root: Node,
    forgiven: Forgiven,
}

impl Outline {
    /// Returns the outline of a text of at most so many values.
    ///
    /// # Errors
    ///
    /// The fault behind which nothing can be read, with its column counted through
    /// the whole text.
    pub fn parse(text: &str, values_max: usize) -> Result<Self, Fault> {
        let (root, forgiven) = Node::parse_forgiving(text, Limits::of_people(values_max))?;
        Ok(Self { root, forgiven })
    }

    /// What would make two readers disagree, in the order of the text, and how often
    /// it happens beyond those.
    pub fn faults(&self) -> (&[Fault], usize) {
        (&self.forgiven.first, self.forgiven.n_more)
    }

    /// Returns the value. Of a key that stands twice it has one.
    pub fn value(&self) -> Value {
        self.read().unwrap_or_default()
    }

    /// Returns the typed value.
    ///
    /// # Errors
    ///
    /// The first fault, with its column.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        T::deserialize(Reader(&self.root)).map_err(Refusal::into_fault)
    }

    /// Returns where the part that a JSON Pointer (RFC 6901) leads to stands, or the
    /// last part on the way that is there: in bytes from 0.
    pub fn span(&self, pointer: &str) -> Range<usize> {
        let node = self.node(pointer);
        node.start..node.end
    }

    /// Returns where a key of the object at a pointer stands, with its quotes; where
    /// there is no such key, the bracket that opens the object.
    pub fn key_span(&self, pointer: &str, key: &str) -> Range<usize> {
        let node = self.node(pointer);
        member(node, key).map_or(node.start..node.start + 1, |member| {
            member.start..member.key_end
        })
    }

    /// Returns the pointer and the text of every string, in the order of their keys.
    pub fn strings(&self) -> Vec<(String, &str)> {
        let mut strings = Vec::new();
        let mut left = vec![(String::new(), &self.root)];
        while let Some((pointer, node)) = left.pop() {
            match &node.shape {
                Shape::Text(text) => strings.push((pointer, text.as_str())),
                Shape::List(items) => {
                    let items = items.iter().enumerate().rev();
                    left.extend(items.map(|(at, item)| (format!("{pointer}/{at}"), item)));
                }
                Shape::Object(members) => {
                    let members = members.iter().rev();
                    left.extend(members.map(|member| {
                        let key = member.key.replace('~', "~0").replace('/', "~1");
                        (format!("{pointer}/{key}"), &member.value)
                    }));
                }
                Shape::Null | Shape::Bool(_) | Shape::Integer(_) => {}
            }
        }
        strings
    }

    fn node(&self, pointer: &str) -> &Node {
        let mut node = &self.root;
        for segment in pointer.split('/').skip(1) {
            let part = match &node.shape {
                Shape::List(items) => segment.parse().ok().and_then(|at: usize| items.get(at)),
                Shape::Object(_) => {
                    let key = segment.replace("~1", "/").replace("~0", "~");
                    member(node, &key).map(|member| &member.value)
                }
                _ => None,
            };
            match part {
                Some(part) => node = part,
                None => break,
            }
        }
        node
    }
}

fn member<'a>(node: &'a Node, key: &str) -> Option<&'a Member> {
    let Shape::Object(members) = &node.shape else {
        return None;
    };
    // They stand in the order of their keys.
    let at = members.binary_search_by(|member| member.key.as_str().cmp(key));
    members.get(at.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_place_and_every_fault_is_listed() {
        let text = r#"{ "b": [1, {"c~/d": "x"}], "a": 1.5, "a": 9007199254740992 }"#;
        let outline = Outline::parse(text, 100).unwrap();
        let at = |span: Range<usize>| &text[span];
        assert_eq!(at(outline.span("/b/1/c~0~1d")), r#""x""#);
        assert_eq!(at(outline.span("/b/1/none/there")), r#"{"c~/d": "x"}"#);
        assert_eq!(at(outline.key_span("/b/1", "c~/d")), r#""c~/d""#);
        assert_eq!(at(outline.key_span("/b/1", "e")), "{");
        assert_eq!(outline.strings(), [("/b/1/c~0~1d".to_owned(), "x")]);
        let faults: Vec<_> = outline
            .faults()
            .0
            .iter()
            .map(|fault| fault.column)
            .collect();
        assert_eq!(faults, [33, 38, 43], "{:?}", outline.faults());
        assert!(Outline::parse("[1, 2, 3]", 3).is_err());
        assert!(Outline::parse("[1, 2, 3]", 4).is_ok());
        assert!(Outline::parse("[1,]", 4).is_err());
    }
}
