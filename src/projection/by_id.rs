//! What is looked up by the id of an event, again and again.

#![expect(
    clippy::disallowed_types,
    reason = "the order of the table reaches nobody: whatever walks it sorts first"
)]

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::event::EventId;

/// Values by the id of an event.
///
/// A fold looks up games and calls several times an event, in maps of thousands.
/// Ids are digests already, so a hash table needs no hash of its own and finds
/// one in a step or two.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ById<V>(HashMap<EventId, V, BuildHasherDefault<Head>>);

impl<V> ById<V> {
    pub(crate) fn get(&self, id: &EventId) -> Option<&V> {
        self.0.get(id)
    }

    pub(crate) fn get_mut(&mut self, id: &EventId) -> Option<&mut V> {
        self.0.get_mut(id)
    }

    pub(crate) fn contains(&self, id: &EventId) -> bool {
        self.0.contains_key(id)
    }

    pub(crate) fn insert(&mut self, id: EventId, value: V) {
        self.0.insert(id, value);
    }

    pub(crate) fn remove(&mut self, id: &EventId) -> Option<V> {
        self.0.remove(id)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Keeps those of which this is so, whatever the order it is asked in.
    pub(crate) fn retain(&mut self, keep: impl Fn(&V) -> bool) {
        self.0.retain(|_, value| keep(value));
    }

    /// All of them, in the order of their ids.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = (&EventId, &V)> {
        self.0.iter().collect::<BTreeMap<_, _>>().into_iter()
    }
}

impl<V> Default for ById<V> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<V: fmt::Debug> fmt::Debug for ById<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.in_order()).finish()
    }
}

impl<V: Serialize> Serialize for ById<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.in_order())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for ById<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        HashMap::deserialize(deserializer).map(Self)
    }
}

/// The first eight bytes of an id, which are as good as any hash of it.
#[derive(Clone, Copy, Default)]
struct Head(u64);

impl Hasher for Head {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(head) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*head);
        }
    }

    fn write_usize(&mut self, _: usize) {
        // The length of an id says nothing.
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher as _;

    use super::*;

    #[test]
    fn the_hash_of_an_id_is_its_first_eight_bytes() {
        let id = EventId::of(b"line");
        let head: [u8; 8] = *id.digest().as_bytes().first_chunk().unwrap();
        let hash = BuildHasherDefault::<Head>::default().hash_one(id);
        assert_eq!(hash, u64::from_le_bytes(head));
    }

    #[test]
    fn whatever_walks_or_writes_them_has_the_order_of_ids() {
        let mut by_id = ById::default();
        let mut sorted = BTreeMap::new();
        for number in 0_u32..500 {
            let id = EventId::of(&number.to_be_bytes());
            by_id.insert(id, number);
            sorted.insert(id, number);
        }
        assert!(by_id.in_order().eq(sorted.iter()));
        let text = serde_json::to_string(&by_id).unwrap();
        assert_eq!(text, serde_json::to_string(&sorted).unwrap());
        assert_eq!(format!("{by_id:?}"), format!("{sorted:?}"));
        let again: ById<u32> = serde_json::from_str(&text).unwrap();
        assert_eq!(again, by_id);
    }
}
