use std::collections::BTreeMap;

use crate::digest::{
    Frontier, LeafHash, Root, consistency_proof, inclusion_proof, node_hash, root_of,
};
use crate::event::{EventId, MAX_LINE_BYTES, Origin};
use crate::finding::{Code, Finding, Place};
use crate::ledger::checkpoints::{all_checkpoints, changed};
use crate::ledger::layout::{SEGMENTS, segment_path};
use crate::ledger::lines::{LineEnd, Lines};
use crate::ledger::prefix::read_description;
use crate::ledger::segment_index::Sealed;
use crate::ledger::segments::Depth;
use crate::ledger::spine::{Spine, damaged, segment_changed};
use crate::ledger::{
    Checkpoint, Head, Layout, LedgerError, Mode, Prefix, ReadError, SignedCheckpoint, Storage,
};

/// Makes proofs from a ledger, and reads little of it: the segment index, the
/// open segment, which must add up to the head, and of the sealed segments only
/// those that a proof cuts through, which must add up to the index.
pub struct Prover<'a> {
    storage: &'a dyn Storage,
    layout: Layout,
    origin: Origin,
    head: Head,
    stored: Vec<SignedCheckpoint>,
    sealed: Vec<Sealed>,
    /// The leaves of the segments that were read.
    leaves: BTreeMap<u64, Vec<LeafHash>>,
}

impl<'a> Prover<'a> {
    /// Opens what the newest whole head acknowledges. Changes nothing and takes no lock.
    ///
    /// # Errors
    ///
    /// When there is no ledger, or the index and the open segment do not add up
    /// to the head.
    pub fn open(storage: &'a dyn Storage) -> Result<Self, ReadError> {
        // Before the head, which only grows: then it covers all of them, and a
        // writer who goes on meanwhile makes none of them look wrong.
        let origin = read_description(storage)?.origin;
        let stored = all_checkpoints(storage, &origin)?;
        let head = *Prefix::open(storage)?.head();
        let spine = Spine::read(storage, head, Depth::Leaves)?;
        let open = spine.open.leaves;
        Ok(Self {
            storage,
            layout: storage.layout(),
            origin,
            head,
            stored,
            sealed: spine.sealed,
            leaves: BTreeMap::from([(head.segment, open)]),
        })
    }

    /// The name of the ledger.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The stored checkpoints, from the smallest to the largest.
    pub fn stored(&self) -> &[SignedCheckpoint] {
        &self.stored
    }

    /// The stored checkpoint to lead to where none is asked for: the newest that
    /// is signed, or else the newest, of at least so many events.
    pub fn newest(&self, least: u64) -> Option<&SignedCheckpoint> {
        let covering = self.stored.iter().rev();
        let mut covering = covering.filter(|stored| least <= stored.checkpoint().size);
        let signed = covering.clone().find(|stored| stored.is_signed());
        signed.or_else(|| covering.next())
    }

    /// The number of the segment that holds the event at this index.
    pub(crate) const fn segment_of(&self, index: u64) -> u64 {
        self.layout.segment_of(index)
    }

    /// The number of events.
    pub const fn size(&self) -> u64 {
        self.head.size
    }

    /// Returns the ledger as it stood with this many events.
    ///
    /// # Errors
    ///
    /// When there are not so many, or the ledger is damaged.
    pub fn checkpoint(&mut self, size: u64) -> Result<Checkpoint, ReadError> {
        self.check_size(size)?;
        let root = root_of(size, |level, index| self.perfect(level, index))?;
        Ok(Checkpoint {
            origin: self.origin.clone(),
            size,
            root,
        })
    }

    /// Returns the proof that the event at this index is in the tree of this size.
    ///
    /// # Errors
    ///
    /// When there is no such event in it, or the ledger is damaged.
    pub fn inclusion(&mut self, index: u64, size: u64) -> Result<Vec<Root>, ReadError> {
        self.check_size(size)?;
        if size <= index {
            let wanted = index.saturating_add(1);
            return Err(ReadError::Beyond { size, wanted });
        }
        inclusion_proof(index, size, |level, index| self.perfect(level, index))
    }

