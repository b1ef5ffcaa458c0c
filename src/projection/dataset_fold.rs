//! How datasets, and what is answered to them, change a projection.

use crate::event::{EventId, Name, What};
use crate::finding::{Code, Finding, Place};
use crate::projection::Projection;

impl Projection {
    pub(crate) fn apply_to_datasets(&mut self, id: EventId, index: u64, what: &What) {
        let known = (&self.calls, &self.systems, &self.corrections);
        let findings = match what {
            What::DatasetRegistered(dataset) => {
                let finding = self.taken_name(id, &dataset.name);
                self.puzzles.register(id, index, dataset);
                finding.into_iter().collect()
            }
            What::PositionsRegistered(list) => {
                let is_first = list.continues.is_none();
                let taken = is_first.then(|| self.taken_name(id, &list.name)).flatten();
                let part = self.positions.register(id, index, list);
                taken.into_iter().chain(part).collect()
            }
            What::PuzzleAnswered(answered) => self.puzzles.answer(id, index, answered, known),
            What::CellAnswered(answered) => self.positions.answer(id, index, answered, known),
            _ => Vec::new(),
        };
        self.findings.extend(findings);
    }

    /// What is wrong where a dataset of this name is registered: puzzles and positions
    /// share their names.
    fn taken_name(&self, id: EventId, name: &Name) -> Option<Finding> {
        let puzzles = self.puzzles.dataset_named(name.as_str());
        let list = self.positions.list_named(name.as_str());
        let puzzles = puzzles.map(|dataset| dataset.index);
        let before = puzzles.or_else(|| list.map(|list| list.index))?;
        Some(Finding::new(
            Code::DatasetTwice,
            Place::event(*id.digest()),
            "a name that no other dataset has",
            format!("event {before} registers {name}"),
        ))
    }
}
