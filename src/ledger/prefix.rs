use crate::canonical::Time;
use crate::digest::{Frontier, Root};
use crate::event::{Event, Origin, Verified, What};
use crate::finding::{Code, Finding, Place};
use crate::ledger::layout::{
    BLOBS, CHECKPOINTS, DESCRIPTION, EVENTS, HEAD, QUARANTINE, SEGMENTS, segment_path,
};
use crate::ledger::segments::{Depth, Part, stream};
use crate::ledger::storage::absence;
use crate::ledger::{Description, Head, LedgerError, Slots, Storage};

/// The acknowledged events of a ledger, as they stood when it was opened.
///
/// A writer may go on beside it: what it appends later is not part of this.
pub struct Prefix<'a> {
    storage: &'a dyn Storage,
    description: Description,
    head: Head,
}

/// Why events could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Could not look.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Looked, and it is not what was acknowledged.
    #[error("the ledger is damaged; first finding:\n{}", .0.first().map_or_else(String::new, ToString::to_string))]
    Damaged(Vec<Finding>),
    /// There are not so many events.
    #[error("the ledger has {size} events, not {wanted}")]
    Beyond {
        /// The events there are.
        size: u64,
        /// The events that were asked for.
        wanted: u64,
    },
}

impl<'a> Prefix<'a> {
    /// Opens what the newest whole head acknowledges. Changes nothing and takes no lock.
    ///
    /// # Errors
    ///
    /// When there is no ledger, or its description or head say nothing.
    pub fn open(storage: &'a dyn Storage) -> Result<Self, LedgerError> {
        let description = read_description(storage)?;
        let head = read_slots(storage)?.1.newest().ok_or_else(|| {
            let finding = Finding::new(
                Code::HeadSlot,
                Place::file(HEAD),
                "at least one whole slot",
                "two broken ones",
            );
            LedgerError::Damaged {
                findings: vec![finding],
            }
        })?;
        Ok(Self {
            storage,
            description,
            head,
        })
    }

    /// The number of events.
    pub const fn size(&self) -> u64 {
        self.head.size
    }

    /// The root that the head promises.
    pub const fn root(&self) -> Root {
        self.head.root
    }

    /// The head itself.
    pub(crate) const fn head(&self) -> &Head {
        &self.head
    }

    /// What sort of ledger this is.
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// Hands the first `size` events over, in order, and returns their root.
    ///
    /// All lines are read and hashed, those behind `size` too: no reader
    /// accepts a ledger whose events do not add up to its head.
    ///
    /// # Errors
    ///
    /// When a line is no event, or the events do not add up to the head.
    /// Events may have been handed over by then; forget them.
    pub fn read(
        &self,
        size: u64,
        each: impl FnMut(u64, Verified<Event>),
    ) -> Result<Root, ReadError> {
        if self.head.size < size {
            return Err(ReadError::Beyond {
                size: self.head.size,
                wanted: size,
            });
        }
        let is_behind = |index, _: &Event| size <= index;
        self.read_before(is_behind, each).map(|(_, root)| root)
    }

    /// Hands the events before the first one whose `at` is later than this
    /// over, in order, and returns how many they are and their root.
    ///
    /// The position decides, not the clock: an earlier time behind a later one
    /// is not part of the prefix. All lines are read, as [`Prefix::read`] does.
    ///
    /// # Errors
    ///
    /// As [`Prefix::read`].
    pub fn read_until(
        &self,
        last: Time,
        each: impl FnMut(u64, Verified<Event>),
    ) -> Result<(u64, Root), ReadError> {
        self.read_before(|_, event| last < event.at, each)
    }

    /// Hands the events before the first that is behind the end over.
    fn read_before(
        &self,
        is_behind: impl Fn(u64, &Event) -> bool,
        mut each: impl FnMut(u64, Verified<Event>),
    ) -> Result<(u64, Root), ReadError> {
        let mut tree = Frontier::default();
        let mut end = None;
        let mut findings = Vec::new();
        stream(
            self.storage,
            &parts(&self.head),
            Depth::Events,
            |mut segment| {
                let first = tree.size();
                let lines = std::mem::take(&mut segment.lines);
                for (index, line) in (first..).zip(lines) {
                    if let (0, Ok(event)) = (index, &line.event) {
                        findings.extend(check_origin(event, &self.description.origin));
                    }
                    match line.event {
                        Ok(event) if end.is_none() && is_behind(index, &event) => {
                            end = Some((index, segment.root_within(&tree, index - first)));
                        }
                        Ok(event) if end.is_none() => each(index, event),
                        Ok(_) => {}
                        Err(fault) => {
                            findings.push(line_fault(segment.number, line.number, &fault));
                        }
                    }
                }
                segment.join(&mut tree, self.storage.layout());
                Ok(())
            },
        )?;
        if tree.size() != self.head.size || tree.root() != self.head.root {
            findings.push(head_mismatch(&self.head, &tree, HEAD));
        }
        if findings.is_empty() {
            Ok(end.unwrap_or_else(|| (tree.size(), tree.root())))
        } else {
            Err(ReadError::Damaged(findings))
        }
    }
}

