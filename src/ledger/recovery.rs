//! What an opening writer finds, and what it makes of it.
//!
//! [`survey`] reads and changes nothing. What it returns is sound up to the
//! acknowledged size; what stands behind that is a [`Tail`], which
//! [`Survey::settle`] cuts off or rolls forward. Anything else that is wrong
//! refuses the ledger.

use crate::digest::{Frontier, Root};
use crate::event::{Event, Origin, Verified};
use crate::finding::{Code, Finding, Place};
use crate::ledger::layout::{
    EVENTS, HEAD, SEGMENT_LEVEL, SEGMENT_LINES, SEGMENTS, segment_of, segment_path,
};
use crate::ledger::lines::Lines;
use crate::ledger::open_ids::OpenIds;
use crate::ledger::prefix::{
    check_origin, head_mismatch, line_fault, read_description, read_slots,
};
use crate::ledger::quarantine::{Cause, quarantine};
use crate::ledger::segment_index::{self, Sealed};
use crate::ledger::segments::{self, Depth, Part};
use crate::ledger::{Head, LedgerError, Mode, Storage};

/// What a writer stands on.
pub(crate) struct Survey {
    pub(crate) head: Head,
    /// The roots of the sealed segments.
    sealed: Frontier,
    /// The leaves of the open segment.
    open: Frontier,
    /// The ids of the open segment.
    pub(crate) open_ids: OpenIds,
    /// The length of the segment index that belongs to the head.
    pub(crate) index_bytes: u64,
    /// The bytes of the slot that is not whole, where one is not.
    pub(crate) broken_slot: Option<Vec<u8>>,
}

/// Bytes behind what the head acknowledges.
struct Tail {
    bytes: Vec<u8>,
    /// Segment files behind the open one.
    later_segments: Vec<u64>,
    index_is_longer: bool,
}

/// Looks at a ledger that is to be appended to.
///
/// # Errors
///
/// When what was acknowledged is not there as it was acknowledged.
pub(crate) fn survey(storage: &dyn Storage) -> Result<Survey, LedgerError> {
    let origin = read_description(storage)?.origin;
    let (file, slots) = read_slots(storage)?;
    let newest = slots.newest().filter(|_| slots.is_framed);
    let Some(head) = newest else {
        return Err(damaged(
            Code::HeadSlot,
            HEAD,
            "a head as it was written",
            "another head file",
        ));
    };
    let broken_slot = slots.broken_bytes(&file);
    if broken_slot.is_none() && !slots.is_sound() {
        return Err(damaged(
            Code::HeadSlot,
            HEAD,
            "two heads in sequence",
            "two that are not",
        ));
    }
    let (sealed, index_bytes) = sealed_segments(storage, &head)?;
    let mut survey = Survey {
        head,
        sealed: Frontier::default(),
        open: Frontier::default(),
        open_ids: OpenIds::default(),
        index_bytes,
        broken_slot,
    };
    for segment in &sealed {
        survey.sealed.push_perfect(SEGMENT_LEVEL, segment.root);
    }
    survey.read_open_segment(storage)?;
    check_first_event(storage, &head, &origin)?;
    if survey.size() != head.size || survey.root() != head.root {
        return Err(LedgerError::Damaged {
            findings: vec![head_mismatch(&head, &survey.tree(), HEAD)],
        });
    }
    Ok(survey)
}

/// The description must name the ledger as its first event does.
fn check_first_event(
    storage: &dyn Storage,
    head: &Head,
    origin: &Origin,
) -> Result<(), LedgerError> {
    let path = segment_path(0);
    let read = || -> std::io::Result<Option<Verified<Event>>> {
        let file = storage.open(&path, Mode::Read)?;
        let mut lines = Lines::new(&*file, 0, file.length()?);
        let line = lines.next()?;
        Ok(line.and_then(|line| Verified::parse(line.bytes).ok()))
    };
    let first = read().map_err(LedgerError::io("read", &path))?;
    let finding = first.and_then(|first| check_origin(&first, origin));
    match finding.filter(|_| head.size != 0) {
        Some(finding) => Err(LedgerError::Damaged {
            findings: vec![finding],
        }),
        None => Ok(()),
    }
}

