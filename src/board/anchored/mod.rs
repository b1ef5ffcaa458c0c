//! The board of a cohort that is measured against anchors: each system alone,
//! from its own games.

mod control;
mod estimate;
mod figures;
mod render;
mod row;
mod scale;
mod shown;
mod tables;

use crate::board::BoardError;
use crate::board::placement::{cohort, withdrawn};
use crate::event::{
    AnchorLadder, EngineIdentity, EventId, EvidenceStatus, ProtocolPublished, ScheduleRule,
};
use crate::projection::{Cohort, CohortCounts, Projection, Source};

pub use control::Control;
pub use estimate::{AnchoredEstimate, REPLICATES, SEED, Sensitivity};
pub use figures::anchored_figures;
pub use render::render_anchored;
pub use row::{AnchorScore, AnchoredRow};
pub use scale::Scale;

pub(crate) use shown::{kind, points, shown_level};

/// The anchored board of a cohort: its rows, and what a reader must know of them.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchoredBoard {
    /// The cohort.
    pub cohort: String,
    /// The name of the protocol.
    pub protocol: String,
    /// What the ratings are measured in.
    pub scale: Scale,
    /// The rule that gives the cells, and with it what is drawn together.
    pub rule: ScheduleRule,
    /// How opponents followed from results. Absent: the schedule was fixed.
    pub ladder: Option<AnchorLadder>,
    /// The fixed opponents, in the order of the schedule.
    pub anchors: Vec<AnchorLabel>,
    /// Who grades moves, where the protocol says so.
    pub grading: Option<Grader>,
    /// Counts of raw units.
    pub counts: CohortCounts,
    /// The status of the evidence.
    pub evidence_status: EvidenceStatus,
    /// Whether no registered cell is open.
    pub is_complete: bool,
    /// One row a system with games, aborted ones included, in the order of [`AnchoredRow::before`].
    pub rows: Vec<AnchoredRow>,
    /// Systems that were entered more than once.
    pub controls: Vec<Control>,
    /// Systems of the cohort without a game that counts.
    pub without_games: Vec<String>,
    /// Systems that withdrew, whose games count nowhere.
    pub withdrawn: Vec<String>,
    /// What it was computed from.
    pub source: Source,
}

/// A fixed opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchorLabel {
    /// Its name.
    pub name: String,
    /// Its rating, in points, as it is registered.
    pub rating: String,
    /// Where the rating comes from: `nominal` or `fitted`.
    pub basis: &'static str,
    /// Whether its engine is set to a level in points of its own.
    pub has_own_level: bool,
    pub(crate) points: f64,
}

/// The engine that grades moves, and what an open game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grader {
    /// The name of the engine.
    pub name: String,
    /// Up to how many centipawns from level a position is open.
    pub open_cp: u64,
}

impl AnchoredBoard {
    /// Returns the anchored board of a cohort.
    ///
    /// A projection that has forgotten moves and calls gives the same ratings,
    /// without graded moves, costs at list price and routes.
    ///
    /// # Errors
    ///
    /// When there is no such cohort, it has no anchors, or its protocol names no
    /// scale.
    pub fn of(projection: &Projection, name: &str, source: Source) -> Result<Self, BoardError> {
        let cohort = cohort(projection, name)?;
        let committed = &cohort.schedule.committed;
        let no_scale = || BoardError::NoScale {
            cohort: name.to_owned(),
        };
        let protocol = projection.systems.protocol(&committed.protocol);
        let protocol = protocol.map(|protocol| &protocol.published);
        let protocol = protocol.ok_or_else(no_scale)?;
        let rule = protocol.anchored.as_ref().ok_or_else(no_scale)?;
        let anchors = anchors(projection, &cohort);
        if anchors.is_empty() {
            return Err(no_scale());
        }
        let registered = committed.anchors.iter().filter_map(|seat| {
            let anchor = &projection.anchors.anchor(&seat.anchor)?.registered;
            Some((anchor, projection.systems.system(&seat.system)))
        });
        let scale = Scale::of(rule, registered);
        let (rows, without_games) = rows(projection, &cohort, protocol, &scale, &anchors);
        let controls = Control::among(&rows, &projection.systems, &scale.terms);
        Ok(Self {
            controls,
            cohort: name.to_owned(),
            protocol: protocol.name.to_string(),
            scale,
            rule: committed.rule,
            ladder: committed.allocation,
            anchors,
            grading: protocol.grading.map(|rule| Grader {
                name: projection.name_of(&rule.analyst),
                open_cp: rule.open_cp.get(),
            }),
            counts: cohort.counts(),
            evidence_status: cohort.evidence_status(),
            is_complete: cohort.is_terminal(),
            rows,
            without_games,
            withdrawn: withdrawn(projection, cohort.schedule),
            source,
        })
    }
}

/// Whether the engine of a system is set to a level in points of its own.
pub(crate) fn has_own_level(projection: &Projection, system: &EventId) -> bool {
    let system = projection.systems.system(system);
    let engine = system.and_then(|system| system.registered.engine.as_ref());
    engine.is_some_and(EngineIdentity::has_level)
}

/// What nominal levels are, by whether each is the engine's own.
pub(crate) fn nominal_in_words(are_own: impl IntoIterator<Item = bool>) -> &'static str {
    let (mut own, mut declared) = (false, false);
    for is_own in are_own {
        own |= is_own;
        declared |= !is_own;
    }
    match (own, declared) {
        (true, false) => "the engines' own nominal levels",
        (true, true) => {
            "the engines' own nominal levels or, where no UCI_Elo is set, levels declared in the run file"
        }
        (false, _) => "levels declared in the run file",
    }
}

/// The anchors of a cohort, where all of them are registered.
fn anchors(projection: &Projection, cohort: &Cohort<'_>) -> Vec<AnchorLabel> {
    let seats = cohort.anchors().iter();
    let labels = seats.map(|seat| {
        let registered = &projection.anchors.anchor(&seat.anchor)?.registered;
        Some(AnchorLabel {
            name: projection.name_of(&seat.system),
            rating: registered.rating.to_string(),
            basis: registered.basis.as_str(),
            has_own_level: has_own_level(projection, &seat.system),
            points: registered.rating.to_f64(),
        })
    });
    labels.collect::<Option<_>>().unwrap_or_default()
}

/// The rows, and the names of the systems without a game that counts.
fn rows(
    projection: &Projection,
    cohort: &Cohort<'_>,
    protocol: &ProtocolPublished,
    scale: &Scale,
    anchors: &[AnchorLabel],
) -> (Vec<AnchoredRow>, Vec<String>) {
    let calls = projection.side_calls();
    let about = row::About {
        projection,
        protocol,
        calls: &calls,
        terms: &scale.terms,
        rule: cohort.schedule.committed.rule,
        anchors,
        evidence_status: cohort.evidence_status(),
    };
    let (mut rows, mut without_games) = (Vec::new(), Vec::new());
    for record in cohort.against_anchors() {
        match about.row(&record) {
            Some(row) => {
                if row.row.sample().games() == 0 {
                    without_games.push(row.row.system().name.clone());
                }
                rows.push(row);
            }
            None => without_games.push(projection.name_of(&record.system)),
        }
    }
    rows.sort_by(AnchoredRow::before);
    (rows, without_games)
}
