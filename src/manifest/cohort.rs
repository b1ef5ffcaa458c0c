use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::chess::{Color, GameResult, Termination};
use crate::digest::Digest;
use crate::event::{
    AbortCause, CallFailure, CheckpointRef, CohortFrozen, EventId, EvidenceStatus, FreezeLabel,
    Name, Origin,
};
use crate::finding::{Code, Finding, Place};
use crate::projection::{Cohort, Game, GameState, Projection, Resources, Source};

/// A frozen cohort: its games and the counts of its raw units, at a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CohortManifest {
    /// Games without a result, in the order of cells.
    pub aborted: Vec<AbortedGame>,
    /// The prefix that it was computed from.
    pub checkpoint: CheckpointRef,
    /// The cohort.
    pub cohort: Name,
    /// Counts of raw units and errors.
    pub counts: Counts,
    /// The status that the evidence can bear.
    pub evidence_status: EvidenceStatus,
    /// Games that corrections take out of every figure, in the order of cells.
    /// They stay in the lists and counts here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<CorrectedGame>,
    /// Games with a result, in the order of cells.
    pub games: Vec<FinishedGame>,
    /// `live` where cells are open. Absent where the cohort is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<FreezeLabel>,
    /// `cohort`.
    pub manifest: String,
    /// The open cells, from 0. Only a live manifest has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Count>,
    /// The ledger.
    pub origin: Origin,
    /// The protocol.
    pub protocol: EventId,
    /// The schedule.
    pub schedule: EventId,
    /// The digest of the manifest that this one supersedes. Absent in the first
    /// one of a schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Digest>,
    /// The systems, in the order of the schedule.
    pub systems: Vec<EventId>,
    /// The version of this form: 1.
    pub v: Count,
    /// Systems that withdrew for good, in the order of their ids: their games
    /// count in no calculation, and stay in the lists and counts here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<EventId>,
}

/// What a freeze says of its manifest beside what the ledger gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freeze {
    /// What the manifest is of, where its cohort is not complete.
    pub label: Option<FreezeLabel>,
    /// The digest of the manifest that it supersedes.
    pub supersedes: Option<Digest>,
}

impl From<&CohortFrozen> for Freeze {
    fn from(frozen: &CohortFrozen) -> Self {
        Self {
            label: frozen.label,
            supersedes: frozen.supersedes,
        }
    }
}

/// A game that a correction bears on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectedGame {
    /// The `correction.recorded`.
    pub correction: EventId,
    /// The `game.started`.
    pub game: EventId,
}

/// A game with a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinishedGame {
    /// The cell, from 0.
    pub cell: Count,
    /// The `game.finished`.
    pub finished: EventId,
    /// The `game.started`.
    pub game: EventId,
    /// Accepted moves.
    pub plies: Count,
    /// The result.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
}

/// A game without a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbortedGame {
    /// The `game.aborted`.
    pub aborted: EventId,
    /// Whose trouble it was.
    pub cause: AbortCause,
    /// The cell, from 0, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<Count>,
    /// The `game.started`.
    pub game: EventId,
}

/// Counts of raw units and errors: over the games with a result, where not said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Games without a result.
    pub aborted: Count,
    /// Accepted moves.
    pub accepted: Count,
    /// Calls answered, in all games.
    pub calls_answered: Count,
    /// Calls that failed, in all games, by class.
    pub calls_failed: Vec<FailureCount>,
    /// Calls that left, in all games.
    pub calls_sent: Count,
    /// Registered cells.
    pub cells: Count,
    /// Games that ended by ply limit or adjudication.
    pub censored: Count,
    /// Games with a result.
    pub finished: Count,
    /// Games lost by rejected answers.
    pub forfeits: Count,
    /// Rejected answers.
    pub rejected: Count,
}

/// How many calls failed in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureCount {
    /// The class.
    pub class: CallFailure,
    /// How many.
    pub count: Count,
}

