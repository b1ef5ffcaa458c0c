use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::canonical::{Day, Time};
use crate::chess;
use crate::event::{
    Event, EventId, GameStarted, ProtocolPublished, ScheduleCommitted, Verified, What,
};
use crate::finding::{Code, Finding, Place};
use crate::projection::answered::Abouts;
use crate::projection::people::check_people;
use crate::projection::world::World;
use crate::projection::{
    Anchors, AnsweredFinding, ByColor, Calls, Cohort, Corrections, Costs, Eras, Frozen, Game,
    GameState, Games, Identities, Imports, Measurements, MoveList, People, Positions, Published,
    Puzzles, Record, Schedule, Schedules, Status, Streaks, Systems, Tablebases, turns,
};

/// Everything that follows from the events so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Projection {
    /// How many events it follows from.
    pub size: u64,
    /// Systems and protocols.
    pub systems: Systems,
    /// What ladders rate.
    pub identities: Identities,
    /// Systems whose ratings are fixed.
    pub anchors: Anchors,
    /// Rating eras and their ladders.
    pub eras: Eras,
    /// People who play against systems.
    pub people: People,
    /// Schedules and cohorts.
    pub schedules: Schedules,
    /// Games.
    pub games: Games,
    /// Calls.
    pub calls: Calls,
    /// What engines measured of positions.
    pub measurements: Measurements,
    /// What endgame tables say of positions.
    pub tablebases: Tablebases,
    /// Datasets of puzzles, and what was answered to them.
    pub puzzles: Puzzles,
    /// Lists of positions, and what was answered to them.
    pub positions: Positions,
    /// What everything cost.
    pub costs: Costs,
    /// What corrections say of events.
    pub corrections: Corrections,
    /// What people say of the evidence.
    pub record: Record,
    /// Sources of others, whose games take part in nothing else.
    pub imports: Imports,
    /// Frozen cohorts, in order.
    pub frozen: Vec<Frozen>,
    /// Published releases, in order.
    pub published: Vec<Published>,
    /// What contradicts what, in the order of events.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// What contradicts what and is answered by a correction, in the order of
    /// events.
    #[serde(skip)]
    pub answered: Vec<AnsweredFinding>,
    /// What the findings are about.
    #[serde(skip)]
    pub(crate) abouts: Abouts,
    /// Whether the moves and calls of games that have ended are forgotten.
    is_forgetful: bool,
    /// Whether an event spoke of a call that is not there.
    pub(crate) has_missed: bool,
}

impl Projection {
    /// Returns a projection that forgets the moves and calls of a game that has
    /// ended, so that memory grows with the games and not with their events.
    /// Its figures are those of one that remembers, while it
    /// [knows every call](Self::knows_every_call) that an event speaks of; and so are
    /// its findings, but that it finds a dangling reference to a call once more.
    pub fn forgetful() -> Self {
        Self {
            is_forgetful: true,
            ..Self::default()
        }
    }

    /// Whether it forgets.
    pub const fn is_forgetful(&self) -> bool {
        self.is_forgetful
    }

    /// Whether every call that an event spoke of was there: not forgotten, and
    /// not missing in the ledger. Where one was not, only a projection that
    /// remembers everything knows everything.
    pub const fn knows_every_call(&self) -> bool {
        !self.has_missed
    }

    /// Forgets whatever may be forgotten, where it forgets at all.
    pub fn forget(&mut self) {
        if self.is_forgetful {
            self.forget_calls();
        }
    }