    /// Returns the proof that the tree of one size grew into that of another.
    ///
    /// # Errors
    ///
    /// When there are not so many events, or the ledger is damaged.
    pub fn consistency(&mut self, old: u64, new: u64) -> Result<Vec<Root>, ReadError> {
        self.check_size(new)?;
        if new < old {
            return Err(ReadError::Beyond {
                size: new,
                wanted: old,
            });
        }
        consistency_proof(old, new, |level, index| self.perfect(level, index))
    }

    /// Returns the index of the event with this id, or nothing. Reads segments
    /// until it is found, from the newest.
    ///
    /// # Errors
    ///
    /// When the ledger is damaged.
    pub fn find(&self, id: &EventId) -> Result<Option<u64>, ReadError> {
        for segment in (0..=self.head.segment).rev() {
            let leaves = self.read_leaves(segment)?;
            let offsets = 0..self.layout.segment_lines();
            let mut leaves = offsets.zip(&leaves);
            if let Some((offset, _)) = leaves.find(|(_, leaf)| **leaf == id.leaf()) {
                return Ok(Some(segment * self.layout.segment_lines() + offset));
            }
        }
        Ok(None)
    }

    /// Returns the line of the event at this index, without its newline.
    ///
    /// # Errors
    ///
    /// When there is no such event, or the ledger is damaged.
    pub fn line(&mut self, index: u64) -> Result<Vec<u8>, ReadError> {
        self.check_size(index.saturating_add(1))?;
        let segment = self.layout.segment_of(index);
        let leaf = self.leaf(index)?;
        let mut at = segment * self.layout.segment_lines();
        let mut found = None;
        self.each_line(segment, |line| {
            if at == index {
                found = Some(line.to_vec());
            }
            at += 1;
        })?;
        // It was read a second time, and must be what it was.
        let line = found.filter(|line| LeafHash::of(line) == leaf);
        line.ok_or_else(|| damaged(segment_changed(segment, "another line")))
    }

    /// Returns the lines of a segment, without their newlines, held against the
    /// head or the segment index.
    pub(crate) fn lines(&self, segment: u64) -> Result<Vec<Vec<u8>>, ReadError> {
        let mut lines = Vec::new();
        self.each_line(segment, |line| lines.push(line.to_vec()))?;
        let leaves: Vec<_> = lines.iter().map(|line| LeafHash::of(line)).collect();
        self.check_leaves(segment, &leaves)?;
        Ok(lines)
    }

    /// Checks that every stored checkpoint is a prefix of this ledger: nobody
    /// may sign what contradicts one of them.
    ///
    /// # Errors
    ///
    /// The first that is none.
    pub fn check_checkpoints(&mut self) -> Result<(), ReadError> {
        for stored in self.stored.clone() {
            let stored = stored.checkpoint();
            if self.head.size < stored.size || self.checkpoint(stored.size)? != *stored {
                return Err(damaged(changed(&stored.path())));
            }
        }
        Ok(())
    }

    fn check_size(&self, wanted: u64) -> Result<(), ReadError> {
        let size = self.head.size;
        if size < wanted {
            Err(ReadError::Beyond { size, wanted })
        } else {
            Ok(())
        }
    }

    /// The root of the subtree of 2^level leaves that is the index-th of its level.
    fn perfect(&mut self, level: u32, index: u64) -> Result<Root, ReadError> {
        let Some(above) = level.checked_sub(self.layout.level()) else {
            let first = index << level;
            let segment = self.layout.segment_of(first);
            let start = first % self.layout.segment_lines();
            let start = usize::try_from(start).unwrap_or(usize::MAX);
            let leaves = self.leaves(segment)?;
            let leaves = leaves.get(start..).and_then(|rest| rest.get(..1 << level));
            let hashes = leaves.map(|leaves| leaves.iter().map(|leaf| *leaf.digest()));
            let root = hashes.and_then(|hashes| joined(hashes.collect()));
            return root.ok_or_else(|| damaged(segment_changed(segment, "fewer lines")));
        };
        let start = usize::try_from(index << above).unwrap_or(usize::MAX);
        let sealed = self.sealed.get(start..);
        let sealed = sealed.and_then(|rest| rest.get(..1 << above));
        let roots = sealed.map(|sealed| sealed.iter().map(|segment| segment.root));
        let root = roots.and_then(|roots| joined(roots.collect()));
        root.ok_or_else(|| {
            let place = Place::file(SEGMENTS);
            damaged(Finding::new(
                Code::SegmentIndex,
                place,
                "more lines",
                "fewer",
            ))
        })
    }

