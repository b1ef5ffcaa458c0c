use crate::canonical::Clock;
use crate::cli::error::CliError;
use crate::cli::interrupt::Interrupt;
use crate::cli::reading::{fold, fold_with};
use crate::cli::run::deck::History;
use crate::cli::writing::report;
use crate::digest::Root;
use crate::event::By;
use crate::ledger::{Disk, Prefix, SystemKeys, Waivers, Writer};
use crate::projection::{Projection, Source};
use crate::run::Record;

/// What a run stands on.
pub(crate) struct Ground<'a> {
    pub(crate) disk: &'a Disk,
    pub(crate) projection: Projection,
    source: Source,
    pub(crate) waivers: Waivers,
    pub(crate) history: History,
    pub(crate) interrupt: Interrupt,
}

impl<'a> Ground<'a> {
    /// Reads the ledger.
    pub(crate) fn survey(disk: &'a Disk, interrupt: Interrupt) -> Result<Self, CliError> {
        let prefix = Prefix::open(disk)?;
        let mut waivers = Waivers::default();
        let mut history = History::default();
        let (projection, source) = fold_with(&prefix, prefix.size(), |_, event| {
            waivers.take(event);
            history.take(event);
        })?;
        Ok(Self {
            disk,
            projection,
            source,
            waivers,
            history,
            interrupt,
        })
    }

    /// The root of the ledger as it was read.
    pub(crate) const fn root(&self) -> Root {
        self.source.root
    }

    /// Takes the lock. What was read stays true then, or is read again.
    pub(crate) fn record(
        self,
        clock: &'a dyn Clock,
        by: &By,
    ) -> Result<(Record<'a>, Interrupt), CliError> {
        let Self {
            disk,
            projection,
            source,
            waivers,
            interrupt,
            ..
        } = self;
        let (writer, recoveries) = Writer::open(disk, clock, by)?;
        report(&recoveries);
        let projection = if writer.size() == source.size && writer.root() == source.root {
            projection
        } else {
            let prefix = Prefix::open(disk)?;
            fold(&prefix, prefix.size())?.0
        };
        let record = Record::new(disk, writer, projection, clock, by.clone());
        let record = record.sealing_with(&SystemKeys).waiving(waivers);
        Ok((record, interrupt))
    }
}
