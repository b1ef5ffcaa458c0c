//! The durable watermark: what of the ledger was acknowledged.
//!
//! A file of 4,608 bytes that is never replaced: one slot at offset 0, one at
//! offset 4096, blanks between them. A slot is 512 bytes, so that no disk
//! writes half of one in place of another:
//!
//! ```text
//! scoresheet head 1
//! sequence 7
//! size 120
//! root 5f2b…
//! segment 0
//! length 48211
//! sha256 90aa…
//! ```
//!
//! filled up with blanks to a final newline. The last digest is over the lines
//! before it. Slot *n* holds the heads whose sequence is *n* modulo 2, so a
//! commit always writes over the older one.

use crate::digest::{Digest, Root};
use crate::ledger::Layout;

/// The length of the head file.
pub const HEAD_BYTES: usize = SECOND_SLOT + SLOT_BYTES;

const SLOT_BYTES: usize = 512;
const SECOND_SLOT: usize = 4096;

/// What was acknowledged: a prefix of the ledger, and where it ends on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the commit, from 0.
    pub sequence: u64,
    /// The number of events.
    pub size: u64,
    /// The RFC 6962 root over them.
    pub root: Root,
    /// The number of the open segment: `size / 4096`, by the standard layout.
    pub segment: u64,
    /// The bytes of the open segment that the size covers.
    pub length: u64,
}

/// One slot of the head file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// As it was written.
    Whole(Head),
    /// Not as it was written: torn, or rotten.
    Broken,
}

/// Both slots of the head file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// By slot number.
    pub slots: [Slot; 2],
    /// Whether the length of the file and the blanks between the slots are right.
    pub is_framed: bool,
}

impl Head {
    /// Returns the slot that says this head: 512 bytes.
    pub fn slot(&self) -> Vec<u8> {
        let mut text = format!(
            "scoresheet head 1\nsequence {}\nsize {}\nroot {}\nsegment {}\nlength {}\n",
            self.sequence, self.size, self.root, self.segment, self.length
        );
        let digest = Digest::of(text.as_bytes());
        text.push_str("sha256 ");
        text.push_str(digest.hex().as_str());
        text.push('\n');
        let mut slot = text.into_bytes();
        let missing = SLOT_BYTES.saturating_sub(slot.len());
        slot.extend_from_slice(&BLANKS[BLANKS.len() - missing..]);
        slot
    }

    /// The offset of this head's slot in the file.
    pub fn slot_offset(&self) -> u64 {
        (self.sequence % 2) * u64::try_from(SECOND_SLOT).unwrap_or(u64::MAX)
    }

    /// Returns the whole head file of two heads in sequence.
    pub(crate) fn file(first: &Self, second: &Self) -> Vec<u8> {
        let mut file = first.slot();
        file.extend_from_slice(&BLANKS);
        file.extend(second.slot());
        file
    }

    fn parse(slot: &[u8], layout: Layout) -> Option<Self> {
        let text = std::str::from_utf8(slot).ok()?;
        let mut lines = text.lines();
        (lines.next()? == "scoresheet head 1").then_some(())?;
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let head = Self {
            sequence: value("sequence")?.parse().ok()?,
            size: value("size")?.parse().ok()?,
            root: value("root")?.parse().ok()?,
            segment: value("segment")?.parse().ok()?,
            length: value("length")?.parse().ok()?,
        };
        // Written again, every byte must stand as it stood: digest, blanks and all.
        let is_whole = head.slot() == slot && head.segment == layout.segment_of(head.size);
        is_whole.then_some(head)
    }
}

/// What stands between the slots, the end of which fills up a slot.
const BLANKS: [u8; SECOND_SLOT - SLOT_BYTES] = {
    let mut blanks = [b' '; SECOND_SLOT - SLOT_BYTES];
    blanks[SECOND_SLOT - SLOT_BYTES - 1] = b'\n';
    blanks
};

impl Slots {
    /// Reads the head file of a ledger with this layout.
    pub fn parse(file: &[u8], layout: Layout) -> Self {
        let slot = |number: u64, range: std::ops::Range<usize>| {
            file.get(range)
                .and_then(|slot| Head::parse(slot, layout))
                .filter(|head| head.sequence % 2 == number)
                .map_or(Slot::Broken, Slot::Whole)
        };
        Self {
            slots: [slot(0, 0..SLOT_BYTES), slot(1, SECOND_SLOT..HEAD_BYTES)],
            is_framed: file.len() == HEAD_BYTES && file[SLOT_BYTES..SECOND_SLOT] == BLANKS,
        }
    }

