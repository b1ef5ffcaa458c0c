//! Tournaments of scripted engines, played by the program: what comes of good
//! engines, of engines that do what they must not do, and of the rules.

use std::os::unix::fs::symlink;

use scoresheet::event::CallFailure;
use scoresheet::projection::CallState;

use crate::arena::{Arena, engine, run_file};
use crate::script::Script;

pub(crate) const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";
const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

/// A tournament of one engine that plays by the book and another.
struct Pair {
    arena: Arena,
    good: Script,
    bad: Script,
    rules: &'static str,
}

impl Pair {
    fn new(rules: &'static str, bad: Script) -> Self {
        Self {
            arena: Arena::new(),
            good: Script::player("", FOOLS_MATE),
            bad,
            rules,
        }
    }

    fn file(&self) -> std::path::PathBuf {
        let (good, bad) = (engine(&self.good), engine(&self.bad));
        let text = run_file(self.rules, &[("good", &good), ("bad", &bad)]);
        self.arena.write("run.toml", &text)
    }

    /// Plays, expects this exit code, and returns the games.
    #[track_caller]
    fn play(&self, code: i32) -> Vec<String> {
        self.arena.run(&self.file()).ends_with(code);
        self.arena.games()
    }

    /// The classes of the calls that failed, in no order.
    fn failures(&self) -> Vec<(CallFailure, u64)> {
        let projection = self.arena.projection();
        assert_eq!(projection.calls.in_flight().count(), 0);
        let mut total = scoresheet::projection::Resources::default();
        for system in projection.systems.systems() {
            total.join(&system.resources);
        }
        total.failed.into_iter().collect()
    }
}

#[test]
fn a_small_tournament_gives_the_board_that_its_moves_give() {
    let arena = Arena::new();
    let players = [
        Script::player("", FOOLS_MATE),
        Script::player("", FOOLS_MATE),
        Script::new("go) echo bestmove e2e5;;"),
    ];
    let [a, b, c] = players.each_ref().map(engine);
    let text = run_file("ply_cap = 40", &[("a", &a), ("b", &b), ("c", &c)]);
    let file = arena.write("run.toml", &text);
    arena
        .run(&file)
        .ends_with(0)
        .says("game 1 of 6: ")
        .says("cohort cup is terminal");
    assert_eq!(
        arena.games(),
        [
            "0 b-c 1-0 rejected_moves f2f3 (2: wrong_side)",
            "1 c-a 0-1 rejected_moves (1: unreachable)",
            "2 a-b 0-1 checkmate f2f3 e7e5 g2g4 d8h4",
            "3 c-b 0-1 rejected_moves (1: unreachable)",
            "4 a-c 1-0 rejected_moves f2f3 (2: wrong_side)",
            "5 b-a 0-1 checkmate f2f3 e7e5 g2g4 d8h4",
        ]
    );
    assert_eq!(
        arena.board(),
        [
            "a: 4 games 3-0-1, 0 forfeits, 0 rejected, 0 censored, 0 aborted",
            "b: 4 games 3-0-1, 0 forfeits, 0 rejected, 0 censored, 0 aborted",
            "c: 4 games 0-0-4, 4 forfeits, 4 rejected, 0 censored, 0 aborted",
        ]
    );
}

#[test]
fn two_names_for_one_program_are_two_systems() {
    let arena = Arena::new();
    let player = engine(&Script::player("", FOOLS_MATE));
    let file = run_file("ply_cap = 40", &[("a", &player), ("b", &player)]);
    let file = arena.write("run.toml", &file);
    // The script is gone by now: nobody may start.
    arena.run(&file).ends_with(2).says("engine a");
    let script = Script::player("", FOOLS_MATE);
    let player = engine(&script);
    let file = run_file("ply_cap = 40", &[("a", &player), ("b", &player)]);
    let file = arena.write("run.toml", &file);
    arena.run(&file).ends_with(0);
    assert_eq!(arena.games().len(), 2);
}

#[test]
fn no_move_at_all_is_a_forfeit_after_the_last_attempt() {
    let pair = Pair::new(
        "ply_cap = 40\nattempts = 2",
        Script::new("go) echo 'bestmove (none)';;"),
    );
    assert_eq!(
        pair.play(0),
        [
            "0 good-bad 1-0 rejected_moves f2f3 (2: empty) (2: empty)",
            "1 bad-good 0-1 rejected_moves (1: empty) (1: empty)",
        ]
    );
    assert_eq!(pair.failures(), []);
    assert_eq!(
        pair.arena.board(),
        [
            "bad: 2 games 0-0-2, 2 forfeits, 4 rejected, 0 censored, 0 aborted",
            "good: 2 games 2-0-0, 0 forfeits, 0 rejected, 0 censored, 0 aborted",
        ]
    );
}

