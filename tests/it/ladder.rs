//! The life of a ladder, played by its commands; and for each sentence that says
//! how games are chosen one test that it is so.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;

use scoresheet::event::{Stage, What};

use crate::climb::{Climb, RULES};

const ALL: &[&str] = &["a", "b", "c", "d"];

#[test]
fn a_ladder_lives_from_its_first_batch_to_the_end_of_its_era() {
    let climb = Climb::of(&["a", "b", "c", "d", "new"]);
    let cup = climb.cup(ALL);
    let arena = &climb.arena;
    arena
        .call(&["run", cup.to_str().unwrap(), "--games", "2"])
        .ends_with(0);
    climb.start();
    let next = || arena.call(&["schedule", "next"]);
    next().ends_with(0).says("first batch cup, game 3 of 12: ");
    // One leaves for good; the others complete what they have to play together.
    let left = climb.system("withdraw", "d");
    left.ends_with(0)
        .says("d is withdrawn now")
        .says("6 games of cup released");
    let played = climb.run(&["a", "b", "c"], &["--games", "20"]);
    played
        .ends_with(0)
        .says("game 12 of 12")
        .says("draw 0: ")
        .says("run again to go on");
    let ladder = climb.pairs(Stage::Ladder).len();
    assert!(14 <= ladder, "{ladder} games of the ladder");
    // A pause, a newcomer, an end to the pause, a game by hand.
    climb
        .system("pause", "a")
        .ends_with(0)
        .says("a is paused now");
    let refused = climb.run(&["a", "b", "c", "new"], &[]);
    refused
        .ends_with(2)
        .says("not on the ladder of era 2026: new; --admit");
    let admitted = climb.run(&["a", "b", "c", "new"], &["--admit", "--games", "4"]);
    admitted.ends_with(0).says("newcomer game ");
    assert_eq!(
        climb
            .pairs(Stage::Newcomer)
            .iter()
            .map(String::as_str)
            .collect::<BTreeSet<_>>(),
        BTreeSet::from(["b-new", "c-new", "new-b", "new-c"]),
        "those with a wait for it"
    );
    climb.system("resume", "a").ends_with(0);
    climb
        .run(&["a", "b", "c", "new"], &["--games", "2"])
        .ends_with(0);
    assert_eq!(climb.pairs(Stage::Newcomer).len(), 6);
    let by_hand = climb.run(&["a", "b"], &["--manual", "a", "b"]);
    by_hand.ends_with(0).says("manual game: a - b: ");
    climb
        .system("retire", "b")
        .ends_with(0)
        .says("b is retired now");
    climb
        .run(&["a", "c", "new"], &["--games", "3"])
        .ends_with(0);
    what_was_chosen_before_and_after_the_seed_is_known(&climb);
    climb
        .run(&["a", "c", "new"], &[])
        .ends_with(2)
        .says("no era 2026 goes on");
    assert_eq!(climb.codes(), []);
}

fn what_was_chosen_before_and_after_the_seed_is_known(climb: &Climb) {
    let arena = &climb.arena;
    let check = || arena.call(&["schedule", "check", "2026"]);
    check()
        .ends_with(0)
        .says("the seed is not revealed yet")
        .says("by hand, by runner/scoresheet");
    arena
        .call(&["era", "close", "2026"])
        .ends_with(0)
        .says("its seed is revealed");
    let draws = climb.draws().len();
    check()
        .ends_with(0)
        .says(&format!("all {draws} draws are what the seed gives"))
        .says("1 by hand, 0 by nothing");
    arena.call(&["verify"]).ends_with(0);
    arena
        .call(&["era", "list"])
        .ends_with(0)
        .says("2026  closed");
}

