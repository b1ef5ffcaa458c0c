//! What cannot be on a ladder is refused, and leaves no trace.

use crate::climb::{Climb, RULES};

/// Commands that are refused, with what they say; nothing is written.
fn refuses(climb: &Climb, commands: &[(&[&str], &str)]) {
    let before = climb.arena.files();
    for (words, says) in commands {
        climb.arena.call(words).ends_with(2).says(says);
        assert!(climb.arena.files() == before, "{words:?} left a trace");
    }
}

const REASON: [&str; 2] = ["--reason", "a test asks"];

fn system<'a>(change: &'a str, name: &'a str) -> [&'a str; 5] {
    ["system", change, name, REASON[0], REASON[1]]
}

#[test]
fn an_era_needs_a_first_batch_under_a_protocol_with_a_ladder_and_a_name_of_its_own() {
    let climb = Climb::of(&["a", "b"]);
    let plain = climb.cup_under("ply_cap = 40", &["a", "b"]);
    climb.arena.run(&plain).ends_with(0);
    let start = ["era", "start", "e", "--placement"];
    refuses(
        &climb,
        &[
            (&[&start[..], &["cup"]].concat(), "has no ladder"),
            (&[&start[..], &["mug"]].concat(), "mug"),
            (
                &[&start[..], &["cup", "--protocol", "x"]].concat(),
                "needs a first batch of its own",
            ),
            (&["era", "close", "e"], "no era is named e; there is none"),
            (&["schedule", "next"], "there is none"),
        ],
    );
    let climb = Climb::placed(&["a", "b"]);
    refuses(
        &climb,
        &[
            (
                &["era", "start", "2026", "--placement", "cup"],
                "a name that no other era has",
            ),
            (&["era", "start", "e", "--placement", "cup"], "2026 goes on"),
        ],
    );
}

#[test]
fn a_status_that_cannot_follow_is_refused_with_what_can() {
    let climb = Climb::placed(&["a", "b", "c"]);
    refuses(
        &climb,
        &[
            (&system("resume", "a"), "a is active already"),
            (&system("restore", "a"), "a is active already"),
            (&system("pause", "x"), "no system is named x"),
            (&system("withdraw", "a"), "scoresheet system retire a"),
            (&["system", "pause", "a", "--reason", " "], "reason"),
        ],
    );
    climb.system("pause", "a").ends_with(0);
    refuses(
        &climb,
        &[
            (&system("pause", "a"), "a is paused already"),
            (&system("restore", "a"), "resume ends a pause"),
        ],
    );
    climb.system("retire", "a").ends_with(0);
    refuses(
        &climb,
        &[
            (&system("resume", "a"), "restore brings it back"),
            (&system("retire", "a"), "a is retired already"),
            (
                &system("withdraw", "a"),
                "a is retired and not withdrawn: it has left the ladder",
            ),
        ],
    );
    climb
        .system("restore", "a")
        .ends_with(0)
        .says("a is active now");
}

#[test]
fn who_is_on_the_ladder_is_no_newcomer_and_nobody_is_one_before_it_has_ranks() {
    let climb = Climb::placed(&["a", "b"]);
    let admit = ["schedule", "admit", "a", "--cohort"];
    refuses(
        &climb,
        &[
            (
                &[&admit[..], &["late"]].concat(),
                "its identity is on the ladder already",
            ),
            (
                &["schedule", "admit", "x", "--cohort", "late"],
                "no system is named x",
            ),
        ],
    );
    let climb = Climb::of(&["a", "b", "new"]);
    let cup = climb.cup(&["a", "b"]);
    climb
        .arena
        .call(&["run", cup.to_str().unwrap(), "--games", "1"])
        .ends_with(0);
    climb.start();
    let before = climb.arena.files().len();
    for (options, says) in [
        (&["--admit"][..], "its first batch is not complete"),
        (&[], "not on the ladder of era 2026: new"),
    ] {
        climb
            .run(&["a", "b", "new"], options)
            .ends_with(2)
            .says(says);
    }
    assert_eq!(climb.arena.files().len(), before);
}

