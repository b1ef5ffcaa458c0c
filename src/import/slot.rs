//! The place of a game in its source, and the event that says what became of it.

use crate::canonical::{Count, Time};
use crate::event::{
    By, CallsImported, Event, EventId, GameImported, GameSkipped, ImportFault, ImportFaultKind,
    LineFault, MAX_LINE_BYTES, SkipReason, Verified, What,
};
use crate::import::Reading;
use crate::secret::Scanner;

/// Where a game stands in its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The source.
    pub import: EventId,
    /// The number of the game, from 1.
    pub number: u64,
    /// The line that it begins on, from 1.
    pub line: Option<u64>,
    /// Its file in a source that is a folder.
    pub path: Option<String>,
}

/// Who imports, and when.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// The time of the events.
    pub at: Time,
    /// Who writes them.
    pub by: By,
}

/// So many calls stand on one line, however long their texts are.
const CALLS_A_LINE: usize = 50;

impl Slot {
    /// The game here is skipped.
    pub fn skipped(
        &self,
        reason: SkipReason,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> GameSkipped {
        GameSkipped {
            expected: expected.into(),
            found: found.into(),
            import: self.import,
            line: self.line.map(Count::saturating),
            number: Count::saturating(self.number),
            path: self.path.clone(),
            reason,
        }
    }
}

impl Stamp {
    /// Returns the event of a game. One that holds what looks like a credential
    /// is skipped: a ledger never forgets. One that is too long for a line leaves
    /// its remarks in the source, or all of it.
    ///
    /// # Errors
    ///
    /// When not even that can be said, which no source can bring about.
    pub fn event(&self, slot: &Slot, what: What) -> Result<Verified<Event>, LineFault> {
        // What is skipped may have it in its name.
        let nameless = Slot {
            path: None,
            ..slot.clone()
        };
        let what = match secret_in(&what) {
            None => what,
            Some(rule) => {
                let found = format!("what looks like a credential ({rule})");
                nameless
                    .skipped(SkipReason::Secret, "no credential", found)
                    .into()
            }
        };
        let shorter = match &what {
            What::GameImported(game) if is_long(game) => Some(without_remarks(game)),
            _ => None,
        };
        match (self.write(what), shorter) {
            (Ok(event), _) => Ok(event),
            (Err(fault), shorter) => {
                let shorter = shorter.and_then(|shorter| self.write(shorter.into()).ok());
                let expected = "a game that fits a line of the ledger";
                let skipped = nameless.skipped(SkipReason::TooLong, expected, fault.found);
                shorter.map_or_else(|| self.write(skipped.into()), Ok)
            }
        }
    }

    /// Returns the event of a game, and those of its calls.
    ///
    /// # Errors
    ///
    /// As [`event`](Self::event).
    pub fn events(&self, slot: &Slot, read: Reading) -> Result<Vec<Verified<Event>>, LineFault> {
        let game = self.event(slot, read.game)?;
        let id = game.id();
        let is_imported = matches!(game.what, What::GameImported(_));
        let mut events = vec![game];
        if !is_imported {
            return Ok(events);
        }
        for calls in read.calls.chunks(CALLS_A_LINE) {
            let calls = CallsImported {
                calls: calls.to_vec(),
                game: id,
                import: slot.import,
            };
            let what = calls.into();
            if secret_in(&what).is_none() {
                events.push(self.write(what)?);
            }
        }
        Ok(events)
    }

    fn write(&self, what: What) -> Result<Verified<Event>, LineFault> {
        let event = Event {
            at: self.at,
            by: self.by.clone(),
            what,
        };
        Verified::write(event)
    }
}

/// Whether a game could be too long for a line: most are far from it.
fn is_long(game: &GameImported) -> bool {
    MAX_LINE_BYTES / 4 < game.moves.len() * 8 + game.remarks.len() * 40
}

fn without_remarks(game: &GameImported) -> GameImported {
    let mut shorter = game.clone();
    let n_remarks = shorter.remarks.len();
    shorter.remarks = Vec::new();
    shorter.faults.push(ImportFault {
        expected: "a game that fits a line of the ledger".to_owned(),
        found: format!("{n_remarks} remarks on moves too many; they stay in the source"),
        kind: ImportFaultKind::LeftOut,
        line: game.line,
        ply: None,
    });
    shorter
}

/// The rule of what looks like a credential in the texts of strangers. Moves and
/// numbers hold none.
fn secret_in(what: &What) -> Option<&'static str> {
    let mut texts = String::new();
    let mut say = |text: &str| {
        texts.push_str(text);
        texts.push('\n');
    };
    match what {
        What::GameImported(game) => {
            for seat in [&game.white, &game.black] {
                seat.name
                    .iter()
                    .chain(&seat.model)
                    .for_each(|text| say(text));
            }
            for detail in &game.details {
                say(&format!("{}: {}", detail.name, detail.value));
            }
            game.ending.iter().for_each(|ending| say(&ending.text));
            game.path.iter().for_each(|path| say(path));
            for rejected in &game.rejected {
                rejected.text.iter().for_each(|text| say(text));
                say(&rejected.why);
            }
            for fault in &game.faults {
                say(&fault.expected);
                say(&fault.found);
            }
        }
        What::CallsImported(calls) => {
            for call in &calls.calls {
                let names = [&call.model, &call.returned_model, &call.request_id];
                names.into_iter().flatten().for_each(|text| say(text));
                call.finish_reason.iter().for_each(|text| say(text));
            }
        }
        What::GameSkipped(skipped) => {
            skipped.path.iter().for_each(|path| say(path));
            say(&skipped.expected);
            say(&skipped.found);
        }
        _ => {}
    }
    let hits = Scanner::shared().scan(texts.as_bytes());
    hits.first().map(|hit| hit.rule)
}