#[test]
fn a_second_attempt_may_be_right() {
    let pair = Pair::new(
        "ply_cap = 40\nattempts = 2",
        Script::player(
            "[ -e $plies ] || { echo >$plies; set -- E2E4; }",
            FOOLS_MATE,
        ),
    );
    assert_eq!(
        pair.play(0),
        [
            "0 good-bad 0-1 checkmate f2f3 e7e5 g2g4 d8h4 (2: unparseable) (4: unparseable)",
            "1 bad-good 0-1 checkmate f2f3 e7e5 g2g4 d8h4 (1: wrong_format) (3: wrong_format)",
        ]
    );
}

#[test]
fn san_from_an_engine_is_a_wrong_format_where_it_names_a_legal_move() {
    let pair = Pair::new("ply_cap = 40", Script::new("go) echo 'bestmove Nc3';;"));
    assert_eq!(
        pair.play(0),
        [
            "0 good-bad 1-0 rejected_moves f2f3 (2: unparseable)",
            "1 bad-good 0-1 rejected_moves (1: wrong_format)",
        ]
    );
}

#[test]
fn garbage_is_judged_and_a_line_without_end_is_a_provider_failure() {
    let garbage = Script::new("go) printf 'info \\377\\000\\nbestmove \\033[2J\\n';;");
    let pair = Pair::new("ply_cap = 40", garbage);
    assert_eq!(
        pair.play(0),
        [
            "0 good-bad 1-0 rejected_moves f2f3 (2: unparseable)",
            "1 bad-good 0-1 rejected_moves (1: unparseable)",
        ]
    );
    let endless = Script::new("go) head -c 100000 /dev/zero | tr '\\0' x; echo;;");
    let pair = Pair::new("ply_cap = 40\nreplays_max = 0", endless);
    assert_eq!(
        pair.play(1),
        ["0 good-bad aborted f2f3", "1 bad-good aborted"]
    );
    assert_eq!(pair.failures(), [(CallFailure::Protocol, 2)]);
}

#[test]
fn what_is_late_is_aborted_and_replayed_in_order_as_often_as_the_protocol_says() {
    let rules = "ply_cap = 40\nreplays_max = 1\n[deadlines]\nanswer_ms = 1500";
    let pair = Pair::new(rules, Script::new("go) sleep 60;;"));
    let file = pair.file();
    let ran = pair.arena.run(&file);
    ran.ends_with(1).says("game 1 of 2: good - bad: aborted");
    ran.says("2 cells stay open").says("game 1, 2");
    assert_eq!(
        pair.arena.games(),
        [
            "0 good-bad aborted f2f3",
            "0 good-bad aborted f2f3",
            "1 bad-good aborted",
            "1 bad-good aborted",
        ]
    );
    assert_eq!(pair.failures(), [(CallFailure::Timeout, 4)]);
    assert_eq!(pair.arena.board(), [""; 0], "no game, no row");
    // There is nothing left to try, so nothing more is written.
    let before = pair.arena.files();
    pair.arena.run(&file).ends_with(1).says("2 cells stay open");
    assert_eq!(pair.arena.files(), before);
}

#[test]
fn death_in_a_search_is_no_chess_result_and_other_cells_are_played() {
    let arena = Arena::new();
    let [good, other] = [(); 2].map(|()| Script::player("", FOOLS_MATE));
    let mortal = Script::new("go) kill -SEGV $$;;");
    let [good, other, mortal] = [&good, &other, &mortal].map(engine);
    let engines = [("good", &*good), ("mortal", &mortal), ("other", &other)];
    let text = run_file("ply_cap = 40\nreplays_max = 1", &engines);
    let ran = arena.run(&arena.write("run.toml", &text));
    ran.ends_with(1).says("4 cells stay open");
    let games = arena.games();
    assert_eq!(games.len(), 2 + 4 * 2, "{games:#?}");
    assert_eq!(
        arena.board(),
        [
            "good: 2 games 1-0-1, 0 forfeits, 0 rejected, 0 censored, 4 aborted",
            "other: 2 games 1-0-1, 0 forfeits, 0 rejected, 0 censored, 4 aborted",
        ]
    );
}