#[test]
fn the_check_says_the_same_in_json() {
    let climb = Climb::placed(&["a", "b", "c"]);
    climb.run(&["a", "b", "c"], &["--games", "2"]).ends_with(0);
    let check = climb.arena.call(&["schedule", "check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&check.ends_with(0).out).unwrap();
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| game["is_by_allocator"] == true));
    assert_eq!(games[7]["chosen"], "draw 1");
    assert_eq!(report["draws"]["made"], 2);
    assert_eq!(report["draws"]["is_seed_revealed"], false);
    assert!(report["draws"]["borne_out"].is_null());
}

#[test]
fn a_draw_is_made_once_and_shown_until_it_is_played() {
    let climb = Climb::placed(ALL);
    let next = |options: &[&str]| climb.arena.call(&[&["schedule", "next"], options].concat());
    let before = climb.arena.files();
    next(&["--dry-run"])
        .ends_with(0)
        .says("\"kind\":\"draw.made\"");
    assert!(before == climb.arena.files());
    next(&["--dry-run", "--format", "json"]).ends_with(0);
    assert!(before == climb.arena.files());
    let made = next(&["--format", "json"]);
    let made: serde_json::Value = serde_json::from_str(&made.ends_with(0).out).unwrap();
    let [drawn] = climb.draws().try_into().unwrap();
    let name = |id| climb.projection().name_of(id);
    assert_eq!(made["white"], name(&drawn.white));
    assert_eq!(made["picked"], name(&drawn.picked));
    let waits = next(&["--format", "json"]);
    let waits: serde_json::Value = serde_json::from_str(&waits.ends_with(0).out).unwrap();
    assert_eq!(
        (&waits["next"], &waits["number"]),
        (&made["next"], &made["number"])
    );
    for _ in 0..2 {
        next(&[]).ends_with(0).says("draw 0 waits for its game: ");
    }
    let [drawn] = climb.draws().try_into().unwrap();
    climb
        .run(ALL, &["--games", "1"])
        .ends_with(0)
        .says("draw 0: ");
    assert_eq!(climb.draws().len(), 1);
    let projection = climb.arena.projection();
    let game = projection.games.iter().last().unwrap();
    assert_eq!(game.started.seats.white, drawn.white);
    assert_eq!(game.started.seats.black, drawn.black);
}

#[test]
fn a_draw_its_game_and_the_first_call_are_one_batch() {
    let climb = Climb::placed(ALL);
    climb.run(ALL, &["--games", "1"]).ends_with(0);
    let events = climb.events();
    let draw = events
        .iter()
        .position(|event| matches!(event.what, What::DrawMade(_)));
    let batch = &events[draw.unwrap()..][..3];
    assert!(batch.iter().all(|event| event.at == batch[0].at));
    assert!(matches!(batch[1].what, What::GameStarted(_)));
    assert!(matches!(batch[2].what, What::CallSent(_)));
}

#[test]
fn ladder_and_manual_games_of_both_players_count_and_no_others() {
    let climb = Climb::placed(&["a", "b", "c", "new"]);
    let four = ["a", "b", "c", "new"];
    climb.run(&four, &["--manual", "a", "b"]).ends_with(0);
    climb.run(&four, &["--games", "1"]).ends_with(0);
    let [first] = climb.draws().try_into().unwrap();
    let projection = climb.projection();
    let figures = |one: &scoresheet::event::Eligible| {
        let name = projection.name_of(&one.system);
        (name, one.games.get(), one.whites.get())
    };
    let mut seen: Vec<_> = first.eligible.iter().map(figures).collect();
    seen.sort();
    let expected = [("a", 1, 1), ("b", 1, 0), ("c", 0, 0), ("new", 0, 0)];
    let expected = expected.map(|(name, games, whites)| (name.to_owned(), games, whites));
    assert_eq!(seen, expected, "games of the first batch are not counted");
    assert!(["c", "new"].contains(&projection.name_of(&first.picked).as_str()));
}

