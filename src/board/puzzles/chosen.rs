use std::collections::BTreeMap;

use crate::event::EventId;
use crate::projection::{Dataset, Projection, PuzzleRun};

/// Why there is no board of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleBoardError {
    /// No dataset is meant, or there is none like it.
    #[error("{wanted} before event {size}; there is: {there}")]
    Dataset {
        /// What was asked for, and is not there.
        wanted: String,
        /// The prefix that was looked at.
        size: u64,
        /// The datasets there are.
        there: String,
    },
    /// No dataset is registered.
    #[error(
        "no dataset is registered before event {size}; register one: scoresheet dataset puzzles"
    )]
    NoDataset {
        /// The prefix that was looked at.
        size: u64,
    },
    /// No protocol is meant, or the dataset was not answered under it.
    #[error("name one of the protocols under which dataset {dataset} was answered: {there}")]
    Protocol {
        /// The dataset.
        dataset: String,
        /// The protocols there are.
        there: String,
    },
}

/// The dataset that is meant.
pub(crate) fn chosen_dataset<'p>(
    projection: &'p Projection,
    wanted: Option<&str>,
) -> Result<&'p Dataset, PuzzleBoardError> {
    let datasets = projection.puzzles.datasets();
    let names = datasets.iter();
    let there = in_words(names.map(|dataset| dataset.registered.name.to_string()));
    let size = projection.size;
    match (wanted, datasets.as_slice()) {
        (None, [only]) => Ok(only),
        (None, []) => Err(PuzzleBoardError::NoDataset { size }),
        (None, _) => Err(PuzzleBoardError::Dataset {
            wanted: "no single dataset is there to be meant".to_owned(),
            size,
            there,
        }),
        (Some(name), _) => {
            let dataset = projection.puzzles.dataset_named(name);
            dataset.ok_or_else(|| PuzzleBoardError::Dataset {
                wanted: format!("no dataset named {name}"),
                size,
                there,
            })
        }
    }
}

/// The protocol that is meant, by name, with what was answered under it. Two
/// protocols are never on one board.
pub(crate) fn chosen_runs<'p>(
    projection: &'p Projection,
    dataset: &'p Dataset,
    wanted: Option<&str>,
) -> Result<(String, Vec<&'p PuzzleRun>), PuzzleBoardError> {
    let name = |protocol: &EventId| {
        let protocol = projection.systems.protocol(protocol);
        protocol.map(|protocol| protocol.published.name.to_string())
    };
    let mut by_protocol: BTreeMap<EventId, Vec<&PuzzleRun>> = BTreeMap::new();
    for run in projection.puzzles.runs(&dataset.id) {
        by_protocol.entry(run.protocol).or_default().push(run);
    }
    let shown = |id: &EventId| name(id).unwrap_or_else(|| id.to_string());
    let is_meant =
        |id: &EventId| wanted.is_none_or(|wanted| shown(id) == wanted || id.to_string() == wanted);
    let there = in_words(by_protocol.keys().map(|id| match name(id) {
        Some(name) => format!("{name} ({id})"),
        None => id.to_string(),
    }));
    let mut meant = by_protocol.into_iter().filter(|(id, _)| is_meant(id));
    match (meant.next(), meant.next(), wanted) {
        (None, _, None) => Ok(("none yet".to_owned(), Vec::new())),
        (Some((id, runs)), None, _) => Ok((shown(&id), runs)),
        (None, _, Some(_)) | (Some(_), Some(_), _) => Err(PuzzleBoardError::Protocol {
            dataset: dataset.registered.name.to_string(),
            there,
        }),
    }
}

fn in_words(names: impl Iterator<Item = String>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
