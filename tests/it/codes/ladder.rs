//! What the events of a ladder can contradict.

use scoresheet::event::{Event, EventId, GameStarted, Seats, Stage, SystemPaused, Verified};
use scoresheet::finding::Code;
use serde_json::json;

use crate::bundle::Bundle;
use crate::codes::{Case, Look, case};
use crate::eras::{Drawn, Saga};
use crate::story::body;

/// A ledger in which a ladder lived as far as the four of its first batch.
fn placed() -> Bundle {
    lived(&saga())
}

fn saga() -> Saga {
    Saga::placed(4, |_| Drawn)
}

fn lived(saga: &Saga) -> Bundle {
    let bundle = Bundle::new();
    bundle.append(&saga.events);
    bundle
}

/// A ladder of which the first batch goes on.
fn begun() -> Bundle {
    lived(&Saga::begin(3))
}

/// Appends what a saga says beyond these events.
fn go_on(bundle: &Bundle, mut saga: Saga, say: impl FnOnce(&mut Saga)) {
    let before = saga.events.len();
    say(&mut saga);
    let later: Vec<Verified<Event>> = saga.events.drain(before..).collect();
    bundle.append(&later);
}

fn say(bundle: &Bundle, what: impl FnOnce(&mut Saga)) {
    go_on(bundle, saga(), what);
}

fn undrawn(saga: &mut Saga) {
    let seats = Seats {
        black: saga.system("first-0"),
        white: saga.system("first-1"),
    };
    saga.say(GameStarted {
        draw: None,
        ..saga.started(Stage::Ladder, seats)
    });
}

fn drawn_twice(saga: &mut Saga) {
    let (draw, made) = saga.draw();
    let game = saga.start_drawn(draw, made.white, made.black);
    saga.finish(game, Drawn);
    saga.start_drawn(draw, made.white, made.black);
}

fn other_colors(saga: &mut Saga) {
    let (draw, made) = saga.draw();
    saga.start_drawn(draw, made.black, made.white);
}

fn other_eligible(saga: &mut Saga) {
    let mut made = saga.drawn();
    made.eligible[0].games = 3_u32.into();
    saga.say(made);
}

fn other_number(saga: &mut Saga) {
    let mut made = saga.drawn();
    made.number = 1_u32.into();
    saga.say(made);
}

/// A second draw while the first one waits: whoever likes better picks.
fn drawn_again(saga: &mut Saga) {
    saga.draw();
    let mut made = saga.drawn_whatever_waits();
    made.number = 1_u32.into();
    saga.say(made);
}

fn other_colors_drawn(saga: &mut Saga) {
    let mut made = saga.drawn();
    (made.white, made.black) = (made.black, made.white);
    saga.say(made);
    saga.close();
}

fn another_seed(saga: &mut Saga) {
    saga.say(scoresheet::event::EraClosed {
        era: saga.era,
        seed: Some(scoresheet::event::EraSeed::new([8; 32])),
        seed_lost: None,
    });
}

fn no_seed(saga: &mut Saga) {
    let (draw, made) = saga.draw();
    let game = saga.start_drawn(draw, made.white, made.black);
    saga.finish(game, scoresheet::chess::GameResult::Draw);
    saga.lose_seed();
}

fn half_a_pool(saga: &mut Saga) {
    let late = saga.say(crate::eras::model("late", "late", "high"));
    let first = saga.system("first-0");
    saga.say(body::<scoresheet::event::ScheduleCommitted>(json!({
        "cohort": "late", "era": saga.era, "protocol": saga.protocol, "rule": "newcomer",
        "run_file": scoresheet::digest::Digest::of(crate::story::RUN_FILE),
        "systems": [late, first],
    })));
}

fn paused_plays(saga: &mut Saga) {
    saga.change("paused", "first-0");
    saga.start_manual("first-0", "first-1");
}

fn plays_twice(saga: &mut Saga) {
    saga.start_manual("first-0", "first-1");
    saga.start_manual("first-2", "first-1");
}

fn two_eras(saga: &mut Saga) {
    saga.say(scoresheet::event::EraStarted {
        name: "other".parse().unwrap(),
        placement: saga.placement,
        protocol: saga.protocol,
        seed_sha256: crate::eras::SEED.sha256(),
    });
}

/// An era whose first batch is the one of an era before it.
fn the_same_batch(saga: &mut Saga) {
    saga.close();
    two_eras(saga);
}

/// A game by hand that claims a cell of the first batch.
fn by_hand_in_a_cell(saga: &mut Saga) {
    let schedule = saga.placement;
    let index = 0_u32.into();
    let cell = &saga.projection.schedules.schedule(&schedule).unwrap().cells[0];
    let started = GameStarted {
        cell: Some(scoresheet::event::CellRef { index, schedule }),
        ..saga.started(Stage::Manual, cell.seats)
    };
    saga.say(started);
}

