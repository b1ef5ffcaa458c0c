//! What evidence took: four times that are told apart, and calls that are counted as
//! they were made.

use scoresheet::canonical::Time;
use scoresheet::chess::{Fen, Variant};
use scoresheet::event::{Event, EventId, Verified, What};
use scoresheet::projection::{Compute, Purpose, Work};
use serde_json::{Value, json};

use crate::story::{body, by};

/// Says something at this second.
fn say(compute: &mut Compute, second: i64, what: impl Into<What>) -> EventId {
    let at = Time::from_unix_ms(second * 1000).unwrap();
    let event = Event {
        at,
        by: by(),
        what: what.into(),
    };
    let event = Verified::write(event).unwrap();
    compute.take(&event);
    event.id()
}

fn system(name: &str) -> EventId {
    EventId::of(name.as_bytes())
}

fn schedule() -> EventId {
    EventId::of(b"schedule")
}

fn start_worker(compute: &mut Compute, second: i64) -> EventId {
    let started: scoresheet::event::WorkerStarted = body(json!({
        "program": "test", "run_file": scoresheet::digest::Digest::of(b""), "schedule": schedule(),
    }));
    say(compute, second, started)
}

fn start_game(compute: &mut Compute, second: i64, cell: u64) -> EventId {
    let started: scoresheet::event::GameStarted = body(json!({
        "cell": {"index": cell, "schedule": schedule()},
        "protocol": system("protocol"),
        "seats": {"black": system("b"), "white": system("a")},
        "stage": "placement",
        "start": {"fen": Fen::standard_start(), "variant": Variant::Standard},
    }));
    say(compute, second, started)
}

fn send(compute: &mut Compute, second: i64, game: EventId, attempt: u64) -> EventId {
    let sent: scoresheet::event::CallSent = body(json!({
        "attempt": attempt, "game": game, "ply": 1, "system": system("a"),
    }));
    say(compute, second, sent)
}

fn answer(compute: &mut Compute, second: i64, call: EventId, time: &Value, tokens: &Value) {
    let answered: scoresheet::event::CallAnswered = body(json!({
        "call": call, "time": time, "tokens": tokens,
    }));
    say(compute, second, answered);
}

fn abort(compute: &mut Compute, second: i64, game: EventId) {
    let aborted: scoresheet::event::GameAborted = body(json!({
        "cause": "maintainer", "game": game, "reason": "enough",
    }));
    say(compute, second, aborted);
}

fn of_system(compute: &Compute, name: &str) -> Work {
    let parts = compute.parts();
    parts[&Purpose::Schedule(schedule())].systems[&system(name)].clone()
}

#[test]
fn nobody_is_at_a_game_between_two_runs_and_its_wall_time_goes_on() {
    let mut compute = Compute::default();
    start_worker(&mut compute, 0);
    let one = start_game(&mut compute, 10, 0);
    let two = start_game(&mut compute, 10, 1);
    let call = send(&mut compute, 12, one, 1);
    send(&mut compute, 20, two, 1);
    // Killed. An hour later:
    let second = start_worker(&mut compute, 3600);
    answer(
        &mut compute,
        3605,
        call,
        &json!({"total_ms": 9}),
        &json!({"prompt": 1}),
    );
    abort(&mut compute, 3615, one);
    abort(&mut compute, 3630, two);
    let stopped: scoresheet::event::WorkerStopped =
        body(json!({"reason": "interrupted", "worker": second}));
    say(&mut compute, 3640, stopped);
    let games = of_system(&compute, "b").games;
    assert_eq!(games.games, 2);
    // Two tables side by side: 2 s and 10 s of them before the kill, 10 s after.
    assert_eq!(games.worker_ms, (2 + 10 + 10) * 1000);
    assert_eq!(games.wall_ms, (3605 + 3620) * 1000);
    let all = compute.parts()[&Purpose::Schedule(schedule())].games;
    assert_eq!(all, games, "a game counts once, whoever plays in it");
    let runs: Vec<_> = compute
        .runs
        .iter()
        .map(|run| (run.ms(), run.stopped.is_some()))
        .collect();
    assert_eq!(runs, [(20_000, false), (40_000, true)]);
}

/// Aborts a game as somebody who is no worker.
fn abort_by_hand(compute: &mut Compute, second: i64, game: EventId) {
    let aborted: scoresheet::event::GameAborted = body(json!({
        "cause": "maintainer", "game": game, "reason": "stuck",
    }));
    let event = Verified::write(Event {
        at: Time::from_unix_ms(second * 1000).unwrap(),
        by: "maintainer".parse().unwrap(),
        what: aborted.into(),
    });
    compute.take(&event.unwrap());
}

