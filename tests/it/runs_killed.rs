//! A run may be killed anywhere: another one goes on, no game is lost, none is
//! played twice, and what was in flight is seen to be lost.

use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use scoresheet::canonical::Time;
use scoresheet::ledger::{Prefix, Writer};

use crate::arena::{Arena, engine, games, run_file};
use crate::cup::{Cup, lost, projection};
use crate::mortal::Part;
use crate::runs::FOOLS_MATE;
use crate::script::Script;

/// What the cup gives, however often it is disturbed.
const CUP: [&str; 2] = [
    "0 a-b 1-0 rejected_moves f2f3 e7e5 g2g4 (4: empty) (4: empty)",
    "1 b-a 0-1 checkmate f2f3 e7e5 g2g4 d8h4",
];

/// Kills a run at each change of the disk, after this part of the change.
fn kill_at_any_change(last: Part) {
    let mut cup = Cup::of_engines();
    cup.finish();
    assert_eq!(games(&cup.arena.projection()), CUP, "undisturbed");
    let mut in_flight = 0;
    for changes in 1.. {
        cup.clear();
        if cup.run_mortal(changes, last) {
            assert!(30 < changes, "{changes} changes are not all there is");
            break;
        }
        let lost_then = cup.in_flight();
        in_flight += lost_then;
        cup.finish();
        let projection = cup.arena.projection();
        assert_eq!(games(&projection), CUP, "killed at change {changes}");
        assert_eq!(lost(&projection), lost_then, "killed at change {changes}");
    }
    assert!(10 < in_flight);
}

#[test]
fn killed_in_any_change_of_the_disk_a_run_goes_on_to_the_same_end() {
    kill_at_any_change(Part::Third);
}

#[test]
fn killed_after_any_change_of_the_disk_a_run_goes_on_to_the_same_end() {
    kill_at_any_change(Part::Whole);
}

#[test]
fn killed_again_and_again_a_run_comes_to_the_same_end() {
    let mut cup = Cup::of_engines();
    for (changes, last) in [(13, Part::Third), (15, Part::Whole), (17, Part::Third)] {
        cup.clear();
        let (mut lost_then, mut runs) = (0, 0);
        while !cup.run_mortal(changes, last) {
            lost_then += cup.in_flight();
            runs += 1;
            assert!(runs < 50, "no progress with {changes} changes a run");
        }
        assert!(1 < runs, "{runs} runs of {changes} changes");
        let projection = cup.arena.projection();
        assert_eq!(games(&projection), CUP);
        assert!(lost(&projection) <= lost_then);
    }
}

#[test]
fn killed_in_every_search_the_program_goes_on_to_the_same_end() {
    // Every search is the end of the program the first time.
    let kill = "n=0; [ -e n ] && read n <n; n=$((n + 1)); echo $n >n;\n\
                [ $((n % 2)) = 1 ] && { kill -9 $PPID; exit; };";
    let players = [(); 2].map(|()| Script::player(kill, FOOLS_MATE));
    let [a, b] = players.each_ref().map(engine);
    let arena = Arena::new();
    let file = arena.write(
        "run.toml",
        &run_file("ply_cap = 40", &[("a", &a), ("b", &b)]),
    );
    for kills in 1..=8 {
        let ran = arena.run(&file);
        assert_eq!(ran.code, None, "{ran:?}");
        arena.call(&["verify"]).ends_with(0);
        let projection = arena.projection();
        assert_eq!(projection.calls.in_flight().count(), 1);
        assert_eq!(
            projection
                .games
                .iter()
                .map(|game| game.moves.len())
                .sum::<usize>(),
            kills - 1
        );
    }
    arena.run(&file).ends_with(0).says("goes on after 3 plies");
    assert_eq!(
        arena.games(),
        [
            format!("0 a-b 0-1 checkmate {FOOLS_MATE}"),
            format!("1 b-a 0-1 checkmate {FOOLS_MATE}"),
        ]
    );
    assert_eq!(lost(&arena.projection()), 8);
    assert_eq!(
        arena.board(),
        [
            "a: 2 games 1-0-1, 0 forfeits, 0 rejected, 0 censored, 0 aborted",
            "b: 2 games 1-0-1, 0 forfeits, 0 rejected, 0 censored, 0 aborted",
        ]
    );
}

