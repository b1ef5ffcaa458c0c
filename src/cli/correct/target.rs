use std::collections::BTreeMap;
use std::str::FromStr;

use crate::cli::error::CliError;
use crate::cli::game_id::parse_digits;
use crate::event::{
    CorrectionChange, Event, EventId, NamedValue, SUPERSEDED_FIELDS, Verified, What,
};
use crate::ledger::{Disk, Prefix};

/// The id of an event, or its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target(String);

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_digits(text, "an event").map(Self)
    }
}

/// The events that could be meant by some targets.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    by_digits: BTreeMap<String, Vec<Verified<Event>>>,
    /// The ends of games whose ids begin so: people know a game, not its end.
    ends: BTreeMap<String, Vec<Verified<Event>>>,
}

impl Candidates {
    /// Returns an empty list for each of the targets.
    pub(crate) fn of(targets: &[Target]) -> Self {
        let digits = || targets.iter().map(|target| (target.0.clone(), Vec::new()));
        Self {
            by_digits: digits().collect(),
            ends: digits().collect(),
        }
    }

    /// Takes in the next event of the ledger.
    pub(crate) fn take(&mut self, event: &Verified<Event>) {
        let id = event.id().to_string();
        for (digits, events) in &mut self.by_digits {
            if id.starts_with(digits.as_str()) {
                events.push(event.clone());
            }
        }
        if let What::GameFinished(finished) = &event.what {
            let game = finished.game.to_string();
            for (digits, events) in &mut self.ends {
                if game.starts_with(digits.as_str()) {
                    events.push(event.clone());
                }
            }
        }
    }

    /// Returns the events that are meant: of those that begin with the digits
    /// the only one that can be changed like this.
    pub(crate) fn find(
        &self,
        targets: &[Target],
        change: CorrectionChange,
        values: &[NamedValue],
    ) -> Result<Vec<&Verified<Event>>, CliError> {
        let has_fields = |kind: &str| {
            values.iter().all(|value| {
                let mut fields = SUPERSEDED_FIELDS.iter();
                fields.any(|field| field.name == value.name && field.kinds.contains(&kind))
            })
        };
        let can_be_meant = |event: &&Verified<Event>| {
            let kind = event.what.kind().name;
            change.kinds().contains(&kind) && has_fields(kind)
        };
        let find = |Target(digits): &Target| {
            let events = self.by_digits.get(digits).map_or(&[][..], Vec::as_slice);
            let mut meant: Vec<_> = events.iter().filter(can_be_meant).collect();
            if meant.is_empty() && change == CorrectionChange::Supersede {
                let ends = self.ends.get(digits).into_iter().flatten();
                meant = ends.filter(can_be_meant).collect();
            }
            match (meant.as_slice(), events) {
                ([only], _) => Ok(*only),
                ([], []) => Err(format!("no event of the ledger begins with {digits}")),
                ([], [event, ..]) if change == CorrectionChange::Supersede => {
                    let kind = event.what.kind().name;
                    let fields = SUPERSEDED_FIELDS.iter();
                    let mut fields: Vec<_> = fields
                        .filter(|field| field.kinds.contains(&kind))
                        .map(|field| field.name)
                        .collect();
                    fields.dedup();
                    let has = if fields.is_empty() {
                        "none of its fields can be set".to_owned()
                    } else {
                        format!("of its fields these can be set: {}", fields.join(", "))
                    };
                    let names = values.iter().map(|value| format!("`{}`", value.name));
                    let names: Vec<_> = names.collect();
                    Err(format!(
                        "event {} is {kind}, which has not {} to set; {has}",
                        event.id(),
                        names.join(" and ")
                    ))
                }
                ([], [event, ..]) => Err(format!(
                    "event {} is {}, which a correction cannot {}; it can: {}",
                    event.id(),
                    event.what.kind().name,
                    change.as_str(),
                    change.kinds().join(", ")
                )),
                ([_, _, ..], _) => Err(format!(
                    "more than one event begins with {digits}; give more digits:\n{}",
                    in_words(&meant)
                )),
            }
        };
        let found: Result<Vec<_>, _> = targets.iter().map(find).collect();
        let found = found.map_err(CliError::Input)?;
        let mut seen: Vec<EventId> = Vec::new();
        for event in &found {
            if seen.contains(&event.id()) {
                let message = format!("event {} is named twice; name it once", event.id());
                return Err(CliError::Input(message));
            }
            seen.push(event.id());
        }
        Ok(found)
    }
}

/// Returns the ids of the events that are named by these digits, each once.
pub(crate) fn named(targets: &[Target], disk: &Disk) -> Result<Vec<EventId>, CliError> {
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let mut candidates = Candidates::of(targets);
    let prefix = Prefix::open(disk)?;
    prefix.read(prefix.size(), |_, event| candidates.take(&event))?;
    // Anything can be said of every event.
    let found = candidates.find(targets, CorrectionChange::Annotate, &[])?;
    Ok(found.iter().map(|event| event.id()).collect())
}

fn in_words(events: &[&Verified<Event>]) -> String {
    let line = |event: &&Verified<Event>| format!("  {}  {}", event.id(), event.what.kind().name);
    events.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The value that an event carries in a field, as a correction writes it.
pub(crate) fn recorded_value(event: &Verified<Event>, field: &str) -> Option<String> {
    let mut value = &serde_json::to_value(&event.what).ok()?;
    for part in field.split('.') {
        value = value.get(part)?;
    }
    let text = value.as_str().map(str::to_owned);
    text.or_else(|| value.as_u64().map(|number| number.to_string()))
}