#[test]
fn what_people_append_is_nobodys_work() {
    let mut compute = Compute::default();
    start_worker(&mut compute, 0);
    let killed = start_game(&mut compute, 10, 0);
    send(&mut compute, 14, killed, 1);
    // Four days after the run was killed.
    abort_by_hand(&mut compute, 345_600, killed);
    let stopped = start_worker(&mut compute, 400_000);
    let left = start_game(&mut compute, 400_010, 1);
    send(&mut compute, 400_012, left, 1);
    let stop: scoresheet::event::WorkerStopped =
        body(json!({"reason": "interrupted", "worker": stopped}));
    say(&mut compute, 400_020, stop);
    // Under the name of a runner, and with none at work.
    abort(&mut compute, 430_000, left);
    let games = of_system(&compute, "a").games;
    assert_eq!(games.worker_ms, (4 + 2) * 1000);
    let runs: Vec<_> = compute
        .runs
        .iter()
        .map(scoresheet::projection::Run::ms)
        .collect();
    assert_eq!(runs, [14_000, 20_000]);
}

#[test]
fn a_newcomers_games_are_work_for_the_ladder() {
    let mut compute = Compute::default();
    let started: scoresheet::event::GameStarted = body(json!({
        "cell": {"index": 0, "schedule": schedule()},
        "protocol": system("protocol"),
        "seats": {"black": system("b"), "white": system("a")},
        "stage": "newcomer",
        "start": {"fen": Fen::standard_start(), "variant": Variant::Standard},
    }));
    say(&mut compute, 0, started);
    let purposes: Vec<_> = compute.parts().into_keys().collect();
    assert_eq!(purposes, [Purpose::Ladder]);
}

#[test]
fn a_puzzle_that_got_no_answer_is_sent_again() {
    let mut compute = Compute::default();
    let ask = |compute: &mut Compute, second| {
        let sent: scoresheet::event::CallSent = body(json!({
            "attempt": 1, "puzzle": {"dataset": schedule(), "id": "own01"}, "system": system("a"),
        }));
        say(compute, second, sent)
    };
    for second in 0..2 {
        let call = ask(&mut compute, 2 * second);
        let failed: scoresheet::event::CallFailed =
            body(json!({"call": call, "class": "rate_limited", "detail": "later"}));
        say(&mut compute, 2 * second + 1, failed);
    }
    let call = ask(&mut compute, 10);
    answer(
        &mut compute,
        11,
        call,
        &json!({"total_ms": 9}),
        &json!({"prompt": 1}),
    );
    let parts = compute.parts();
    let work = &parts[&Purpose::Dataset(schedule())].systems[&system("a")];
    assert_eq!((work.answered, work.failed, work.again), (1, 2, 2));
}

#[test]
fn what_goes_on_is_counted_as_it_is() {
    let mut compute = Compute::default();
    start_worker(&mut compute, 0);
    let game = start_game(&mut compute, 10, 0);
    send(&mut compute, 14, game, 1);
    let games = of_system(&compute, "a").games;
    assert_eq!(
        (games.games, games.wall_ms, games.worker_ms),
        (1, 4000, 4000)
    );
}

#[test]
fn our_queue_is_no_reply_time_and_a_failure_is_sent_again() {
    let mut compute = Compute::default();
    start_worker(&mut compute, 0);
    let game = start_game(&mut compute, 0, 0);
    let call = send(&mut compute, 1, game, 1);
    let failed: scoresheet::event::CallFailed = body(json!({
        "call": call, "class": "rate_limited", "detail": "later",
        "time": {"queue_ms": 300, "total_ms": 1300},
    }));
    say(&mut compute, 2, failed);
    let again = send(&mut compute, 3, game, 1);
    let time = json!({"first_token_ms": 40, "queue_ms": 100, "total_ms": 200});
    let tokens = json!({"cached": 4, "completion": 7, "prompt": 9});
    answer(&mut compute, 4, again, &time, &tokens);
    // A rejected answer is asked for another one: nothing is sent again.
    let other = send(&mut compute, 5, game, 2);
    answer(
        &mut compute,
        6,
        other,
        &json!({"total_ms": 50}),
        &json!({"prompt": 1}),
    );
    let work = of_system(&compute, "a");
    assert_eq!((work.answered, work.failed, work.again), (2, 1, 1));
    assert_eq!(work.queue.sum_ms(), 400);
    assert_eq!(work.replying.sum_ms(), 1000 + 100 + 50);
    assert_eq!(work.first_token.percentile_ms(50), Some(40));
    assert_eq!((work.completing.n(), work.completing.sum_ms()), (1, 60));
    let tallies = work
        .tallies()
        .map(|tally| (tally.sum, tally.reported, tally.base));
    assert_eq!(
        tallies,
        [(10, 2, 2), (4, 1, 2), (7, 1, 2), (0, 0, 2), (0, 0, 2)]
    );
}
