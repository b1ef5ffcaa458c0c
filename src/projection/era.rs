use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Time};
use crate::chess::Color;
use crate::event::{
    DrawMade, Eligible, EraSeed, EraStarted, EventId, FailedRequest, Glicko2Rule, LadderRule,
};
use crate::measure::Rating;
use crate::projection::appearances::Appearances;
use crate::projection::world::World;
use crate::projection::{Cohort, CostPerGame, Draw, Ladder, Placement, Status};

/// A rating era: one protocol, everyone from equal starts, one ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Era {
    /// The id of its `era.started`.
    pub id: EventId,
    /// The position of that event in the ledger.
    pub index: u64,
    /// What was started.
    pub started: EraStarted,
    /// Whether it was closed: its ladder chooses no more games.
    pub is_closed: bool,
    /// The seed that was revealed when the era was closed; nothing where it was
    /// lost.
    pub seed: Option<EraSeed>,
    /// How its ladder chooses games.
    pub rule: LadderRule,
    /// Its ratings.
    pub ladder: Ladder,
    /// Whether the first batch is complete. Until then nobody is ranked.
    pub is_placed: bool,
    /// The schedules of its newcomers, in the order they were admitted.
    pub newcomers: Vec<Newcomer>,
    /// The draws of its ladder, by number.
    pub draws: Vec<MadeDraw>,
    /// The numbers of those that no game was started for yet.
    pub(crate) waiting: BTreeSet<usize>,
    /// The games after the first batch that have a result, in the order they
    /// were finished.
    pub(crate) finished: Vec<EventId>,
    pub(crate) glicko2: Glicko2Rule,
    /// What follows when no answer came.
    pub(crate) failed_request: FailedRequest,
    pub(crate) appearances: BTreeMap<EventId, Appearances>,
}

/// A newcomer of an era.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Newcomer {
    /// The identity.
    pub identity: EventId,
    /// The schedule of its placement.
    pub schedule: EventId,
    /// How many games of the ladder were finished before it was admitted.
    pub(crate) after: usize,
}

/// A draw that the ladder made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeDraw {
    /// The id of its `draw.made`.
    pub id: EventId,
    /// What was drawn from, and who was chosen.
    pub made: DrawMade,
    /// The game that was started for it.
    pub game: Option<EventId>,
}

/// Where an identity stands on the ladder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LadderStanding {
    /// The identity.
    pub identity: EventId,
    /// Its place from the top, from 1; nobody shares one.
    pub position: u64,
    /// From 1. Those whom neither rating nor cost tells apart share a rank.
    pub rank: u64,
    /// Its rating.
    pub rating: Rating,
    /// Whether it plays.
    pub status: Status,
}

impl Era {
    /// Everyone who is ranked, the highest unrounded rating first.
    ///
    /// Exactly equal ratings go to the lower average game cost, one that is
    /// unknown last; where that is equal too the earlier registration stands
    /// first, and the rank is shared.
    pub(crate) fn standings(&self, world: World<'_>) -> Vec<LadderStanding> {
        let mut standings: Vec<LadderStanding> = Vec::new();
        for (identity, member) in self.ladder.members() {
            let status = world.identities.status(identity);
            if self.is_placed && member.is_placed && !status.has_left() {
                standings.push(LadderStanding {
                    identity: *identity,
                    position: 0,
                    rank: 0,
                    rating: member.rating,
                    status,
                });
            }
        }
        let costs = self.costs_of_ties(&standings, world);
        let cost = |standing: &LadderStanding| costs.get(&standing.identity).copied().flatten();
        let index = |standing: &LadderStanding| {
            let identity = world.identities.identity(&standing.identity);
            identity.map(|identity| identity.index)
        };
        standings.sort_by(|a, b| {
            let by_rating = b.rating.rating.total_cmp(&a.rating.rating);
            by_rating
                .then_with(|| CostPerGame::cheaper_first(cost(a), cost(b)))
                .then_with(|| index(a).cmp(&index(b)))
        });
        let mut rank = 0;
        let mut above: Option<LadderStanding> = None;
        for (standing, position) in standings.iter_mut().zip(1_u64..) {
            let is_level = above.is_some_and(|above| {
                above
                    .rating
                    .rating
                    .total_cmp(&standing.rating.rating)
                    .is_eq()
                    && CostPerGame::cheaper_first(cost(&above), cost(standing)).is_eq()
            });
            if !is_level {
                rank = position;
            }
            standing.position = position;
            standing.rank = rank;
            above = Some(*standing);
        }
        standings
    }

