use crate::chess::Termination;
use crate::event::{EventId, EvidenceStatus};
use crate::projection::{Game, GameState, Games, Schedule};

/// A schedule together with its games: what boards and manifests speak of.
#[derive(Clone, Debug)]
pub struct Cohort<'a> {
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The game with a result of each cell, where it has one.
    pub results: Vec<Option<&'a Game>>,
    /// The games without a result, in the order of cells.
    pub aborted: Vec<&'a Game>,
}

/// Counts of raw units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CohortCounts {
    /// Registered cells.
    pub cells: u64,
    /// Cells whose game has a result.
    pub finished: u64,
    /// Games that were aborted.
    pub aborted: u64,
    /// Games that go on.
    pub playing: u64,
    /// Accepted moves in finished games.
    pub accepted: u64,
    /// Rejected answers in finished games.
    pub rejected: u64,
    /// Games that ended by forfeit.
    pub forfeits: u64,
    /// Games that ended by ply limit or adjudication.
    pub censored: u64,
    /// Games with a result that a correction takes out of every figure.
    pub excluded: u64,
}

impl<'a> Cohort<'a> {
    /// Returns the cohort of a schedule.
    pub fn of(schedule: &'a Schedule, games: &'a Games) -> Self {
        let of_cell = |ids: &'a Vec<EventId>| ids.iter().filter_map(|id| games.game(id));
        Self {
            schedule,
            results: schedule
                .games
                .iter()
                .map(|ids| of_cell(ids).find(|game| game.result().is_some()))
                .collect(),
            aborted: schedule
                .games
                .iter()
                .flat_map(of_cell)
                .filter(|game| matches!(game.state, GameState::Aborted { .. }))
                .collect(),
        }
    }

    /// The cells without a result that are still to be played, in frozen order.
    pub fn open_cells(&self) -> Vec<usize> {
        let cells = self.results.iter().enumerate();
        cells
            .filter(|(cell, result)| result.is_none() && !self.schedule.released.contains(cell))
            .map(|(cell, _)| cell)
            .collect()
    }

    /// The games that count in calculations, in the order of cells: those with
    /// a result, without those of systems that withdrew and those that a
    /// correction takes out.
    pub fn counting(&self) -> impl Iterator<Item = &'a Game> {
        let schedule = self.schedule;
        self.finished()
            .filter(move |game| schedule.is_counting(game))
    }

    /// The games with a result, in the order of cells.
    pub fn finished(&self) -> impl Iterator<Item = &'a Game> {
        self.results.iter().copied().flatten()
    }

    /// Whether no registered cell is open. A game that a correction takes out
    /// of every figure keeps its cell: excluding is no way to a second try.
    pub fn is_terminal(&self) -> bool {
        self.open_cells().is_empty()
    }

    /// Returns the counts of raw units.
    pub fn counts(&self) -> CohortCounts {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let started: usize = self.schedule.games.iter().map(Vec::len).sum();
        let finished = self.finished().count();
        let mut counts = CohortCounts {
            cells: count(self.results.len()),
            finished: count(finished),
            aborted: count(self.aborted.len()),
            playing: count(started.saturating_sub(finished + self.aborted.len())),
            ..CohortCounts::default()
        };
        for game in self.finished() {
            counts.accepted += game.accepted;
            counts.rejected += game.rejected_answers();
            let termination = game.termination();
            counts.forfeits += u64::from(termination.is_some_and(Termination::is_forfeit));
            counts.censored += u64::from(termination.is_some_and(Termination::is_censored));
            counts.excluded += u64::from(game.is_excluded);
        }
        counts
    }

    /// The status that the evidence can bear: what was promised before the
    /// first outcome, capped by what was collected.
    ///
    /// Confirmatory evidence needs several openings, among much else; a
    /// schedule from one start position cannot be more than provisional.
    pub fn evidence_status(&self) -> EvidenceStatus {
        let claimed = self
            .schedule
            .preregistration
            .as_ref()
            .map_or(EvidenceStatus::Pilot, |promise| promise.evidence_status);
        claimed.min(EvidenceStatus::Provisional)
    }
}
