//! Workers, for worker-hours.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::event::kinds::{Fact, Meaningless};
use crate::event::schema::Blob;
use crate::event::{EventId, Reference};

/// `worker.started`: a runner took up a schedule, or a dataset. A killed worker ends at
/// its last event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{ "required": ["dataset"] }, { "required": ["schedule"] }]))]
pub struct WorkerStarted {
    /// The dataset whose puzzles or positions it asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<EventId>,
    /// The runner and its version.
    pub program: String,
    /// The run file.
    #[schemars(with = "Blob")]
    pub run_file: Digest,
    /// The schedule it works on; on a ladder the first batch of the era.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<EventId>,
}

/// What a dataset may be.
const DATASETS: &[&str] = &["dataset.registered", "positions.registered"];

impl Fact for WorkerStarted {
    fn blobs(&self) -> Vec<&Digest> {
        vec![&self.run_file]
    }

    fn references(&self) -> Vec<Reference<'_>> {
        let dataset = self.dataset.iter();
        let dataset = dataset.map(|id| Reference::new("dataset", id, DATASETS));
        let schedule = self.schedule.iter();
        let schedule = schedule.map(|id| Reference::new("schedule", id, &["schedule.committed"]));
        dataset.chain(schedule).collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        let found = match (self.dataset, self.schedule) {
            (Some(_), Some(_)) => "both",
            (None, None) => "neither",
            _ => return Ok(()),
        };
        let expected = "exactly one of `dataset` and `schedule`";
        Err(Meaningless::new("", expected, found))
    }
}

/// `worker.stopped`: a runner ended in good order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkerStopped {
    /// Why.
    pub reason: StopReason,
    /// The `worker.started`.
    pub worker: EventId,
}

/// Why a runner ended.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Every cell has its game.
    Finished,
    /// Cells stay open because they failed too often.
    CellsExhausted,
    /// It was asked to.
    Interrupted,
    /// It could not go on.
    Failed,
    /// The ladder had nothing that could be played now.
    NothingReady,
    /// As many games were played as it was asked for.
    GamesPlayed,
    /// What it was allowed to take was spent.
    BudgetSpent,
}

impl Fact for WorkerStopped {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("worker", &self.worker, &["worker.started"])]
    }
}
