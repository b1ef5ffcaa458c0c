//! The events of the smallest project: two models, a double round robin of two
//! games, both of them fool's mates.

use std::sync::LazyLock;

use scoresheet::canonical::Decimal;
use scoresheet::chess::{GameResult, Ply, Termination};
use scoresheet::digest::Digest;
use scoresheet::event::{
    By, CellRef, Event, EventId, ExpenseCategory, ExpenseRecorded, GameFinished, GameStarted,
    MoveAccepted, ProtocolPublished, ScheduleCommitted, Stage, SystemRegistered, Verified, What,
};
use scoresheet::projection::cells_of;
use serde::de::DeserializeOwned;
use serde_json::json;

/// When everything happens.
pub(crate) const TIME: &str = "2026-11-29T12:00:00.000Z";

/// What the cohort was registered under.
pub(crate) const RUN_FILE: &[u8] = b"cohort = \"t\"\n";

/// The events of the two games, and the ids that other events name.
pub(crate) struct Story {
    pub(crate) protocol: EventId,
    pub(crate) systems: [EventId; 2],
    pub(crate) schedule: EventId,
    pub(crate) committed: ScheduleCommitted,
    pub(crate) games: Vec<EventId>,
    pub(crate) events: Vec<Verified<Event>>,
}

pub(crate) fn story() -> &'static Story {
    static STORY: LazyLock<Story> = LazyLock::new(Story::new);
    &STORY
}

/// Returns the event that says this, at the time of the whole project.
pub(crate) fn event(what: impl Into<What>) -> Verified<Event> {
    event_at(TIME, what)
}

pub(crate) fn event_at(time: &str, what: impl Into<What>) -> Verified<Event> {
    let event = Event {
        at: time.parse().unwrap(),
        by: by(),
        what: what.into(),
    };
    Verified::write(event).unwrap()
}

pub(crate) fn by() -> By {
    "t".parse().unwrap()
}

/// Returns a body from its JSON: the types are many and their literals long.
pub(crate) fn body<T: DeserializeOwned>(json: serde_json::Value) -> T {
    serde_json::from_value(json).unwrap()
}

pub(crate) fn system(name: &str, model: &str) -> SystemRegistered {
    body(json!({
        "assistance": {"kind": "none"},
        "model": {"parameters": [], "requested_model": model, "route": "r"},
        "name": name,
    }))
}

fn protocol() -> ProtocolPublished {
    body(json!({
        "attempts": 1, "candidate_help": "none", "colors": "once_each",
        "context": "game_moves", "conversation": "none",
        "failed_request": {"policy": "replay_cell"},
        "glicko2": {"deviation": "350", "rating": "1500", "tau": "0.5", "volatility": "0.06"},
        "legal_moves_listed": false, "name": "t", "pairing": "pool", "ply_cap": 9,
        "rules": "chessjs-1.4", "start": "standard",
    }))
}

fn double_round_robin(cohort: &str, protocol: EventId, systems: &[EventId]) -> ScheduleCommitted {
    body(json!({
        "cohort": cohort, "protocol": protocol, "rule": "double_round_robin",
        "run_file": Digest::of(RUN_FILE), "systems": systems,
    }))
}

/// The events of a whole game of this cell: a fool's mate.
pub(crate) fn fools_mate(started: GameStarted) -> Vec<Verified<Event>> {
    let started = event(started);
    let game = started.id();
    let mut events = vec![started];
    for (ply, uci) in (1..).zip(["f2f3", "e7e5", "g2g4", "d8h4"]) {
        events.push(event(accepted(game, ply, uci)));
    }
    events.push(event(GameFinished {
        game,
        plies: 4_u32.into(),
        result: GameResult::BlackWins,
        termination: Termination::Checkmate,
    }));
    events
}

pub(crate) fn expense(note: &str) -> ExpenseRecorded {
    ExpenseRecorded {
        amount_usd: Decimal::ZERO,
        category: ExpenseCategory::Other,
        note: note.to_owned(),
    }
}

/// Returns so many different events that no game has to do with.
pub(crate) fn expenses(count: u64) -> Vec<Verified<Event>> {
    let expenses = (0..count).map(|number| event(expense(&number.to_string())));
    expenses.collect()
}

impl Story {
    fn new() -> Self {
        let mut events = vec![
            event(protocol()),
            event(system("a", "m")),
            event(system("b", "m")),
        ];
        let ids: Vec<EventId> = events.iter().map(Verified::id).collect();
        let committed = double_round_robin("t", ids[0], &ids[1..]);
        let schedule = event(committed.clone());
        let mut story = Self {
            protocol: ids[0],
            systems: [ids[1], ids[2]],
            schedule: schedule.id(),
            committed,
            games: Vec::new(),
            events: Vec::new(),
        };
        events.push(schedule);
        for cell in 0..2 {
            let game = fools_mate(story.start(cell));
            story.games.push(game[0].id());
            events.extend(game);
        }
        story.events = events;
        story
    }

    /// The start of a game of this cell.
    pub(crate) fn start(&self, cell: usize) -> GameStarted {
        start(self.schedule, &self.committed, cell)
    }

    /// Another schedule of the same systems, in another order.
    pub(crate) fn second(&self, cohort: &str) -> ScheduleCommitted {
        let [first, second] = self.systems;
        double_round_robin(cohort, self.protocol, &[second, first])
    }

    /// The start of a game that no schedule asks for.
    pub(crate) fn stray(&self) -> GameStarted {
        GameStarted {
            cell: None,
            stage: Stage::Manual,
            ..self.start(0)
        }
    }
}

/// The start of a game of a schedule's cell.
pub(crate) fn start(schedule: EventId, committed: &ScheduleCommitted, cell: usize) -> GameStarted {
    let registered = &cells_of(committed)[cell];
    GameStarted {
        billing: None,
        draw: None,
        cell: Some(CellRef {
            index: u32::try_from(cell).unwrap().into(),
            schedule,
        }),
        opening: None,
        protocol: committed.protocol,
        seats: registered.seats,
        stage: Stage::Placement,
        start: registered.start.clone(),
    }
}

pub(crate) fn accepted(game: EventId, ply: u32, uci: &str) -> MoveAccepted {
    MoveAccepted {
        attempt: 1_u32.into(),
        call: None,
        game,
        ply: Ply(ply),
        uci: uci.parse().unwrap(),
    }
}