    fn leaf(&mut self, index: u64) -> Result<LeafHash, ReadError> {
        Ok(LeafHash::new(self.perfect(0, index)?))
    }

    fn leaves(&mut self, segment: u64) -> Result<&[LeafHash], ReadError> {
        if !self.leaves.contains_key(&segment) {
            let leaves = self.read_leaves(segment)?;
            // A proof cuts through two sealed segments at most.
            let open = self.head.segment;
            if 8 < self.leaves.len() {
                self.leaves.retain(|segment, _| *segment == open);
            }
            self.leaves.insert(segment, leaves);
        }
        Ok(self.leaves.get(&segment).map_or(&[], Vec::as_slice))
    }

    /// Reads the leaves of a segment; a sealed one must have its root.
    fn read_leaves(&self, segment: u64) -> Result<Vec<LeafHash>, ReadError> {
        let mut leaves = Vec::new();
        self.each_line(segment, |line| leaves.push(LeafHash::of(line)))?;
        self.check_leaves(segment, &leaves)?;
        Ok(leaves)
    }

    /// A sealed segment must have its root, the open one stays as it was read first.
    fn check_leaves(&self, segment: u64, leaves: &[LeafHash]) -> Result<(), ReadError> {
        let number = usize::try_from(segment).unwrap_or(usize::MAX);
        let mut tree = Frontier::default();
        for leaf in leaves {
            tree.push(leaf);
        }
        let is_right = match (self.sealed.get(number), self.leaves.get(&segment)) {
            (Some(sealed), _) => {
                tree.size() == self.layout.segment_lines() && tree.root() == sealed.root
            }
            (None, Some(known)) => known == leaves,
            (None, None) => true,
        };
        if is_right {
            return Ok(());
        }
        let found = format!("{} events with root {}", tree.size(), tree.root());
        Err(damaged(segment_changed(segment, &found)))
    }

    /// Hands over the acknowledged lines of a segment, without their newlines.
    fn each_line(&self, segment: u64, each: impl FnMut(&[u8])) -> Result<(), ReadError> {
        each_line(self.storage, &self.head, segment, each)
    }
}

/// Hands over the lines of a segment that a head acknowledges.
///
/// # Errors
///
/// When a line does not end as it must, or what the system says.
pub(crate) fn each_line(
    storage: &dyn Storage,
    head: &Head,
    segment: u64,
    mut each: impl FnMut(&[u8]),
) -> Result<(), ReadError> {
    let path = segment_path(segment);
    let file = storage.open(&path, Mode::Read).map_err(|error| {
        match crate::ledger::storage::absence(&error) {
            Some(found) => {
                let place = Place::file(&path);
                damaged(Finding::new(
                    Code::SegmentMissing,
                    place,
                    "a segment",
                    found,
                ))
            }
            None => LedgerError::io("open", &path)(error).into(),
        }
    })?;
    let length = file.length().map_err(LedgerError::io("read", &path))?;
    let end = if segment == head.segment {
        head.length
    } else {
        length
    };
    let mut lines = Lines::new(&*file, 0, end);
    while let Some(line) = lines.next().map_err(LedgerError::io("read", &path))? {
        if line.end != LineEnd::Newline || MAX_LINE_BYTES < line.bytes.len() {
            return Err(damaged(segment_changed(
                segment,
                "a line that does not end",
            )));
        }
        each(line.bytes);
    }
    Ok(())
}

/// The root over as many hashes as a perfect tree has leaves.
fn joined(mut hashes: Vec<Root>) -> Option<Root> {
    while 1 < hashes.len() {
        let pairs = hashes.chunks_exact(2);
        hashes = pairs.map(|pair| node_hash(&pair[0], &pair[1])).collect();
    }
    hashes.pop()
}