#[test]
fn before_the_first_batch_is_complete_the_ladder_draws_nothing() {
    let climb = Climb::of(ALL);
    let cup = climb.cup(ALL);
    climb
        .arena
        .call(&["run", cup.to_str().unwrap(), "--games", "11"])
        .ends_with(0);
    climb.start();
    let played = climb.run(ALL, &["--games", "1"]);
    played.ends_with(0).says("game 12 of 12");
    assert_eq!(climb.draws().len(), 0);
    climb
        .run(ALL, &["--games", "1"])
        .ends_with(0)
        .says("draw 0: ");
}

#[test]
fn an_outage_defers_games_and_is_no_withdrawal() {
    let climb = Climb::of(&["a", "b", "c"]);
    let names = ["a", "b", "c"];
    let cup = climb.cup(&names);
    climb
        .arena
        .call(&["run", cup.to_str().unwrap(), "--games", "1"])
        .ends_with(0);
    climb.start();
    let paused = climb.system("pause", "b");
    paused
        .ends_with(0)
        .says("its open games of the first batch cup wait until it is resumed");
    // Others go on, in an ordinary run and on the ladder.
    climb
        .arena
        .run(&cup)
        .ends_with(1)
        .says("open for systems that do not play now");
    assert_eq!(
        climb
            .pairs(Stage::Placement)
            .iter()
            .filter(|pair| !pair.contains('b'))
            .count(),
        2
    );
    climb
        .run(&names, &[])
        .ends_with(0)
        .says("no game of the first batch can be played now");
    climb
        .arena
        .call(&["schedule", "next"])
        .ends_with(1)
        .says("nothing: ");
    climb.system("resume", "b").ends_with(0);
    climb
        .arena
        .run(&cup)
        .ends_with(0)
        .says("cohort cup is terminal");
    assert_eq!(climb.pairs(Stage::Placement).len(), 6);
    assert_eq!(climb.codes(), []);
}

#[test]
fn a_withdrawal_ends_a_first_batch_in_an_ordinary_run_too() {
    let names = ["a", "b", "c"];
    let climb = Climb::of(&names);
    let cup = climb.cup(&names);
    climb
        .arena
        .call(&["run", cup.to_str().unwrap(), "--games", "1"])
        .ends_with(0);
    climb.start();
    climb.system("withdraw", "c").ends_with(0);
    climb
        .arena
        .run(&cup)
        .ends_with(0)
        .says("cohort cup is terminal");
    let pairs = climb.pairs(Stage::Placement);
    assert_eq!(
        pairs.iter().filter(|pair| !pair.contains('c')).count(),
        2,
        "{pairs:?}"
    );
    climb
        .arena
        .call(&["system", "list"])
        .says("c  withdrawn")
        .says("a  active; era 2026: rank ");
    assert_eq!(climb.codes(), []);
}

#[test]
fn the_last_open_games_withdrawn_complete_the_first_batch() {
    let names = ["a", "b", "c"];
    let climb = Climb::of(&names);
    let cup = climb.cup(&names);
    climb
        .arena
        .call(&["run", cup.to_str().unwrap(), "--games", "5"])
        .ends_with(0);
    climb.start();
    let projection = climb.projection();
    let last = &projection.schedules.cohort("cup").unwrap().cells[5]
        .seats
        .white;
    let left = climb.system("withdraw", &projection.name_of(last));
    left.ends_with(0)
        .says("the first batch of era 2026 is complete now");
}

#[test]
fn a_paused_system_keeps_its_position_and_is_not_drawn() {
    let climb = Climb::placed(ALL);
    climb.system("pause", "b").ends_with(0);
    climb.run(ALL, &["--games", "6"]).ends_with(0);
    for pair in climb.pairs(Stage::Ladder) {
        assert!(!pair.contains('b'), "{pair}");
    }
    let mut positions = climb.draws()[0].eligible.clone();
    positions.sort_by_key(|one| one.position);
    let positions: Vec<_> = positions.iter().map(|one| one.position.get()).collect();
    assert_eq!(positions, [1, 3, 4]);
}