/// A game of a newcomer that says it is of the first batch.
fn newcomers_cell_in_the_first_batch(saga: &mut Saga) {
    let schedule = saga.admit("late");
    let cell = &saga.projection.schedules.schedule(&schedule).unwrap().cells[0];
    let started = GameStarted {
        cell: Some(scoresheet::event::CellRef {
            index: 0_u32.into(),
            schedule,
        }),
        ..saga.started(Stage::Placement, cell.seats)
    };
    saga.say(started);
}

fn player(saga: &mut Saga) -> EventId {
    saga.say(body::<scoresheet::event::PlayerRegistered>(json!({
        "account": scoresheet::digest::Digest::of(b"an account"), "issuer": "x.com",
    })))
}

fn nobody_there(saga: &mut Saga) {
    let seats = Seats {
        black: saga.system("first-0"),
        white: saga.system("first-1"),
    };
    let started = saga.started(Stage::Human, seats);
    saga.say(started);
}

fn twice_the_same(saga: &mut Saga) {
    player(saga);
    player(saga);
}

/// An engine's score of a position in which a person is to move.
fn told_too_early(saga: &mut Saga) {
    let person = player(saga);
    let system = saga.system("first-0");
    let seats = Seats {
        black: person,
        white: system,
    };
    let started = saga.started(Stage::Human, seats);
    let game = saga.say(started);
    let call = saga.say(body::<scoresheet::event::CallSent>(json!({
        "attempt": 1, "game": game, "ply": 1, "system": system,
    })));
    saga.say(body::<scoresheet::event::CallAnswered>(json!({
        "call": call, "engine": {"score": {"cp": 31}}, "time": {"total_ms": 1},
    })));
}

/// A first batch whose ratings do not settle: the steps of the search are
/// smaller than what a double can tell apart.
fn no_rating(bundle: &Bundle) {
    let mut saga = Saga::under(|protocol| {
        protocol["name"] = "absurd".into();
        protocol["glicko2"]["volatility"] = "0.000000000000000001".into();
        protocol["glicko2"]["tau"] = "0.000000000000000001".into();
    });
    saga.begin_era("absurd", "absurd", 2);
    for cell in 0..2 {
        saga.play_cell(
            saga.placement,
            cell,
            scoresheet::chess::GameResult::WhiteWins,
        );
    }
    bundle.append(&saga.events);
}

fn paused_twice(saga: &mut Saga) {
    for reason in ["once", "again"] {
        saga.say(SystemPaused {
            reason: reason.to_owned(),
            system: saga.system("first-0"),
        });
    }
}

#[rustfmt::skip]
pub(crate) fn cases() -> Vec<Case> {
    use Look::Verify;
    let on = |code, change: fn(&Bundle)| Case { start: placed, ..case(code, Verify, change) };
    vec![
        on(Code::StatusContradicted, |b| say(b, paused_twice)),
        on(Code::EraContradicted, |b| say(b, two_eras)),
        on(Code::EraContradicted, |b| say(b, |saga| { saga.close(); saga.close(); })),
        on(Code::EraContradicted, |b| say(b, the_same_batch)),
        on(Code::GameUnchosen, |b| say(b, by_hand_in_a_cell)),
        on(Code::GameUnchosen, |b| say(b, newcomers_cell_in_the_first_batch)),
        on(Code::PoolContradicted, |b| say(b, half_a_pool)),
        on(Code::DrawContradicted, |b| say(b, other_eligible)),
        on(Code::DrawContradicted, |b| say(b, other_number)),
        on(Code::DrawContradicted, |b| say(b, drawn_again)),
        on(Code::DrawRefuted, |b| say(b, other_colors_drawn)),
        on(Code::DrawRefuted, |b| say(b, another_seed)),
        on(Code::DrawUncheckable, |b| say(b, no_seed)),
        on(Code::GameUnchosen, |b| say(b, undrawn)),
        on(Code::GameUnchosen, |b| say(b, drawn_twice)),
        on(Code::GameUnchosen, |b| say(b, other_colors)),
        on(Code::SeatUnavailable, |b| say(b, paused_plays)),
        on(Code::SeatUnavailable, |b| say(b, plays_twice)),
        on(Code::SeatPerson, |b| say(b, nobody_there)),
        on(Code::PlayerTwice, |b| say(b, twice_the_same)),
        on(Code::EvaluationEarly, |b| say(b, told_too_early)),
        Case { start: begun, ..case(Code::SeatUnavailable, Verify, |b| go_on(b, Saga::begin(3), |saga| { saga.start_manual("first-0", "first-1"); })) },
        case(Code::RatingUnsettled, Verify, no_rating),
    ]
}
