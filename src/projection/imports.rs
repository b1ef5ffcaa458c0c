//! Sources of others that were imported. Their games take part in nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::chess::{GameResult, Termination};
use crate::event::{
    EventId, GameImported, ImportFaultKind, ImportFinished, ImportStarted, SkipReason, What,
};
use crate::finding::{Code, Finding, Place, counted};
use crate::projection::Projection;

/// A source that was imported, or is being.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The id of its `import.started`.
    pub id: EventId,
    /// The position of that event in the ledger.
    pub index: u64,
    /// What was said of it.
    pub started: ImportStarted,
    /// How many games were imported.
    pub games: u64,
    /// How many games were skipped, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// How many calls of the games were imported.
    pub calls: u64,
    /// How many moves the games have.
    pub plies: u64,
    /// How many games have a contradiction in their source.
    pub contradicted: u64,
    /// How many games have any other fault in their source.
    pub faulty: u64,
    /// The first game with a contradiction, and the first with another fault:
    /// what is to be said of it.
    first: [Option<String>; 2],
    /// Whether its source was read to the end.
    pub is_finished: bool,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imports {
    imports: BTreeMap<EventId, Import>,
}

impl Import {
    /// How many games were skipped, for whatever reason.
    pub fn n_skipped(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// The number of the next game.
    pub fn next_number(&self) -> u64 {
        self.games + self.n_skipped() + 1
    }

    /// What is wrong where a game has this number.
    fn check_number(&self, event: EventId, number: u64) -> Option<Finding> {
        let expected = if self.is_finished {
            "no game behind the end of its source".to_owned()
        } else {
            format!("game {} of its source", self.next_number())
        };
        let is_next = !self.is_finished && number == self.next_number();
        (!is_next).then(|| differs(event, expected, format!("game {number}")))
    }

    fn take(&mut self, event: EventId, game: &GameImported) -> Vec<Finding> {
        let mut findings: Vec<_> = self
            .check_number(event, game.number.get())
            .into_iter()
            .collect();
        self.games += 1;
        self.plies += u64::try_from(game.moves.len()).unwrap_or(u64::MAX);
        self.contradicted += u64::from(game.is_contradicted());
        self.faulty += u64::from(game.is_faulty());
        for (first, is_contradiction) in self.first.iter_mut().zip([true, false]) {
            if first.is_none() {
                *first = first_fault(game, is_contradiction);
            }
        }
        match end_of(game) {
            Err(found) => findings.push(differs(event, "legal moves from the start", found)),
            Ok(end) => {
                let passed_over = game.contradictions(end);
                let is_said = |fault| game.faults.contains(fault);
                let unsaid = passed_over.iter().find(|fault| !is_said(fault));
                findings.extend(unsaid.map(|fault| {
                    differs(
                        event,
                        format!("the fault that {} is not", fault.found),
                        format!("none; expected {}", fault.expected),
                    )
                }));
            }
        }
        findings
    }

    fn finish(&mut self, event: EventId, finished: &ImportFinished) -> Vec<Finding> {
        let counts = [
            ("games", self.games, finished.games),
            ("skipped games", self.n_skipped(), finished.skipped),
            ("calls", self.calls, finished.calls),
            ("plies", self.plies, finished.plies),
            (
                "contradicted games",
                self.contradicted,
                finished.contradicted,
            ),
            ("faulty games", self.faulty, finished.faulty),
        ];
        let wrong = counts
            .into_iter()
            .filter(|(_, known, said)| *known != said.get());
        let mut findings: Vec<_> = wrong
            .map(|(what, known, said)| differs(event, format!("{known} {what}"), said.to_string()))
            .collect();
        if self.is_finished {
            findings.push(differs(event, "one end of a source", "a second one"));
        }
        self.is_finished = true;
        let kinds = [
            (
                Code::ImportContradicted,
                self.contradicted,
                "no game that its source contradicts",
            ),
            (
                Code::ImportFaulty,
                self.faulty + self.n_skipped(),
                "every game whole",
            ),
        ];
        for ((code, count, expected), first) in kinds.into_iter().zip(&self.first) {
            if count != 0 {
                let first = first.as_deref().unwrap_or("a game that was skipped");
                let found = format!(
                    "{} of {}; the first: {first}",
                    counted(count, "game"),
                    self.started.name
                );
                findings.push(Finding::new(
                    code,
                    Place::event(*event.digest()),
                    expected,
                    found,
                ));
            }
        }
        let source_faults = finished.faults.iter().map(|fault| {
            let code = match fault.kind {
                ImportFaultKind::Contradiction => Code::ImportContradicted,
                _ => Code::ImportFaulty,
            };
            let place = Place::event(*event.digest());
            Finding::new(code, place, &fault.expected, &fault.found)
        });
        findings.extend(source_faults);
        findings
    }
}

impl Imports {
    /// The imports, in the order in which they were begun.
    pub fn iter(&self) -> impl Iterator<Item = &Import> {
        let mut imports: Vec<_> = self.imports.values().collect();
        imports.sort_by_key(|import| import.index);
        imports.into_iter()
    }