#[test]
fn a_newcomer_comes_before_the_ladder_and_an_opponent_that_retires_drops_out() {
    let climb = Climb::placed(&["a", "b", "c"]);
    let names = ["a", "b", "c"];
    climb.run(&names, &["--games", "1"]).ends_with(0);
    let drawn = climb.draws().len();
    // A draw that waits lets the newcomer go first.
    climb.arena.call(&["schedule", "next"]).ends_with(0);
    let newcomer = newcomer(&climb);
    let file = climb.arena.write(
        "with.toml",
        &format!("{}{newcomer}", climb.ladder_text(&names)),
    );
    let run = |games: &str| {
        let words = ["run", file.to_str().unwrap(), "--admit", "--games", games];
        climb.arena.call(&words)
    };
    run("2").ends_with(0);
    assert_eq!(climb.pairs(Stage::Newcomer).len(), 2);
    assert_eq!(climb.draws().len(), drawn + 1, "only the one that waits");
    climb
        .arena
        .call(&["schedule", "next"])
        .says("placement of a newcomer 2026-new, game ");
    let released = climb.system("retire", "c");
    released.ends_with(0).says("of 2026-new released");
    run("6").ends_with(0);
    let played = climb.pairs(Stage::Newcomer);
    assert!((4..=5).contains(&played.len()), "{played:?}");
    climb
        .arena
        .call(&["system", "list"])
        .says("new  active; era 2026: rank ");
    // Restored, it has the place that it had.
    climb.system("restore", "c").ends_with(0);
    climb
        .arena
        .call(&["system", "list"])
        .says("c  active; era 2026: rank ");
    assert_eq!(climb.codes(), []);
}

/// An engine that is no other's identity.
fn newcomer(climb: &Climb) -> String {
    let path = climb.script("a").path();
    format!(
        "[[engine]]\nname = \"new\"\ncommand = \"sh\"\nargs = ['{}']\nnodes = 99\n",
        path.display()
    )
}

#[test]
fn another_build_of_an_engine_is_the_same_identity_and_another_limit_is_not() {
    let climb = Climb::placed(&["a", "b"]);
    climb.run(&["a", "b"], &["--games", "1"]).ends_with(0);
    let text = climb.ladder_text(&["a", "b"]);
    let renamed = climb
        .arena
        .write("b.toml", &text.replace("\"b\"", "\"b-2\""));
    let run = |file: &std::path::Path| {
        climb
            .arena
            .call(&["run", file.to_str().unwrap(), "--games", "1"])
    };
    run(&renamed)
        .ends_with(2)
        .says("engine b-2 is the system that is registered as b");
    climb.rewrite("b", "true;");
    run(&climb.arena.beside("ladder.toml"))
        .ends_with(2)
        .says("the name b stands for another system");
    run(&renamed).ends_with(0).says("draw 1: ");
    let projection = climb.arena.projection();
    let name = "b-2".parse().unwrap();
    let system = projection.systems.system_named(&name).unwrap().id;
    assert!(projection.identities.of_system(&system) != Some(system));
    let last = projection.games.iter().last().unwrap();
    assert!(last.seats().iter().any(|(_, seat)| **seat == system));
    let other = climb.arena.write(
        "c.toml",
        &text
            .replace("nodes = 21", "nodes = 77")
            .replace("\"b\"", "\"c\""),
    );
    run(&other)
        .ends_with(2)
        .says("not on the ladder of era 2026: c");
}

