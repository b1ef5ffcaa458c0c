use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::canonical::node::{Member, Node, Shape};
use crate::canonical::one_of;
use crate::canonical::refusal::Refusal;

/// Reads a typed value from a node, so that a refusal knows its place.
pub(in crate::canonical) struct Reader<'a>(pub(in crate::canonical) &'a Node);

/// What a visitor says it expects.
fn wanted<'de, V: Visitor<'de>>(visitor: &V) -> String {
    struct Wanted<'v, V>(&'v V);
    impl<'de, V: Visitor<'de>> fmt::Display for Wanted<'_, V> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.expecting(f)
        }
    }
    Wanted(visitor).to_string()
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let Self(node) = self;
        let wanted = wanted(&visitor);
        let value = match &node.shape {
            Shape::Null => visitor.visit_unit(),
            Shape::Bool(value) => visitor.visit_bool(*value),
            Shape::Integer(number) => match u64::try_from(*number) {
                Ok(number) => visitor.visit_u64(number),
                Err(_) => visitor.visit_i64(*number),
            },
            Shape::Text(text) => visitor.visit_str(text),
            Shape::List(nodes) => visitor.visit_seq(Items(nodes.iter())),
            Shape::Object(members) => visitor.visit_map(Members {
                members: members.iter(),
                value: None,
            }),
        };
        value.map_err(|refusal| refusal.of(node, &wanted))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.0.shape {
            Shape::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        visitor.visit_newtype_struct(self)
    }

    /// A struct is an object, never a list of its fields.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        match self.0.shape {
            Shape::Object(_) => self.deserialize_any(visitor),
            _ => Err(Refusal::custom("expected an object").of(self.0, "")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        let Self(node) = self;
        let wanted = one_of(variants);
        match &node.shape {
            Shape::Text(text) => visitor
                .visit_enum(StrDeserializer::new(text))
                .map_err(|refusal: Refusal| refusal.of(node, &wanted)),
            _ => Err(Refusal::custom("").of(node, &wanted)),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'a>(std::slice::Iter<'a, Node>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Refusal> {
        self.0
            .next()
            .map(|node| seed.deserialize(Reader(node)))
            .transpose()
    }
}

struct Members<'a> {
    members: std::slice::Iter<'a, Member>,
    value: Option<&'a Node>,
}

impl<'de> MapAccess<'de> for Members<'_> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Refusal> {
        let Some(member) = self.members.next() else {
            return Ok(None);
        };
        self.value = Some(&member.value);
        seed.deserialize(StrDeserializer::new(&member.key))
            .map(Some)
            .map_err(|refusal: Refusal| refusal.of_key(member.start, &member.key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refusal> {
        match self.value.take() {
            Some(node) => seed.deserialize(Reader(node)),
            None => Err(Refusal::custom("expected a key before its value")),
        }
    }
}