#[test]
fn a_failure_that_passes_costs_a_game_and_no_result() {
    let once = "[ -e died ] || { echo >died; exit 3; };";
    let pair = Pair::new("ply_cap = 40", Script::player(once, FOOLS_MATE));
    assert_eq!(
        pair.play(0),
        [
            "0 good-bad aborted f2f3",
            "0 good-bad 0-1 checkmate f2f3 e7e5 g2g4 d8h4",
            "1 bad-good 0-1 checkmate f2f3 e7e5 g2g4 d8h4",
        ]
    );
    assert_eq!(pair.failures(), [(CallFailure::Exited, 1)]);
    let projection = pair.arena.projection();
    let aborted = projection.games.iter().next().unwrap();
    let time = aborted.resources.black.time_ms;
    assert!(time.is_complete(), "how long it took to fail is known");
    assert_eq!(
        pair.arena.board(),
        [
            "bad: 2 games 1-0-1, 0 forfeits, 0 rejected, 0 censored, 1 aborted",
            "good: 2 games 1-0-1, 0 forfeits, 0 rejected, 0 censored, 1 aborted",
        ]
    );
}

#[test]
fn an_engine_that_does_not_start_any_more_uses_up_its_replays_at_once() {
    // Replays follow one another faster than a clock ticks.
    let pair = Pair::new("ply_cap = 40\nreplays_max = 20", Script::new(""));
    let shell = pair.arena.beside("shell");
    symlink("/bin/sh", &shell).unwrap();
    pair.bad
        .rewrite(&format!("go) rm -f '{}'; exit;;", shell.display()));
    let bad = engine(&pair.bad).replace("\"sh\"", &format!("'{}'", shell.display()));
    let text = run_file(pair.rules, &[("good", &engine(&pair.good)), ("bad", &bad)]);
    let file = pair.arena.write("run.toml", &text);
    pair.arena.run(&file).ends_with(1);
    let games = pair.arena.games();
    assert_eq!(games.len(), 2 * 21);
    assert!(games.iter().all(|game| game.contains(" aborted")));
    assert_eq!(
        pair.failures(),
        [(CallFailure::NotStarted, 41), (CallFailure::Exited, 1)]
    );
    let engine_is_gone = pair.arena.run(&file);
    engine_is_gone.ends_with(2).says("engine bad");
}

#[test]
fn mate_on_the_last_ply_wins_and_one_ply_less_is_a_censored_draw() {
    let player = || Script::player("", FOOLS_MATE);
    assert_eq!(
        Pair::new("ply_cap = 4", player()).play(0)[0],
        "0 good-bad 0-1 checkmate f2f3 e7e5 g2g4 d8h4"
    );
    let pair = Pair::new("ply_cap = 3", player());
    assert_eq!(
        pair.play(0)[0],
        "0 good-bad 1/2-1/2 ply_limit f2f3 e7e5 g2g4"
    );
    assert_eq!(
        pair.arena.board(),
        [
            "bad: 2 games 0-2-0, 0 forfeits, 0 rejected, 2 censored, 0 aborted",
            "good: 2 games 0-2-0, 0 forfeits, 0 rejected, 2 censored, 0 aborted",
        ]
    );
}

#[test]
fn the_third_time_is_a_draw_and_no_censored_one() {
    let mut pair = Pair::new("ply_cap = 8", Script::player("", KNIGHTS));
    pair.good = Script::player("", KNIGHTS);
    assert_eq!(
        pair.play(0)[0],
        format!("0 good-bad 1/2-1/2 threefold_repetition {KNIGHTS}")
    );
}

#[test]
fn every_call_is_in_the_ledger_with_what_became_of_it() {
    let pair = Pair::new("ply_cap = 40", Script::player("", FOOLS_MATE));
    pair.play(0);
    let projection = pair.arena.projection();
    let moves = projection.games.iter().flat_map(|game| &game.moves);
    let calls: Vec<_> = moves.map(|played| played.call.unwrap()).collect();
    assert_eq!(calls.len(), 8);
    for answer in calls {
        let call = projection.calls.answered_by(&answer).unwrap();
        assert_eq!(call.state, CallState::Answered(answer));
        assert_eq!(call.sent.limit.unwrap().nodes.unwrap().get(), 20);
    }
}