    /// The newest head that can be read.
    pub fn newest(&self) -> Option<Head> {
        self.slots
            .iter()
            .filter_map(|slot| match slot {
                Slot::Whole(head) => Some(*head),
                Slot::Broken => None,
            })
            .max_by_key(|head| head.sequence)
    }

    /// The older head, where both slots are whole.
    pub fn older(&self) -> Option<Head> {
        match self.slots {
            [Slot::Whole(a), Slot::Whole(b)] => Some(if a.sequence < b.sequence { a } else { b }),
            _ => None,
        }
    }

    /// The bytes of the one broken slot of this file, where just one is.
    pub(crate) fn broken_bytes(&self, file: &[u8]) -> Option<Vec<u8>> {
        let range = match self.slots {
            [Slot::Broken, Slot::Whole(_)] => 0..SLOT_BYTES,
            [Slot::Whole(_), Slot::Broken] => SECOND_SLOT..HEAD_BYTES,
            _ => return None,
        };
        file.get(range).map(<[u8]>::to_vec)
    }

    /// Where this file is not as it was written, as near as can be told.
    pub(crate) fn fault_offset(&self, file: &[u8]) -> u64 {
        let is_broken = |slot: &Slot| *slot == Slot::Broken;
        let offset = if is_broken(&self.slots[0]) {
            0
        } else {
            let between = file[SLOT_BYTES..].iter().zip(BLANKS);
            let is_other = |(there, blank): (&u8, u8)| *there != blank;
            let end = SECOND_SLOT.min(file.len());
            let blanks_end = between.into_iter().position(is_other);
            let of_blanks = blanks_end.map(|position| SLOT_BYTES + position);
            let of_second = is_broken(&self.slots[1]).then_some(end);
            let offsets = of_blanks.into_iter().chain(of_second);
            offsets.min().unwrap_or(HEAD_BYTES.min(file.len()))
        };
        u64::try_from(offset).unwrap_or(u64::MAX)
    }

    /// Whether both slots are whole and follow one another.
    pub fn is_sound(&self) -> bool {
        self.is_framed
            && matches!(self.slots, [Slot::Whole(a), Slot::Whole(b)]
                if a.sequence.abs_diff(b.sequence) == 1)
            && match (self.older(), self.newest()) {
                (Some(older), Some(newest)) => older.size <= newest.size,
                _ => false,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::empty_root;

    fn parse(file: &[u8]) -> Slots {
        Slots::parse(file, Layout::STANDARD)
    }

    fn head(sequence: u64) -> Head {
        Head {
            sequence,
            size: sequence * 100,
            root: empty_root(),
            segment: Layout::STANDARD.segment_of(sequence * 100),
            length: 77,
        }
    }

    #[test]
    fn a_head_file_reads_back_and_the_higher_sequence_is_the_newest() {
        for first in [0, 2, 40] {
            let file = Head::file(&head(first), &head(first + 1));
            assert_eq!(file.len(), HEAD_BYTES);
            let slots = parse(&file);
            assert!(slots.is_sound());
            assert_eq!(slots.newest(), Some(head(first + 1)));
            assert_eq!(slots.older(), Some(head(first)));
        }
    }

    #[test]
    fn every_single_bit_of_the_head_file_matters() {
        let good = Head::file(&head(2), &head(3));
        for byte in 0..good.len() {
            for bit in 0..8 {
                let mut file = good.clone();
                file[byte] ^= 1 << bit;
                assert!(!parse(&file).is_sound(), "byte {byte} bit {bit}");
            }
        }
    }

    #[test]
    fn swapped_equal_and_cut_slots_are_not_sound() {
        let swapped = Head::file(&head(3), &head(2));
        assert!(!parse(&swapped).is_sound());
        assert_eq!(parse(&swapped).newest(), None);
        assert!(!parse(&Head::file(&head(2), &head(5))).is_sound());
        let good = Head::file(&head(2), &head(3));
        for length in 0..good.len() {
            assert!(!parse(&good[..length]).is_sound());
        }
        assert!(!parse(&[good.as_slice(), b" "].concat()).is_sound());
    }
}
