//! What was read of a source.

use crate::canonical::Count;
use crate::event::{EventId, GameImported, ImportFault, ImportFaultKind, ImportFinished, What};
use crate::finding::{Code, Finding, Place};

/// What was read of a source so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that were imported.
    pub games: u64,
    /// Games that were skipped.
    pub skipped: u64,
    /// Calls of the games.
    pub calls: u64,
    /// Moves of the games.
    pub plies: u64,
    /// Games with a contradiction.
    pub contradicted: u64,
    /// Games with any other fault.
    pub faulty: u64,
}

/// The findings of a source: the first ones, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFindings {
    /// The first ones.
    pub shown: Vec<Finding>,
    /// All of them, counted.
    pub count: u64,
}

/// So many findings of a source are kept.
const FINDINGS_SHOWN: usize = 100;

impl Tally {
    /// The number of the last game.
    pub const fn last_number(&self) -> u64 {
        self.games + self.skipped
    }

    /// Takes in an event that says what became of a game.
    pub fn take(&mut self, what: &What) {
        match what {
            What::GameImported(game) => {
                self.games += 1;
                self.plies += u64::try_from(game.moves.len()).unwrap_or(u64::MAX);
                self.contradicted += u64::from(game.is_contradicted());
                self.faulty += u64::from(game.is_faulty());
            }
            What::GameSkipped(_) => self.skipped += 1,
            What::CallsImported(calls) => {
                self.calls += u64::try_from(calls.calls.len()).unwrap_or(u64::MAX);
            }
            _ => {}
        }
    }

    /// The end of the source.
    pub fn finished(&self, import: EventId) -> ImportFinished {
        ImportFinished {
            calls: Count::saturating(self.calls),
            contradicted: Count::saturating(self.contradicted),
            faults: Vec::new(),
            faulty: Count::saturating(self.faulty),
            games: Count::saturating(self.games),
            import,
            plies: Count::saturating(self.plies),
            skipped: Count::saturating(self.skipped),
        }
    }
}

impl SourceFindings {
    /// Takes in what is wrong with a game of this source.
    pub fn take(&mut self, source: &str, what: &What) {
        match what {
            What::GameImported(game) => self.take_faults(source, game),
            What::GameSkipped(skipped) => {
                let place = place(source, skipped.path.as_deref(), skipped.line);
                let found = format!("{}; game {} was skipped", skipped.found, skipped.number);
                self.push(Finding::new(
                    Code::ImportFaulty,
                    place,
                    &skipped.expected,
                    found,
                ));
            }
            _ => {}
        }
    }

    /// Takes in what is wrong with the source beyond single games.
    pub fn take_all(&mut self, source: &str, faults: &[ImportFault]) {
        for fault in faults {
            let place = Place::file(source);
            self.push(Finding::new(
                code_of(fault),
                place,
                &fault.expected,
                &fault.found,
            ));
        }
    }

    fn take_faults(&mut self, source: &str, game: &GameImported) {
        for fault in &game.faults {
            let code = code_of(fault);
            let place = place(source, game.path.as_deref(), fault.line);
            let found = format!("{} in game {}", fault.found, game.number);
            self.push(Finding::new(code, place, &fault.expected, found));
        }
    }

    fn push(&mut self, finding: Finding) {
        self.count += 1;
        if self.shown.len() < FINDINGS_SHOWN {
            self.shown.push(finding);
        }
    }
}

const fn code_of(fault: &ImportFault) -> Code {
    match fault.kind {
        ImportFaultKind::Contradiction => Code::ImportContradicted,
        _ => Code::ImportFaulty,
    }
}

fn place(source: &str, path: Option<&str>, line: Option<Count>) -> Place {
    let file = match path {
        Some(path) => format!("{source}/{path}"),
        None => source.to_owned(),
    };
    let place = Place::file(file);
    match line {
        Some(line) => place.line(line.get()),
        None => place,
    }
}
