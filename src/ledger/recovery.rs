//! What an opening writer finds, and what it makes of it.
//!
//! [`survey`] reads and changes nothing. What it returns is sound up to the
//! acknowledged size; what stands behind that is a [`Tail`], which
//! [`Survey::settle`] cuts off or rolls forward. Anything else that is wrong
//! refuses the ledger, says where, and changes nothing.

use crate::digest::Frontier;
use crate::event::{Event, EventId, Origin, Verified};
use crate::finding::{Code, Finding, Place};
use crate::ledger::files::list;
use crate::ledger::layout::{CHECKPOINTS, EVENTS, HEAD, INDEX_BYTES_MAX, SEGMENTS, segment_path};
use crate::ledger::lines::Lines;
use crate::ledger::prefix::{
    check_origin, head_mismatch, line_fault, read_description, read_slots,
};
use crate::ledger::quarantine::{Cause, Pending, quarantine};
use crate::ledger::segment_index::{self, Sealed};
use crate::ledger::segments::{self, Part};
use crate::ledger::tail::Tail;
use crate::ledger::{Head, LedgerError, Mode, Storage};

/// What a writer stands on.
pub(crate) struct Survey {
    pub(crate) head: Head,
    /// The roots of the sealed segments, then the leaves of the open one.
    pub(crate) tree: Frontier,
    /// The leaves of the open segment alone.
    pub(crate) open_tree: Frontier,
    /// The ids of the open segment.
    pub(crate) open_ids: std::collections::BTreeSet<EventId>,
    /// The length of the segment index that belongs to the head.
    pub(crate) index_bytes: u64,
    /// The bytes of the slot that is not whole, where one is not.
    pub(crate) broken_slot: Option<Vec<u8>>,
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
            Place::file(HEAD).offset(slots.fault_offset(&file)),
            "a head as it was written",
            "another head file",
        ));
    };
    let broken_slot = slots.broken_bytes(&file);
    if broken_slot.is_none() && !slots.is_sound() {
        return Err(damaged(
            Code::HeadSlot,
            Place::file(HEAD).offset(0),
            "two heads in sequence",
            "two that are not",
        ));
    }
    let (sealed, index_bytes) = sealed_segments(storage, &head)?;
    let mut survey = Survey {
        head,
        tree: Frontier::default(),
        open_tree: Frontier::default(),
        open_ids: std::collections::BTreeSet::new(),
        index_bytes,
        broken_slot,
    };
    for segment in &sealed {
        survey
            .tree
            .push_perfect(storage.layout().level(), segment.root);
    }
    survey.read_open_segment(storage)?;
    check_first_event(storage, &head, &origin)?;
    if survey.tree.size() != head.size || survey.tree.root() != head.root {
        // Beside sealed segments, their index may be what has changed.
        let open = segment_path(head.segment);
        let (path, offset) = match head.segment {
            0 => (open.as_str(), 0),
            _ => (HEAD, head.slot_offset()),
        };
        return Err(LedgerError::Damaged {
            findings: vec![in_place(head_mismatch(&head, &survey.tree, path), offset)],
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
    let index = storage.read(SEGMENTS, INDEX_BYTES_MAX).map_err(|error| {
        let absent = segment_index::absent(&error);
        absent.map_or_else(
            || LedgerError::io("read", SEGMENTS)(error),
            |finding| LedgerError::Damaged {
                findings: vec![finding],
            },
        )
    })?;
    let (sealed, end) = segment_index::parse(&index, head.segment).map_err(|(line, fault)| {
        let place = Place::file(SEGMENTS).line(line).column(fault.column);
        let place = place.offset(line_offset(&index, line));
        damaged(Code::SegmentIndex, place, &fault.expected, &fault.found)
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
                    Place::file(path).offset(0),
                    "a sealed segment",
                    "no such file",
                ));
            }
            Some(bytes) if *bytes != segment.bytes.get() => {
                let (expected, found) = (segment.bytes, bytes);
                return Err(damaged(
                    Code::SegmentLength,
                    Place::file(path).offset(expected.get().min(*found)),
                    &format!("{expected} bytes"),
                    &format!("{found} bytes"),
                ));
            }
            Some(_) => {}
        }
    }
    Ok((sealed, u64::try_from(end).unwrap_or(u64::MAX)))
}

/// The offset of a line, counted from 1.
fn line_offset(file: &[u8], line: u64) -> u64 {
    let lines_before = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    let before = file.split_inclusive(|byte| *byte == b'\n');
    let lengths = before.take(lines_before).map(<[u8]>::len);
    u64::try_from(lengths.sum::<usize>()).unwrap_or(u64::MAX)
}

