use std::collections::{BTreeMap, BTreeSet};

use crate::canonical::Total;
use crate::chess::Color;
use crate::event::{AnchorSeat, EventId, ScheduleRule};
use crate::projection::{CallState, Cohort, Game, Projection, Tally};

/// What one system of a cohort with anchors played, from its side: nothing of
/// any other system is in it.
#[derive(Clone, Debug)]
pub struct AnchoredRecord<'a> {
    /// The system.
    pub system: EventId,
    /// Its games with a result that counts, by start, then by anchor in the
    /// order of the schedule, then White first: whenever they were played.
    pub games: Vec<AnchoredGame<'a>>,
    /// Its games without a result.
    pub aborted: Vec<&'a Game>,
    /// Registered cells of it.
    pub cells: u64,
    /// Cells that still have no result and are to be played.
    pub open: u64,
    /// Cells that were played again after an aborted game and have a result.
    pub replaced: u64,
    /// Games with a result that corrections take out of every figure.
    pub excluded: u64,
}

/// A game of a system against an anchor.
#[derive(Clone, Copy, Debug)]
pub struct AnchoredGame<'a> {
    /// The game.
    pub game: &'a Game,
    /// The system's color.
    pub color: Color,
    /// The place of the start in the schedule; on an anchor ladder that of the
    /// mini-match among those of its system, each of which has a start.
    pub start: usize,
    /// The place of the anchor in the schedule.
    pub anchor: usize,
}

/// What is known of the calls of one side of one game beside what they took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideCalls {
    /// US dollars of the tokens of answered calls at the prices that were saved
    /// when they were sent, whatever a provider charged: API-equivalent.
    pub list_usd: Tally<Total>,
    /// The routes that were asked.
    pub routes: BTreeSet<String>,
}

impl<'a> Cohort<'a> {
    /// The fixed opponents, in the order of the schedule.
    pub fn anchors(&self) -> &'a [AnchorSeat] {
        &self.schedule.committed.anchors
    }

    /// What each system played against the anchors, in the order of the
    /// schedule; nothing where the schedule has no anchors.
    pub fn against_anchors(&self) -> Vec<AnchoredRecord<'a>> {
        let systems = self.schedule.committed.systems.iter();
        if self.anchors().is_empty() {
            return Vec::new();
        }
        systems.map(|system| self.record_of(*system)).collect()
    }

    fn record_of(&self, system: EventId) -> AnchoredRecord<'a> {
        let is_seated = |game: &&&Game| game.color_of(&system).is_some();
        let mut record = AnchoredRecord {
            system,
            games: Vec::new(),
            aborted: self.aborted.iter().filter(is_seated).copied().collect(),
            cells: 0,
            open: 0,
            replaced: 0,
            excluded: 0,
        };
        for (index, (cell, result)) in self.schedule.cells.iter().zip(&self.results).enumerate() {
            let (color, opponent) = match (cell.seats.white == system, cell.seats.black == system) {
                (true, _) => (Color::White, cell.seats.black),
                (_, true) => (Color::Black, cell.seats.white),
                _ => continue,
            };
            record.cells += 1;
            record.open += u64::from(self.schedule.open.contains(&index));
            let Some(game) = *result else { continue };
            let games = self.schedule.games.get(index);
            record.replaced += u64::from(games.is_some_and(|games| 1 < games.len()));
            record.excluded += u64::from(game.is_excluded);
            let mut anchors = self.anchors().iter();
            let anchor = anchors.position(|seat| seat.system == opponent);
            if let Some(anchor) = anchor.filter(|_| self.schedule.is_counting(game)) {
                record.games.push(AnchoredGame {
                    game,
                    color,
                    start: index / self.cells_a_start(),
                    anchor,
                });
            }
        }
        record
            .games
            .sort_by_key(|one| (one.start, one.anchor, one.color != Color::White));
        record
    }

    /// How many cells begin from one start: see `cells_of`.
    fn cells_a_start(&self) -> usize {
        let committed = &self.schedule.committed;
        let games = match committed.rule {
            ScheduleRule::AnchorLadder => 2,
            ScheduleRule::MiniMatches => 2 * committed.anchors.len(),
            _ => committed.anchors.len(),
        };
        (committed.systems.len() * games).max(1)
    }
}

impl Projection {
    /// What calls say of each side of each game that their games do not keep. A
    /// projection that forgets does not have all of them.
    pub fn side_calls(&self) -> BTreeMap<(EventId, EventId), SideCalls> {
        let mut sides: BTreeMap<_, SideCalls> = BTreeMap::new();
        for (id, call) in self.calls.iter() {
            let Some(game) = call.sent.game else { continue };
            let side = sides.entry((game, call.sent.system)).or_default();
            side.routes.extend(call.sent.route.clone());
            let list_usd = self.costs.list_usd(id);
            match call.state {
                CallState::Answered(_) => side.list_usd.take(list_usd),
                // What failed may have used tokens all the same.
                CallState::Failed(_) if list_usd.is_some() => side.list_usd.take(list_usd),
                CallState::Failed(_) | CallState::InFlight => {}
            }
        }
        sides
    }
}
