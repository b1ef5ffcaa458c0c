//! Games that go on side by side: one ledger, the same games.

use std::collections::BTreeSet;
use std::time::Duration;

use scoresheet::event::What;

use crate::arena::{Arena, engine, run_file};
use crate::runs::FOOLS_MATE;
use crate::script::Script;

/// A cup of four that mate or forfeit, with so many games at once.
fn text(players: &[Script], parallel: &str) -> String {
    let engines: Vec<_> = players.iter().map(engine).collect();
    let names = ["a", "b", "c", "d"].into_iter();
    let named: Vec<_> = names.zip(engines.iter().map(String::as_str)).collect();
    format!(
        "{parallel}{}",
        run_file("ply_cap = 40\nattempts = 2", &named)
    )
}

fn players() -> Vec<Script> {
    let forfeits = "[ $plies = 3 ] && set -- '(none)';";
    let first = ["sleep 0.02;", "", forfeits, ""];
    first.map(|first| Script::player(first, FOOLS_MATE)).into()
}

/// How many games went on at once, at most.
fn most_at_once(arena: &Arena) -> usize {
    let mut playing = BTreeSet::new();
    let mut most = 0;
    for event in arena.events() {
        match &event.what {
            What::GameStarted(_) => {
                playing.insert(event.id());
            }
            What::GameFinished(finished) => {
                playing.remove(&finished.game);
            }
            _ => {}
        }
        most = most.max(playing.len());
    }
    most
}

#[test]
fn games_side_by_side_are_the_games_one_after_another() {
    let players = players();
    let serial = Arena::new();
    let file = serial.write("run.toml", &text(&players, ""));
    serial.run(&file).ends_with(0);
    assert_eq!(most_at_once(&serial), 1);
    let parallel = Arena::new();
    let file = parallel.write("run.toml", &text(&players, "parallel = 5\n"));
    parallel
        .run(&file)
        .ends_with(0)
        .says("cohort cup is terminal");
    assert_eq!(most_at_once(&parallel), 5);
    assert_eq!(parallel.games(), serial.games());
    assert_eq!(parallel.board(), serial.board());
    // So many games and no more, wherever they are played.
    let paused = Arena::new();
    let file = paused.write("run.toml", &text(&players, "parallel = 5\n"));
    let words = ["run", file.to_str().unwrap(), "--games", "7"];
    paused.call(&words).ends_with(0).says("5 cells open");
    assert_eq!(paused.projection().games.count(), 7);
    paused.run(&file).ends_with(0);
    assert_eq!(paused.games(), serial.games());
    for (said, expected) in [("0", "nonzero"), ("257", "at most 256")] {
        let file = paused.write(
            "more.toml",
            &text(&players, &format!("parallel = {said}\n")),
        );
        paused.run(&file).ends_with(2).says(expected);
    }
}

#[test]
fn a_killed_run_of_many_games_loses_none_and_has_one_call_a_game_in_flight() {
    let players = players();
    let whole = Arena::new();
    let file = whole.write("run.toml", &text(&players, ""));
    whole.run(&file).ends_with(0);
    let arena = Arena::new();
    let file = arena.write("run.toml", &text(&players, "parallel = 5\n"));
    let events = arena.bench.path().join("events/000000.jsonl");
    let lines = || {
        let bytes = std::fs::read(&events).unwrap();
        bytes.split(|byte| *byte == b'\n').count()
    };
    for enough in [40, 70, 100] {
        let mut command = arena.command(&["run", file.to_str().unwrap()]);
        let mut child = command.spawn().unwrap();
        while lines() < enough {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // Killed in the middle of a write, it leaves a tail.
        arena.call(&["recover"]).ends_with(0);
        let calls = arena.projection();
        assert!(calls.calls.in_flight().count() <= 5);
    }
    arena.run(&file).ends_with(0);
    assert_eq!(arena.games(), whole.games());
    assert_eq!(arena.projection().calls.in_flight().count(), 0);
}
