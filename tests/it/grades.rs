//! Measuring finished games: each position once, by an engine of one
//! registration, and what happens when somebody stops or kills it.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use scoresheet::event::{Event, Verified, What};
use scoresheet::ledger::verify;
use scoresheet::projection::Projection;

use crate::arena::{Arena, Ran};
use crate::ledger::by;
use crate::script::Script;
use crate::story::story;

/// A ledger with two fool's mates: five positions, each twice.
fn arena() -> Arena {
    let arena = Arena::new();
    let disk = arena.bench.disk();
    let at = scoresheet::canonical::Time::EPOCH;
    let (mut writer, _) = scoresheet::ledger::Writer::open(&disk, at, &by()).unwrap();
    let blob = scoresheet::ledger::Waivers::default();
    scoresheet::ledger::put_blob(&disk, crate::story::RUN_FILE, &blob).unwrap();
    writer.append(&story().events).unwrap();
    drop(writer);
    arena
}

/// An engine that moves what it is told to, by the side to move.
fn script(white: &str, black: &str) -> Script {
    Script::new(&format!(
        "uci) echo 'id name Scripted'\n\
             for spin in Hash MultiPV Threads; do\n\
                 echo \"option name $spin type spin default 1 min 1 max 64\"; done\n\
             echo 'option name UCI_ShowWDL type check default false'\n\
             echo 'option name UCI_LimitStrength type check default false'\n\
             echo 'option name UCI_Chess960 type check default false'\n\
             echo uciok;;\n\
         position) set -- $rest; side=$3; board=$2; echo \"$2 $3\" >>asked;;\n\
         go) if [ \"$side\" = w ]; then move={white}; else move={black}; fi\n\
             case \"$board\" in rnb1kbnr/*) echo 'info depth 0 score mate 0'; echo 'bestmove (none)';;\n\
             *) echo \"info depth 1 nodes 20 score cp 30 wdl 100 890 10 pv $move\"; echo \"bestmove $move\";; esac;;"
    ))
}

fn grade(arena: &Arena, script: &Script, more: &[&str]) -> Ran {
    let path = script.path();
    let args = [
        "grade",
        "--engine",
        "sh",
        "--arg",
        path.to_str().unwrap(),
        "--nodes",
        "20",
    ];
    arena.call(&[&args[..], more].concat())
}

/// The positions that stand measured, once the ledger has been verified.
fn measured(arena: &Arena) -> Vec<String> {
    let mut fens = Vec::new();
    let mut projection = Projection::default();
    let each = &mut |_, event: &Verified<Event>| {
        if let What::PositionMeasured(measured) = &event.what {
            fens.push(measured.fen.to_string());
        }
        projection.apply(event);
    };
    let verification = verify(&arena.bench.disk(), &|_, _| (), each).unwrap();
    assert_eq!(verification.findings, vec![]);
    assert_eq!(projection.findings, vec![]);
    fens
}

#[test]
fn who_waited_for_another_grading_measures_nothing_a_second_time() {
    let arena = arena();
    let engine = script("d2d4", "d7d5");
    // The first to say its options waits until the second has measured all.
    let [text, gate, waits] = [engine.path(), arena.beside("gate"), arena.beside("waits")];
    let held = format!(
        "uci) if mkdir {waits:?} 2>/dev/null; then while [ ! -e {gate:?} ]; do sleep 0.05; done; fi\n",
    );
    let before = std::fs::read_to_string(&text).unwrap();
    std::fs::write(text, before.replacen("uci) ", &held, 1)).unwrap();
    std::thread::scope(|scope| {
        let late = scope.spawn(|| grade(&arena, &engine, &[]));
        let patience = Instant::now();
        while !waits.exists() && patience.elapsed() < Duration::from_mins(1) {
            sleep(Duration::from_millis(20));
        }
        let early = grade(&arena, &engine, &[]);
        std::fs::write(&gate, "").unwrap();
        early.ends_with(0).says("5 positions measured, 0 open");
        let late = late.join().unwrap();
        late.ends_with(0)
            .says("5 of them to be analyzed")
            .says("0 positions measured, 0 open");
    });
    assert_eq!(measured(&arena).len(), 5);
}

