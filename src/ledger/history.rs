//! The roots that a ledger had at earlier sizes, and what claims to name them.

use std::collections::BTreeSet;

use crate::digest::{Frontier, LeafHash, Root};
use crate::event::{CheckpointRef, Origin};
use crate::finding::{Code, Finding, Place};
use crate::ledger::layout::{CHECKPOINTS, HEAD, INDEX_BYTES_MAX, SEGMENTS, segment_path};
use crate::ledger::segment_index::{self, Sealed};
use crate::ledger::{Checkpoint, Head, Layout, LedgerError, Slots, Storage, stored_checkpoints};

/// The tree of a ledger as it stands, with what is needed to name earlier roots.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) layout: Layout,
    /// All events.
    pub(crate) tree: Frontier,
    /// Their leaves.
    pub(crate) leaves: Vec<LeafHash>,
    /// The lengths and roots of the full segments, as they stand.
    pub(crate) sealed: Vec<Sealed>,
}

impl History {
    pub(crate) fn new(layout: Layout) -> Self {
        Self {
            layout,
            tree: Frontier::default(),
            leaves: Vec::new(),
            sealed: Vec::new(),
        }
    }

    /// Whether the events are those that the head promises.
    pub(crate) fn adds_up_to(&self, head: &Head) -> bool {
        self.tree.size() == head.size && self.tree.root() == head.root
    }

    /// Returns the root over the first `size` events, or nothing beyond the
    /// end. Means nothing where the events do not add up to the head.
    pub(crate) fn root_at(&self, size: u64) -> Option<Root> {
        let number = usize::try_from(self.layout.segment_of(size)).ok()?;
        let size = usize::try_from(size).ok()?;
        let rest = number * usize::try_from(self.layout.segment_lines()).ok()?;
        let mut tree = Frontier::default();
        for sealed in self.sealed.get(..number)? {
            tree.push_perfect(self.layout.level(), sealed.root);
        }
        for leaf in self.leaves.get(rest..size)? {
            tree.push(leaf);
        }
        Some(tree.root())
    }

    /// The older slot of the head must name a prefix of the same ledger.
    pub(crate) fn check_older_head(&self, slots: &Slots) -> Option<Finding> {
        let older = slots.older()?;
        let root = self.root_at(older.size)?;
        (root != older.root).then(|| {
            let expected = format!("the older slot to name the root at size {}", older.size);
            let found = format!("root {}", older.root);
            Finding::new(Code::HeadMismatch, Place::file(HEAD), expected, found)
        })
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
        let mut lines = index.split_inclusive(|byte| *byte == b'\n');
        for (number, sealed) in (1_u64..).zip(&self.sealed) {
            let wanted = sealed.line().map_err(std::io::Error::other);
            let wanted = wanted.map_err(LedgerError::io("read", SEGMENTS))?;
            if lines.next() == Some(wanted.as_bytes()) {
                continue;
            }
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
        if lines.next().is_some() {
            // Written before the head that covers it: on its way, or torn.
            let place = Place::file(SEGMENTS);
            let expected = format!("{} lines", self.sealed.len());
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
        let mut findings = Vec::new();
        let mut find = |place, expected: &str, found: &str| {
            findings.push(Finding::new(
                Code::CheckpointChanged,
                place,
                expected,
                found,
            ));
        };
        let mut named = BTreeSet::new();
        for (checkpoint, place) in claimed {
            let size = checkpoint.size.get();
            let root = self.root_at(size);
            if adds_up && root != Some(checkpoint.root) {
                let expected = root.map_or_else(
                    || format!("a size of at most {}", self.tree.size()),
                    |root| format!("the root {root} at size {size}"),
                );
                find(
                    place.clone(),
                    &expected,
                    &format!("root {}", checkpoint.root),
                );
            }
            named.insert(size);
        }
        for (path, bytes) in stored_checkpoints(storage)? {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let is_right = match text.parse::<Checkpoint>() {
                Ok(stored) => {
                    named.remove(&stored.size);
                    let is_named_so = stored.path() == path && stored.origin == *origin;
                    is_named_so && (!adds_up || self.root_at(stored.size) == Some(stored.root))
                }
                Err(_) => false,
            };
            if !is_right {
                let expected = "origin, size and root of this ledger at the size in its name";
                find(Place::file(path), expected, "another text");
            }
        }
        for size in named {
            let place = Place::file(format!("{CHECKPOINTS}/{size}"));
            find(place, "the checkpoint that an event names", "no such file");
        }
        Ok(findings)
    }
}