#[test]
fn other_games_that_are_ready_go_on_when_one_fails_and_it_is_not_done_with_that() {
    let names = ["a", "b", "c"];
    let climb = Climb::of(&names);
    let cup = climb.cup(&names);
    climb
        .arena
        .call(&["run", cup.to_str().unwrap(), "--dry-run"])
        .ends_with(0);
    climb.rewrite("c", "[ -e mended ] || exit;");
    let failed = climb.arena.run(&cup);
    failed
        .ends_with(1)
        .says("three games in a row were aborted, 4 cells open");
    assert_eq!(
        climb.pairs(Stage::Placement),
        [
            "b-c", "c-a", "a-b", "c-b", "a-c", "b-a", "b-c", "c-a", "c-b"
        ],
        "the others go on, and then those that failed"
    );
    std::fs::write(climb.script("c").path().with_file_name("mended"), "").unwrap();
    climb
        .arena
        .run(&cup)
        .ends_with(0)
        .says("cohort cup is terminal");
    assert_eq!(climb.codes(), []);
}

#[test]
fn on_a_ladder_three_aborted_games_in_a_row_are_the_end_of_a_run() {
    let climb = Climb::placed(&["a", "b"]);
    for name in ["a", "b"] {
        climb.rewrite(name, "[ -e broken ] && exit;");
    }
    // Another build under other names, which breaks.
    let text = climb.ladder_text(&["a", "b"]);
    let text = text.replace("\"a\"", "\"a-2\"").replace("\"b\"", "\"b-2\"");
    let file = climb.arena.write("broken.toml", &text);
    for name in ["a", "b"] {
        std::fs::write(climb.script(name).path().with_file_name("broken"), "").unwrap();
    }
    let failed = climb.arena.run(&file);
    failed
        .ends_with(1)
        .says("three games in a row were aborted");
    assert_eq!(climb.draws().len(), 3);
    assert_eq!(climb.codes(), []);
}

