//! Measuring the positions of games that have ended.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::chess::{Fen, Position, Variant};
use crate::event::{EventId, Name, SystemRegistered};
use crate::projection::{Game, MeasuredContent, Projection};
use crate::run::difference::difference;
use crate::run::file::Deadlines;
use crate::run::record::Record;
use crate::run::registry::Entrant;
use crate::run::uci::Analysis;
use crate::run::{Analyst, MeasureError, RunError};

/// A position to be measured.
#[derive(Clone, Debug)]
pub struct Assignment {
    fen: Fen,
    variant: Variant,
    position: Position,
}

impl Assignment {
    /// The position.
    pub const fn fen(&self) -> &Fen {
        &self.fen
    }
}

/// Which moves are graded.
#[derive(Clone, Copy, Default)]
pub struct Graded<'s> {
    /// Of this cohort alone.
    pub cohort: Option<&'s Name>,
    /// Of this game alone.
    pub game: Option<EventId>,
    /// Of this system alone.
    pub system: Option<EventId>,
}

/// How much there is to grade.
#[derive(Clone, Debug, Default)]
pub struct Workload {
    /// Games that have moves to be graded.
    pub games: usize,
    /// Moves to be graded.
    pub moves: usize,
    /// Positions before and after them, each once.
    pub positions: usize,
    /// Those that the analyst has not measured yet, in the order of the games.
    pub open: Vec<Assignment>,
}

/// What a grading came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grading {
    /// How many positions were measured.
    pub measured: usize,
    /// Those that were not, and why, in the order of the games.
    pub failed: Vec<(Fen, MeasureError)>,
    /// How many positions stay open because it was told to stop, or the engine
    /// failed again and again.
    pub left: usize,
}

/// After so many failures in a row another position is not worth trying.
const FAILURES_MAX: usize = 3;

/// How long to wait for a measurement before looking whether to stop.
const LOOK: Duration = Duration::from_millis(50);

impl Workload {
    /// Returns what there is to grade: positions before and after every accepted
    /// move of finished games that count, and which of them stand in no
    /// measurement of this analyst.
    pub fn of(projection: &Projection, graded: Graded<'_>, analyst: Option<EventId>) -> Self {
        let mut workload = Self::default();
        let mut seen = BTreeSet::new();
        for game in projection.games.iter().filter(|game| game.counts()) {
            if graded.is_of(projection, game) {
                workload.take(projection, game, graded.system, &mut seen);
            }
        }
        workload.positions = seen.len();
        if let Some(analyst) = analyst {
            workload.open.retain(|assignment| {
                let content = MeasuredContent {
                    analyst,
                    fen: assignment.fen.clone(),
                    variant: assignment.variant,
                };
                projection.measurements.of(&content).is_none()
            });
        }
        workload
    }

    fn take(
        &mut self,
        projection: &Projection,
        game: &Game,
        system: Option<EventId>,
        seen: &mut BTreeSet<(Fen, Variant)>,
    ) {
        let variant = game.started.start.variant;
        // A game that cannot be replayed has findings, and is not graded.
        let Ok(mut position) = game.started.start.fen.position(variant) else {
            return;
        };
        let opening = game.started.opening.iter();
        let opening = opening.flat_map(|opening| opening.moves.iter().copied());
        if opening.into_iter().any(|uci| position.play(uci).is_err()) {
            return;
        }
        debug_assert!(!projection.is_forgetful(), "moves are remembered");
        let mut moves = 0;
        for played in &game.moves {
            let before = position.clone();
            if position.play(played.uci).is_err() {
                break;
            }
            let mover = game.seat(before.side_to_move());
            if system.is_none_or(|system| system == *mover) {
                moves += 1;
                self.assign(before, variant, seen);
                self.assign(position.clone(), variant, seen);
            }
        }
        self.moves += moves;
        self.games += usize::from(0 < moves);
    }

    fn assign(
        &mut self,
        position: Position,
        variant: Variant,
        seen: &mut BTreeSet<(Fen, Variant)>,
    ) {
        let fen = position.fen();
        if seen.insert((fen.clone(), variant)) {
            self.open.push(Assignment {
                fen,
                variant,
                position,
            });
        }
    }
}

