use crate::canonical::{Clock as _, Money, Time};
use crate::cli::clock::Asked;
use crate::cli::error::CliError;
use crate::cli::screen::{Screen, counted, hint};
use crate::event::{By, Event, Verified, What};
use crate::finding::visible;
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

/// Words for people, on one line: nothing in them steers a terminal.
pub(crate) fn parse_words(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("expected some words".to_owned());
    }
    if visible(text) != text {
        return Err(format!(
            "expected one line of plain text, without control characters; this is {}",
            visible(text)
        ));
    }
    Ok(text.to_owned())
}

/// An amount as people write it, such as `5.00`; it is written in the one
/// spelling of decimals.
pub(crate) fn parse_money(text: &str) -> Result<Money, String> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", text),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let is_plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let expected = || {
        "expected US dollars in plain digits, such as 12.5: at most 9 digits before the point and 18 after it, no separators, no currency sign"
            .to_owned()
    };
    if !is_plain(whole) || !is_plain(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return Err(expected());
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let spelled = match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        digits => format!("{whole}.{digits}"),
    };
    let sign = if spelled == "0" { "" } else { sign };
    format!("{sign}{spelled}").parse().map_err(|_| expected())
}

/// An amount that is not below zero.
pub(crate) fn parse_price(text: &str) -> Result<Money, String> {
    let price = parse_money(text)?;
    if price.is_negative() {
        return Err("expected a price of zero or more".to_owned());
    }
    Ok(price)
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
    /// Of a command that writes in passing: now, under this name.
    pub(crate) const fn now(by: By) -> Self {
        Self {
            time: None,
            by,
            dry_run: false,
        }
    }

    /// What says the time of the events. It is looked at once the lock of the
    /// ledger is held: times ascend in the order of the ledger then.
    pub(crate) const fn clock(&self) -> Asked {
        Asked(self.time)
    }

    /// Who writes.
    pub(crate) const fn by(&self) -> &By {
        &self.by
    }

    /// Returns the event that says this now: the lock of the ledger is held, or
    /// nothing is going to be written.
    pub(crate) fn event(&self, what: impl Into<What>) -> Result<Verified<Event>, CliError> {
        self.event_at(self.clock().now(), what)
    }

    /// Returns the event that says this, at a time that was asked for before.
    pub(crate) fn event_at(
        &self,
        at: Time,
        what: impl Into<What>,
    ) -> Result<Verified<Event>, CliError> {
        let what = what.into();
        if let Err(wrong) = what.check_meaning() {
            return Err(CliError::Input(format!(
                "{}: expected {}, found {}",
                option_of(wrong.field),
                wrong.expected,
                wrong.found
            )));
        }
        let event = Event {
            at,
            by: self.by.clone(),
            what,
        };
        let longest = longest_field(&event.what);
        let event = Verified::write(event).map_err(|fault| {
            // The types and the meaning are right, so it is the length.
            CliError::Input(format!(
                "the event would be too long for a line: expected {}, found {}; most of it is {longest}",
                fault.expected, fault.found
            ))
        })?;
        match Scanner::shared().scan(event.line().as_bytes()).first() {
            None => Ok(event),
            Some(hit) => Err(CliError::Input(format!(
                "an argument holds what looks like a credential ({}); a ledger never forgets, so nothing was written",
                hit.rule
            ))),
        }
    }

    /// Says several things at one time, or prints them where nothing is to be
    /// appended.
    pub(crate) fn append(
        &self,
        disk: &Disk,
        said: &[What],
        screen: &mut Screen<'_>,
    ) -> Result<Option<Receipt>, CliError> {
        // What cannot be said is refused before anything is touched.
        let drafts = self.events(said)?;
        if self.dry_run {
            for event in &drafts {
                screen.event(event);
            }
            return Ok(None);
        }
        Ok(Some(self.writer(disk)?.append(&self.events(said)?)?))
    }

    /// Takes the lock of the ledger, and says what opening it had to clean up.
    pub(crate) fn writer<'a>(&self, disk: &'a Disk) -> Result<Writer<'a>, CliError> {
        let (writer, recoveries) = Writer::open(disk, self.clock(), &self.by)?;
        report(&recoveries);
        Ok(writer)
    }

    /// The same, unless nothing is to be written.
    pub(crate) fn writer_if_any<'a>(&self, disk: &'a Disk) -> Result<Option<Writer<'a>>, CliError> {
        (!self.dry_run).then(|| self.writer(disk)).transpose()
    }

    fn events(&self, said: &[What]) -> Result<Vec<Verified<Event>>, CliError> {
        let at = self.clock().now();
        said.iter()
            .map(|what| self.event_at(at, what.clone()))
            .collect()
    }
}

/// The option that says a field of an event.
fn option_of(field: &str) -> String {
    let name = match field {
        "amount_usd" => "amount",
        "cached_usd_per_million" => "cached",
        "completion_usd_per_million" => "completion",
        "cohorts" => "cohort",
        "corrected_usd" => "total",
        "prompt_usd_per_million" => "prompt",
        "requested_model" => "model",
        "targets" => return "TARGET".to_owned(),
        "decision" => return "TEXT".to_owned(),
        "departs_from" => "from",
        "figures" | "figures.generator" | "figures.row" | "figures.value" => "figure",
        "values" | "values.name" | "values.value" => "set",
        other => other,
    };
    format!("--{name}")
}

/// The option that says the longest field of an event.
fn longest_field(what: &What) -> String {
    let body = serde_json::to_value(what).unwrap_or_default();
    let fields = body.as_object().into_iter().flatten();
    let longest = fields.max_by_key(|(_, value)| value.to_string().len());
    longest.map_or_else(String::new, |(field, _)| option_of(field))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_taken_as_people_write_it_and_written_in_its_one_spelling() {
        for (typed, written) in [
            ("5.00", "5"),
            ("5", "5"),
            ("05.50", "5.5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-5.00", "-5"),
            ("-0.00", "0"),
            ("0", "0"),
            ("999999999.1230000000000000000000", "999999999.123"),
        ] {
            assert_eq!(parse_money(typed).unwrap().to_string(), written, "{typed}");
        }
        for typed in [
            "",
            "-",
            ".",
            "$5",
            "5,00",
            "1,000",
            "1e3",
            "+5",
            "--5",
            " 5",
            "5 USD",
            "1.2.3",
            "1000000000",
            "0.0000000000000000001",
            "\u{665}",
        ] {
            assert!(parse_money(typed).is_err(), "{typed:?}");
        }
        assert_eq!(parse_price("2.50").unwrap().to_string(), "2.5");
        assert_eq!(parse_price("-0").unwrap().to_string(), "0");
        let below = parse_price("-1").unwrap_err();
        assert_eq!(below, "expected a price of zero or more");
    }

    #[test]
    fn words_say_something_on_one_line_and_steer_no_terminal() {
        for words in ["the bill", " spaced ", "caf\u{e9} \u{265e}"] {
            assert_eq!(parse_words(words).unwrap(), words);
        }
        for words in ["", " ", "\t", "a\nb", "a\u{1b}[2J", "a\u{202e}b", "a\u{0}b"] {
            let error = parse_words(words).unwrap_err();
            assert!(error.starts_with("expected"), "{error}");
            assert_eq!(visible(&error), error);
        }
    }
}
