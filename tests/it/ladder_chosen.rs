//! What was not chosen as the rules choose is found, by `verify` and by
//! `schedule check`.

use scoresheet::chess::{Fen, Variant};
use scoresheet::event::{DrawMade, EventId, GameStarted, Seats, Stage, Start};
use scoresheet::finding::Code;
use scoresheet::projection::{Draw, NextGame, Projection};

use crate::climb::Climb;

const ALL: &[&str] = &["a", "b", "c"];

/// The game that a person starts in the name of a stage.
fn start(
    projection: &Projection,
    stage: Stage,
    draw: Option<EventId>,
    seats: [&str; 2],
) -> GameStarted {
    let system = |name: &str| {
        let name = name.parse().unwrap();
        projection.systems.system_named(&name).unwrap().id
    };
    GameStarted {
        billing: None,
        cell: None,
        draw,
        opening: None,
        protocol: projection.eras.named("2026").unwrap().started.protocol,
        seats: Seats {
            white: system(seats[0]),
            black: system(seats[1]),
        },
        stage,
        start: Start {
            fen: Fen::standard_start(),
            variant: Variant::Standard,
        },
    }
}

/// What the next draw could be, whatever the seed says: every choice that some
/// seed permits.
fn permitted(projection: &Projection) -> Vec<DrawMade> {
    let era = projection.eras.named("2026").unwrap();
    // Appended at the time of tests, when no game had been played.
    let at = scoresheet::canonical::Time::from_unix_ms(1).unwrap();
    let NextGame::Draw { number, eligible } = projection.next_game(era, at) else {
        panic!("no draw is due")
    };
    let mut made = Vec::new();
    for picked in &eligible {
        for other in &eligible {
            for (white, black) in [(picked, other), (other, picked)] {
                made.push(DrawMade {
                    black: black.system,
                    eligible: eligible.clone(),
                    era: era.id,
                    number: u32::try_from(number).unwrap().into(),
                    picked: picked.system,
                    white: white.system,
                });
            }
        }
    }
    let draw = Draw::new(era.id, number, &eligible, era.rule.reach.get());
    made.retain(|made| draw.permits(made));
    made
}

#[test]
fn a_picked_draw_is_found_once_the_seed_is_known_and_the_seed_is_told_all_the_same() {
    let climb = Climb::placed(ALL);
    // Of all choices that a seed permits one is the seed's; the others are picked.
    let permitted = permitted(&climb.projection());
    assert!(6 < permitted.len());
    let dry = climb.arena.call(&[
        "schedule",
        "next",
        "--dry-run",
        "--time",
        "1970-01-01T00:00:00.001Z",
    ]);
    let drawn = |made: &DrawMade| {
        let text = serde_json::to_string(made).unwrap();
        dry.out.contains(&text)
    };
    assert_eq!(
        permitted.iter().filter(|made| drawn(made)).count(),
        1,
        "{dry:?}"
    );
    let picked = permitted.iter().find(|made| !drawn(made)).unwrap();
    climb.arena.append(picked.clone());
    assert_eq!(climb.codes(), [], "nobody can tell yet");
    climb.run(ALL, &["--games", "1"]).ends_with(0);
    let check = || climb.arena.call(&["schedule", "check", "2026"]);
    check().ends_with(0).says("the seed is not revealed yet");
    climb
        .arena
        .call(&["era", "close", "2026"])
        .ends_with(1)
        .says("draw-refuted");
    assert_eq!(climb.codes(), [Code::DrawRefuted]);
    check()
        .ends_with(1)
        .says("only 0 of 1 draw are what the seed gives")
        .says("not chosen");
}

#[test]
fn a_choice_that_no_seed_could_make_is_found_at_once() {
    let climb = Climb::placed(ALL);
    let mut made = permitted(&climb.projection()).remove(0);
    made.black = made.white;
    climb.arena.append(made);
    assert_eq!(climb.codes(), [Code::DrawContradicted]);
    climb
        .arena
        .call(&["schedule", "check"])
        .ends_with(1)
        .says("draw-contradicted");
}

#[test]
fn a_second_draw_while_one_waits_is_found() {
    let climb = Climb::placed(ALL);
    let made = permitted(&climb.projection()).remove(0);
    climb.arena.append(made.clone());
    let second = DrawMade {
        number: 1_u32.into(),
        ..made
    };
    climb.arena.append(second);
    assert_eq!(climb.codes(), [Code::DrawContradicted]);
}

#[test]
fn a_game_of_the_ladder_that_nothing_drew_is_found() {
    let climb = Climb::placed(ALL);
    climb
        .arena
        .append(start(&climb.projection(), Stage::Ladder, None, ["a", "b"]));
    assert_eq!(climb.codes(), [Code::GameUnchosen]);
    climb
        .arena
        .call(&["schedule", "check"])
        .ends_with(1)
        .says("1 by nothing")
        .says("game-unchosen");
}

#[test]
fn a_game_with_the_colors_of_its_draw_reversed_is_found() {
    let climb = Climb::placed(ALL);
    let projection = climb.projection();
    let made = permitted(&projection).remove(0);
    let [white, black] = [&made.white, &made.black].map(|id| projection.name_of(id));
    let draw = climb.arena.append(made);
    climb.arena.append(start(
        &projection,
        Stage::Ladder,
        Some(draw),
        [&black, &white],
    ));
    assert_eq!(climb.codes(), [Code::GameUnchosen]);
    climb
        .arena
        .call(&["schedule", "check"])
        .ends_with(1)
        .says("not chosen");
}

#[test]
fn a_game_of_somebody_who_is_paused_or_at_another_game_is_found() {
    let climb = Climb::placed(ALL);
    let manual = |seats| start(&climb.projection(), Stage::Manual, None, seats);
    climb.arena.append(manual(["a", "b"]));
    assert_eq!(climb.codes(), [], "a person may choose");
    climb.arena.append(manual(["b", "c"]));
    assert_eq!(climb.codes(), [Code::SeatUnavailable], "b sits at a board");
    climb.system("pause", "c").ends_with(0);
    climb.arena.append(manual(["c", "a"]));
    let three = [Code::SeatUnavailable; 4];
    assert_eq!(
        climb.codes(),
        three,
        "c is paused and at a board, a at a board"
    );
    climb
        .arena
        .call(&["schedule", "check"])
        .ends_with(1)
        .says("seat-unavailable");
}

#[test]
fn a_draw_that_passes_over_a_newcomer_who_is_ready_is_found() {
    let climb = Climb::placed(&["a", "b", "c", "new"]);
    let made = permitted(&climb.projection()).remove(0);
    // Somebody else is admitted before the draw stands.
    let text = climb.ladder_text(&["a", "b", "c"]);
    let text = format!(
        "{text}{}",
        climb
            .ladder_text(&["new"])
            .replace("era = \"2026\"\n", "")
            .replace("\"new\"", "\"later\"")
            .replace("nodes = 23", "nodes = 97")
    );
    let file = climb.arena.write("later.toml", &text);
    let admitted = climb
        .arena
        .call(&["run", file.to_str().unwrap(), "--admit", "--games", "1"]);
    admitted.ends_with(0).says("newcomer game 1 of 8");
    climb.arena.append(made);
    assert_eq!(climb.codes(), [Code::DrawContradicted]);
    climb
        .arena
        .call(&["schedule", "check"])
        .says("no newcomer whose placement can go on");
}