    /// The average game costs of those who share a rating: only there they matter.
    fn costs_of_ties(
        &self,
        standings: &[LadderStanding],
        world: World<'_>,
    ) -> BTreeMap<EventId, Option<CostPerGame>> {
        let mut times: BTreeMap<u64, u32> = BTreeMap::new();
        for standing in standings {
            *times.entry(standing.rating.rating.to_bits()).or_default() += 1;
        }
        let is_shared = |standing: &&LadderStanding| 1 < times[&standing.rating.rating.to_bits()];
        let shared = standings.iter().filter(is_shared);
        shared
            .map(|standing| {
                (
                    standing.identity,
                    self.cost_per_game(standing.identity, world),
                )
            })
            .collect()
    }

    /// The average cost of an identity's completed games of the era, over those
    /// whose pricing is complete.
    pub(crate) fn cost_per_game(&self, identity: EventId, world: World<'_>) -> Option<CostPerGame> {
        let mut cost = CostPerGame::default();
        let first = world.schedules.schedule(&self.started.placement);
        let first = first
            .into_iter()
            .flat_map(|schedule| schedule.games.iter().flatten());
        for id in first.chain(&self.finished) {
            let (Some(game), Some(players)) = (world.games.game(id), world.players(id)) else {
                continue;
            };
            for color in [Color::White, Color::Black] {
                if *players.get(color) == identity && game.counts() {
                    cost.take(game.resources.get(color));
                }
            }
        }
        cost.is_known().then_some(cost)
    }

    /// Everyone who could be drawn at this time, in the order of rank positions:
    /// ranked, neither paused nor playing, with an opponent within reach.
    pub(crate) fn eligible(&self, at: Time, world: World<'_>) -> Vec<Eligible> {
        let playing = self.playing(world);
        let ready: Vec<_> = self
            .standings(world)
            .into_iter()
            .filter(|standing| standing.status == Status::Active)
            .filter(|standing| !playing.contains(&standing.identity))
            .collect();
        let reach = self.rule.reach.get();
        let has_opponent = |one: &LadderStanding| {
            ready.iter().any(|other| {
                other.identity != one.identity && other.position.abs_diff(one.position) <= reach
            })
        };
        let eligible = ready.iter().filter(|standing| has_opponent(standing));
        eligible
            .map(|standing| {
                let (games, whites) = self.recent(&standing.identity, at);
                Eligible {
                    games: Count::saturating(games),
                    position: Count::saturating(standing.position),
                    system: standing.identity,
                    whites: Count::saturating(whites),
                }
            })
            .collect()
    }

    /// Completed ladder and manual games of an identity in the window before
    /// this time, and how many of them it played with White.
    pub fn recent(&self, identity: &EventId, at: Time) -> (u64, u64) {
        let hours = self.rule.window_hours.get();
        let appearances = self.appearances.get(identity);
        appearances.map_or((0, 0), |seen| seen.within(hours, at))
    }

    /// The identities that sit at a game of a ladder that goes on.
    pub(crate) fn playing(&self, world: World<'_>) -> BTreeSet<EventId> {
        let games = world
            .games
            .playing()
            .filter(|game| game.era == Some(self.id));
        games
            .filter(|game| game.started.stage.is_between_systems())
            .filter_map(|game| world.players(&game.id))
            .flat_map(|players| [players.white, players.black])
            .collect()
    }

    /// The first cell of a schedule that is open and can be played now.
    pub(crate) fn ready_cell(&self, schedule: &EventId, world: World<'_>) -> Option<usize> {
        let schedule = world.schedules.schedule(schedule)?;
        let playing = self.playing(world);
        let is_ready = |system: &EventId| {
            let identity = world.identities.of_system(system);
            identity.is_some_and(|identity| {
                world.identities.status(&identity) == Status::Active && !playing.contains(&identity)
            })
        };
        let open = schedule.open.iter().copied().collect();
        let mut open = schedule.in_turn(open, self.failed_request).into_iter();
        open.find(|index| {
            schedule.is_ready(*index, is_ready)
                && schedule.may_be_tried(*index, self.failed_request, world.games)
        })
    }