#[test]
fn every_position_before_and_after_a_move_is_measured_once() {
    let arena = arena();
    let engine = script("d2d4", "d7d5");
    let before = arena.files();
    grade(&arena, &engine, &["--dry-run"])
        .ends_with(0)
        .says("8 moves in 2 games: 5 positions, 5 of them to be analyzed");
    assert_eq!(arena.files(), before, "a dry run writes nothing");
    grade(&arena, &engine, &["--jobs", "3"])
        .ends_with(0)
        .says("5 positions measured, 0 open");
    let fens = measured(&arena);
    assert_eq!(fens.len(), 5);
    assert_eq!(fens.iter().collect::<BTreeSet<_>>().len(), 5);
    // The same engine again, under another name, has nothing to do.
    let sizes = arena.files();
    grade(&arena, &engine, &["--name", "other"])
        .ends_with(0)
        .says("5 positions, 0 of them to be analyzed");
    assert_eq!(arena.files(), sizes);
    // Other options make another analyst.
    grade(
        &arena,
        &engine,
        &["--hash", "32", "--name", "larger", "--dry-run"],
    )
    .ends_with(0)
    .says("5 of them to be analyzed");
    grade(&arena, &engine, &["--hash", "32", "--dry-run"])
        .ends_with(2)
        .says("stands for another system in this ledger (another option)");
}

#[test]
fn a_grading_that_stops_goes_on_where_it_stopped() {
    let arena = arena();
    let engine = script("d2d4", "d7d5");
    grade(&arena, &engine, &["--positions", "2"])
        .ends_with(0)
        .says("2 positions measured, 3 open; run again to go on");
    let first = measured(&arena);
    assert_eq!(first.len(), 2);
    grade(&arena, &engine, &[])
        .ends_with(0)
        .says("3 positions measured, 0 open");
    let all = measured(&arena);
    assert_eq!((&all[..2], all.len()), (&first[..], 5));
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 5);
}

#[test]
fn only_the_moves_that_are_asked_for_are_graded() {
    let arena = arena();
    let engine = script("d2d4", "d7d5");
    let looks = |more: &[&str], text: &str| {
        grade(&arena, &engine, &[more, &["--dry-run"]].concat())
            .ends_with(0)
            .says(text);
    };
    let game = story().games[1].to_string();
    looks(&["--game", &game], "4 moves in 1 game: 5 positions");
    looks(&["--cohort", "t"], "8 moves in 2 games");
    looks(
        &["--system", "a", "--game", &game],
        "2 moves in 1 game: 4 positions",
    );
    for (more, text) in [
        (["--cohort", "u"], "no cohort is named u"),
        (["--system", "u"], "no system is named u"),
        (["--game", "0000"], "no game begins with 0000"),
    ] {
        grade(&arena, &engine, &more).ends_with(2).says(text);
    }
}

#[test]
fn what_would_weaken_an_engine_or_what_it_does_not_have_is_refused() {
    let arena = arena();
    let engine = script("d2d4", "d7d5");
    let before = arena.files();
    for (option, text) in [
        ("uci_limitstrength=true", "below its strength"),
        ("Threads=4", "the option Threads is not set with --option"),
        ("Contempt=3", "the engine has no option `Contempt`"),
        ("Contempt", "expected NAME=VALUE"),
    ] {
        grade(&arena, &engine, &["--option", option])
            .ends_with(2)
            .says(text);
    }
    grade(&arena, &engine, &["--hash", "65"])
        .ends_with(2)
        .says("option `Hash` takes an integer from 1 to 64, not `65`");
    let plain = Script::new("");
    grade(&arena, &plain, &[])
        .ends_with(2)
        .says("the engine has no option `");
    assert_eq!(arena.files(), before);
}

#[test]
fn an_answer_that_cannot_be_is_not_written_and_is_told() {
    let arena = arena();
    // Legal in the start position, and later no more.
    let engine = script("f2f3", "e7e5");
    grade(&arena, &engine, &[])
        .ends_with(1)
        .says("where that is no legal move")
        .says("3 positions measured, 2 open; run again once the engine is mended");
    assert_eq!(measured(&arena).len(), 3);
}

/// Waits until an engine has measured something.
fn wait_for_one(arena: &Arena) {
    let until = Instant::now() + Duration::from_mins(1);
    let is_there = || {
        let events = arena.bench.path().join("events/000000.jsonl");
        std::fs::read_to_string(events)
            .unwrap()
            .contains("position.measured")
    };
    while !is_there() {
        assert!(Instant::now() < until);
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_killed_grading_goes_on_without_measuring_anything_twice() {
    let arena = arena();
    let args = [
        "grade",
        "--engine",
        "stockfish",
        "--nodes",
        "150000",
        "--jobs",
        "2",
    ];
    let mut child = arena.command(&args).spawn().unwrap();
    wait_for_one(&arena);
    child.kill().unwrap();
    child.wait().unwrap();
    arena.call(&args).ends_with(0).says(", 0 open");
    let fens = measured(&arena);
    assert_eq!(fens.iter().collect::<BTreeSet<_>>().len(), 5);
    assert_eq!(fens.len(), 5);
    arena
        .call(&args)
        .ends_with(0)
        .says("5 positions, 0 of them");
}
