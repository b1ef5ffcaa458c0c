use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::chess::{Color, GameResult};
use crate::event::{
    AbortCause, EventId, FailedRequest, FailedRequestPolicy, GameStarted, Name,
    PreregistrationCommitted, ProtocolPublished, ScheduleCommitted, ScheduleRule, Seats,
};
use crate::finding::{Code, Finding, Place};
use crate::projection::{Allocation, Cell, Cohort, Game, GameState, Games, cells_of};

/// A committed schedule and the games that were played for its cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The id of its commitment.
    pub id: EventId,
    /// What was committed.
    pub committed: ScheduleCommitted,
    /// The cells, in their frozen order. The opponent in one that is not
    /// [settled](Self::is_settled) is nobody's yet, and stands for whoever it will be.
    pub cells: Vec<Cell>,
    /// The games of each cell, in the order they were started.
    pub games: Vec<Vec<EventId>>,
    /// Systems that withdrew for good: their games count in no calculation.
    pub withdrawn: BTreeSet<EventId>,
    /// Cells that nobody is asked to play any more.
    pub released: BTreeSet<usize>,
    /// Cells without a result that are still to be played: what
    /// [`Cohort::open_cells`] finds, kept so that no event looks at all of them.
    pub open: BTreeSet<usize>,
    /// Cells that were neither started nor released.
    unstarted: BTreeSet<usize>,
    /// How opponents follow from results, where they do.
    allocation: Option<Allocation>,
    /// The promise that the cohort was made under.
    pub preregistration: Option<PreregistrationCommitted>,
}

/// All schedules, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedules {
    by_id: BTreeMap<EventId, Schedule>,
    cohorts: BTreeMap<Name, EventId>,
    /// With the positions of their events.
    preregistrations: BTreeMap<EventId, (u64, PreregistrationCommitted)>,
}

impl Schedules {
    /// The schedule with this id.
    pub fn schedule(&self, id: &EventId) -> Option<&Schedule> {
        self.by_id.get(id)
    }

    /// The schedule of the cohort with this name.
    pub fn cohort(&self, name: &str) -> Option<&Schedule> {
        self.by_id.get(self.cohorts.get(name)?)
    }

    /// All schedules, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Schedule> {
        self.by_id.values()
    }

    /// The names of the cohorts.
    pub fn cohort_names(&self) -> impl Iterator<Item = &Name> {
        self.cohorts.keys()
    }

    /// The names of the cohorts as a list for people, or `none`.
    pub fn cohorts_in_words(&self) -> String {
        let names: Vec<_> = self.cohorts.keys().map(Name::as_str).collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    }

    pub(crate) fn preregister(
        &mut self,
        id: EventId,
        index: u64,
        promise: &PreregistrationCommitted,
    ) {
        self.preregistrations.insert(id, (index, promise.clone()));
    }

    /// A preregistration.
    pub fn preregistration(&self, id: &EventId) -> Option<&PreregistrationCommitted> {
        self.preregistrations.get(id).map(|(_, promise)| promise)
    }

    /// The preregistrations that name this cohort, each with its position.
    pub(crate) fn preregistrations_of<'a>(
        &'a self,
        cohort: &'a Name,
    ) -> impl Iterator<Item = (u64, EventId)> + 'a {
        let all = self.preregistrations.iter();
        all.filter(move |(_, (_, promise))| promise.cohort == *cohort)
            .map(|(id, (index, _))| (*index, *id))
    }

    pub(crate) fn commit(&mut self, id: EventId, committed: &ScheduleCommitted) -> Option<Finding> {
        let cells = cells_of(committed);
        let schedule = Schedule {
            id,
            committed: committed.clone(),
            games: vec![Vec::new(); cells.len()],
            open: (0..cells.len()).collect(),
            unstarted: (0..cells.len()).collect(),
            cells,
            allocation: Allocation::of(committed),
            withdrawn: BTreeSet::new(),
            released: BTreeSet::new(),
            preregistration: committed
                .preregistration
                .and_then(|promise| self.preregistration(&promise).cloned()),
        };
        self.by_id.insert(id, schedule);
        let first = *self.cohorts.entry(committed.cohort.clone()).or_insert(id);
        (first != id).then(|| {
            Finding::new(
                Code::CohortTwice,
                Place::event(*id.digest()),
                "a cohort name that no other schedule has",
                format!("the cohort {} has the schedule {first}", committed.cohort),
            )
        })
    }

    /// Takes in the start of a game; says what is wrong with its cell.
    pub(crate) fn start(
        &mut self,
        id: EventId,
        started: &GameStarted,
        games: &Games,
        protocol: Option<&ProtocolPublished>,
        is_ready: impl Fn(&EventId) -> bool,
    ) -> Vec<Finding> {
        let Some(cell) = started.cell else {
            return Vec::new();
        };
        let Some(schedule) = self.by_id.get_mut(&cell.schedule) else {
            // A dangling reference, which `verify` names.
            return Vec::new();
        };
        schedule.start(id, cell.index.get(), started, games, protocol, is_ready)
    }

    /// Takes in a game that has got its result.
    pub(crate) fn finish(&mut self, game: &Game) {
        let Some(cell) = game.cell() else { return };
        let schedule = self.by_id.get_mut(&cell.schedule);
        let index = usize::try_from(cell.index.get());
        if let (Some(schedule), Ok(index)) = (schedule, index)
            && let Some(games) = schedule.games.get(index)
            && games.contains(&game.id)
        {
            let is_first = schedule.open.remove(&index);
            if let (true, Some(result)) = (is_first, game.result()) {
                schedule.allocate(index, result);
            }
        }
    }

    /// Takes a system that withdrew out of every first batch that goes on: its
    /// games no longer count, and nobody waits for the rest of them.
    pub(crate) fn withdraw(&mut self, systems: &[EventId]) {
        for schedule in self.by_id.values_mut() {
            let is_going_on = !schedule.open.is_empty();
            if schedule.committed.rule != ScheduleRule::DoubleRoundRobin || !is_going_on {
                continue;
            }
            let of_schedule = schedule.committed.systems.iter();
            let leaving: Vec<_> = of_schedule
                .filter(|system| systems.contains(system))
                .copied()
                .collect();
            schedule.release(&leaving, |_| true);
            schedule.withdrawn.extend(leaving);
        }
    }

    /// Takes an opponent that retired out of what newcomers still have to play.
    pub(crate) fn retire(&mut self, systems: &[EventId], games: &Games) {
        for schedule in self.by_id.values_mut() {
            let mut pool = schedule.committed.systems.iter().skip(1);
            if schedule.committed.rule == ScheduleRule::Newcomer
                && pool.any(|system| systems.contains(system))
            {
                let results = Cohort::of(schedule, games).results;
                let is_open: Vec<_> = results.iter().map(Option::is_none).collect();
                let pool: Vec<_> = schedule.committed.systems[1..].to_vec();
                let leaving: Vec<_> = pool
                    .into_iter()
                    .filter(|system| systems.contains(system))
                    .collect();
                schedule.release(&leaving, |cell| is_open.get(cell) == Some(&true));
            }
        }
    }
}

