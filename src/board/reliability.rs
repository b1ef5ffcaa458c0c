use std::collections::BTreeMap;

use crate::board::placement::label;
use crate::board::{BoardError, Coverage, SystemLabel, cohort};
use crate::chess::{Color, RejectionClass};
use crate::event::{CallFailure, EventId, EvidenceStatus, ReplyForm};
use crate::measure::Interval;
use crate::projection::{
    Call, CallState, Game, PositionRun, Projection, PuzzleRun, Resources, Schedule, Source,
};

/// How reliably systems answer, over games, puzzles and positions: failures of
/// providers, rejected answers, and no chess.
#[derive(Clone, Debug, PartialEq)]
pub struct ReliabilityBoard {
    /// The cohort whose games alone it is about; everything where there is none.
    pub cohort: Option<String>,
    /// One row for each system and what it was asked, in the order of sets and of
    /// their systems.
    pub rows: Vec<ReliabilityRow>,
    /// What it was computed from.
    pub source: Source,
}

/// What systems are asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// To play games.
    Games,
    /// To solve puzzles.
    Puzzles,
    /// To answer positions.
    Positions,
}

impl Task {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Puzzles => "puzzles",
            Self::Positions => "positions",
        }
    }
}

/// How one system answered what it was asked in one set: a cohort, the draws of a
/// ladder, or a dataset. Two sets are never put together: they may have another
/// protocol and evidence status.
#[derive(Clone, Debug, PartialEq)]
pub struct ReliabilityRow {
    /// Which system.
    pub system: SystemLabel,
    /// What it was asked to do.
    pub task: Task,
    /// The name of the cohort, era or dataset.
    pub set: String,
    /// The name of the protocol.
    pub protocol: String,
    /// How much the evidence claims.
    pub evidence_status: EvidenceStatus,
    /// Games started, puzzles or positions answered: n.
    pub units: u64,
    /// Units without an outcome: games aborted or still played, questions that no
    /// reply came to.
    pub without_outcome: u64,
    /// Games that the system lost by rejected answers.
    pub forfeits: u64,
    /// Answers that were a legal move, or a line that could be read.
    pub accepted: u64,
    /// Answers that were none.
    pub rejected: u64,
    /// Those by class, in the order of [`RejectionClass::ALL`]. Absent: puzzles have
    /// no classes.
    pub classes: Option<Vec<u64>>,
    /// Colors and openings of games; which side is to move in puzzles and positions.
    pub coverage: Coverage,
    /// What the calls took.
    pub calls: SetCalls,
}

/// The calls behind a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetCalls {
    /// Calls that left.
    pub sent: u64,
    /// Calls that were answered.
    pub answered: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Those by class, in the order of [`CallFailure::ALL`]. Absent: not kept for
    /// what is no game.
    pub classes: Option<Vec<u64>>,
}

impl ReliabilityRow {
    /// The 95 % interval of the share of rejected answers (Wilson); nothing without
    /// an answer. Answers of one game are not independent: it is too narrow.
    pub fn interval(&self) -> Option<Interval> {
        let small = |count: u64| u32::try_from(count).ok();
        let (rejected, judged) = (small(self.rejected)?, small(self.judged())?);
        Interval::wilson_95(rejected, judged)
    }

    /// Answers that were judged.
    pub const fn judged(&self) -> u64 {
        self.accepted.saturating_add(self.rejected)
    }

    const fn is_empty(&self) -> bool {
        self.units == 0 && self.calls.sent == 0
    }
}

impl ReliabilityBoard {
    /// Returns the board of the games of a cohort, or of everything that systems of
    /// the benchmark were asked. Games with people, and games by hand outside of eras,
    /// are in neither.
    ///
    /// # Errors
    ///
    /// When there is no such cohort.
    pub fn of(
        projection: &Projection,
        name: Option<&str>,
        source: Source,
    ) -> Result<Self, BoardError> {
        let mut rows = Vec::new();
        if let Some(name) = name {
            take_cohort(&mut rows, projection, cohort(projection, name)?.schedule);
        } else {
            let mut names: Vec<_> = projection.schedules.cohort_names().collect();
            names.sort();
            for name in names {
                if let Some(schedule) = projection.schedules.cohort(name.as_str()) {
                    take_cohort(&mut rows, projection, schedule);
                }
            }
            take_ladders(&mut rows, projection);
            take_questions(&mut rows, projection);
        }
        rows.retain(|row| !row.is_empty());
        Ok(Self {
            cohort: name.map(str::to_owned),
            rows,
            source,
        })
    }
}