    /// Takes in the next event; says what it contradicts.
    fn apply(&mut self, id: EventId, index: u64, what: &What) -> Vec<Finding> {
        let import = match what {
            What::ImportStarted(started) => return self.start(id, index, started),
            What::GameImported(game) => &game.import,
            What::GameSkipped(skipped) => &skipped.import,
            What::CallsImported(calls) => &calls.import,
            What::ImportFinished(finished) => &finished.import,
            _ => return Vec::new(),
        };
        // Where it is not there, that is a dangling reference, which `verify` names.
        let Some(import) = self.imports.get_mut(import) else {
            return Vec::new();
        };
        match what {
            What::GameImported(game) => import.take(id, game),
            What::GameSkipped(skipped) => {
                let finding = import.check_number(id, skipped.number.get());
                *import.skipped.entry(skipped.reason).or_default() += 1;
                finding.into_iter().collect()
            }
            What::CallsImported(calls) => {
                import.calls += u64::try_from(calls.calls.len()).unwrap_or(u64::MAX);
                Vec::new()
            }
            What::ImportFinished(finished) => import.finish(id, finished),
            _ => Vec::new(),
        }
    }

    fn start(&mut self, id: EventId, index: u64, started: &ImportStarted) -> Vec<Finding> {
        let is_same = |import: &&Import| {
            import.started.sha256 == started.sha256 && import.started.format == started.format
        };
        let before = self.imports.values().find(is_same);
        let finding = before.map(|before| {
            let found = format!("event {} begins it too", before.index);
            differs(id, "a source that was not imported before", found)
        });
        let import = Import {
            id,
            index,
            started: started.clone(),
            games: 0,
            skipped: BTreeMap::new(),
            calls: 0,
            plies: 0,
            contradicted: 0,
            faulty: 0,
            first: [None, None],
            is_finished: false,
        };
        self.imports.insert(id, import);
        finding.into_iter().collect()
    }
}

impl Projection {
    pub(crate) fn apply_to_imports(&mut self, id: EventId, index: u64, what: &What) {
        let findings = self.imports.apply(id, index, what);
        self.findings.extend(findings);
    }
}

/// How chess ends an imported game after its moves, where nobody need claim it.
fn end_of(game: &GameImported) -> Result<Option<(GameResult, Termination)>, String> {
    let start = game.start.fen.position(game.start.variant);
    let mut position = start.map_err(|error| error.to_string())?;
    for uci in &game.moves {
        position.play(*uci).map_err(|error| error.to_string())?;
    }
    Ok(position.forced_end())
}

/// The first fault of a game, in words.
fn first_fault(game: &GameImported, is_contradiction: bool) -> Option<String> {
    let is_of = |kind| (kind == ImportFaultKind::Contradiction) == is_contradiction;
    let fault = game.faults.iter().find(|fault| is_of(fault.kind))?;
    let path = game.path.iter().map(|path| format!(", {path}"));
    let line = fault.line.iter().map(|line| format!(", line {line}"));
    let place: String = path.chain(line).collect();
    Some(format!(
        "game {}{place}: expected {}, found {}",
        game.number, fault.expected, fault.found
    ))
}

fn differs(event: EventId, expected: impl Into<String>, found: impl Into<String>) -> Finding {
    Finding::new(
        Code::ImportDiffers,
        Place::event(*event.digest()),
        expected,
        found,
    )
}