/// Reads the segment index and compares it with the lengths of the files.
fn sealed_segments(storage: &dyn Storage, head: &Head) -> Result<(Vec<Sealed>, u64), LedgerError> {
    let index = storage.read(SEGMENTS).map_err(|error| {
        let absent = segment_index::absent(&error);
        absent.map_or_else(
            || LedgerError::io("read", SEGMENTS)(error),
            |finding| LedgerError::Damaged {
                findings: vec![finding],
            },
        )
    })?;
    let (sealed, end) = segment_index::parse(&index, head.segment).map_err(|(line, fault)| {
        LedgerError::Damaged {
            findings: vec![Finding::new(
                Code::SegmentIndex,
                Place::file(SEGMENTS).line(line).column(fault.column),
                fault.expected,
                fault.found,
            )],
        }
    })?;
    let lengths: std::collections::BTreeMap<String, u64> = storage
        .list(EVENTS)
        .map_err(LedgerError::io("list", EVENTS))?
        .into_iter()
        .map(|entry| (format!("{EVENTS}/{}", entry.name), entry.bytes))
        .collect();
    for segment in &sealed {
        let path = segment_path(segment.segment.get());
        match lengths.get(&path) {
            None => {
                return Err(damaged(
                    Code::SegmentMissing,
                    &path,
                    "a sealed segment",
                    "no such file",
                ));
            }
            Some(bytes) if *bytes != segment.bytes.get() => {
                let (expected, found) = (segment.bytes, bytes);
                return Err(damaged(
                    Code::SegmentLength,
                    &path,
                    &format!("{expected} bytes"),
                    &format!("{found} bytes"),
                ));
            }
            Some(_) => {}
        }
    }
    Ok((sealed, u64::try_from(end).unwrap_or(u64::MAX)))
}

impl Survey {
    fn read_open_segment(&mut self, storage: &dyn Storage) -> Result<(), LedgerError> {
        let number = self.head.segment;
        let path = segment_path(number);
        let part = Part {
            number,
            bytes: Some(self.head.length),
        };
        let segment = segments::read(storage, part, Depth::Events)?;
        match segment.length {
            None => {
                return Err(damaged(
                    Code::SegmentMissing,
                    &path,
                    "the open segment",
                    "no such file",
                ));
            }
            Some(length) if length < self.head.length => {
                let expected = format!("at least {} bytes", self.head.length);
                return Err(damaged(
                    Code::SegmentLength,
                    &path,
                    &expected,
                    &format!("{length} bytes"),
                ));
            }
            Some(_) => {}
        }
        for line in segment.lines {
            match line.event {
                Ok(event) => self.take(&event),
                Err(fault) => {
                    return Err(LedgerError::Damaged {
                        findings: vec![line_fault(number, line.number, &fault)],
                    });
                }
            }
        }
        Ok(())
    }

    /// The number of events, those behind the head included that were taken in.
    pub(crate) const fn size(&self) -> u64 {
        self.sealed.size() + self.open.size()
    }

    /// The root over them.
    pub(crate) fn root(&self) -> Root {
        self.tree().root()
    }

    fn tree(&self) -> Frontier {
        self.sealed.joined(&self.open)
    }

    /// Takes in an event of the open segment.
    pub(crate) fn take(&mut self, event: &Verified<Event>) {
        self.open.push(&event.id().leaf());
        self.open_ids.add(event.id());
    }

    /// Closes the open segment, which is full, and returns its root.
    pub(crate) fn seal(&mut self) -> Root {
        let root = self.open.root();
        self.sealed.push_perfect(SEGMENT_LEVEL, root);
        self.open = Frontier::default();
        self.open_ids.clear();
        root
    }

