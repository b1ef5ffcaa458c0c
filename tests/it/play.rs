//! A person at the terminal, through a pipe and at a terminal of its own.

use std::io::Write as _;
use std::process::{Command, Stdio};

use scoresheet::chess::Termination;
use scoresheet::event::{AbortCause, Stage, What};
use scoresheet::projection::GameState;

use crate::arena::{Arena, Ran};
use crate::runs::FOOLS_MATE;
use crate::script::Script;

/// Plays with what is typed, against an engine that plays by the book.
fn play(arena: &Arena, book: &Script, more: &[&str], typed: &str) -> Ran {
    let path = book.path();
    let path = path.to_str().unwrap();
    let words = [
        "play",
        "--engine",
        "sh",
        "--engine-arg",
        path,
        "--nodes",
        "20",
    ];
    let mut child = arena
        .command(&[&words[..], more].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(typed.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn book() -> Script {
    Script::player("", FOOLS_MATE)
}

#[test]
fn a_person_plays_in_uci_or_san_and_the_ledger_has_uci() {
    let arena = Arena::new();
    let ran = play(
        &arena,
        &book(),
        &["--color", "black"],
        "hello\nhelp\ne5\nd8h4\n",
    );
    ran.ends_with(0)
        .says("engine-20 plays f3")
        .says("no legal move (unparseable)")
        .says("e5 e6")
        .says("0-1: checkmate");
    // Black looks from its own side, and no line is wide or colored.
    assert!(ran.out.contains("1 R N B K Q B N R"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'));
    let projection = arena.projection();
    let game = projection.games.iter().next().unwrap();
    assert_eq!(game.started.stage, Stage::Human);
    let moves: Vec<_> = game.moves.iter().map(|one| one.uci.to_string()).collect();
    assert_eq!(moves.join(" "), FOOLS_MATE);
    assert!(game.moves[1].call.is_none() && game.moves[0].call.is_some());
    assert!(
        projection
            .people
            .person(&game.started.seats.black)
            .is_some()
    );
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn who_resigns_has_lost_and_who_quits_has_no_result() {
    let (arena, book) = (Arena::new(), book());
    play(&arena, &book, &[], "resign\n")
        .ends_with(0)
        .says("0-1: rejected_moves");
    play(&arena, &book, &[], "f3\nquit\n")
        .ends_with(0)
        .says("it has no result");
    let projection = arena.projection();
    assert_eq!(projection.people.iter().count(), 1);
    let ends = projection
        .games
        .iter()
        .map(scoresheet::projection::Game::termination);
    let mut ends: Vec<_> = ends.collect();
    ends.sort_by_key(Option::is_some);
    assert_eq!(ends, [None, Some(Termination::RejectedMoves)]);
    let events = arena.events();
    let aborted = events.iter().find_map(|event| match &event.what {
        What::GameAborted(aborted) => Some(aborted.cause),
        _ => None,
    });
    assert_eq!(aborted, Some(AbortCause::Maintainer));
    arena.call(&["verify"]).ends_with(0);
}

#[test]
fn a_game_stays_open_where_the_input_ends_and_goes_on() {
    let (arena, book) = (Arena::new(), book());
    play(&arena, &book, &[], "f3\n")
        .ends_with(0)
        .says("stays open");
    play(&arena, &book, &[], "g4\n")
        .ends_with(0)
        .says("goes on")
        .says("plays Qh4#")
        .says("0-1: checkmate");
    assert_eq!(arena.projection().games.iter().count(), 1);
}

#[test]
fn an_engine_that_fails_aborts_the_game() {
    let arena = Arena::new();
    let script = Script::new("go) exit;;");
    play(&arena, &script, &[], "e4\n")
        .ends_with(1)
        .says("the game is aborted");
    let projection = arena.projection();
    let game = projection.games.iter().next().unwrap();
    assert!(matches!(game.state, GameState::Aborted { .. }));
}

#[test]
fn a_game_is_played_at_a_terminal() {
    let arena = Arena::new();
    let book = book();
    let typed = format!(
        "'{}' --ledger '{}' play --engine sh --engine-arg '{}' --nodes 20",
        env!("CARGO_BIN_EXE_scoresheet"),
        arena.bench.path().display(),
        book.path().display()
    );
    let mut child = Command::new("script")
        .args(["-qec", &typed, "/dev/null"])
        .env("TERM", "dumb")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"f3\ng4\n").unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("0-1: checkmate"), "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
}