impl Schedule {
    /// Asks nobody any more to play those cells of these systems.
    fn release(&mut self, systems: &[EventId], which: impl Fn(usize) -> bool) {
        for (index, cell) in self.cells.iter().enumerate() {
            let seats = [&cell.seats.white, &cell.seats.black];
            if seats.iter().any(|seat| systems.contains(seat)) && which(index) {
                self.released.insert(index);
                self.open.remove(&index);
                self.unstarted.remove(&index);
            }
        }
    }

    /// Whether a game counts in calculations: it has a result that no correction
    /// takes out, and neither side withdrew.
    pub(crate) fn is_counting(&self, game: &Game) -> bool {
        let mut seats = game.seats().into_iter();
        game.counts() && !seats.any(|(_, system)| self.withdrawn.contains(system))
    }

    /// Whether it is known who plays in a cell: always, unless opponents follow from
    /// results that are not there yet.
    pub fn is_settled(&self, cell: usize) -> bool {
        let allocation = self.allocation.as_ref();
        allocation.is_none_or(|allocation| allocation.is_settled(cell))
    }

    /// Lets the opponents that follow from a result sit down.
    fn allocate(&mut self, cell: usize, result: GameResult) {
        let Some(allocation) = &mut self.allocation else {
            return;
        };
        for (cell, rung) in allocation.take(cell, result) {
            let anchor = self.committed.anchors.get(rung);
            let (Some(anchor), Some(cell_of)) = (anchor, self.cells.get_mut(cell)) else {
                continue;
            };
            match Allocation::color_in(cell) {
                Color::White => cell_of.seats.black = anchor.system,
                Color::Black => cell_of.seats.white = anchor.system,
            }
        }
    }

    /// What earlier results have against these seats in a cell, as it stands now:
    /// what is expected and what is found.
    fn misallocated(&self, cell: usize, seats: Seats) -> Option<[String; 2]> {
        let registered = self.cells.get(cell)?.seats;
        self.allocation.as_ref()?;
        if !self.is_settled(cell) {
            return Some([
                "a mini-match that begins once the one before it is complete".to_owned(),
                "one that begins before".to_owned(),
            ]);
        }
        let opponent = |seats: Seats| match Allocation::color_in(cell) {
            Color::White => seats.black,
            Color::Black => seats.white,
        };
        let [expected, found] = [registered, seats].map(opponent);
        (expected != found).then(|| {
            let expected = format!("the opponent {expected}, as earlier results give");
            [expected, found.to_string()]
        })
    }

