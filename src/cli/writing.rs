use crate::canonical::{Clock as _, Money, Time};
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::screen::{Screen, counted, hint};
use crate::event::{By, Event, Verified, What};
use crate::ledger::{Disk, Receipt, Recoveries, Writer};
use crate::secret::Scanner;

/// What every command that writes events takes.
#[derive(Debug, clap::Args)]
pub(crate) struct WritingArgs {
    /// The time of the events, such as 2026-11-29T20:48:00.123Z [default: now].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Time>,

    /// Who writes: printable ASCII without spaces.
    #[arg(long, value_name = "NAME", default_value = "maintainer", value_parser = parse_by)]
    by: By,

    /// Print the lines that would be appended, and append nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

pub(crate) fn parse_time(text: &str) -> Result<Time, String> {
    text.parse()
        .map_err(|error: crate::canonical::ParseTimeError| error.to_string())
}

/// An amount, in the one spelling of decimals.
pub(crate) fn parse_money(text: &str) -> Result<Money, String> {
    text.parse()
        .map_err(|error: crate::canonical::ParseDecimalError| error.to_string())
}

/// A recovery is recorded under this name too, before anything else is looked at.
pub(crate) fn parse_by(text: &str) -> Result<By, String> {
    match Scanner::shared().scan(text.as_bytes()).first() {
        None => text.parse().map_err(str::to_owned),
        Some(hit) => Err(format!(
            "it looks like a credential ({}); a ledger never forgets",
            hit.rule
        )),
    }
}

impl WritingArgs {
    /// The time that the events carry.
    pub(crate) fn at(&self) -> Time {
        self.time.unwrap_or_else(|| WallClock.now())
    }

    /// Who writes.
    pub(crate) const fn by(&self) -> &By {
        &self.by
    }

    /// Returns the event that says this.
    pub(crate) fn event(&self, what: impl Into<What>) -> Result<Verified<Event>, CliError> {
        self.event_at(self.at(), what)
    }

    /// Returns the event that says this, at a time that was asked for before.
    pub(crate) fn event_at(
        &self,
        at: Time,
        what: impl Into<What>,
    ) -> Result<Verified<Event>, CliError> {
        let event = Event {
            at,
            by: self.by.clone(),
            what: what.into(),
        };
        let event = Verified::write(event).map_err(|fault| CliError::Input(fault.to_string()))?;
        match Scanner::shared().scan(event.line().as_bytes()).first() {
            None => Ok(event),
            Some(hit) => Err(CliError::Input(format!(
                "an argument holds what looks like a credential ({}); a ledger never forgets, so nothing was written",
                hit.rule
            ))),
        }
    }

    /// Appends a batch, or prints it where nothing is to be appended.
    pub(crate) fn append(
        &self,
        disk: &Disk,
        batch: &[Verified<Event>],
        screen: &mut Screen<'_>,
    ) -> Result<Option<Receipt>, CliError> {
        if self.dry_run {
            for event in batch {
                screen.event(event);
            }
            return Ok(None);
        }
        let (mut writer, recoveries) = Writer::open(disk, self.at(), &self.by)?;
        report(&recoveries);
        Ok(Some(writer.append(batch)?))
    }
}

/// Says how far a ledger has come.
pub(crate) fn say_size(receipt: &Receipt, screen: &mut Screen<'_>) {
    let events = counted(receipt.size, "event");
    screen.line(&format!("the ledger has {events}, root {}", receipt.root));
}

/// Says what opening had to clean up.
pub(crate) fn report(recoveries: &Recoveries) {
    for recovery in recoveries {
        hint(&match recovery.rolled_forward {
            None => format!(
                "recovered from an interrupted append: {} unacknowledged bytes went to quarantine as {}",
                recovery.bytes, recovery.sha256
            ),
            Some(events) => format!(
                "recovered from an interrupted append: one slot of the head was torn; {events} whole events were rolled forward"
            ),
        });
    }
}