/// Starts a run and lets it go on until the ledger has so many events more.
fn start_and_wait(arena: &Arena, file: &Path, more: u64) -> Child {
    let size = || Prefix::open(&arena.bench.disk()).map_or(0, |prefix| prefix.size());
    let (before, since) = (size(), Instant::now());
    let mut child = arena
        .command(&["run", file.to_str().unwrap()])
        .spawn()
        .unwrap();
    while size() < before + more {
        assert!(since.elapsed() < Duration::from_mins(1), "no event comes");
        assert!(child.try_wait().unwrap().is_none(), "it ended already");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn real_engines_are_killed_and_play_on_from_the_last_move() {
    let arena = Arena::new();
    let weak = "command = \"stockfish\"\nnodes = 200\n\
                options = { Hash = 1, UCI_LimitStrength = true, UCI_Elo = 1400 }";
    let strong = "command = \"stockfish\"\nnodes = 2000\noptions = { Hash = 1 }";
    let text = run_file("ply_cap = 60", &[("strong", strong), ("weak", weak)]);
    let file = arena.write("run.toml", &text);
    let mut moves = 0;
    for more in [9, 30, 41] {
        let mut child = start_and_wait(&arena, &file, more);
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().code(), None);
        // A torn tail is no damage: the next run records it.
        let projection = projection(&arena.bench.disk());
        let now = projection.games.iter().map(|game| game.moves.len()).sum();
        assert!(moves < now, "{now} moves and no more");
        moves = now;
    }
    arena.run(&file).ends_with(0);
    let games = arena.games();
    assert_eq!(games.len(), 2, "{games:#?}");
    assert!(games[0].starts_with("0 strong-weak "));
    assert!(games[1].starts_with("1 weak-strong "));
    assert!((2..=3).contains(&lost(&arena.projection())));
}

#[test]
fn told_to_stop_a_run_finishes_the_turn_and_says_so() {
    let players = [(); 2].map(|()| Script::player("sleep 0.4;", FOOLS_MATE));
    let [a, b] = players.each_ref().map(engine);
    let arena = Arena::new();
    let file = arena.write(
        "run.toml",
        &run_file("ply_cap = 40", &[("a", &a), ("b", &b)]),
    );
    for (signal, more) in [("INT", 8), ("TERM", 4)] {
        let mut child = start_and_wait(&arena, &file, more);
        // The shell's own: a bare machine has no program of this name.
        let kill = format!("kill -{signal} {}", child.id());
        let kill = std::process::Command::new("sh")
            .args(["-c", &kill])
            .status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(2));
        let segment = std::fs::read_to_string(arena.bench.path().join("events/000000.jsonl"));
        let segment = segment.unwrap();
        let last = segment.lines().last().unwrap();
        assert!(
            last.contains("worker.stopped") && last.contains("interrupted"),
            "{last}"
        );
        assert_eq!(lost(&arena.projection()), 0);
    }
    arena.run(&file).ends_with(0);
    assert_eq!(lost(&arena.projection()), 0);
    assert_eq!(
        arena.games(),
        [
            format!("0 a-b 0-1 checkmate {FOOLS_MATE}"),
            format!("1 b-a 0-1 checkmate {FOOLS_MATE}"),
        ]
    );
}

#[test]
fn told_to_stop_while_engines_start_a_run_writes_nothing_and_says_so() {
    // It tells that it has begun, and takes its time.
    let slow = Script::new("uci) echo >begun; sleep 2; echo 'id name Slow'; echo uciok;;");
    let other = Script::player("", FOOLS_MATE);
    let [a, b] = [&slow, &other].map(engine);
    let arena = Arena::new();
    let text = run_file("ply_cap = 40", &[("a", &a), ("b", &b)]);
    let file = arena.write("run.toml", &text);
    let before = arena.files();
    for signal in ["INT", "TERM"] {
        slow.forget("begun");
        let mut command = arena.command(&["run", file.to_str().unwrap()]);
        let child = command
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        while !slow.has("begun") {
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = format!("kill -{signal} {}", child.id());
        let kill = std::process::Command::new("sh")
            .args(["-c", &kill])
            .status();
        assert!(kill.unwrap().success());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(
            said.contains("told to stop before anything was played"),
            "{said}"
        );
        assert!(arena.files() == before);
    }
}

#[test]
fn a_run_that_played_as_many_games_as_it_was_asked_for_says_so() {
    let players = [(); 2].map(|()| Script::player("", FOOLS_MATE));
    let [a, b] = players.each_ref().map(engine);
    let arena = Arena::new();
    let text = run_file("ply_cap = 40", &[("a", &a), ("b", &b)]);
    let file = arena.write("run.toml", &text);
    for reason in ["games_played", "finished"] {
        arena
            .call(&["run", file.to_str().unwrap(), "--games", "1"])
            .ends_with(0);
        let segment = std::fs::read_to_string(arena.bench.path().join("events/000000.jsonl"));
        let segment = segment.unwrap();
        let last = segment.lines().last().unwrap();
        assert!(
            last.contains("worker.stopped") && last.contains(reason),
            "{last}"
        );
    }
}

#[test]
fn while_another_process_writes_a_run_is_refused() {
    let players = [(); 2].map(|()| Script::player("", FOOLS_MATE));
    let [a, b] = players.each_ref().map(engine);
    let arena = Arena::new();
    let text = run_file("ply_cap = 40", &[("a", &a), ("b", &b)]);
    let file = arena.write("run.toml", &text);
    let before = arena.files();
    let disk = arena.bench.disk();
    let writer = Writer::open(&disk, Time::EPOCH, &"another".parse().unwrap()).unwrap();
    let refused = arena.run(&file);
    refused.ends_with(2).says("another process is writing to ");
    assert!(arena.files() == before);
    drop(writer);
    arena.run(&file).ends_with(0);
}
