//! Workers, for worker-hours.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::event::kinds::Fact;
use crate::event::schema::Blob;
use crate::event::{EventId, Reference};

/// `worker.started`: a runner took up a schedule. A killed worker ends at its last event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkerStarted {
    /// The runner and its version.
    pub program: String,
    /// The run file.
    #[schemars(with = "Blob")]
    pub run_file: Digest,
    /// The schedule it works on; on a ladder the first batch of the era.
    pub schedule: EventId,
}

impl Fact for WorkerStarted {
    fn blobs(&self) -> Vec<&Digest> {
        vec![&self.run_file]
    }

    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new(
            "schedule",
            &self.schedule,
            &["schedule.committed"],
        )]
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