    /// Takes in the next event.
    pub fn apply(&mut self, event: &Verified<Event>) {
        let (id, at) = (event.id(), event.at);
        let index = self.size;
        self.size += 1;
        self.costs.late.clear();
        self.look_for_calls(&event.what);
        self.check_units(id, &event.what);
        match &event.what {
            What::SystemRegistered(system) => {
                let finding = self.systems.register(id, index, system);
                self.identities.register(id, index, system);
                self.findings.extend(finding);
            }
            What::ProtocolPublished(protocol) => self.systems.publish(id, protocol),
            What::PreregistrationCommitted(it) => self.schedules.preregister(id, index, it),
            What::ScheduleCommitted(schedule) => self.commit(id, schedule),
            What::GameStarted(started) => self.start_game(id, index, at, started),
            What::MoveAccepted(_)
            | What::MoveRejected(_)
            | What::GameFinished(_)
            | What::GameAborted(_) => self.apply_to_game(id, at, &event.what),
            What::CallSent(_)
            | What::CallAnswered(_)
            | What::CallFailed(_)
            | What::CostLookedUp(_) => self.apply_to_call(id, at, &event.what),
            What::PriceRecorded(price) => self.costs.prices.record(id, price),
            What::ExpenseRecorded(expense) => self.costs.spend(id, Day::of(at), expense),
            What::BillingCorrected(corrected) => self.correct_bill(id, index, at, corrected),
            What::CohortFrozen(frozen) => self.freeze(id, index, frozen),
            What::ReleasePublished(published) => self.publish(id, index, published),
            What::EraStarted(_) | What::EraClosed(_) | What::DrawMade(_) => {
                self.apply_to_era(id, index, at, &event.what);
            }
            What::SystemPaused(changed) => self.change(id, &changed.system, Status::Paused),
            What::SystemResumed(changed) => self.change(id, &changed.system, Status::Active),
            What::SystemWithdrawn(changed) => self.change(id, &changed.system, Status::Withdrawn),
            What::SystemRetired(changed) => self.change(id, &changed.system, Status::Retired),
            What::SystemRestored(changed) => self.change(id, &changed.system, Status::Active),
            What::AnchorRegistered(anchor) => self.anchors.register(id, index, anchor),
            What::PlayerRegistered(_) | What::SharingChanged(_) => {
                self.apply_to_people(id, index, &event.what);
            }
            What::PositionMeasured(measured) => self.measure(id, measured),
            What::TablebaseProbed(probed) => self.probe(id, probed),
            What::DatasetRegistered(_)
            | What::PuzzleAnswered(_)
            | What::PositionsRegistered(_)
            | What::CellAnswered(_) => self.apply_to_datasets(id, index, &event.what),
            What::ImportStarted(_)
            | What::GameImported(_)
            | What::GameSkipped(_)
            | What::CallsImported(_)
            | What::ImportFinished(_) => self.apply_to_imports(id, index, &event.what),
            What::LedgerOpened(_)
            | What::RecoveryRecorded(_)
            | What::PrivateErased(_)
            | What::WaiverRecorded(_)
            | What::WorkerStarted(_)
            | What::WorkerStopped(_) => {}
            What::ClaimRecorded(_)
            | What::ClaimReviewed(_)
            | What::DecisionRecorded(_)
            | What::DeviationRecorded(_)
            | What::AccountObserved(_) => {
                self.apply_to_record(id, index, (at, &event.by), &event.what);
            }
            What::CorrectionRecorded(recorded) => {
                self.correct(id, index, (at, &event.by), recorded);
            }
        }
        self.note_findings(id, &event.what);
    }

    fn commit(&mut self, id: EventId, schedule: &ScheduleCommitted) {
        let finding = self.schedules.commit(id, schedule);
        self.findings.extend(finding);
        let protocol = self.systems.protocol(&schedule.protocol);
        let pairing = protocol.map(|protocol| protocol.published.pairing);
        let findings = self.anchors.check_schedule(id, schedule, pairing);
        self.findings.extend(findings);
        let findings = self.with_eras(|eras, world| eras.admit(id, schedule, world));
        self.findings.extend(findings);
    }

    fn apply_to_people(&mut self, id: EventId, index: u64, what: &What) {
        match what {
            What::PlayerRegistered(player) => {
                let finding = self.people.register(id, index, player);
                self.findings.extend(finding);
            }
            What::SharingChanged(changed) => self.people.share(&changed.player, changed.video),
            _ => {}
        }
    }

    /// A private body is erased with its game or dataset, so it must be sealed under
    /// the key of that.
    fn check_units(&mut self, id: EventId, what: &What) {
        let bodies = what.bodies();
        if bodies.is_empty() {
            return;
        }
        let asked_for = |call| self.calls.call(call)?.sent.unit();
        let unit = match what {
            What::CallSent(sent) => sent.unit(),
            What::CallAnswered(answered) => asked_for(&answered.call),
            What::CallFailed(failed) => asked_for(&failed.call),
            What::MoveRejected(rejected) => Some(rejected.game),
            What::CellAnswered(answered) => Some(answered.dataset),
            _ => None,
        };
        let Some(unit) = unit else { return };
        let strange = bodies.iter().filter(|body| body.unit != unit);
        self.findings.extend(strange.map(|body| {
            Finding::new(
                Code::PrivateMisplaced,
                Place::event(*id.digest()),
                format!("bodies of {unit}"),
                format!("one of {}", body.unit),
            )
        }));
    }