#[test]
fn a_seed_is_its_owners_until_the_era_is_closed() {
    let climb = Climb::placed(&["a", "b"]);
    let arena = &climb.arena;
    climb.run(&["a", "b"], &["--games", "1"]).ends_with(0);
    let folder = arena.bench.path().join("private/eras");
    let seed = std::fs::read_dir(&folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let mode = std::fs::metadata(&folder).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
    let bytes = std::fs::read(&seed).unwrap();
    assert_eq!(bytes.len(), 32);
    // Lost: nothing can be drawn, and everybody is told what to do.
    std::fs::remove_file(&seed).unwrap();
    arena
        .call(&["verify"])
        .ends_with(1)
        .says("seed-lost")
        .says("restore the file from a backup");
    for words in [&["schedule", "next"][..], &["era", "close", "2026"]] {
        arena
            .call(words)
            .ends_with(2)
            .says("is not in this copy of the ledger");
    }
    climb
        .run(&["a", "b"], &[])
        .ends_with(2)
        .says("is not in this copy of the ledger");
    std::fs::write(&seed, [7; 32]).unwrap();
    arena.call(&["verify"]).ends_with(1).says("seed-lost");
    arena
        .call(&["schedule", "next"])
        .ends_with(2)
        .says("does not hold the seed");
    std::fs::write(&seed, &bytes).unwrap();
    arena.call(&["verify"]).ends_with(0);
    // A rehearsal of the end does not tell it.
    let rehearsed = arena.call(&["era", "close", "2026", "--dry-run"]);
    let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.concat();
    assert!(!rehearsed.ends_with(0).out.contains(&hex));
    // A copy without any private folder owes no seed.
    let private = arena.bench.path().join("private");
    let aside = arena.beside("private");
    std::fs::rename(&private, &aside).unwrap();
    arena.call(&["verify"]).ends_with(0);
    std::fs::rename(&aside, &private).unwrap();
    arena.call(&["era", "close", "2026"]).ends_with(0);
    assert!(!seed.exists());
    std::fs::write(&seed, &bytes).unwrap();
    arena
        .call(&["verify"])
        .ends_with(1)
        .says("private-left")
        .says("scoresheet era close");
    arena
        .call(&["era", "close", "2026"])
        .ends_with(0)
        .says("closed already; the file");
    arena.call(&["verify"]).ends_with(0);
    std::fs::write(folder.join("x"), "x").unwrap();
    arena.call(&["verify"]).says("private-stray");
}

#[test]
fn the_preset_is_published_as_rules() {
    let climb = Climb::of(&["a", "b"]);
    climb
        .arena
        .run(&climb.cup_under(RULES, &["a", "b"]))
        .ends_with(0);
    let events = climb.events();
    let protocol = events.iter().find_map(|event| match &event.what {
        What::ProtocolPublished(protocol) => Some(protocol),
        _ => None,
    });
    let protocol = protocol.unwrap();
    assert_eq!(protocol.ply_cap.get(), 40, "a lower saved limit");
    assert_eq!(protocol.attempts.get(), 3);
    assert_eq!(protocol.ladder.unwrap().reach.get(), 5);
}

#[test]
fn a_correction_shows_which_games_of_the_window_it_takes_out() {
    let climb = Climb::placed(&["a", "b"]);
    climb.run(&["a", "b"], &["--manual", "a", "b"]).ends_with(0);
    let projection = climb.projection();
    let game = projection.games.iter().last().unwrap().id.to_string();
    let why = ["--reason", "r", "--evidence", "e"];
    let shown = [&["correct", &game, "--exclude", "--dry-run"][..], &why].concat();
    climb
        .arena
        .call(&shown)
        .ends_with(0)
        .says("era 2026: rated games after the first batch 1 -> 0")
        .says("era 2026, a: games of the last 48 hours 1 -> 0, with White 1 -> 0")
        .says("era 2026, b: games of the last 48 hours 1 -> 0, with White 0 -> 0");
}

#[test]
fn an_era_whose_seed_is_lost_for_good_is_closed_with_a_reason_and_says_so() {
    let climb = Climb::placed(&["a", "b"]);
    let arena = &climb.arena;
    climb.run(&["a", "b"], &["--games", "1"]).ends_with(0);
    let close = ["era", "close", "2026", "--seed-lost", "the disk is gone"];
    arena
        .call(&close)
        .ends_with(2)
        .says("is here and is what the era committed to");
    let folder = arena.bench.path().join("private/eras");
    let mut files = std::fs::read_dir(&folder).unwrap();
    let seed = files.next().unwrap().unwrap().path();
    let bytes = std::fs::read(&seed).unwrap();
    std::fs::remove_file(&seed).unwrap();
    arena
        .call(&close)
        .ends_with(0)
        .says("no draw can be checked");
    arena
        .call(&["verify"])
        .ends_with(0)
        .says("draw-uncheckable");
    arena
        .call(&["schedule", "check", "2026"])
        .ends_with(0)
        .says("1 draw made; the seed is lost");
    arena
        .call(&["board", "ladder"])
        .says("the seed lost: no draw can be checked");
    // Found after all, it is revealed.
    std::fs::write(&seed, &bytes).unwrap();
    arena
        .call(&["verify"])
        .ends_with(0)
        .says("scoresheet era close NAME reveals it");
    arena
        .call(&["era", "close", "2026"])
        .ends_with(0)
        .says("its seed is revealed");
    arena
        .call(&["schedule", "check", "2026"])
        .ends_with(0)
        .says("all 1 draw");
    assert!(!seed.exists());
}

#[test]
fn what_a_start_of_an_era_left_that_was_killed_is_said_by_the_next_one() {
    let climb = Climb::of(&["a", "b"]);
    climb.arena.run(&climb.cup(&["a", "b"])).ends_with(0);
    let folder = climb.arena.bench.path().join("private/eras");
    std::fs::create_dir_all(&folder).unwrap();
    let stray = "0".repeat(64);
    std::fs::write(folder.join(&stray), [7; 32]).unwrap();
    climb
        .arena
        .call(&["era", "start", "2026", "--placement", "cup"])
        .ends_with(0)
        .says(&format!("private/eras/{stray} is the seed of no era"));
}
