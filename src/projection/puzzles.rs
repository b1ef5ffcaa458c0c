use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::chess::Solving;
use crate::event::{
    DatasetPuzzle, DatasetRegistered, EventId, PuzzleAnswered, PuzzleCell, StartRule,
};
use crate::finding::{Code, Finding, Place};
use crate::projection::calls::Ended;
use crate::projection::{Calls, Corrections, Systems};

/// A registered dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dataset {
    /// The id of its registration.
    pub id: EventId,
    /// The position of its registration in the ledger.
    pub index: u64,
    /// Its puzzles, and how they were drawn.
    pub registered: DatasetRegistered,
}

/// What one system answered to the puzzles of one dataset under one protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleRun {
    /// The dataset.
    pub dataset: EventId,
    /// The protocol.
    pub protocol: EventId,
    /// The system.
    pub system: EventId,
    /// The answers by the id of the puzzle, in the order of their events.
    attempts: BTreeMap<String, Vec<PuzzleAttempt>>,
}

/// One answer to a puzzle, judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleAttempt {
    /// The id of its event.
    pub id: EventId,
    /// The position of its event in the ledger.
    pub index: u64,
    /// What was answered.
    pub answered: PuzzleAnswered,
    /// The `call.sent`, where it is there.
    pub call: Option<EventId>,
    /// How its line stands to the solution. What contradicts the evidence
    /// solves nothing.
    pub solving: Solving,
}

/// All datasets, and what was answered to their puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzles {
    datasets: BTreeMap<EventId, Dataset>,
    /// In the order of their first answers.
    runs: Vec<PuzzleRun>,
}

impl Dataset {
    /// The puzzle with this id, and its cell.
    pub fn puzzle(&self, id: &str) -> Option<(&PuzzleCell, &DatasetPuzzle)> {
        let mut puzzles = self.registered.puzzles();
        puzzles.find(|(_, puzzle)| puzzle.id == id)
    }
}

impl PuzzleRun {
    /// The answer that counts for this puzzle: the first one that no correction
    /// takes out.
    pub fn counting(&self, puzzle: &str, corrections: &Corrections) -> Option<&PuzzleAttempt> {
        let mut attempts = self.attempts.get(puzzle)?.iter();
        attempts.find(|attempt| !corrections.is_excluded(&attempt.id))
    }

    /// Every answer, by the id of the puzzle and then in the order of events.
    pub fn attempts(&self) -> impl Iterator<Item = &PuzzleAttempt> {
        self.attempts.values().flatten()
    }
}

impl Puzzles {
    /// The dataset with this id.
    pub fn dataset(&self, id: &EventId) -> Option<&Dataset> {
        self.datasets.get(id)
    }

    /// The first dataset with this name.
    pub fn dataset_named(&self, name: &str) -> Option<&Dataset> {
        let mut datasets = self.datasets().into_iter();
        datasets.find(|dataset| dataset.registered.name.as_str() == name)
    }

    /// The datasets, in the order of registration.
    pub fn datasets(&self) -> Vec<&Dataset> {
        let mut datasets: Vec<_> = self.datasets.values().collect();
        datasets.sort_by_key(|dataset| dataset.index);
        datasets
    }

    /// What was answered to puzzles of this dataset, in the order of first answers.
    pub fn runs<'a>(&'a self, dataset: &'a EventId) -> impl Iterator<Item = &'a PuzzleRun> {
        self.runs.iter().filter(|run| run.dataset == *dataset)
    }

    /// What this system answered to this dataset under this protocol.
    pub fn run(
        &self,
        dataset: &EventId,
        protocol: &EventId,
        system: &EventId,
    ) -> Option<&PuzzleRun> {
        let mut runs = self.runs.iter();
        runs.find(|run| {
            run.dataset == *dataset && run.protocol == *protocol && run.system == *system
        })
    }

    pub(crate) fn register(&mut self, id: EventId, index: u64, registered: &DatasetRegistered) {
        let registered = registered.clone();
        let dataset = Dataset {
            id,
            index,
            registered,
        };
        self.datasets.insert(id, dataset);
    }

