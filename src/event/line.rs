use std::ops::Deref;

use crate::canonical::{self, Fault};
use crate::event::{Event, EventId};

/// The most bytes a line may have, without its newline.
///
/// Larger bodies are blobs. A tile client's entry holds at most 65,535 bytes.
pub const MAX_LINE_BYTES: usize = 60_000;

/// Why a line is not one event in canonical form.
pub type LineFault = Fault;

/// A value together with the canonical line that it was read from, and its id.
///
/// Only [`Verified::parse`] and [`Verified::write`] make one, so holding a
/// `Verified<Event>` proves that the line is the canonical spelling of the
/// event, that its types and its meaning were checked, and that the id is the
/// hash of the bytes as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified<T> {
    value: T,
    line: Box<str>,
    id: EventId,
}

impl Verified<Event> {
    /// Returns the event that stands on this line (without its newline).
    ///
    /// # Errors
    ///
    /// The first fault with its column, and the canonical line where only the
    /// spelling is wrong.
    pub fn parse(line: &[u8]) -> Result<Self, LineFault> {
        check_length(line.len())?;
        let text = canonical::utf8(line)?;
        let value: Event = canonical::parse_text(text).map_err(|fault| meant(fault, line))?;
        check_meaning(&value, line)?;
        Ok(Self {
            id: EventId::of(line),
            line: text.into(),
            value,
        })
    }

    /// Returns the event with the line that says it.
    ///
    /// # Errors
    ///
    /// When the line would be longer than [`MAX_LINE_BYTES`], or the event
    /// says nothing that can be.
    pub fn write(event: Event) -> Result<Self, LineFault> {
        let line = canonical::write(&event)
            .map_err(|error| Fault::new(1, "an event that can be written", error.to_string()))?;
        check_length(line.len())?;
        check_meaning(&event, line.as_bytes())?;
        Ok(Self {
            id: EventId::of(line.as_bytes()),
            line: line.into(),
            value: event,
        })
    }

    /// The id: the leaf hash of the line.
    pub const fn id(&self) -> EventId {
        self.id
    }

    /// The line, without its newline.
    pub fn line(&self) -> &str {
        &self.line
    }
}

fn check_length(bytes: usize) -> Result<(), Fault> {
    if bytes <= MAX_LINE_BYTES {
        return Ok(());
    }
    Err(Fault::new(
        column(MAX_LINE_BYTES),
        format!("at most {MAX_LINE_BYTES} bytes a line; larger bodies are blobs"),
        format!("{bytes} bytes"),
    ))
}

/// Returns the fault of a line, or the one of its meaning where the canonical
/// line would not be taken either.
fn meant(fault: Fault, line: &[u8]) -> Fault {
    let canonical = fault.canonical.as_deref().unwrap_or_default();
    match canonical::parse(canonical.as_bytes()) {
        Ok(event) => check_meaning(&event, line).err().unwrap_or(fault),
        Err(_) => fault,
    }
}

fn check_meaning(event: &Event, line: &[u8]) -> Result<(), Fault> {
    event.what.check_meaning().map_err(|meaningless| {
        let path = format!("what.{}", meaningless.field);
        let column = canonical::column_of(line, &path);
        Fault::new(column, meaningless.expected, meaningless.found)
    })
}

fn column(offset: usize) -> u64 {
    u64::try_from(offset + 1).unwrap_or(u64::MAX)
}

impl<T> Deref for Verified<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