    /// Makes what stands behind the head nobody's: a torn tail goes to
    /// quarantine, and so does a broken slot. Returns the whole events behind a
    /// broken slot, which stay where they are and are still to be committed.
    ///
    /// # Errors
    ///
    /// When the tail behind a broken slot is not whole, or what the system says.
    pub(crate) fn settle(
        &self,
        storage: &dyn Storage,
    ) -> Result<Vec<Verified<Event>>, LedgerError> {
        let tail = self.tail(storage)?;
        if let Some(broken_slot) = &self.broken_slot {
            let whole = self.whole_tail(&tail)?;
            let cause = Cause::TornHead {
                rolled_forward: u64::try_from(whole.len()).unwrap_or(u64::MAX),
            };
            quarantine(storage, broken_slot, cause)?;
            return Ok(whole);
        }
        if !tail.bytes.is_empty() {
            quarantine(storage, &tail.bytes, Cause::TornTail)?;
        }
        self.cut(storage, &tail)?;
        Ok(Vec::new())
    }

    fn tail(&self, storage: &dyn Storage) -> Result<Tail, LedgerError> {
        let open = segment_path(self.head.segment);
        let mut bytes = storage
            .read(&open)
            .map_err(LedgerError::io("read", &open))?;
        bytes.drain(
            ..usize::try_from(self.head.length)
                .unwrap_or(usize::MAX)
                .min(bytes.len()),
        );
        let mut later_segments = Vec::new();
        loop {
            let number = self.head.segment + 1 + u64::try_from(later_segments.len()).unwrap_or(0);
            let path = segment_path(number);
            match storage.read(&path) {
                Ok(more) => bytes.extend(more),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => break,
                Err(error) => return Err(LedgerError::io("read", path)(error)),
            }
            later_segments.push(number);
        }
        let index = storage
            .read(SEGMENTS)
            .map_err(LedgerError::io("read", SEGMENTS))?;
        Ok(Tail {
            bytes,
            later_segments,
            index_is_longer: self.index_bytes < u64::try_from(index.len()).unwrap_or(u64::MAX),
        })
    }

    /// Reads the tail as events.
    fn whole_tail(&self, tail: &Tail) -> Result<Vec<Verified<Event>>, LedgerError> {
        let mut events = Vec::new();
        for line in tail.bytes.split_inclusive(|byte| *byte == b'\n') {
            let size = self.head.size + u64::try_from(events.len()).unwrap_or(0);
            let parsed = match line.strip_suffix(b"\n") {
                Some(line) => Verified::parse(line),
                None => Err(crate::event::LineFault::new(
                    1,
                    "a whole line",
                    "a part of one",
                )),
            };
            match parsed {
                Ok(event) => events.push(event),
                Err(fault) => {
                    let number = size % SEGMENT_LINES + 1;
                    return Err(LedgerError::Damaged {
                        findings: vec![line_fault(segment_of(size), number, &fault)],
                    });
                }
            }
        }
        Ok(events)
    }

    fn cut(&self, storage: &dyn Storage, tail: &Tail) -> Result<(), LedgerError> {
        for number in tail.later_segments.iter().rev() {
            let path = segment_path(*number);
            storage
                .remove(&path)
                .map_err(LedgerError::io("remove", path))?;
        }
        if !tail.later_segments.is_empty() {
            storage
                .sync_folder(EVENTS)
                .map_err(LedgerError::io("sync", EVENTS))?;
        }
        if !tail.bytes.is_empty() {
            shorten(storage, &segment_path(self.head.segment), self.head.length)?;
        }
        if tail.index_is_longer {
            shorten(storage, SEGMENTS, self.index_bytes)?;
        }
        Ok(())
    }
}

fn shorten(storage: &dyn Storage, path: &str, bytes: u64) -> Result<(), LedgerError> {
    storage
        .open(path, Mode::Write)
        .and_then(|mut file| {
            file.set_length(bytes)?;
            file.sync()
        })
        .map_err(LedgerError::io("shorten", path))
}

fn damaged(code: Code, path: &str, expected: &str, found: &str) -> LedgerError {
    LedgerError::Damaged {
        findings: vec![Finding::new(code, Place::file(path), expected, found)],
    }
}