    /// Takes in an answer; says what is wrong with it.
    pub(crate) fn answer(
        &mut self,
        id: EventId,
        index: u64,
        answered: &PuzzleAnswered,
        (calls, systems, corrections): (&Calls, &Systems, &Corrections),
    ) -> Vec<Finding> {
        // A dataset that is not there is a dangling reference, which `verify` names.
        let Some(dataset) = self.datasets.get(&answered.dataset) else {
            return Vec::new();
        };
        let place = Place::event(*id.digest());
        let name = &dataset.registered.name;
        let Some((_, puzzle)) = dataset.puzzle(&answered.puzzle) else {
            let expected = format!("a puzzle of {name}");
            let found = format!("puzzle {}, which is none", answered.puzzle);
            return vec![Finding::new(Code::PuzzleUnknown, place, expected, found)];
        };
        let ended = calls.ended_by(&answered.call);
        let contradiction = self.contradiction(answered, ended, systems);
        let mut solving = puzzle.position().map_or_else(Solving::default, |position| {
            position.solving(&puzzle.line, &answered.line)
        });
        let mut findings = Vec::new();
        if let Some((expected, found)) = contradiction {
            solving = Solving::default();
            let place = place.clone();
            findings.push(Finding::new(
                Code::PuzzleContradicted,
                place,
                expected,
                found,
            ));
        }
        let attempt = PuzzleAttempt {
            id,
            index,
            answered: answered.clone(),
            call: ended.map(|ended| ended.id),
            solving,
        };
        let before = self.take(attempt, corrections);
        if let Some(before) = before {
            findings.push(Finding::new(
                Code::PuzzleTwice,
                place,
                format!("one answer of a system to puzzle {}", answered.puzzle),
                format!("another one; event {before} is the first"),
            ));
        }
        findings
    }

    /// Takes in an answer, and returns the position of the first one that counts
    /// where it is not that.
    fn take(&mut self, attempt: PuzzleAttempt, corrections: &Corrections) -> Option<u64> {
        let answered = &attempt.answered;
        let (dataset, protocol, system) = (answered.dataset, answered.protocol, answered.system);
        let is_same = |run: &PuzzleRun| {
            run.dataset == dataset && run.protocol == protocol && run.system == system
        };
        let place = self.runs.iter().position(is_same).unwrap_or_else(|| {
            self.runs.push(PuzzleRun {
                dataset,
                protocol,
                system,
                attempts: BTreeMap::new(),
            });
            self.runs.len() - 1
        });
        let run = self.runs.get_mut(place)?;
        let attempts = run.attempts.entry(answered.puzzle.clone()).or_default();
        let mut counting = attempts.iter();
        let before = counting.find(|before| !corrections.is_excluded(&before.id));
        let before = before.map(|before| before.index);
        attempts.push(attempt);
        before
    }

    /// What an answer says that its call and its protocol do not.
    fn contradiction(
        &self,
        answered: &PuzzleAnswered,
        ended: Option<Ended<'_>>,
        systems: &Systems,
    ) -> Option<(&'static str, String)> {
        let protocol = systems.protocol(&answered.protocol);
        if let Some(protocol) = protocol.map(|protocol| &protocol.published)
            && protocol.start != StartRule::PuzzlePosition
        {
            let found = format!("{}, which is none", protocol.name);
            return Some(("a protocol of puzzles", found));
        }
        // Nothing is known of a call that is not there, or was forgotten.
        let ended = ended?;
        let sent = &ended.call.sent;
        if sent.system != answered.system || sent.game.is_some() {
            let expected = "a call of the system that answers, for no game";
            return Some((expected, "another call".to_owned()));
        }
        match (ended.is_failed, answered.form) {
            (true, Some(form)) => {
                let found = format!("one that is {}", form.as_str());
                return Some(("no reply where the call failed", found));
            }
            (false, None) => {
                let expected = "a reply in some form where the call was answered";
                return Some((expected, "none".to_owned()));
            }
            (true, None) | (false, Some(_)) => {}
        }
        let runs = self.runs.iter().filter(|run| run.system == answered.system);
        let mut attempts = runs.flat_map(PuzzleRun::attempts);
        let other = attempts.find(|attempt| attempt.answered.call == answered.call)?;
        let found = format!("that of event {}", other.index);
        Some(("a call of its own for every puzzle", found))
    }
}
