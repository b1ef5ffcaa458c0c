use crate::digest::{Frontier, Root};
use crate::event::{CheckpointRef, Event, Origin, Verified};
use crate::finding::{Code, Finding, Place};
use crate::ledger::layout::{HEAD, INDEX_BYTES_MAX, SEGMENTS, segment_path};
use crate::ledger::prefix::{check_origin, head_mismatch, line_fault};
use crate::ledger::segment_index::{self, Sealed};
use crate::ledger::segments::{self, Depth, Part, Segment, stream};
use crate::ledger::{Head, LedgerError, ReadError, ResumeError, Storage};

/// What the root of a head is made of: the roots of the sealed segments, as the
/// segment index has them, and the open segment. It adds up to the head.
///
/// So the roots of the index are as good as the head, and of a sealed segment
/// that is read after all, every line is.
pub(crate) struct Spine<'a> {
    storage: &'a dyn Storage,
    head: Head,
    pub(crate) sealed: Vec<Sealed>,
    pub(crate) open: Segment,
}

impl<'a> Spine<'a> {
    /// Reads the segment index and, to this depth, the open segment.
    ///
    /// # Errors
    ///
    /// When they do not add up to the head, or what the system says.
    pub(crate) fn read(
        storage: &'a dyn Storage,
        head: Head,
        depth: Depth,
    ) -> Result<Self, ReadError> {
        let index = storage.read(SEGMENTS, INDEX_BYTES_MAX).map_err(|error| {
            let absent = segment_index::absent(&error);
            let unread = LedgerError::io("read", SEGMENTS);
            absent.map_or_else(|| unread(error).into(), damaged)
        })?;
        // Lines behind them are of a writer that goes on.
        let (sealed, _) = segment_index::parse(&index, head.segment).map_err(|(line, fault)| {
            let place = Place::file(SEGMENTS).line(line).column(fault.column);
            let code = Code::SegmentIndex;
            damaged(Finding::new(code, place, fault.expected, fault.found))
        })?;
        let part = Part {
            number: head.segment,
            bytes: Some(head.length),
        };
        let spine = Self {
            storage,
            head,
            sealed,
            open: segments::read(storage, part, depth)?,
        };
        let mut findings = faults(&spine.open);
        let mut tree = spine.before(head.segment);
        spine.open.join(&mut tree, storage.layout());
        if tree.size() != head.size || tree.root() != head.root {
            findings.push(head_mismatch(&head, &tree, HEAD));
        }
        if findings.is_empty() {
            Ok(spine)
        } else {
            Err(ReadError::Damaged(findings))
        }
    }

    /// The tree of the segments before this one.
    fn before(&self, segment: u64) -> Frontier {
        let mut tree = Frontier::default();
        let count = usize::try_from(segment).unwrap_or(usize::MAX);
        for sealed in self.sealed.iter().take(count) {
            tree.push_perfect(self.storage.layout().level(), sealed.root);
        }
        tree
    }

    /// Reads a sealed segment, which must be what it was sealed with.
    fn sealed(&self, number: u64, depth: Depth) -> Result<Segment, LedgerError> {
        let part = Part {
            number,
            bytes: None,
        };
        let segment = segments::read(self.storage, part, depth)?;
        self.check(&segment)?;
        Ok(segment)
    }

    fn check(&self, segment: &Segment) -> Result<(), LedgerError> {
        let mut findings = faults(segment);
        let number = usize::try_from(segment.number).unwrap_or(usize::MAX);
        let sealed = self.sealed.get(number);
        let size = segment.tree.size();
        let is_whole = size == self.storage.layout().segment_lines();
        let is_right = sealed.is_some_and(|sealed| is_whole && segment.tree.root() == sealed.root);
        if !is_right && segment.length.is_some() {
            let found = format!("{size} events with root {}", segment.tree.root());
            findings.push(segment_changed(segment.number, &found));
        }
        if findings.is_empty() {
            Ok(())
        } else {
            Err(LedgerError::Damaged { findings })
        }
    }

    /// The root over the first `size` events, of which there are as many.
    pub(crate) fn root_at(&self, size: u64) -> Result<Root, ReadError> {
        let layout = self.storage.layout();
        let number = layout.segment_of(size);
        let rest = size % layout.segment_lines();
        let before = self.before(number);
        if rest == 0 {
            return Ok(before.root());
        }
        if number == self.head.segment {
            return Ok(self.open.root_within(&before, rest));
        }
        let segment = self.sealed(number, Depth::Leaves).map_err(looked)?;
        Ok(segment.root_within(&before, rest))
    }
}

/// A stretch of events that is handed over: from what is known to a size.
pub(crate) struct Stretch<'a> {
    pub(crate) known: &'a CheckpointRef,
    pub(crate) size: u64,
    pub(crate) origin: &'a Origin,
}