fn in_place(mut finding: Finding, offset: u64) -> Finding {
    finding.place = finding.place.offset(offset);
    finding
}

impl Survey {
    fn read_open_segment(&mut self, storage: &dyn Storage) -> Result<(), LedgerError> {
        let number = self.head.segment;
        let path = segment_path(number);
        let part = Part {
            number,
            bytes: Some(self.head.length),
        };
        let segment = segments::read(storage, part)?;
        match segment.length {
            None => {
                return Err(damaged(
                    Code::SegmentMissing,
                    Place::file(path).offset(0),
                    "the open segment",
                    "no such file",
                ));
            }
            Some(length) if length < self.head.length => {
                let expected = format!("at least {} bytes", self.head.length);
                return Err(damaged(
                    Code::SegmentLength,
                    Place::file(path).offset(length),
                    &expected,
                    &format!("{length} bytes"),
                ));
            }
            Some(_) => {}
        }
        let mut offset = 0;
        for line in segment.lines {
            match line.event {
                Ok(event) => {
                    offset += u64::try_from(event.line().len() + 1).unwrap_or(0);
                    self.take(&event);
                }
                Err(faulty) => {
                    let finding = line_fault(number, line.number, &faulty.fault);
                    return Err(LedgerError::Damaged {
                        findings: vec![in_place(finding, offset)],
                    });
                }
            }
        }
        Ok(())
    }

    /// Takes in an event of the open segment.
    pub(crate) fn take(&mut self, event: &Verified<Event>) {
        self.tree.push(&event.id().leaf());
        self.open_tree.push(&event.id().leaf());
        self.open_ids.insert(event.id());
    }

    /// Makes what stands behind the head nobody's: a torn tail goes to
    /// quarantine, and so does a broken slot. Returns the whole events behind a
    /// broken slot, which stay where they are and are still to be committed.
    ///
    /// # Errors
    ///
    /// When the tail behind a broken slot is not whole, or something else says
    /// that more was acknowledged (nothing is changed then), or what the system
    /// says.
    pub(crate) fn settle(
        &self,
        storage: &dyn Storage,
    ) -> Result<Vec<Verified<Event>>, LedgerError> {
        let size = self.head.size;
        let tail = Tail::find(storage, self.head, self.index_bytes)?;
        // A tail in quarantine is condemned: what is left of it is cut off, even
        // if a slot has turned out to be torn since.
        let is_condemned = Pending::all(storage)?
            .iter()
            .any(|pending| pending.condemns_tail_at(size));
        // Not so the events that record it: they come behind the same head.
        let is_whole =
            self.broken_slot.is_some() && (!is_condemned || tail.is_record_of_recoveries());
        let whole = if is_whole { tail.whole()? } else { Vec::new() };
        let rolled_forward = u64::try_from(whole.len()).unwrap_or(u64::MAX);
        check_checkpoints(storage, size + rolled_forward)?;
        Pending::check(storage)?;
        // Everything was looked at; from here on things are changed.
        if let Some(broken_slot) = &self.broken_slot {
            let cause = Cause::TornHead { rolled_forward };
            quarantine(storage, broken_slot.as_slice(), cause, size)?;
        }
        if is_whole {
            tail.cut_behind(storage.layout().segment_of(size + rolled_forward))?;
        } else {
            if !tail.is_empty() {
                quarantine(storage, &tail, Cause::TornTail, size)?;
            }
            tail.cut()?;
        }
        // What a failed append took back must not come back.
        storage
            .sync_folder(EVENTS)
            .map_err(LedgerError::io("sync", EVENTS))?;
        Ok(whole)
    }
}

/// No checkpoint may name more events than there are: they were acknowledged.
fn check_checkpoints(storage: &dyn Storage, size: u64) -> Result<(), LedgerError> {
    let entries = list(storage, CHECKPOINTS)?;
    let sizes = entries.iter().filter_map(|entry| entry.name.parse().ok());
    match sizes.max().filter(|largest: &u64| size < *largest) {
        Some(largest) => Err(damaged(
            Code::CheckpointChanged,
            Place::file(format!("{CHECKPOINTS}/{largest}")).offset(0),
            &format!("a checkpoint of at most {size} events, which is all there are"),
            &format!("one of {largest} events"),
        )),
        None => Ok(()),
    }
}

fn damaged(code: Code, place: Place, expected: &str, found: &str) -> LedgerError {
    LedgerError::Damaged {
        findings: vec![Finding::new(code, place, expected, found)],
    }
}