    /// The first newcomer with a cell that can be played now, and that cell.
    pub(crate) fn ready_newcomer(&self, world: World<'_>) -> Option<(&Newcomer, usize)> {
        let is_placed = |one: &&Newcomer| {
            let member = self.ladder.member(&one.identity);
            member.is_some_and(|member| member.is_placed)
        };
        let mut newcomers = self.newcomers.iter().filter(|one| !is_placed(one));
        newcomers.find_map(|one| Some((one, self.ready_cell(&one.schedule, world)?)))
    }

    /// The first draw that waits for its game and can be played.
    pub(crate) fn pending(&self, world: World<'_>) -> Option<&MadeDraw> {
        let playing = self.playing(world);
        let is_ready = |identity: &EventId| {
            world.identities.status(identity) == Status::Active && !playing.contains(identity)
        };
        let mut waiting = self
            .waiting
            .iter()
            .filter_map(|number| self.draws.get(*number));
        waiting.find(|draw| is_ready(&draw.made.white) && is_ready(&draw.made.black))
    }

    /// Whether the seed gives what the draw says.
    pub fn bears_out(&self, draw: &MadeDraw, seed: &EraSeed) -> bool {
        let made = &draw.made;
        let reach = self.rule.reach.get();
        let chosen = Draw::new(self.id, made.number.get(), &made.eligible, reach).choose(seed);
        chosen.is_some_and(|chosen| {
            (chosen.picked, chosen.white, chosen.black) == (made.picked, made.white, made.black)
        })
    }

    /// Works out all ratings anew, from the first batch on.
    ///
    /// # Errors
    ///
    /// The games that have no finite rating; they change nothing.
    pub(crate) fn rate_anew(&mut self, world: World<'_>) -> Vec<EventId> {
        let mut ladder = Ladder::new(&self.glicko2);
        let mut unsettled = Vec::new();
        if self.is_placed {
            match self.placement(world) {
                Some(placement) => {
                    for standing in placement.standings {
                        if let Some(identity) = world.identities.of_system(&standing.system) {
                            ladder.admit(identity, standing.rating, true);
                        }
                    }
                }
                None => unsettled.push(self.started.placement),
            }
        }
        for (number, id) in self.finished.iter().enumerate() {
            self.admit_anew(&mut ladder, |after| after == number);
            let (Some(game), Some(players)) = (world.games.game(id), world.players(id)) else {
                continue;
            };
            let Some(result) = game.result().filter(|_| game.counts()) else {
                continue;
            };
            if ladder
                .rate(*id, players, |color| result.half_points(color))
                .is_err()
            {
                unsettled.push(*id);
            }
        }
        self.admit_anew(&mut ladder, |after| self.finished.len() <= after);
        self.ladder = ladder;
        self.count_anew(world);
        unsettled
    }

    /// Admits the newcomers once more that were admitted after so many games.
    fn admit_anew(&self, ladder: &mut Ladder, is_due: impl Fn(usize) -> bool) {
        for newcomer in self.newcomers.iter().filter(|one| is_due(one.after)) {
            let member = self.ladder.member(&newcomer.identity);
            let is_placed = member.is_some_and(|member| member.is_placed);
            let start = *ladder.start();
            ladder.admit(newcomer.identity, start, is_placed);
        }
    }

    /// Counts anew who played when.
    fn count_anew(&mut self, world: World<'_>) {
        self.appearances.clear();
        for id in self.finished.clone() {
            self.count(&id, world);
        }
    }

    /// Counts a finished game for the choices of the ladder: ladder and manual
    /// games, of both players.
    pub(crate) fn count(&mut self, game: &EventId, world: World<'_>) {
        let (Some(game), Some(players)) = (world.games.game(game), world.players(game)) else {
            return;
        };
        let Some(at) = game.finished_at() else { return };
        if !game.started.stage.is_counted_by_ladder() || !game.counts() {
            return;
        }
        for color in [Color::White, Color::Black] {
            let seen = self.appearances.entry(*players.get(color)).or_default();
            seen.take(at, color);
        }
    }

    /// The first batch as one rating period.
    pub(crate) fn placement(&self, world: World<'_>) -> Option<Placement> {
        let schedule = world.schedules.schedule(&self.started.placement)?;
        let cohort = Cohort::of(schedule, world.games);
        Placement::of(&cohort, &self.glicko2).ok()
    }
}
