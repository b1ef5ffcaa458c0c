//! The roots that a ledger had at earlier sizes, and what claims to name them.

use std::collections::BTreeSet;

use crate::digest::{Frontier, LeafHash, Root};
use crate::event::{CheckpointRef, Origin};
use crate::finding::{Code, Finding, Place};
use crate::ledger::checkpoints::{changed, read_stored, stored_checkpoints};
use crate::ledger::layout::{CHECKPOINTS, HEAD, INDEX_BYTES_MAX, SEGMENTS, segment_path};
use crate::ledger::segment_index::{self, Sealed};
use crate::ledger::segments::{self, Depth, Part};
use crate::ledger::{Head, Layout, LedgerError, Slots, Storage};

/// The tree of a ledger as it stands, with what is needed to name earlier roots.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) layout: Layout,
    /// All events.
    pub(crate) tree: Frontier,
    /// The lengths and roots of the sealed segments, as they stand.
    pub(crate) sealed: Vec<Sealed>,
    /// The leaves of the last segment.
    pub(crate) open: Vec<LeafHash>,
}

impl History {
    pub(crate) fn new(layout: Layout) -> Self {
        Self {
            layout,
            tree: Frontier::default(),
            sealed: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Whether the events are those that the head promises.
    pub(crate) fn adds_up_to(&self, head: &Head) -> bool {
        self.tree.size() == head.size && self.tree.root() == head.root
    }

    /// Returns the root over the first `size` events, or nothing beyond the
    /// end. Means nothing where the events do not add up to the head.
    ///
    /// A size inside a sealed segment takes another look at that segment,
    /// which must be as it was.
    pub(crate) fn root_at(
        &self,
        storage: &dyn Storage,
        size: u64,
    ) -> Result<Option<Root>, LedgerError> {
        if self.tree.size() < size {
            return Ok(None);
        }
        let mut tree = Frontier::default();
        let number = self.layout.segment_of(size);
        let before = usize::try_from(number).unwrap_or(usize::MAX);
        for sealed in self.sealed.iter().take(before) {
            tree.push_perfect(self.layout.level(), sealed.root);
        }
        let Some(rest) = size.checked_sub(tree.size()).filter(|rest| *rest != 0) else {
            return Ok(Some(tree.root()));
        };
        let Some(sealed) = self.sealed.get(before) else {
            let rest = usize::try_from(rest).unwrap_or(usize::MAX);
            self.open.iter().take(rest).for_each(|leaf| tree.push(leaf));
            return Ok((tree.size() == size).then(|| tree.root()));
        };
        let part = Part {
            number,
            bytes: None,
        };
        let segment = segments::read(storage, part, Depth::Leaves)?;
        let is_as_it_was = segment.tree.root() == sealed.root;
        Ok(is_as_it_was.then(|| segment.root_within(&tree, rest)))
    }

    /// The older slot of the head must name a prefix of the same ledger.
    pub(crate) fn check_older_head(
        &self,
        storage: &dyn Storage,
        slots: &Slots,
    ) -> Result<Option<Finding>, LedgerError> {
        let Some(older) = slots.older() else {
            return Ok(None);
        };
        let root = self.root_at(storage, older.size)?;
        Ok(root.filter(|root| *root != older.root).map(|_| {
            let expected = format!("the older slot to name the root at size {}", older.size);
            let found = format!("root {}", older.root);
            Finding::new(Code::HeadMismatch, Place::file(HEAD), expected, found)
        }))
    }

    /// Compares the segment index with the segments. Where they differ, the
    /// head decides which of them is wrong: it covers the events.
    pub(crate) fn check_index(
        &self,
        storage: &dyn Storage,
        head: &Head,
    ) -> Result<Vec<Finding>, LedgerError> {
        let index = match storage.read(SEGMENTS, INDEX_BYTES_MAX) {
            Ok(index) => index,
            Err(error) => {
                let absent = segment_index::absent(&error);
                let could_not_look = LedgerError::io("read", SEGMENTS);
                return absent
                    .map(|finding| vec![finding])
                    .ok_or_else(|| could_not_look(error));
            }
        };
        let events_are_right = self.adds_up_to(head);
        let mut findings = Vec::new();
        let lines: Vec<_> = index.split_inclusive(|byte| *byte == b'\n').collect();
        for sealed in &self.sealed {
            let wanted = sealed.line().map_err(std::io::Error::other);
            let wanted = wanted.map_err(LedgerError::io("read", SEGMENTS))?;
            let place = usize::try_from(sealed.segment.get()).unwrap_or(usize::MAX);
            if lines.get(place) == Some(&wanted.as_bytes()) {
                continue;
            }
            let number = sealed.segment.get() + 1;
            findings.push(if events_are_right {
                let place = Place::file(SEGMENTS).line(number);
                Finding::new(Code::SegmentIndex, place, wanted.trim_end(), "another line")
            } else {
                let place = Place::file(segment_path(number - 1));
                let expected = format!("what line {number} of {SEGMENTS} says");
                let found = format!("{} bytes with root {}", sealed.bytes, sealed.root);
                Finding::new(Code::SegmentChanged, place, expected, found)
            });
        }
        if head.segment < u64::try_from(lines.len()).unwrap_or(u64::MAX) {
            // Written before the head that covers it: on its way, or torn.
            let place = Place::file(SEGMENTS);
            let expected = format!("{} lines", head.segment);
            findings.push(Finding::new(
                Code::UnacknowledgedTail,
                place,
                expected,
                "more",
            ));
        }
        Ok(findings)
    }

    /// Checks the checkpoints that events name, and the stored ones. Where the
    /// events do not add up to the head, their roots say nothing of checkpoints.
    pub(crate) fn check_checkpoints(
        &self,
        storage: &dyn Storage,
        origin: &Origin,
        claimed: &[(CheckpointRef, Place)],
        adds_up: bool,
    ) -> Result<Vec<Finding>, LedgerError> {
        let mut wrong = Vec::new();
        let find = |place, expected: &str, found: &str| {
            Finding::new(Code::CheckpointChanged, place, expected, found)
        };
        let mut named = BTreeSet::new();
        for (checkpoint, place) in claimed {
            let size = checkpoint.size.get();
            let root = self.root_at(storage, size)?;
            if adds_up && root != Some(checkpoint.root) {
                let expected = root.map_or_else(
                    || format!("a size of at most {}", self.tree.size()),
                    |root| format!("the root {root} at size {size}"),
                );
                let found = format!("root {}", checkpoint.root);
                wrong.push(find(place.clone(), &expected, &found));
            }
            named.insert(size);
        }
        for (path, bytes) in stored_checkpoints(storage)? {
            let stored = read_stored(&path, &bytes, origin);
            named.retain(|size| format!("{CHECKPOINTS}/{size}") != path);
            let is_right = match &stored {
                Some(stored) if adds_up => {
                    let stored = stored.checkpoint();
                    self.root_at(storage, stored.size)? == Some(stored.root)
                }
                stored => stored.is_some(),
            };
            if !is_right {
                wrong.push(changed(&path));
            }
        }
        for size in named {
            let place = Place::file(format!("{CHECKPOINTS}/{size}"));
            let expected = "the checkpoint that an event names";
            wrong.push(find(place, expected, "no such file"));
        }
        Ok(wrong)
    }
}