impl Stretch<'_> {
    /// Hands the events over and returns the root behind them. Neither size is
    /// beyond the head.
    pub(crate) fn read(
        &self,
        storage: &dyn Storage,
        head: Head,
        each: impl FnMut(u64, Verified<Event>),
    ) -> Result<Root, ResumeError> {
        let layout = storage.layout();
        let start = self.known.size.get();
        let first = layout.segment_of(start);
        let skipped = start % layout.segment_lines();
        let is_empty = start == self.size;
        // Lines before the start are hashed and not read, where they must be.
        let depth = |segment| match segment {
            _ if is_empty => Depth::Leaves,
            segment if segment == first => Depth::EventsFrom(skipped),
            _ => Depth::Events,
        };
        let open = head.segment;
        let is_open_needed = open * layout.segment_lines() < self.size;
        let depth_of_open = if is_open_needed {
            depth(open)
        } else {
            Depth::Leaves
        };
        let spine = Spine::read(storage, head, depth_of_open)?;
        let is_cut = skipped != 0 && first < open;
        let cut = is_cut.then(|| spine.sealed(first, depth(first)));
        let cut = cut.transpose().map_err(looked)?;
        let before = spine.before(first);
        let around = cut.as_ref().unwrap_or(&spine.open);
        let found = match skipped {
            0 => before.root(),
            skipped => around.root_within(&before, skipped),
        };
        if found != self.known.root {
            return Err(ResumeError::Another {
                size: start,
                known: self.known.root,
                found,
            });
        }
        if is_empty {
            return Ok(found);
        }
        self.hand_over(spine, cut, before, each)
    }

    /// Hands over what stands in these segments. Each is held against the index
    /// before anything of it is given away.
    fn hand_over(
        &self,
        spine: Spine<'_>,
        cut: Option<Segment>,
        before: Frontier,
        each: impl FnMut(u64, Verified<Event>),
    ) -> Result<Root, ResumeError> {
        let storage = spine.storage;
        let layout = storage.layout();
        let open = spine.head.segment;
        let next = layout.segment_of(before.size()) + u64::from(cut.is_some());
        let end = self.size.div_ceil(layout.segment_lines());
        let mut giving = Giving {
            stretch: self,
            tree: before,
            root: None,
            findings: Vec::new(),
            each,
        };
        if let Some(cut) = cut {
            giving.take(cut, storage);
        }
        let part = |number| Part {
            number,
            bytes: None,
        };
        let parts: Vec<_> = (next..end.min(open)).map(part).collect();
        stream(storage, &parts, Depth::Events, |segment| {
            spine.check(&segment)?;
            giving.take(segment, storage);
            Ok(())
        })
        .map_err(looked)?;
        if open < end {
            giving.take(spine.open, storage);
        }
        match giving.root {
            Some(root) if giving.findings.is_empty() => Ok(root),
            _ => Err(ReadError::Damaged(giving.findings).into()),
        }
    }
}

/// What of a stretch was handed over so far.
struct Giving<'a, F> {
    stretch: &'a Stretch<'a>,
    tree: Frontier,
    /// The root behind the stretch, once that is reached.
    root: Option<Root>,
    findings: Vec<Finding>,
    each: F,
}

impl<F: FnMut(u64, Verified<Event>)> Giving<'_, F> {
    fn take(&mut self, mut segment: Segment, storage: &dyn Storage) {
        let (start, size) = (self.stretch.known.size.get(), self.stretch.size);
        let first = self.tree.size();
        if first < size && size <= first + segment.tree.size() {
            self.root = Some(segment.root_within(&self.tree, size - first));
        }
        for line in std::mem::take(&mut segment.lines) {
            let index = first + line.number - 1;
            // What is no event was refused with its segment.
            let Ok(event) = line.event else { continue };
            if index == 0 {
                let finding = check_origin(&event, self.stretch.origin);
                self.findings.extend(finding);
            }
            if (start..size).contains(&index) {
                (self.each)(index, event);
            }
        }
        segment.join(&mut self.tree, storage.layout());
    }
}

/// What stands in a segment that is none of events.
fn faults(segment: &Segment) -> Vec<Finding> {
    if segment.length.is_none() {
        let place = Place::file(segment_path(segment.number));
        let code = Code::SegmentMissing;
        return vec![Finding::new(code, place, "a segment", "no such file")];
    }
    let lines = segment.lines.iter();
    lines
        .filter_map(|line| Some((line.number, line.event.as_ref().err()?)))
        .map(|(number, fault)| line_fault(segment.number, number, fault))
        .collect()
}

/// The same error of whoever only looked.
fn looked(error: LedgerError) -> ReadError {
    match error {
        LedgerError::Damaged { findings } => ReadError::Damaged(findings),
        error => error.into(),
    }
}

pub(crate) fn damaged(finding: Finding) -> ReadError {
    ReadError::Damaged(vec![finding])
}

/// The finding that a sealed segment is another one.
pub(crate) fn segment_changed(segment: u64, found: &str) -> Finding {
    let place = Place::file(segment_path(segment));
    let expected = "the events that the segment was sealed with";
    Finding::new(Code::SegmentChanged, place, expected, found)
}
