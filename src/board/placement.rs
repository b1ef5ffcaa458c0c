use crate::board::{Accounting, Board, Conduct, Coverage, Estimate, Row, Sample, SystemLabel, Wdl};
use crate::chess::{Color, GameResult};
use crate::event::{EventId, ScheduleRule};
use crate::projection::{
    Cohort, Game, Placement, PlacementError, Projection, Resources, Schedule, Source, Standing,
};

/// Why there is no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// No schedule has this cohort.
    #[error("no cohort named {wanted} before event {size}; there is: {there}")]
    NoCohort {
        /// What was asked for.
        wanted: String,
        /// The prefix that was looked at.
        size: u64,
        /// The cohorts there are.
        there: String,
    },
    /// It is not measured against anchors.
    #[error(
        "cohort {cohort} has no ratings against anchors: its schedule names registered anchors and its protocol a scale (`anchored`), or there is no such board"
    )]
    NoScale {
        /// The cohort.
        cohort: String,
    },
    /// No rating.
    #[error("cohort {cohort}: {source}")]
    Placement {
        /// The cohort.
        cohort: String,
        /// Why.
        source: PlacementError,
    },
}

/// Returns the placement board of a cohort.
///
/// # Errors
///
/// When there is no such cohort, or its protocol rates nothing.
pub fn placement(
    projection: &Projection,
    cohort: &str,
    source: Source,
) -> Result<Board, BoardError> {
    let name = cohort;
    let no_rating = |source| BoardError::Placement {
        cohort: name.to_owned(),
        source,
    };
    let cohort = projection
        .cohort(name)
        .ok_or_else(|| BoardError::NoCohort {
            wanted: name.to_owned(),
            size: projection.size,
            there: projection.schedules.cohorts_in_words(),
        })?;
    let protocol = projection
        .systems
        .protocol(&cohort.schedule.committed.protocol)
        .map(|protocol| &protocol.published)
        .ok_or(PlacementError::Unrated)
        .map_err(no_rating)?;
    let rule = protocol
        .glicko2
        .ok_or(PlacementError::Unrated)
        .map_err(no_rating)?;
    let placement = Placement::of(&cohort, &rule).map_err(no_rating)?;
    let mut rows = Vec::new();
    let mut without_games = Vec::new();
    for standing in &placement.standings {
        match row(projection, &cohort, standing) {
            Some(row) => rows.push(row),
            None => without_games.push(label(projection, &standing.system).name),
        }
    }
    sort(&mut rows);
    Ok(Board {
        cohort: name.to_owned(),
        counts: cohort.counts(),
        evidence_status: cohort.evidence_status(),
        is_complete: placement.is_complete,
        protocol: protocol.name.to_string(),
        rows,
        source,
        without_games,
        withdrawn: withdrawn(projection, cohort.schedule),
        newcomer: newcomer(projection, cohort.schedule),
    })
}

/// Whose placement a schedule is, and in which era, by name.
fn newcomer(projection: &Projection, schedule: &Schedule) -> Option<(String, String)> {
    let committed = &schedule.committed;
    if committed.rule != ScheduleRule::Newcomer {
        return None;
    }
    let newcomer = committed.systems.first()?;
    let era = projection.eras.era(&committed.era?)?;
    Some((projection.name_of(newcomer), era.started.name.to_string()))
}

/// Who withdrew, in the order of the schedule.
pub(crate) fn withdrawn(projection: &Projection, schedule: &Schedule) -> Vec<String> {
    let systems = schedule.committed.systems.iter();
    let gone = systems.filter(|system| schedule.withdrawn.contains(system));
    gone.map(|system| projection.name_of(system)).collect()
}

/// Returns the cohort with this name.
///
/// # Errors
///
/// When there is none; the error names those there are.
pub fn cohort<'a>(projection: &'a Projection, name: &str) -> Result<Cohort<'a>, BoardError> {
    projection.cohort(name).ok_or_else(|| BoardError::NoCohort {
        wanted: name.to_owned(),
        size: projection.size,
        there: projection.schedules.cohorts_in_words(),
    })
}

/// Orders by unrounded rating, the highest first, then by name.
fn sort(rows: &mut [Row]) {
    rows.sort_by(|a, b| {
        let ratings = (a.estimate().rating.rating, b.estimate().rating.rating);
        ratings
            .1
            .total_cmp(&ratings.0)
            .then_with(|| a.system().name.cmp(&b.system().name))
    });
}

pub(crate) fn label(projection: &Projection, system: &EventId) -> SystemLabel {
    projection.systems.system(system).map_or_else(
        || SystemLabel {
            id: *system,
            name: system.digest().short(),
            assistance: crate::event::Assistance::NONE,
            is_billed: true,
        },
        |system| SystemLabel {
            id: system.id,
            name: system.registered.name.to_string(),
            assistance: system.registered.assistance,
            is_billed: system.registered.is_billed(),
        },
    )
}

fn row(projection: &Projection, cohort: &Cohort<'_>, standing: &Standing) -> Option<Row> {
    let system = &standing.system;
    let games: Vec<(&Game, Color)> = cohort
        .counting()
        .filter_map(|game| Some((game, game.color_of(system)?)))
        .collect();
    let mut wdl = Wdl::default();
    let mut conduct = Conduct::default();
    let mut resources = Resources::default();
    for (game, color) in &games {
        if let Some(result) = game.result() {
            wdl.take(result, *color);
        }
        take_conduct(&mut conduct, game, *color);
        resources.join(game.resources.get(*color));
    }
    let aborted = cohort
        .aborted
        .iter()
        .filter(|game| game.color_of(system).is_some())
        .count();
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let label = label(projection, system);
    let is_billed = label.is_billed;
    Some(Row::new(
        label,
        Estimate::new(standing.rank, standing.rating),
        Sample::new(wdl)?,
        conduct,
        Coverage::of(games.iter().copied()),
        cohort.evidence_status(),
        Accounting::new(resources, count(games.len()), count(aborted), is_billed),
    ))
}

pub(crate) fn take_conduct(conduct: &mut Conduct, game: &Game, color: Color) {
    let rejected = *game.rejections.get(color);
    conduct.rejected += rejected;
    conduct.judged += rejected + game.moves_of(color);
    if let Some(termination) = game.termination() {
        conduct.censored += u64::from(termination.is_censored());
        let lost = game.result().and_then(GameResult::winner) == Some(color.other());
        conduct.forfeits += u64::from(termination.is_forfeit() && lost);
    }
}
