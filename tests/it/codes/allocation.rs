//! Mini-matches of an anchor ladder beside what earlier results give.

use scoresheet::chess::Fen;
use scoresheet::event::{
    AnchorRegistered, AnchorSeat, Event, EventId, GameStarted, ProtocolPublished,
    ScheduleCommitted, ScheduleRule, Seats, Stage, Verified,
};
use scoresheet::finding::Code;
use serde_json::json;

use crate::bundle::Bundle;
use crate::codes::{Case, Look, case};
use crate::story::{body, event, start, story, system};

/// Two mini-matches of one system on a ladder of two rungs, from the lower one.
struct Ladder {
    events: Vec<Verified<Event>>,
    schedule: EventId,
    committed: ScheduleCommitted,
}

impl Ladder {
    fn new() -> Self {
        let system = event(system("climber", "m"));
        let seats = story().systems;
        let anchors = [(seats[0], "1320"), (seats[1], "1500")].map(|(system, rating)| {
            event(body::<AnchorRegistered>(json!({
                "basis": "nominal", "rating": rating, "system": system,
            })))
        });
        let protocol = event(body::<ProtocolPublished>(json!({
            "anchored": {"scale": "local"}, "attempts": 3, "candidate_help": "none",
            "colors": "once_each", "context": "fresh_request", "conversation": "kept",
            "failed_request": {"policy": "replay_cell"}, "legal_moves_listed": false,
            "name": "climbed", "pairing": "mini_matches", "ply_cap": 300,
            "rules": "chessjs-1.4", "start": "opening_prefix",
        })));
        let anchor_seat = |number: usize| AnchorSeat {
            anchor: anchors[number].id(),
            system: seats[number],
        };
        let committed = ScheduleCommitted {
            allocation: Some(body(json!({"rounds": 2, "start_rung": 0, "version": 1}))),
            anchors: vec![anchor_seat(0), anchor_seat(1)],
            protocol: protocol.id(),
            rule: ScheduleRule::AnchorLadder,
            starts: vec![body(json!({
                "start": {"fen": Fen::standard_start(), "variant": "standard"},
            }))],
            systems: vec![system.id()],
            ..story().second("u")
        };
        let schedule = event(committed.clone());
        let [low, high] = anchors;
        Self {
            schedule: schedule.id(),
            events: vec![system, low, high, protocol, schedule],
            committed,
        }
    }

    fn start(&self, cell: usize) -> GameStarted {
        GameStarted {
            stage: Stage::Paired,
            ..start(self.schedule, &self.committed, cell)
        }
    }
}

/// A project in which the first game of the first mini-match goes on.
fn start_right() -> Bundle {
    let bundle = Bundle::new();
    let ladder = Ladder::new();
    let first = event(ladder.start(0));
    bundle.append(&[ladder.events, vec![first]].concat());
    bundle
}

/// Appends the second game against the other rung.
fn meet_another(bundle: &Bundle) {
    let started = Ladder::new().start(1);
    let another = GameStarted {
        seats: Seats {
            white: story().systems[1],
            ..started.seats
        },
        ..started
    };
    bundle.append(&[event(another)]);
}

/// Appends a game of the second mini-match while the first one goes on.
fn begin_early(bundle: &Bundle) {
    let ladder = Ladder::new();
    bundle.append(&[event(ladder.start(1)), event(ladder.start(2))]);
}

/// Appends a schedule in which the rungs fall.
fn fall(bundle: &Bundle) {
    let Ladder { mut committed, .. } = Ladder::new();
    committed.anchors.reverse();
    committed.cohort = "v".parse().unwrap();
    bundle.append(&[event(committed)]);
}

/// Appends a schedule of a ladder under a protocol of single games.
fn climb_without_matches(bundle: &Bundle) {
    let Ladder { mut committed, .. } = Ladder::new();
    let protocol = event(body::<ProtocolPublished>(json!({
        "anchored": {"scale": "local"}, "attempts": 3, "candidate_help": "none",
        "colors": "alternate", "context": "fresh_request", "conversation": "kept",
        "failed_request": {"policy": "replay_cell"}, "legal_moves_listed": false,
        "name": "single", "pairing": "anchors_only", "ply_cap": 300,
        "rules": "chessjs-1.4", "start": "same_positions",
    })));
    committed.protocol = protocol.id();
    committed.cohort = "v".parse().unwrap();
    bundle.append(&[protocol, event(committed)]);
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    let on_a_ladder = |code, change| Case { start: start_right, ..case(code, Look::Verify, change) };
    vec![
        on_a_ladder(Code::AllocationDiffers, meet_another),
        on_a_ladder(Code::AllocationDiffers, begin_early),
        on_a_ladder(Code::ScheduleContradicted, fall),
        on_a_ladder(Code::ScheduleContradicted, climb_without_matches),
    ]
}

#[test]
fn a_ladder_that_is_climbed_as_declared_raises_nothing_and_a_wrong_rung_one_thing() {
    let (plain, _) = Look::Verify.codes(&Bundle::new());
    let bundle = start_right();
    assert_eq!(Look::Verify.codes(&bundle).0, plain);
    meet_another(&bundle);
    let (mut found, _) = Look::Verify.codes(&bundle);
    assert!(found.remove(Code::AllocationDiffers.as_str()));
    assert_eq!(found, plain);
}