/// The segments that a head covers.
pub(crate) fn parts(head: &Head) -> Vec<Part> {
    let part = |number| Part {
        number,
        bytes: (number == head.segment).then_some(head.length),
    };
    (0..=head.segment).map(part).collect()
}

/// More than any origin needs.
const DESCRIPTION_BYTES_MAX: u64 = 4096;

/// A longer file is no head, and need not be read to say so.
const HEAD_BYTES_MAX: u64 = 1 << 16;

pub(crate) fn read_description(storage: &dyn Storage) -> Result<Description, LedgerError> {
    let file = storage
        .read(DESCRIPTION, DESCRIPTION_BYTES_MAX)
        .map_err(|source| match absence(&source) {
            // Remains of a ledger are evidence; no ledger at all is none.
            Some(found) if remains_stand(storage) => LedgerError::Damaged {
                findings: vec![Finding::new(
                    Code::LedgerDescription,
                    Place::file(DESCRIPTION),
                    "the description of the ledger",
                    found,
                )],
            },
            Some(_) => LedgerError::Absent {
                folder: storage.describe(),
                source,
            },
            None => LedgerError::io("read", DESCRIPTION)(source),
        })?;
    Description::parse(&file).map_err(|fault| LedgerError::Damaged {
        findings: vec![Finding::new(
            Code::LedgerDescription,
            Place::file(DESCRIPTION).line(1).column(fault.column),
            fault.expected,
            fault.found,
        )],
    })
}

/// What only a ledger has.
const REMAINS: [&str; 7] = [
    DESCRIPTION,
    HEAD,
    EVENTS,
    SEGMENTS,
    CHECKPOINTS,
    QUARANTINE,
    BLOBS,
];

fn remains_stand(storage: &dyn Storage) -> bool {
    storage.list("").is_ok_and(|entries| {
        entries
            .iter()
            .any(|entry| REMAINS.contains(&entry.name.as_str()))
    })
}

pub(crate) fn read_slots(storage: &dyn Storage) -> Result<(Vec<u8>, Slots), LedgerError> {
    match read_head(storage) {
        Ok(file) => {
            let slots = Slots::parse(&file, storage.layout());
            Ok((file, slots))
        }
        Err(error) => match absence(&error) {
            Some(found) => Err(LedgerError::Damaged {
                findings: vec![Finding::new(
                    Code::HeadMissing,
                    Place::file(HEAD),
                    "the head of the ledger",
                    found,
                )],
            }),
            None => Err(LedgerError::io("read", HEAD)(error)),
        },
    }
}

/// Reads the head file. A slot may be read while it is written: what is wrong
/// with it counts once it stands still.
fn read_head(storage: &dyn Storage) -> std::io::Result<Vec<u8>> {
    let mut file = storage.read(HEAD, HEAD_BYTES_MAX)?;
    while !Slots::parse(&file, storage.layout()).is_sound() {
        let again = storage.read(HEAD, HEAD_BYTES_MAX)?;
        if again == file {
            break;
        }
        file = again;
    }
    Ok(file)
}

/// The description must name the ledger as its first event does.
pub(crate) fn check_origin(first: &Event, origin: &Origin) -> Option<Finding> {
    match &first.what {
        What::LedgerOpened(opened) if opened.origin != *origin => Some(Finding::new(
            Code::LedgerDescription,
            Place::file(DESCRIPTION).line(1),
            format!("the origin {}", opened.origin),
            format!("the origin {origin}"),
        )),
        _ => None,
    }
}

pub(crate) fn line_fault(segment: u64, line: u64, fault: &crate::event::LineFault) -> Finding {
    Finding::new(
        Code::LineFault,
        Place::file(segment_path(segment))
            .line(line)
            .column(fault.column),
        &fault.expected,
        &fault.found,
    )
}

/// The events do not add up to the head. A slot that is whole vouches for
/// itself, so it is the events that changed; where nothing tells in which
/// sealed segment, it is the open one that no other file vouches for.
pub(crate) fn head_mismatch(head: &Head, tree: &Frontier, path: &str) -> Finding {
    Finding::new(
        Code::HeadMismatch,
        Place::file(path),
        format!(
            "{} events with the root {} of the head",
            head.size, head.root
        ),
        format!("{} events with root {}", tree.size(), tree.root()),
    )
}