fn protocol_name(projection: &Projection, protocol: &EventId) -> String {
    let protocol = projection.systems.protocol(protocol);
    protocol.map_or_else(String::new, |one| one.published.name.to_string())
}

fn take_cohort(rows: &mut Vec<ReliabilityRow>, projection: &Projection, schedule: &Schedule) {
    let ids = schedule.games.iter().flatten();
    let games: Vec<_> = ids.filter_map(|id| projection.games.game(id)).collect();
    let committed = &schedule.committed;
    let status = projection.cohort(committed.cohort.as_str());
    let status = status.map_or(EvidenceStatus::Pilot, |cohort| cohort.evidence_status());
    let anchors = committed.anchors.iter().map(|seat| &seat.system);
    for system in committed.systems.iter().chain(anchors) {
        let set = committed.cohort.as_str();
        let protocol = protocol_name(projection, &committed.protocol);
        rows.push(of_games(
            projection,
            system,
            &games,
            (set, protocol, status),
        ));
    }
}

/// The games of eras that no schedule has: those that were drawn.
fn take_ladders(rows: &mut Vec<ReliabilityRow>, projection: &Projection) {
    for era in projection.eras.iter() {
        let drawn = |game: &&Game| {
            game.era == Some(era.id)
                && game.started.stage.is_between_systems()
                && game.cell().is_none()
        };
        let games: Vec<_> = projection.games.iter().filter(drawn).collect();
        let mut systems = Vec::new();
        for system in games
            .iter()
            .flat_map(|game| game.seats())
            .map(|(_, system)| system)
        {
            if !systems.contains(&system) {
                systems.push(system);
            }
        }
        let first = projection.schedules.schedule(&era.started.placement);
        let first = first.and_then(|one| projection.cohort(one.committed.cohort.as_str()));
        let status = first.map_or(EvidenceStatus::Pilot, |one| one.evidence_status());
        for system in systems {
            let set = era.started.name.as_str();
            let protocol = protocol_name(projection, &era.started.protocol);
            rows.push(of_games(
                projection,
                system,
                &games,
                (set, protocol, status),
            ));
        }
    }
}

fn of_games(
    projection: &Projection,
    system: &EventId,
    games: &[&Game],
    (set, protocol, evidence_status): (&str, String, EvidenceStatus),
) -> ReliabilityRow {
    let seated = games
        .iter()
        .filter_map(|game| Some((*game, game.color_of(system)?)));
    let seated: Vec<(&Game, Color)> = seated.collect();
    let (mut resources, mut classes) = (Resources::default(), vec![0; RejectionClass::ALL.len()]);
    let (mut accepted, mut rejected, mut forfeits, mut without_outcome) = (0, 0, 0, 0);
    for (game, color) in &seated {
        resources.join(game.resources.get(*color));
        accepted += game.moves_of(*color);
        rejected += *game.rejections.get(*color);
        for one in game.rejected.iter().filter(|one| one.color == *color) {
            count_class(&mut classes, one.class);
        }
        match (game.result(), game.termination()) {
            (Some(result), Some(end)) => {
                let is_lost = result.winner() == Some(color.other());
                forfeits += u64::from(end.is_forfeit() && is_lost);
            }
            _ => without_outcome += 1,
        }
    }
    let of_class = |class| resources.failed.get(class).copied().unwrap_or_default();
    ReliabilityRow {
        system: label(projection, system),
        task: Task::Games,
        set: set.to_owned(),
        protocol,
        evidence_status,
        units: u64::try_from(seated.len()).unwrap_or(u64::MAX),
        without_outcome,
        forfeits,
        accepted,
        rejected,
        classes: Some(classes),
        coverage: Coverage::of(seated.iter().copied()),
        calls: SetCalls {
            sent: resources.sent,
            answered: resources.answered,
            failed: resources.failures(),
            classes: Some(CallFailure::ALL.iter().map(of_class).collect()),
        },
    }
}

fn count_class(classes: &mut [u64], class: RejectionClass) {
    let mut known = RejectionClass::ALL.iter().zip(classes);
    if let Some((_, count)) = known.find(|(known, _)| **known == class) {
        *count += 1;
    }
}

/// Which questions a call is of: the dataset, the protocol where the call says it,
/// and the system.
type Asker = (EventId, EventId);

