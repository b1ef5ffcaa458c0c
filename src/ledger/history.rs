//! The roots that a ledger had at earlier sizes, and what claims to name them.

use std::collections::BTreeSet;

use crate::digest::{Frontier, Root};
use crate::event::{CheckpointRef, Origin};
use crate::finding::{Code, Finding, Place};
use crate::ledger::layout::{CHECKPOINTS, HEAD, SEGMENT_LEVEL, SEGMENTS, segment_of, segment_path};
use crate::ledger::segment_index::Sealed;
use crate::ledger::segments::{self, Part};
use crate::ledger::{Checkpoint, Head, LedgerError, Slots, Storage, stored_checkpoints};

/// The tree of a ledger as it stands, with what is needed to name earlier roots.
pub(crate) struct History<'a> {
    pub(crate) storage: &'a dyn Storage,
    /// All events.
    pub(crate) tree: Frontier,
    /// The lengths and roots of the full segments, as they stand.
    pub(crate) sealed: Vec<Sealed>,
}

impl History<'_> {
    /// Returns the root over the first `size` events, or nothing beyond the end.
    pub(crate) fn root_at(&self, size: u64) -> Result<Option<Root>, LedgerError> {
        if self.tree.size() <= size {
            return Ok((self.tree.size() == size).then(|| self.tree.root()));
        }
        let number = segment_of(size);
        let before = usize::try_from(number).unwrap_or(usize::MAX);
        let mut tree = Frontier::default();
        for sealed in self.sealed.iter().take(before) {
            tree.push_perfect(SEGMENT_LEVEL, sealed.root);
        }
        let part = Part {
            number,
            bytes: None,
        };
        for line in segments::read(self.storage, part)?.lines {
            if tree.size() < size {
                tree.push(&line.leaf());
            }
        }
        Ok((tree.size() == size).then(|| tree.root()))
    }

    /// The older slot of the head must name a prefix of the same ledger.
    pub(crate) fn check_older_head(&self, slots: &Slots) -> Result<Vec<Finding>, LedgerError> {
        let older = slots.older().filter(|older| older.size <= self.tree.size());
        let Some(older) = older else {
            return Ok(Vec::new());
        };
        if self.root_at(older.size)? == Some(older.root) {
            return Ok(Vec::new());
        }
        Ok(vec![Finding::new(
            Code::HeadMismatch,
            Place::file(HEAD),
            format!("the older slot to name the root at size {}", older.size),
            format!("root {}", older.root),
        )])
    }

    /// Compares the segment index with the segments. Where they differ, the
    /// head decides which of them is wrong: it covers the events.
    pub(crate) fn check_index(&self, head: &Head) -> Result<Vec<Finding>, LedgerError> {
        let index = match self.storage.read(SEGMENTS) {
            Ok(index) => index,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let place = Place::file(SEGMENTS);
                let expected = "the segment index";
                return Ok(vec![Finding::new(
                    Code::SegmentIndex,
                    place,
                    expected,
                    "no such file",
                )]);
            }
            Err(error) => return Err(LedgerError::io("read", SEGMENTS)(error)),
        };
        let events_are_right = self.tree.root() == head.root;
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
            let place = Place::file(SEGMENTS);
            let expected = format!("{} lines", self.sealed.len());
            findings.push(Finding::new(Code::SegmentIndex, place, expected, "more"));
        }
        Ok(findings)
    }

    /// Checks the checkpoints that events name, and the stored ones.
    pub(crate) fn check_checkpoints(
        &self,
        origin: &Origin,
        claimed: &[(CheckpointRef, Place)],
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
            let root = self.root_at(size)?;
            if root != Some(checkpoint.root) {
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
        for (path, bytes) in stored_checkpoints(self.storage)? {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let is_right = match text.parse::<Checkpoint>() {
                Ok(stored) => {
                    named.remove(&stored.size);
                    let is_named_so = stored.path() == path && stored.origin == *origin;
                    is_named_so && self.root_at(stored.size)? == Some(stored.root)
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
