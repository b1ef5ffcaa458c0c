//! Recomputing a whole ledger from its bytes.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest::{Digest, Frontier, Root};
use crate::event::{Event, EventId, Origin, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::{Claims, check_files};
use crate::ledger::layout::{
    DESCRIPTION, HEAD, SEGMENT_LEVEL, SEGMENT_LINES, SEGMENTS, segment_of, segment_path,
};
use crate::ledger::prefix::{head_mismatch, line_fault, read_description, read_slots};
use crate::ledger::segment_index::Sealed;
use crate::ledger::segments::{self, Part, Segment, stream};
use crate::ledger::{Description, Head, LedgerError, Slots, Storage};

/// What recomputing a ledger gave.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The name of the ledger.
    pub origin: Origin,
    /// The number of events that stand there.
    pub size: u64,
    /// The root over them.
    pub root: Root,
    /// Everything that is wrong, in the order of the files.
    pub findings: Vec<Finding>,
}

/// Recomputes everything from the bytes. Hands every event over on the way, in
/// order, and says after each segment how many of how many events are done.
///
/// # Errors
///
/// When it could not look: no ledger, no head, or what the system says.
pub fn verify(
    storage: &dyn Storage,
    progress: &dyn Fn(u64, u64),
    each: &mut dyn FnMut(u64, &Verified<Event>),
) -> Result<Verification, LedgerError> {
    let description = read_description(storage)?;
    let (_, slots) = read_slots(storage)?;
    let mut look = Look::new(storage, slots, description.origin.clone());
    look.check_slots();
    let Some(head) = slots.newest() else {
        return Ok(look.finish(description));
    };
    let parts: Vec<Part> = (0..=head.segment)
        .map(|number| Part {
            number,
            bytes: (number == head.segment).then_some(head.length),
        })
        .collect();
    stream(storage, &parts, |segment| {
        look.take(&head, segment, each);
        progress(look.tree.size(), head.size);
        Ok(())
    })?;
    if look.tree.size() != head.size || look.tree.root() != head.root {
        look.findings.push(head_mismatch(&head, &look.tree));
    }
    look.check_older_head()?;
    look.check_index(&head)?;
    look.check_checkpoints()?;
    let mut findings = check_files(storage, &head, &look.claims)?;
    look.findings.append(&mut findings);
    Ok(look.finish(description))
}

struct Look<'a> {
    storage: &'a dyn Storage,
    slots: Slots,
    origin: Origin,
    tree: Frontier,
    /// The lengths and roots of the full segments, as they stand.
    sealed: Vec<Sealed>,
    /// Every event so far with its kind, for duplicates and references.
    kinds: BTreeMap<EventId, &'static str>,
    latest: Option<crate::canonical::Time>,
    claims: Claims,
    findings: Vec<Finding>,
}

impl<'a> Look<'a> {
    fn new(storage: &'a dyn Storage, slots: Slots, origin: Origin) -> Self {
        Self {
            storage,
            slots,
            origin,
            tree: Frontier::default(),
            sealed: Vec::new(),
            kinds: BTreeMap::new(),
            latest: None,
            claims: Claims::default(),
            findings: Vec::new(),
        }
    }

    fn finish(self, description: Description) -> Verification {
        Verification {
            origin: description.origin,
            size: self.tree.size(),
            root: self.tree.root(),
            findings: self.findings,
        }
    }

    fn find(
        &mut self,
        code: Code,
        place: Place,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        self.findings
            .push(Finding::new(code, place, expected, found));
    }

    fn check_slots(&mut self) {
        if !self.slots.is_sound() {
            let broken = self
                .slots
                .slots
                .iter()
                .filter(|slot| matches!(slot, crate::ledger::Slot::Broken))
                .count();
            let found = if self.slots.is_framed {
                format!("{broken} broken slots, or slots out of sequence")
            } else {
                format!("another length or other blanks; {broken} broken slots")
            };
            self.find(
                Code::HeadSlot,
                Place::file(HEAD),
                "two whole slots in sequence",
                found,
            );
        }
    }