impl CohortManifest {
    /// Returns the manifest of a cohort: of a complete one, or a live one of a
    /// cohort that grows.
    ///
    /// # Errors
    ///
    /// A finding where the label is not what the cells say: only what no longer
    /// grows is frozen, and only what grows is live.
    pub fn of(
        projection: &Projection,
        cohort: &Cohort<'_>,
        source: &Source,
        freeze: Freeze,
    ) -> Result<Self, Box<Finding>> {
        let committed = &cohort.schedule.committed;
        let open = cohort.open_cells();
        check_label(cohort, &open, freeze.label)?;
        Ok(Self {
            aborted: cohort
                .aborted
                .iter()
                .filter_map(|game| aborted(game))
                .collect(),
            checkpoint: source.checkpoint(),
            cohort: committed.cohort.clone(),
            counts: counts(projection, cohort),
            evidence_status: cohort.evidence_status(),
            excluded: excluded(projection, cohort),
            games: cohort.finished().filter_map(finished).collect(),
            label: freeze.label,
            manifest: "cohort".to_owned(),
            open: open.into_iter().map(Count::saturating).collect(),
            origin: source.origin.clone(),
            protocol: committed.protocol,
            schedule: cohort.schedule.id,
            supersedes: freeze.supersedes,
            systems: committed.systems.clone(),
            v: 1_u32.into(),
            withdrawn: cohort.schedule.withdrawn.iter().copied().collect(),
        })
    }

    /// The name of its file in the folder of manifests.
    pub fn file_name(cohort: &Name, digest: &Digest) -> String {
        format!("{cohort}-{digest}.json")
    }
}

/// A complete cohort has no open cell, and a live one has some.
fn check_label(
    cohort: &Cohort<'_>,
    open: &[usize],
    label: Option<FreezeLabel>,
) -> Result<(), Box<Finding>> {
    let n_cells = cohort.results.len();
    let name = &cohort.schedule.committed.cohort;
    let (code, expected, found) = match (label, open.first()) {
        (None, Some(first)) => (
            Code::CohortOpen,
            format!("a result for each of the {n_cells} cells of {name}"),
            format!("{} open cells, the first is cell {first}", open.len()),
        ),
        (Some(FreezeLabel::Live), None) => (
            Code::LabelContradicted,
            format!("an open cell of {name}, which is said to be live"),
            format!("none of {n_cells}"),
        ),
        (None, None) | (Some(FreezeLabel::Live), Some(_)) => return Ok(()),
    };
    let place = Place::event(*cohort.schedule.id.digest());
    Err(Box::new(Finding::new(code, place, expected, found)))
}

fn finished(game: &Game) -> Option<FinishedGame> {
    let GameState::Finished {
        id,
        result,
        termination,
        ..
    } = game.state
    else {
        return None;
    };
    Some(FinishedGame {
        cell: game.cell()?.index,
        finished: id,
        game: game.id,
        plies: Count::saturating(game.accepted),
        result,
        termination,
    })
}

fn excluded(projection: &Projection, cohort: &Cohort<'_>) -> Vec<CorrectedGame> {
    let games = cohort.schedule.games.iter().flatten();
    let excluding = |game: &EventId| {
        let correction = projection.corrections.excluding(game)?;
        Some(CorrectedGame {
            correction: correction.id,
            game: *game,
        })
    };
    games.filter_map(excluding).collect()
}

fn aborted(game: &Game) -> Option<AbortedGame> {
    let GameState::Aborted { id, cause, .. } = game.state else {
        return None;
    };
    Some(AbortedGame {
        aborted: id,
        cause,
        cell: game.cell().map(|cell| cell.index),
        game: game.id,
    })
}

fn counts(projection: &Projection, cohort: &Cohort<'_>) -> Counts {
    let counts = cohort.counts();
    let mut resources = Resources::default();
    let ids = cohort.schedule.games.iter().flatten();
    for game in ids.filter_map(|id| projection.games.game(id)) {
        for color in [Color::White, Color::Black] {
            resources.join(game.resources.get(color));
        }
    }
    let failed = resources.failed.iter();
    Counts {
        aborted: Count::saturating(counts.aborted),
        accepted: Count::saturating(counts.accepted),
        calls_answered: Count::saturating(resources.answered),
        calls_failed: failed
            .map(|(class, count)| FailureCount {
                class: *class,
                count: Count::saturating(*count),
            })
            .collect(),
        calls_sent: Count::saturating(resources.sent),
        cells: Count::saturating(counts.cells),
        censored: Count::saturating(counts.censored),
        finished: Count::saturating(counts.finished),
        forfeits: Count::saturating(counts.forfeits),
        rejected: Count::saturating(counts.rejected),
    }
}
