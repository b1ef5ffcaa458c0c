use crate::canonical::{Clock as _, Time};
use crate::cli::error::CliError;
use crate::cli::reading::fold;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::WritingArgs;
use crate::event::{Event, EventId, Verified, What};
use crate::finding::Finding;
use crate::ledger::{Disk, Prefix, Writer};
use crate::projection::{Projection, Source};

/// Where a maintainer decides: the ledger is locked from reading to writing, so
/// that what is decided on stays true until it is written.
pub(crate) struct Desk<'a> {
    args: &'a WritingArgs,
    at: Time,
    /// Nothing where nothing is to be written.
    writer: Option<Writer<'a>>,
    projection: Projection,
    source: Source,
    said: Vec<Verified<Event>>,
}

impl<'a> Desk<'a> {
    /// Takes the lock, unless nothing is to be written, and reads the ledger.
    pub(crate) fn open(args: &'a WritingArgs, disk: &'a Disk) -> Result<Self, CliError> {
        let writer = args.writer_if_any(disk)?;
        let prefix = Prefix::open(disk)?;
        let (projection, source) = fold(&prefix, prefix.size())?;
        Ok(Self {
            args,
            at: args.clock().now(),
            writer,
            projection,
            source,
            said: Vec::new(),
        })
    }

    /// The time that every event carries.
    pub(crate) const fn at(&self) -> Time {
        self.at
    }

    /// Whether events are shown and not written.
    pub(crate) const fn is_dry(&self) -> bool {
        self.writer.is_none()
    }

    /// What follows from the ledger and from what was said.
    pub(crate) const fn projection(&self) -> &Projection {
        &self.projection
    }

    /// The prefix that was read, before anything was said.
    pub(crate) const fn source(&self) -> &Source {
        &self.source
    }

    /// Says something. What contradicts the ledger is refused: nothing is
    /// written then.
    pub(crate) fn say(&mut self, what: impl Into<What>) -> Result<EventId, CliError> {
        let (id, findings) = self.say_also_if_wrong(what)?;
        match findings.first() {
            None => Ok(id),
            Some(finding) => Err(CliError::Input(format!(
                "it would contradict the ledger, and nothing was written:\n{finding}"
            ))),
        }
    }

    /// Says something, and returns with it what is wrong then.
    pub(crate) fn say_also_if_wrong(
        &mut self,
        what: impl Into<What>,
    ) -> Result<(EventId, Vec<Finding>), CliError> {
        let event = self.args.event_at(self.at, what)?;
        let known = self.projection.findings.len();
        self.projection.apply(&event);
        let id = event.id();
        self.said.push(event);
        Ok((id, self.projection.findings.split_off(known)))
    }

    /// Appends what was said, or shows it where nothing is to be written.
    /// Returns whether it is in the ledger now.
    pub(crate) fn commit(&mut self, screen: &mut Screen<'_>) -> Result<bool, CliError> {
        let said = std::mem::take(&mut self.said);
        let Some(writer) = &mut self.writer else {
            for event in &said {
                screen.event(event);
            }
            return Ok(false);
        };
        writer.append(&said)?;
        Ok(true)
    }

    /// Says how long the ledger is now.
    pub(crate) fn report(&self, screen: &mut Screen<'_>) {
        if let Some(writer) = &self.writer {
            let events = counted(writer.size(), "event");
            screen.line(&format!("the ledger has {events}, root {}", writer.root()));
        }
    }
}