impl Graded<'_> {
    fn is_of(&self, projection: &Projection, game: &Game) -> bool {
        let cohort = || {
            projection
                .schedule_of(game)
                .map(|one| &one.committed.cohort)
        };
        self.game.is_none_or(|id| id == game.id)
            && self.cohort.is_none_or(|name| cohort() == Some(name))
    }
}

/// Returns the registration of this engine under whatever name, where there is
/// one.
///
/// # Errors
///
/// When its name stands for another system.
pub fn known_analyst(
    projection: &Projection,
    system: &SystemRegistered,
) -> Result<Option<EventId>, RunError> {
    let is_same = |known: &SystemRegistered| {
        known.engine == system.engine && known.assistance == system.assistance
    };
    let systems = projection.systems.systems();
    let same = systems.iter().find(|known| is_same(&known.registered));
    if let Some(same) = same {
        return Ok(Some(same.id));
    }
    match projection.systems.system_named(&system.name) {
        Some(other) => Err(RunError::NameTaken {
            name: system.name.to_string(),
            what: "system",
            differs: format!("another {}", difference(&other.registered, system)),
        }),
        None => Ok(None),
    }
}

/// Measures positions with so many engines at once, each of which plays alone.
/// Every measurement is in the ledger before the next one is taken in; a run that
/// is killed loses those in flight and nothing else.
///
/// # Errors
///
/// When the ledger takes no more events, or one contradicts it.
pub fn grade(
    record: &mut Record<'_>,
    entrant: &Entrant,
    open: &[Assignment],
    (jobs, deadlines): (usize, Deadlines),
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(usize),
) -> Result<Grading, RunError> {
    let analyst = match known_analyst(record.projection(), &entrant.system)? {
        Some(known) => known,
        None => record.say(entrant.system.clone())?,
    };
    record.commit()?;
    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let (sender, measured) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.min(open.len()) {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            scope.spawn(move || {
                let mut engine = Analyst::new(entrant, deadlines);
                while !is_over.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = open.get(number) else { break };
                    let analysis = engine.measure(None, &one.position, one.variant);
                    if sender.send((number, analysis)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut taking = Taking {
            record,
            analyst,
            open,
            measured: 0,
            failed: Vec::new(),
            in_a_row: 0,
        };
        loop {
            if stop() || FAILURES_MAX <= taking.in_a_row {
                is_over.store(true, Ordering::Relaxed);
            }
            let taken = match measured.recv_timeout(LOOK) {
                Ok((number, analysis)) => taking.take(number, analysis),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if taken.is_err() {
                is_over.store(true, Ordering::Relaxed);
            }
            taken?;
            tell(taking.measured);
        }
        Ok(taking.into_grading())
    })
}

/// Measurements on their way into the ledger.
struct Taking<'t, 'a> {
    record: &'t mut Record<'a>,
    analyst: EventId,
    open: &'t [Assignment],
    measured: usize,
    failed: Vec<(usize, MeasureError)>,
    in_a_row: usize,
}

impl Taking<'_, '_> {
    fn take(
        &mut self,
        number: usize,
        analysis: Result<Analysis, MeasureError>,
    ) -> Result<(), RunError> {
        let Some(one) = self.open.get(number) else {
            return Ok(());
        };
        match analysis {
            Ok(analysis) => {
                let content = (&one.fen, one.variant);
                self.record
                    .say(analysis.measured(self.analyst, content, None))?;
                self.record.commit()?;
                self.measured += 1;
                self.in_a_row = 0;
            }
            Err(fault) => {
                self.failed.push((number, fault));
                self.in_a_row += 1;
            }
        }
        Ok(())
    }

    fn into_grading(mut self) -> Grading {
        self.failed.sort_by_key(|(number, _)| *number);
        let done = self.measured + self.failed.len();
        let named = self.failed.into_iter();
        Grading {
            measured: self.measured,
            failed: named
                .filter_map(|(number, fault)| Some((self.open.get(number)?.fen.clone(), fault)))
                .collect(),
            left: self.open.len().saturating_sub(done),
        }
    }
}
