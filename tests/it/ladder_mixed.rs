//! A ladder of programs and baselines: they are placed, drawn and admitted like
//! engines.

use std::time::{Duration, Instant};

use scoresheet::event::{Stage, What};

use crate::climb::{Climb, RULES};
use crate::runs::FOOLS_MATE;

/// What stands in a run file of a first batch and of its ladder alike.
fn players(climb: &Climb, of_program: &str) -> String {
    // It answers the first move that it is told of, whatever that is.
    let answers = "request=$(cat); set -- $(echo \"$request\" | grep -o 'legal moves (UCI): [a-h][1-8][a-h][1-8]'); \
                   eval \"move=\\${$#}\"; echo \"{\\\"text\\\": \\\"$move\\\", \\\"usage\\\": {\\\"prompt\\\": 10, \\\"completion\\\": 2}}\"";
    let program = climb.arena.write("agent.sh", &format!("{answers}\n"));
    format!(
        "[[program]]\n\
         name = \"agent\"\n\
         command = \"sh\"\n\
         args = ['{}']\n\
         route = \"cli\"\n\
         model = \"test/agent\"\n\
         {of_program}\n\
         [[random]]\n\
         name = \"chance\"\n\
         seed = \"floor\"\n\
         [[scripted]]\n\
         name = \"book\"\n\
         white = \"f2f3 g2g4\"\n\
         black = \"e7e5 d8h4\"\n",
        program.display()
    )
}

#[test]
fn programs_and_baselines_climb_a_ladder() {
    let climb = Climb::of(&[]);
    let arena = &climb.arena;
    let rules = RULES.replace("40", "4");
    let who = players(&climb, "");
    let cup = crate::arena::run_file(&rules, &[]);
    let cup = arena.write("cup.toml", &format!("{cup}{who}"));
    arena.run(&cup).ends_with(0);
    climb.start();
    let newcomer = "[[random]]\nname = \"luck\"\nseed = \"other\"\n";
    let text = format!("era = \"2026\"\n{who}{newcomer}");
    let ladder = arena.write("ladder.toml", &text);
    let path = ladder.to_str().unwrap();
    let run = |options: &[&str]| arena.call(&[&["run", path], options].concat());
    run(&["--dry-run"]).ends_with(2).says("not on the ladder");
    run(&["--dry-run", "--admit"])
        .ends_with(0)
        .says("luck is admitted when the run starts")
        .says("agent with White in a game is first sent:")
        .says("agent with Black in a game, here after e2e4 is first sent:")
        .says("estimate for two games, one with each color")
        .says("agent: about ");
    // Six games against everyone who is ranked, and then what is drawn.
    let ran = run(&["--admit", "--games", "8"]);
    ran.ends_with(0)
        .says("newcomer game 6 of 6: ")
        .says("draw 1: ");
    assert_eq!(climb.codes(), []);
    let projection = climb.projection();
    let drawn = projection.games.iter();
    let drawn = drawn.filter(|game| game.started.stage == Stage::Ladder);
    assert_eq!(drawn.filter(|game| game.result().is_some()).count(), 2);
    // Other prompts than those of the first batch are refused, for programs too.
    let other = arena.write(
        "other.toml",
        &format!("{text}[prompts]\nchecklist = false\n"),
    );
    arena.run(&other).ends_with(2).says("prompts");
}

#[test]
fn a_program_that_is_told_of_the_game_alone_climbs_a_ladder_without_prompts() {
    let climb = Climb::of(&[]);
    let arena = &climb.arena;
    let rules = "ply_cap = 4\nladder = { reach = 5, window_hours = 48 }";
    let who = players(&climb, "").replace("agent.sh", "book.sh");
    let book = format!(
        "request=$(cat); moves=${{request#*'\"moves\":['}}; moves=${{moves%%]*}}\n\
         plies=$(echo \"$moves\" | tr ',' '\\n' | grep -c .)\n\
         set -- {FOOLS_MATE}; shift $plies; echo \"{{\\\"text\\\":\\\"$1\\\"}}\"\n"
    );
    arena.write("book.sh", &book);
    let cup = crate::arena::run_file(rules, &[]);
    let cup = arena.write("cup.toml", &format!("{cup}{who}"));
    arena.run(&cup).ends_with(0);
    climb.start();
    let ladder = arena.write("ladder.toml", &format!("era = \"2026\"\n{who}"));
    let words = ["run", ladder.to_str().unwrap(), "--games", "2"];
    arena.call(&words).ends_with(0).says("draw 1: ");
    assert_eq!(climb.codes(), []);
}

#[test]
fn a_program_is_started_as_often_a_minute_as_it_may() {
    let climb = Climb::of(&[]);
    let arena = &climb.arena;
    let who = players(&climb, "requests_per_minute = 240");
    let cup = crate::arena::run_file(&RULES.replace("40", "4"), &[]);
    let text = format!("{cup}{who}");
    let file = arena.write("cup.toml", &text);
    let began = Instant::now();
    arena.run(&file).ends_with(0);
    let calls = arena.events();
    let calls = calls.iter().filter_map(|event| match &event.what {
        What::CallAnswered(answered) if answered.tokens.is_some() => Some(answered.time),
        _ => None,
    });
    let calls: Vec<_> = calls.collect();
    assert!(4 <= calls.len());
    // A quarter of a second between two; the first one waits for nobody.
    let apart = u32::try_from(calls.len() - 1).unwrap();
    assert!(Duration::from_millis(250) * apart <= began.elapsed());
    assert!(calls.iter().any(|time| time.queue_ms.is_some()));
    let none = text.replacen("= 240", "= 0", 1);
    let none = arena.write("none.toml", &none);
    arena
        .run(&none)
        .ends_with(2)
        .says("`requests_per_minute` above 0");
}
