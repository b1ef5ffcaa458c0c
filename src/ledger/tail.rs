//! What stands behind the head: nobody was told that it is durable.

use std::io;

use crate::event::{Event, LineFault, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::keep::{Source, Take, each_chunk};
use crate::ledger::layout::{EVENTS, SEGMENTS, segment_number, segment_path};
use crate::ledger::lines::{LineEnd, Lines};
use crate::ledger::prefix::line_fault;
use crate::ledger::{Head, Layout, LedgerError, Mode, Storage, StorageFile};

/// Bytes behind what the head acknowledges.
pub(crate) struct Tail<'a> {
    storage: &'a dyn Storage,
    head: Head,
    /// Of the open segment first, then of segments behind it.
    stretches: Vec<Stretch>,
    /// Where the segment index should end.
    index_end: u64,
    index_is_longer: bool,
}

/// A part of a segment's file that no head covers.
#[derive(Clone, Copy)]
struct Stretch {
    segment: u64,
    start: u64,
    end: u64,
}

impl<'a> Tail<'a> {
    /// Finds what stands behind this head, and behind this end of the segment index.
    pub(crate) fn find(
        storage: &'a dyn Storage,
        head: Head,
        index_end: u64,
    ) -> Result<Self, LedgerError> {
        let length = |path: &str| {
            let file = storage.open(path, Mode::Read);
            file.and_then(|file| file.length())
                .map_err(LedgerError::io("open", path))
        };
        let mut stretches = vec![Stretch {
            segment: head.segment,
            start: head.length,
            end: length(&segment_path(head.segment))?,
        }];
        // A crash may have kept the name of a later segment and lost that of an
        // earlier one, so that all are looked for.
        let entries = storage
            .list(EVENTS)
            .map_err(LedgerError::io("list", EVENTS))?;
        let numbers = entries.iter().map(|entry| segment_number(&entry.name));
        for segment in numbers.flatten().filter(|number| head.segment < *number) {
            stretches.push(Stretch {
                segment,
                start: 0,
                end: length(&segment_path(segment))?,
            });
        }
        stretches.sort_by_key(|stretch| stretch.segment);
        Ok(Self {
            storage,
            head,
            stretches,
            index_end,
            index_is_longer: index_end < length(SEGMENTS)?,
        })
    }

    /// Whether there is no byte of an event.
    pub(crate) fn is_empty(&self) -> bool {
        self.stretches
            .iter()
            .all(|stretch| stretch.end <= stretch.start)
    }

    /// Reads the tail as events, which must be whole, each in its segment.
    ///
    /// # Errors
    ///
    /// The first line that is none.
    pub(crate) fn whole(&self) -> Result<Vec<Verified<Event>>, LedgerError> {
        let layout = self.storage.layout();
        let mut events = Vec::new();
        let mut size = self.head.size;
        for stretch in &self.stretches {
            let path = segment_path(stretch.segment);
            let file = self.open(stretch)?;
            let mut lines = Lines::new(&*file, stretch.start, stretch.end);
            let mut offset = stretch.start;
            while let Some(line) = lines.next().map_err(LedgerError::io("read", &path))? {
                let event = match line.end {
                    _ if layout.segment_of(size) != stretch.segment => {
                        return Err(misplaced(layout, size, &path, offset));
                    }
                    LineEnd::Newline => Verified::parse(line.bytes),
                    LineEnd::Missing | LineEnd::TooLong => {
                        Err(LineFault::new(1, "a whole line", "a part of one"))
                    }
                };
                let event = event.map_err(|fault| {
                    let number = size % layout.segment_lines() + 1;
                    let mut finding = line_fault(stretch.segment, number, &fault);
                    finding.place = finding.place.offset(offset);
                    LedgerError::Damaged {
                        findings: vec![finding],
                    }
                })?;
                offset += u64::try_from(event.line().len() + 1).unwrap_or(0);
                events.push(event);
                size += 1;
            }
        }
        Ok(events)
    }

    /// Whether it is nothing but whole events that record recoveries.
    pub(crate) fn is_record_of_recoveries(&self) -> bool {
        let is_record = |event: &Verified<Event>| matches!(event.what, What::RecoveryRecorded(_));
        self.whole()
            .is_ok_and(|events| !events.is_empty() && events.iter().all(is_record))
    }

    /// Takes everything away, which is in quarantine by now.
    pub(crate) fn cut(&self) -> Result<(), LedgerError> {
        self.cut_behind(self.head.segment)?;
        // Also where nothing stands behind the head: what a failed append took
        // back is not gone for good before this is durable.
        let open = segment_path(self.head.segment);
        shorten(self.storage, &open, self.head.length)
    }

    /// Takes away segments behind this one, and what of the segment index no
    /// head covers, which is derived anew.
    pub(crate) fn cut_behind(&self, segment: u64) -> Result<(), LedgerError> {
        let is_behind = |stretch: &&Stretch| segment < stretch.segment;
        for stretch in self.stretches.iter().rev().filter(is_behind) {
            let path = segment_path(stretch.segment);
            self.storage
                .remove(&path)
                .map_err(LedgerError::io("remove", path))?;
        }
        if self.index_is_longer {
            shorten(self.storage, SEGMENTS, self.index_end)?;
        }
        Ok(())
    }

    fn open(&self, stretch: &Stretch) -> Result<Box<dyn StorageFile>, LedgerError> {
        let path = segment_path(stretch.segment);
        self.storage
            .open(&path, Mode::Read)
            .map_err(LedgerError::io("open", path))
    }
}

impl Source for Tail<'_> {
    fn each(&self, take: &mut Take<'_>) -> io::Result<()> {
        for stretch in &self.stretches {
            let path = segment_path(stretch.segment);
            let file = self.storage.open(&path, Mode::Read)?;
            each_chunk(&*file, stretch.start, stretch.end, take)?;
        }
        Ok(())
    }
}

fn misplaced(layout: Layout, size: u64, path: &str, offset: u64) -> LedgerError {
    let segment = layout.segment_of(size);
    LedgerError::Damaged {
        findings: vec![Finding::new(
            Code::SegmentLength,
            Place::file(path).offset(offset),
            format!("the next event in {}", segment_path(segment)),
            "one here",
        )],
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
