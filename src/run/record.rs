use crate::canonical::Clock;
use crate::event::{By, Event, EventId, Verified, What};
use crate::ledger::{LedgerError, Writer};
use crate::projection::Projection;

/// The ledger as it is written, with the projection that follows from it.
///
/// Every event goes through here: appended first, applied when it is durable.
pub struct Record<'a> {
    writer: Writer<'a>,
    projection: Projection,
    clock: &'a dyn Clock,
    by: By,
}

/// Events that will be appended together. Later ones may name earlier ones.
#[derive(Default)]
pub(crate) struct Batch {
    events: Vec<Verified<Event>>,
}

impl<'a> Record<'a> {
    /// Returns the record of a ledger whose events gave this projection.
    pub fn new(writer: Writer<'a>, projection: Projection, clock: &'a dyn Clock, by: By) -> Self {
        Self {
            writer,
            projection,
            clock,
            by,
        }
    }

    /// What follows from the events so far.
    pub const fn projection(&self) -> &Projection {
        &self.projection
    }

    /// Adds an event to a batch, at the time it is now, and returns its id.
    pub(crate) fn say(
        &self,
        batch: &mut Batch,
        what: impl Into<What>,
    ) -> Result<EventId, LedgerError> {
        let event = Event {
            at: self.clock.now(),
            by: self.by.clone(),
            what: what.into(),
        };
        let event = Verified::write(event).map_err(std::io::Error::other);
        let event = event.map_err(LedgerError::io("write", "an event of the runner"))?;
        let id = event.id();
        batch.events.push(event);
        Ok(id)
    }

    /// Appends a batch. When this returns it is durable and applied.
    pub(crate) fn commit(&mut self, batch: Batch) -> Result<(), LedgerError> {
        self.writer.append(&batch.events)?;
        for event in &batch.events {
            self.projection.apply(event);
        }
        Ok(())
    }
}