    fn take(&mut self, head: &Head, segment: Segment, each: &mut dyn FnMut(u64, &Verified<Event>)) {
        let path = segment_path(segment.number);
        let is_open = segment.number == head.segment;
        let mut tree = Frontier::default();
        for line in &segment.lines {
            let index = self.tree.size() + tree.size();
            tree.push(&line.leaf());
            match &line.event {
                Ok(event) => {
                    let place = Place::file(&path)
                        .line(line.number)
                        .with_event(*event.id().digest());
                    self.take_event(index, event, place);
                    each(index, event);
                }
                Err(faulty) => {
                    self.findings
                        .push(line_fault(segment.number, line.number, &faulty.fault));
                }
            }
        }
        let Some(length) = segment.length else {
            let expected = if is_open {
                "the open segment"
            } else {
                "a sealed segment"
            };
            self.find(
                Code::SegmentMissing,
                Place::file(path),
                expected,
                "no such file",
            );
            return;
        };
        let wanted = if is_open {
            head.size - head.segment * SEGMENT_LINES
        } else {
            SEGMENT_LINES
        };
        if tree.size() != wanted || (is_open && length < head.length) {
            let expected = format!("{wanted} events");
            let found = format!("{} events in {length} bytes", tree.size());
            self.find(Code::SegmentLength, Place::file(&path), expected, found);
        }
        if !is_open {
            self.sealed.push(Sealed {
                bytes: crate::canonical::Count::saturating(length),
                root: tree.root(),
                segment: crate::canonical::Count::saturating(segment.number),
            });
        } else if head.length < length {
            let expected = format!("{} bytes", head.length);
            self.find(
                Code::UnacknowledgedTail,
                Place::file(&path).offset(head.length),
                expected,
                format!("{} more", length - head.length),
            );
        }
        self.join(&tree, &segment);
    }

    /// Adds a segment to the tree; a full one at once, any other leaf by leaf.
    fn join(&mut self, tree: &Frontier, segment: &Segment) {
        if tree.size() == SEGMENT_LINES && self.tree.size() % SEGMENT_LINES == 0 {
            self.tree.push_perfect(SEGMENT_LEVEL, tree.root());
        } else {
            for line in &segment.lines {
                self.tree.push(&line.leaf());
            }
        }
    }

    fn take_event(&mut self, index: u64, event: &Verified<Event>, place: Place) {
        let opened = match &event.what {
            What::LedgerOpened(opened) => Some(opened),
            _ => None,
        };
        if opened.is_some() != (index == 0) {
            let (expected, found) = if index == 0 {
                ("ledger.opened as the first event", "another kind")
            } else {
                ("ledger.opened only as the first event", "a second one")
            };
            self.find(Code::OpeningEvent, place.clone(), expected, found);
        }
        if let Some(opened) = opened.filter(|opened| index == 0 && opened.origin != self.origin) {
            let place = Place::file(DESCRIPTION).line(1);
            let (expected, found) = (opened.origin.to_string(), self.origin.to_string());
            self.find(
                Code::LedgerDescription,
                place,
                format!("the origin {expected}"),
                found,
            );
        }
        if self.latest.is_some_and(|latest| event.at < latest) {
            let expected = self
                .latest
                .map_or_else(String::new, |latest| format!("{latest} or later"));
            self.find(
                Code::ClockBackwards,
                place.clone(),
                expected,
                event.at.to_string(),
            );
        }
        self.latest = Some(event.at);
        self.check_references(event, &place);
        let kind = event.what.kind().name;
        if self.kinds.insert(event.id(), kind).is_some() {
            self.find(
                Code::DuplicateEvent,
                place.clone(),
                "each line once",
                "the same line again",
            );
        }
        self.claims.take(event, place);
    }

    fn check_references(&mut self, event: &Verified<Event>, place: &Place) {
        for reference in event.what.references() {
            let expected = || reference.kinds.join(" or ");
            match self.kinds.get(reference.id) {
                Some(kind) if reference.kinds.contains(kind) => {}
                Some(kind) => {
                    let found = format!("{} names a {kind}", reference.field);
                    self.find(Code::ReferenceKind, place.clone(), expected(), found);
                }
                None => {
                    let found = format!(
                        "{} names {}, which is not there",
                        reference.field, reference.id
                    );
                    self.find(
                        Code::DanglingReference,
                        place.clone(),
                        format!("an earlier {}", expected()),
                        found,
                    );
                }
            }
        }
    }

    /// The older slot must name a prefix of the same ledger.
    fn check_older_head(&mut self) -> Result<(), LedgerError> {
        let Some(older) = self
            .slots
            .older()
            .filter(|older| older.size <= self.tree.size())
        else {
            return Ok(());
        };
        let root = self.root_at(older.size)?;
        if root != Some(older.root) {
            self.find(
                Code::HeadMismatch,
                Place::file(HEAD),
                format!("the older slot to name the root at size {}", older.size),
                format!("root {}", older.root),
            );
        }
        Ok(())
    }