    /// Whether both seats of a cell may play now.
    pub fn is_ready(&self, cell: usize, is_ready: impl Fn(&EventId) -> bool) -> bool {
        let cell = self.cells.get(cell).filter(|_| self.is_settled(cell));
        cell.is_some_and(|cell| is_ready(&cell.seats.white) && is_ready(&cell.seats.black))
    }

    /// Open cells in the order in which they are played: as they are frozen, or
    /// where failed games are scheduled again, those that failed least first, so
    /// that whatever is ready goes on when another game fails.
    pub fn in_turn(&self, mut open: Vec<usize>, rule: FailedRequest) -> Vec<usize> {
        let goes_last = match rule.policy {
            FailedRequestPolicy::ScheduleAgain | FailedRequestPolicy::AbortUncounted => true,
            FailedRequestPolicy::ReplayCell
            | FailedRequestPolicy::CountWrong
            | FailedRequestPolicy::NoAnswer => false,
        };
        if goes_last {
            open.sort_by_key(|cell| self.games.get(*cell).map_or(0, Vec::len));
        }
        open
    }

    /// Whether one more game of a cell may be started: none of it goes on, and
    /// it was not played again as often as the protocol allows.
    pub fn may_be_tried(&self, cell: usize, rule: FailedRequest, games: &Games) -> bool {
        let of_cell = self.games.get(cell).map_or(&[][..], Vec::as_slice);
        let goes_on = |id| {
            let game = games.game(id);
            game.is_some_and(|game| game.state == GameState::Playing)
        };
        let replays = u64::try_from(of_cell.len()).unwrap_or(u64::MAX);
        let most = rule.replays_max;
        !of_cell.iter().any(goes_on) && most.is_none_or(|most| replays <= most.get())
    }

    fn start(
        &mut self,
        id: EventId,
        index: u64,
        started: &GameStarted,
        games: &Games,
        protocol: Option<&ProtocolPublished>,
        is_ready: impl Fn(&EventId) -> bool,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |code, expected: String, found: &str| {
            findings.push(Finding::new(
                code,
                Place::event(*id.digest()),
                expected,
                found,
            ));
        };
        let position = usize::try_from(index).unwrap_or(usize::MAX);
        let Some(cell) = self.cells.get(position) else {
            let expected = format!("a cell below {}", self.cells.len());
            find(Code::CellUnregistered, expected, &format!("cell {index}"));
            return findings;
        };
        // Only who stands on another rung than the rule says is wrong then.
        let misallocated = self.misallocated(position, started.seats);
        let own = |seats: Seats| match Allocation::color_in(position) {
            Color::White => seats.white,
            Color::Black => seats.black,
        };
        let are_seated = cell.seats == started.seats
            || misallocated.is_some() && own(cell.seats) == own(started.seats);
        if let Some([expected, found]) = misallocated {
            find(Code::AllocationDiffers, expected, &found);
        }
        let is_registered = are_seated
            && cell.start == started.start
            && cell.opening == started.opening
            && started.protocol == self.committed.protocol;
        if !is_registered {
            let expected = format!("the seats, start and protocol of cell {index}");
            find(Code::CellUnregistered, expected, "others");
        }
        // Cells of those who cannot play are deferred, and others go on.
        let mut earlier = self.unstarted.range(..position);
        if earlier.any(|earlier| self.is_ready(*earlier, &is_ready)) {
            let expected = format!("every cell before {index} to be started");
            find(
                Code::CellOrder,
                expected,
                "an earlier cell that was never started",
            );
        }
        let failed_before = |game: &EventId| games.game(game).is_some_and(is_replaceable);
        if !self.games[position].iter().all(failed_before) {
            let expected = "an earlier game of the cell only where it was aborted".to_owned();
            find(
                Code::CellReplayed,
                expected,
                "one that goes on or has a result",
            );
        }
        let replays = u64::try_from(self.games[position].len()).unwrap_or(u64::MAX);
        let bound = protocol
            .map(|protocol| protocol.failed_request)
            .and_then(|rule| rule.replays_max);
        if bound.is_some_and(|bound| bound.get() < replays) {
            let expected = format!("at most {} replays of a cell", bound.unwrap_or_default());
            find(Code::CellReplayed, expected, &format!("replay {replays}"));
        }
        self.games[position].push(id);
        self.unstarted.remove(&position);
        findings
    }
}

/// Whether a cell may be played again after this game.
fn is_replaceable(game: &Game) -> bool {
    match game.state {
        GameState::Aborted { cause, .. } => match cause {
            AbortCause::ProviderFailure | AbortCause::RunnerFailure | AbortCause::Maintainer => {
                true
            }
        },
        GameState::Playing | GameState::Finished { .. } => false,
    }
}