/// The calls for puzzles and positions, by dataset and system.
fn calls_of_questions(projection: &Projection) -> BTreeMap<Asker, SetCalls> {
    let mut calls: BTreeMap<Asker, SetCalls> = BTreeMap::new();
    for (_, Call { sent, state, .. }) in projection.calls.iter() {
        let puzzle = sent.puzzle.as_ref().map(|puzzle| puzzle.dataset);
        let Some(dataset) = puzzle.or_else(|| sent.position.as_ref().map(|one| one.dataset)) else {
            continue;
        };
        let calls = calls.entry((dataset, sent.system)).or_default();
        calls.sent += 1;
        match state {
            CallState::Answered(_) => calls.answered += 1,
            CallState::Failed(_) => calls.failed += 1,
            CallState::InFlight => {}
        }
    }
    calls
}

fn take_questions(rows: &mut Vec<ReliabilityRow>, projection: &Projection) {
    let calls = calls_of_questions(projection);
    for dataset in projection.puzzles.datasets() {
        for run in projection.puzzles.runs(&dataset.id) {
            let fens = |id: &str| dataset.puzzle(id).map(|(_, puzzle)| puzzle.fen.as_str());
            rows.push(of_puzzles(
                projection,
                run,
                dataset.registered.name.as_str(),
                fens,
                &calls,
            ));
        }
    }
    for list in projection.positions.lists() {
        for run in projection.positions.runs(&list.id) {
            let positions = &list.registered.positions;
            let fens = |id: &str| {
                let mut positions = positions.iter();
                let found = positions.find(|one| one.id == id);
                found.map(|one| one.fen.as_str())
            };
            let set = format!("{}, {}", list.registered.name, run.key.condition);
            rows.push(of_positions(projection, run, set, fens, &calls));
        }
    }
}

fn of_puzzles<'f>(
    projection: &Projection,
    run: &PuzzleRun,
    set: &str,
    fen: impl Fn(&str) -> Option<&'f str>,
    calls: &BTreeMap<Asker, SetCalls>,
) -> ReliabilityRow {
    let (mut accepted, mut rejected, mut no_reply) = (0, 0, 0);
    let mut coverage = Coverage::default();
    for attempt in run.attempts() {
        match attempt.answered.form {
            None => no_reply += 1,
            Some(ReplyForm::Wrong) => rejected += 1,
            Some(_) => accepted += 1,
        }
        coverage.take_to_move(fen(&attempt.answered.puzzle));
    }
    ReliabilityRow {
        system: label(projection, &run.system),
        task: Task::Puzzles,
        set: set.to_owned(),
        protocol: protocol_name(projection, &run.protocol),
        evidence_status: EvidenceStatus::Pilot,
        units: accepted + rejected + no_reply,
        without_outcome: no_reply,
        forfeits: 0,
        accepted,
        rejected,
        classes: None,
        coverage,
        calls: calls
            .get(&(run.dataset, run.system))
            .cloned()
            .unwrap_or_default(),
    }
}

fn of_positions<'f>(
    projection: &Projection,
    run: &PositionRun,
    set: String,
    fen: impl Fn(&str) -> Option<&'f str>,
    calls: &BTreeMap<Asker, SetCalls>,
) -> ReliabilityRow {
    let (mut accepted, mut rejected, mut no_reply) = (0, 0, 0);
    let mut classes = vec![0; RejectionClass::ALL.len()];
    let mut questions: BTreeMap<&str, bool> = BTreeMap::new();
    for answer in run.answers() {
        let is_replied = answer.answered.uci.is_some() || answer.is_rejected();
        *questions.entry(&answer.answered.position).or_default() |= is_replied;
        if let Some(class) = answer.answered.class {
            rejected += 1;
            count_class(&mut classes, class);
        } else if answer.answered.uci.is_some() {
            accepted += 1;
        } else {
            no_reply += 1;
        }
    }
    let mut coverage = Coverage::default();
    for id in questions.keys() {
        coverage.take_to_move(fen(id));
    }
    ReliabilityRow {
        system: label(projection, &run.key.system),
        task: Task::Positions,
        set,
        protocol: protocol_name(projection, &run.key.protocol),
        evidence_status: EvidenceStatus::Pilot,
        units: u64::try_from(questions.len()).unwrap_or(u64::MAX),
        without_outcome: no_reply,
        forfeits: 0,
        accepted,
        rejected,
        classes: Some(classes),
        coverage,
        calls: calls
            .get(&(run.key.dataset, run.key.system))
            .cloned()
            .unwrap_or_default(),
    }
}