    fn check_index(&mut self, head: &Head) -> Result<(), LedgerError> {
        let index = match self.storage.read(SEGMENTS) {
            Ok(index) => index,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let expected = "the segment index";
                self.find(
                    Code::SegmentIndex,
                    Place::file(SEGMENTS),
                    expected,
                    "no such file",
                );
                return Ok(());
            }
            Err(error) => return Err(LedgerError::io("read", SEGMENTS)(error)),
        };
        let lines = self
            .sealed
            .iter()
            .map(Sealed::line)
            .collect::<Result<Vec<_>, _>>();
        let lines = lines
            .map_err(std::io::Error::other)
            .map_err(LedgerError::io("read", SEGMENTS))?;
        let mut rest = index.as_slice();
        for (number, line) in lines.iter().enumerate() {
            let Some(behind) = rest.strip_prefix(line.as_bytes()) else {
                // Which of the two is wrong, the head decides: it covers the events.
                let place = Place::file(SEGMENTS).line(u64::try_from(number + 1).unwrap_or(0));
                self.find(Code::SegmentIndex, place, line.trim_end(), "another line");
                let place = Place::file(segment_path(u64::try_from(number).unwrap_or(0)));
                if self.tree.root() != head.root {
                    self.find(
                        Code::SegmentChanged,
                        place,
                        "the root in segments.jsonl",
                        "another root",
                    );
                }
                let skip = rest
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .map_or(rest.len(), |end| end + 1);
                rest = &rest[skip..];
                continue;
            };
            rest = behind;
        }
        if !rest.is_empty() {
            let place = Place::file(SEGMENTS).line(u64::try_from(lines.len() + 1).unwrap_or(0));
            self.find(
                Code::SegmentIndex,
                place,
                format!("{} lines", lines.len()),
                "more",
            );
        }
        Ok(())
    }

    /// Checks the checkpoints that events name, and the stored ones.
    fn check_checkpoints(&mut self) -> Result<(), LedgerError> {
        let mut named = BTreeSet::new();
        for (checkpoint, place) in self.claims.checkpoints.clone() {
            let size = checkpoint.size.get();
            let root = self.root_at(size)?;
            if root != Some(checkpoint.root) {
                let expected = root.map_or_else(
                    || format!("a size of at most {}", self.tree.size()),
                    |root| format!("the root {root} at size {size}"),
                );
                self.find(
                    Code::CheckpointChanged,
                    place,
                    expected,
                    format!("root {}", checkpoint.root),
                );
            }
            named.insert(size);
        }
        for (path, bytes) in crate::ledger::stored_checkpoints(self.storage)? {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let parsed = text.parse::<crate::ledger::Checkpoint>().ok();
            let is_right = match parsed {
                Some(stored) => {
                    named.remove(&stored.size);
                    stored.path() == path
                        && stored.origin == self.origin
                        && self.root_at(stored.size)? == Some(stored.root)
                }
                None => false,
            };
            if !is_right {
                let expected = "origin, size and root of this ledger at the size in its name";
                self.find(
                    Code::CheckpointChanged,
                    Place::file(path),
                    expected,
                    "another text",
                );
            }
        }
        for size in named {
            let place = Place::file(format!("checkpoints/{size}"));
            self.find(
                Code::CheckpointChanged,
                place,
                "the checkpoint that an event names",
                "no such file",
            );
        }
        Ok(())
    }

    /// Returns the root over the first `size` events, or nothing beyond the end.
    fn root_at(&self, size: u64) -> Result<Option<Root>, LedgerError> {
        if self.tree.size() < size {
            return Ok(None);
        }
        if self.tree.size() == size {
            return Ok(Some(self.tree.root()));
        }
        let number = segment_of(size);
        let mut tree = Frontier::default();
        for sealed in self
            .sealed
            .iter()
            .take(usize::try_from(number).unwrap_or(usize::MAX))
        {
            tree.push_perfect(SEGMENT_LEVEL, sealed.root);
        }
        let segment = segments::read(
            self.storage,
            Part {
                number,
                bytes: None,
            },
        )?;
        for line in &segment.lines {
            if tree.size() < size {
                tree.push(&line.leaf());
            }
        }
        Ok((tree.size() == size).then(|| tree.root()))
    }
}

impl Claims {
    fn take(&mut self, event: &Verified<Event>, place: Place) {
        for digest in event.what.blobs() {
            self.blobs.entry(*digest).or_insert_with(|| place.clone());
        }
        match &event.what {
            What::RecoveryRecorded(recovery) => {
                self.quarantined.entry(recovery.sha256).or_insert(place);
            }
            What::CohortFrozen(frozen) => self.checkpoints.push((frozen.checkpoint, place)),
            What::ReleasePublished(release) => self.checkpoints.push((release.checkpoint, place)),
            _ => {}
        }
    }
}

/// Whether these bytes have the digest that a file is named by.
pub(crate) fn is_named_by_digest(name: &str, bytes: &[u8]) -> bool {
    name.parse::<Digest>()
        .is_ok_and(|digest| digest == Digest::of(bytes))
}