#[test]
fn a_newcomer_that_is_admitted_by_hand_is_played_by_a_run() {
    let climb = Climb::placed(&["a", "b", "c"]);
    // Registered elsewhere, by a round robin of its own.
    let text = std::fs::read_to_string(climb.cup_under(RULES, &["a", "b"])).unwrap();
    let text = text.replace("cohort = \"cup\"", "cohort = \"mug\"");
    let text = text
        .replace("\"b\"", "\"new\"")
        .replace("nodes = 21", "nodes = 98");
    let mug = climb.arena.write("mug.toml", &text);
    climb
        .arena
        .call(&["run", mug.to_str().unwrap(), "--games", "1"])
        .ends_with(0);
    let admit = ["schedule", "admit", "new", "2026", "--cohort", "late"];
    let dry = climb.arena.call(&[&admit[..], &["--dry-run"]].concat());
    dry.ends_with(0).says("\"rule\":\"newcomer\"");
    climb
        .arena
        .call(&admit)
        .ends_with(0)
        .says("admitted new as late: 6 games against 3 opponents");
    climb
        .arena
        .call(&["schedule", "next"])
        .says("placement of a newcomer late, game 1 of 6");
    // Who is not in the run file cannot play, and the ladder waits for nobody else.
    let absent = climb.run(&["a", "b", "c"], &[]);
    absent.ends_with(2).says("the ladder may want new");
    assert_eq!(climb.codes(), []);
}

#[test]
fn a_game_by_hand_is_between_two_of_the_run_file_who_may_play() {
    let climb = Climb::placed(&["a", "b", "c"]);
    climb.system("pause", "c").ends_with(0);
    let before = climb.arena.bench.findings().len();
    for (white, black, says) in [
        (
            "a",
            "x",
            "the run file has no engine x; a manual game is between two of its engines: a, b, c",
        ),
        ("y", "x", "no engine y and no engine x"),
        ("x", "x", "no engine x;"),
        ("a", "a", "a cannot play against itself"),
        ("a", "c", "c cannot play now: it is paused"),
    ] {
        let ran = climb.run(&["a", "b", "c"], &["--manual", white, black]);
        ran.ends_with(2).says(says);
    }
    assert_eq!(climb.arena.bench.findings().len(), before);
    // Another build of an engine is registered when a run starts, and not for a
    // game that is refused.
    climb.rewrite("b", "true;");
    let renamed = climb
        .ladder_text(&["a", "b", "c"])
        .replace("\"b\"", "\"b2\"");
    let file = climb.arena.write("renamed.toml", &renamed);
    let files = climb.arena.files();
    for pair in [["a", "x"], ["b2", "b2"], ["b2", "c"]] {
        let words = [&["run", file.to_str().unwrap(), "--manual"][..], &pair].concat();
        climb.arena.call(&words).ends_with(2);
        assert!(climb.arena.files() == files, "{pair:?} left a trace");
    }
    let cup = climb.cup(&["a", "b", "c"]);
    let words = ["run", cup.to_str().unwrap(), "--manual", "a", "b"];
    climb
        .arena
        .call(&words)
        .ends_with(2)
        .says("a run file that says `era`");
    assert_eq!(climb.codes(), []);
}

#[test]
fn a_first_batch_for_a_ladder_has_each_identity_once() {
    let climb = Climb::of(&["a", "b"]);
    let text = std::fs::read_to_string(climb.cup(&["a", "b"])).unwrap();
    let twins = text.replace("nodes = 21", "nodes = 20");
    let file = climb.arena.write("twins.toml", &twins);
    let words = ["run", file.to_str().unwrap()];
    refuses(&climb, &[(&words, "a and b are one identity")]);
    let measured = "ply_cap = 40\nladder = { reach = 3, window_hours = 24 }\n\
                    adjudication = { win = { cp = 500, positions = 3 } }";
    let measured = text.replace(RULES, measured);
    let file = climb.arena.write("measured.toml", &measured);
    let words = ["run", file.to_str().unwrap()];
    refuses(&climb, &[(&words, "no `adjudication` beside a `ladder`")]);
    // Where no ladder follows, engines may be compared with themselves.
    let plain = twins.replace(RULES, "ply_cap = 40");
    let file = climb.arena.write("plain.toml", &plain);
    climb.arena.run(&file).ends_with(0);
}
