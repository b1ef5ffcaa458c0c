//! The ids of all events, exactly, in about 15 bytes of memory each.
//!
//! A hash table holds the position of each id and a few bits of it; the ids
//! themselves stand in a temporary file, in the order of positions.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use crate::event::EventId;

/// Ids with the number of their kind. The first one of equal ids counts.
pub(crate) struct Ids {
    /// By the first byte of the id.
    shards: Vec<Shard>,
    /// By position.
    kinds: Vec<u8>,
    spool: Spool,
    /// What was asked for or added last: most references lead a few events
    /// back, or to the same few games and systems.
    recent: Vec<Option<(EventId, u8)>>,
}

/// A hash table with open addressing. A slot is 0 where it is free; else the
/// lower 40 bits are the position plus one, the upper 24 bits follow the first
/// byte of the id.
#[derive(Clone, Default)]
struct Shard {
    slots: Vec<u64>,
    filled: usize,
}

const POSITION_BITS: u32 = 40;
const RECENT: usize = 1 << 12;

impl Default for Ids {
    fn default() -> Self {
        Self {
            shards: vec![Shard::default(); 256],
            kinds: Vec::new(),
            spool: Spool::default(),
            recent: vec![None; RECENT],
        }
    }
}

impl Ids {
    /// Whether there is none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The number of the kind of this event, where it is known.
    pub(crate) fn kind_of(&mut self, id: &EventId) -> io::Result<Option<u8>> {
        let recent = place_in(RECENT, mark(id));
        if let Some((_, kind)) = self.recent[recent].filter(|(known, _)| known == id) {
            return Ok(Some(kind));
        }
        let kind = self.find(id)?.map(|position| self.kinds[position]);
        if let Some(kind) = kind {
            self.recent[recent] = Some((*id, kind));
        }
        Ok(kind)
    }

    /// Adds an event; returns the position of an earlier one with its id.
    pub(crate) fn insert(&mut self, id: &EventId, kind: u8) -> io::Result<Option<usize>> {
        let earlier = self.find(id)?;
        let position = self.kinds.len();
        self.kinds.push(kind);
        self.spool.push(id)?;
        if earlier.is_none() {
            self.shards[shard_of(id)].insert(slot(id, position));
            self.recent[place_in(RECENT, mark(id))] = Some((*id, kind));
        }
        Ok(earlier)
    }

    fn find(&self, id: &EventId) -> io::Result<Option<usize>> {
        for position in self.shards[shard_of(id)].candidates(mark(id)) {
            if self.spool.get(position)? == *id.digest().as_bytes() {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

fn shard_of(id: &EventId) -> usize {
    usize::from(id.digest().as_bytes()[0])
}

/// The 24 bits of an id that its slot holds.
fn mark(id: &EventId) -> u64 {
    let [_, a, b, c, ..] = *id.digest().as_bytes();
    u64::from(u32::from_be_bytes([0, a, b, c]))
}

fn slot(id: &EventId, position: usize) -> u64 {
    let position = u64::try_from(position).unwrap_or(u64::MAX);
    mark(id) << POSITION_BITS | (position + 1)
}

/// Where a mark is at home among so many slots: in the order of marks.
fn place_in(slots: usize, mark: u64) -> usize {
    let slots = u64::try_from(slots).unwrap_or(u64::MAX);
    usize::try_from((mark * slots) >> 24).unwrap_or(0)
}

impl Shard {
    /// The positions of ids with this mark.
    fn candidates(&self, mark: u64) -> impl Iterator<Item = usize> {
        let (before, after) = self
            .slots
            .split_at_checked(place_in(self.slots.len(), mark))
            .unwrap_or_default();
        let slots = after.iter().chain(before);
        let filled = slots.take_while(|slot| **slot != 0);
        let marked = filled.filter(move |slot| **slot >> POSITION_BITS == mark);
        let position = |slot: &u64| (slot & ((1 << POSITION_BITS) - 1)) - 1;
        marked.filter_map(move |slot| usize::try_from(position(slot)).ok())
    }

    fn insert(&mut self, slot: u64) {
        if self.slots.len() * 3 / 4 <= self.filled {
            self.grow();
        }
        self.put(slot);
        self.filled += 1;
    }

    fn put(&mut self, slot: u64) {
        let mut place = place_in(self.slots.len(), slot >> POSITION_BITS);
        while self.slots[place] != 0 {
            place = (place + 1) % self.slots.len();
        }
        self.slots[place] = slot;
    }

    fn grow(&mut self) {
        let larger = vec![0; (self.slots.len() * 2).max(16)];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot != 0 {
                self.put(slot);
            }
        }
    }
}

/// Ids in the order of positions: the first ones in a temporary file, once
/// there are many.
#[derive(Default)]
struct Spool {
    file: Option<File>,
    in_file: usize,
    tail: Vec<[u8; ID_BYTES]>,
}

const ID_BYTES: usize = 32;
/// As many ids stay in memory; 4 MB.
const IN_MEMORY: usize = 1 << 17;

impl Spool {
    fn push(&mut self, id: &EventId) -> io::Result<()> {
        self.tail.push(*id.digest().as_bytes());
        if self.tail.len() < IN_MEMORY {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.write_all_at(self.tail.as_flattened(), offset(self.in_file))?;
        self.in_file += self.tail.len();
        self.tail.clear();
        Ok(())
    }

    fn get(&self, position: usize) -> io::Result<[u8; ID_BYTES]> {
        if let Some(in_tail) = position.checked_sub(self.in_file) {
            let id = self.tail.get(in_tail);
            return id
                .copied()
                .ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        let mut id = [0; ID_BYTES];
        match &self.file {
            Some(file) => file.read_exact_at(&mut id, offset(position))?,
            None => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        Ok(id)
    }
}

fn offset(position: usize) -> u64 {
    u64::try_from(position * ID_BYTES).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u32) -> EventId {
        EventId::of(&number.to_be_bytes())
    }

    #[test]
    fn every_id_is_found_with_its_kind_in_memory_and_in_the_file() {
        let mut ids = Ids::default();
        let count = u32::try_from(IN_MEMORY).unwrap() + 5000;
        for number in 0..count {
            let kind = number.to_be_bytes()[3];
            assert_eq!(ids.insert(&id(number), kind).unwrap(), None);
        }
        for number in (0..count).step_by(97).chain([0, count - 1]) {
            assert_eq!(
                ids.kind_of(&id(number)).unwrap(),
                Some(number.to_be_bytes()[3])
            );
            let earlier = usize::try_from(number).ok();
            assert_eq!(ids.insert(&id(number), 7).unwrap(), earlier);
        }
        for number in count..count + 1000 {
            assert_eq!(ids.kind_of(&id(number)).unwrap(), None);
        }
    }

    #[test]
    fn ids_that_share_what_the_table_holds_are_told_apart() {
        let twin = |last: char| -> EventId {
            format!("{}{}", "ab".repeat(16), last.to_string().repeat(32))
                .parse()
                .unwrap()
        };
        let mut ids = Ids::default();
        for (kind, last) in (0..).zip("0123456789abcdef".chars()) {
            assert_eq!(ids.kind_of(&twin(last)).unwrap(), None);
            assert_eq!(ids.insert(&twin(last), kind).unwrap(), None);
        }
        for (kind, last) in (0..).zip("0123456789abcdef".chars()) {
            assert_eq!(ids.kind_of(&twin(last)).unwrap(), Some(kind));
        }
    }
}