    /// Returns the cohort with this name.
    pub fn cohort(&self, name: &str) -> Option<Cohort<'_>> {
        let schedule = self.schedules.cohort(name)?;
        Some(Cohort::of(schedule, &self.games))
    }

    /// Returns the name of a system; `player-` and the first digits of a
    /// person's id; or the id where nobody is registered by it.
    pub fn name_of(&self, seated: &EventId) -> String {
        match (self.systems.system(seated), self.people.person(seated)) {
            (Some(system), _) => system.registered.name.to_string(),
            (None, Some(person)) => format!("player-{}", person.id.digest().short()),
            (None, None) => seated.to_string(),
        }
    }

    /// Returns the schedule that a game was played for.
    pub fn schedule_of(&self, game: &Game) -> Option<&Schedule> {
        self.schedules.schedule(&game.cell()?.schedule)
    }

    /// Returns the moves of a game, replayed under its protocol.
    pub fn move_list(&self, game: &Game) -> MoveList {
        MoveList::of(game, rules(self.protocol_of(game)))
    }

    /// Returns the protocol of a game.
    pub fn protocol_of(&self, game: &Game) -> Option<&ProtocolPublished> {
        let protocol = self.systems.protocol(&game.started.protocol)?;
        Some(&protocol.published)
    }

    fn start_game(&mut self, id: EventId, index: u64, at: Time, started: &GameStarted) {
        let protocol = self
            .systems
            .protocol(&started.protocol)
            .map(|protocol| &protocol.published);
        let world = World {
            games: &self.games,
            identities: &self.identities,
            schedules: &self.schedules,
        };
        let era = self.eras.of_game(started, world);
        let at_start = era.and_then(|era| {
            let elo = |seat: &EventId| self.people.person(seat).map(|person| person.elo);
            self.eras.at_start(&era, started, world, elo)
        });
        let mut findings = self.eras.start_game(id, started, world);
        findings.extend(check_people(id, started, &self.people));
        findings.extend(self.check_oracle(id, started));
        let pairing = protocol.map(|protocol| protocol.pairing);
        findings.extend(pairing.and_then(|pairing| self.anchors.check_game(id, started, pairing)));
        let of_cell = era.and_then(|era| self.eras.era(&era));
        let playing = of_cell.map_or_else(BTreeSet::new, |era| era.playing(world));
        let is_ready = |system: &EventId| {
            let identity = self.identities.of_system(system);
            identity.is_none_or(|identity| {
                self.identities.status(&identity) == Status::Active && !playing.contains(&identity)
            })
        };
        findings.extend(
            self.schedules
                .start(id, started, &self.games, protocol, is_ready),
        );
        let mut game = Game {
            id,
            index,
            started_at: at,
            started: started.clone(),
            state: GameState::Playing,
            moves: Vec::new(),
            rejected: Vec::new(),
            accepted: 0,
            rejections: ByColor::default(),
            resources: ByColor::default(),
            era,
            at_start,
            is_excluded: false,
            recorded_end: None,
            corrected_by: None,
            given_end: None,
            board: None,
            endgame: None,
            abort_reason: None,
            rejected_this_turn: 0,
            streaks: Streaks::default(),
        };
        game.board = game.replay(rules(protocol));
        if game.board.is_none() {
            findings.push(Finding::new(
                Code::MoveIllegal,
                Place::event(*id.digest()),
                "an opening of legal moves",
                "one that cannot be played",
            ));
        }
        self.findings.append(&mut findings);
        self.games.insert(game);
    }

    fn apply_to_game(&mut self, id: EventId, at: Time, what: &What) {
        let game = match what {
            What::MoveAccepted(accepted) => &accepted.game,
            What::MoveRejected(rejected) => &rejected.game,
            What::GameFinished(finished) => &finished.game,
            What::GameAborted(aborted) => &aborted.game,
            _ => return,
        };
        match what {
            What::MoveAccepted(_) => self.count_attempt(at, game, true),
            What::MoveRejected(_) => self.count_attempt(at, game, false),
            _ => {}
        }
        let Some(game) = self.games.game_mut(game) else {
            // A dangling reference, which `verify` names.
            return;
        };
        let protocol = self
            .systems
            .protocol(&game.started.protocol)
            .map(|protocol| &protocol.published);
        let was_playing = game.state == GameState::Playing;
        let mut findings = match what {
            What::MoveAccepted(accepted) => {
                turns::accept(game, &self.calls, protocol, id, accepted)
            }
            What::MoveRejected(rejected) => {
                turns::reject(game, &self.calls, protocol, id, rejected)
            }
            What::GameFinished(finished) => {
                let findings = turns::check_finish(game, protocol, id, finished);
                game.given_end = game.given_end.or_else(|| turns::given_end(game, protocol));
                if game.state == GameState::Playing {
                    game.finish(id, at, finished);
                }
                findings
            }
            What::GameAborted(aborted) if game.state == GameState::Playing => {
                game.abort(id, at, aborted);
                Vec::new()
            }
            _ => vec![Finding::new(
                Code::GameState,
                Place::event(*id.digest()),
                "a game that goes on",
                "one that has ended",
            )],
        };
        let (game, state) = (game.id, game.state);
        if was_playing && state != GameState::Playing {
            self.games.end(&game);
            if let GameState::Finished { .. } = state {
                findings.extend(self.finish_game(id, &game));
            }
        }
        self.findings.extend(findings);
        if self.is_forgetful
            && state != GameState::Playing
            && let Some(game) = self.games.game_mut(&game)
        {
            game.forget();
        }
    }
}

/// The rules of a protocol. A game whose protocol is missing has a dangling
/// reference, and some rules are needed to show its moves.
fn rules(protocol: Option<&ProtocolPublished>) -> chess::Rules {
    protocol.map_or(chess::Rules::ChessJs14, |protocol| protocol.rules)
}
