//! Anchor ladders: opponents follow from a system's own earlier results, and from
//! nothing else.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use scoresheet::chess::Color;
use scoresheet::event::{CorrectionRecorded, EventId};
use scoresheet::projection::{Allocation, Projection};
use serde_json::json;

use crate::anchored_board::{Contest, Course, Setting};
use crate::arena::{Arena, engine, games};
use crate::cup::{Cup, lost};
use crate::mortal::Part;
use crate::script::Script;
use crate::story::body;

const RUNGS: [(&str, u32); 4] = [("r0", 1000), ("r1", 1200), ("r2", 1400), ("r3", 1600)];
const SYSTEMS: [&str; 3] = ["x", "y", "z"];

fn contest(rungs: usize, systems: usize, starts: usize, rounds: usize, first: usize) -> Contest {
    let setting = Setting {
        rule: "anchor_ladder",
        anchors: &RUNGS[..rungs],
        systems: &SYSTEMS[..systems],
        starts,
        terms: json!({}),
    };
    Contest::on_a_ladder(&setting, rounds, first)
}

/// The first cell in which a game can be begun.
fn ready(contest: &Contest) -> Option<usize> {
    let schedule = contest.schedule();
    let mut cells = 0..schedule.cells.len();
    cells.find(|cell| schedule.games[*cell].is_empty() && schedule.is_settled(*cell))
}

/// The opponent of each mini-match of a system, and its half-points in each.
fn climb(contest: &Contest, system: EventId) -> Vec<(String, u8)> {
    let schedule = contest.schedule();
    let mut matches = Vec::new();
    for pair in schedule.games.chunks(2) {
        let games = pair.iter().map(|ids| {
            let [id] = ids[..] else {
                panic!("one game a cell")
            };
            contest.projection.games.game(&id).unwrap()
        });
        let games: Vec<_> = games.collect();
        let [white, black] = [&games[0].started.seats, &games[1].started.seats];
        if white.white != system {
            continue;
        }
        assert_eq!(
            (black.black, black.white),
            (system, white.black),
            "colors swapped"
        );
        let points = games[0].result().unwrap().half_points(Color::White)
            + games[1].result().unwrap().half_points(Color::Black);
        matches.push((contest.names[&white.black].clone(), points));
    }
    matches
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_system_climbs_by_its_own_earlier_results_whatever_others_do_and_when(
        (rungs, systems, starts, rounds) in (1..=4_usize, 1..=3_usize, 1..=3_usize, 1..=2_usize),
        first in any::<prop::sample::Index>(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 200),
        courses in prop::collection::vec(prop::sample::select(&Course::ALL[..]), 36),
    ) {
        let first = first.index(rungs);
        let mut contest = contest(rungs, systems, starts, rounds, first);
        let mut playing = Vec::new();
        for choice in choices.iter().cycle() {
            // Games begin in frozen order, and end in any.
            match ready(&contest) {
                Some(cell) if playing.is_empty() || choice.index(2) == 0 => {
                    playing.push((cell, contest.start(cell)));
                }
                _ if !playing.is_empty() => {
                    let (cell, game) = playing.swap_remove(choice.index(playing.len()));
                    contest.end(game, courses[cell]);
                }
                _ => break,
            }
        }
        prop_assert_eq!(contest.codes(), Vec::<&str>::new());
        for name in &SYSTEMS[..systems] {
            let system = *contest.names.iter().find(|(_, own)| own == name).unwrap().0;
            let matches = climb(&contest, system);
            prop_assert_eq!(matches.len(), starts * rounds);
            let mut rung = first;
            for (opponent, half_points) in &matches {
                prop_assert_eq!(opponent, RUNGS[rung].0);
                rung = match half_points {
                    4 => (rung + 1).min(rungs - 1),
                    0 => rung.saturating_sub(1),
                    _ => rung,
                };
            }
        }
        // From scratch, and by one that forgets, it is the same.
        for mut again in [Projection::default(), Projection::forgetful()] {
            for event in &contest.events {
                again.apply(event);
            }
            prop_assert!(again.schedules == contest.projection.schedules);
        }
    }
}

/// The name of the opponent in a cell, as the schedule has it now.
fn opponent(contest: &Contest, cell: usize) -> &str {
    let seats = contest.schedule().cells[cell].seats;
    let opponent = match Allocation::color_in(cell) {
        Color::White => &seats.black,
        Color::Black => &seats.white,
    };
    &contest.names[opponent]
}

#[test]
fn a_correction_moves_nobody_to_another_rung_whenever_it_comes() {
    let mut contest = contest(3, 1, 3, 1, 1);
    let won = contest.play(0, Course::WhiteMates);
    contest.play(1, Course::BlackMates);
    assert_eq!(opponent(&contest, 2), "r2");
    let exclude = |game| {
        body::<CorrectionRecorded>(json!({
            "change": "exclude", "evidence": "log", "reason": "a test", "targets": [game],
        }))
    };
    contest.say(exclude(won));
    assert_eq!(opponent(&contest, 2), "r2", "before the next game");
    let lost = contest.play(2, Course::BlackMates);
    contest.play(3, Course::WhiteMates);
    contest.play(4, Course::Repetition);
    contest.say(exclude(lost));
    assert_eq!(opponent(&contest, 5), "r1", "in the middle of a match");
    contest.play(5, Course::Repetition);
    assert_eq!(contest.codes(), Vec::<&str>::new());
    let seats = contest
        .projection
        .games
        .iter()
        .map(|game| game.started.seats.white);
    assert_eq!(seats.count(), 6);
}

#[test]
fn a_cell_that_is_played_again_keeps_its_opponent_and_the_next_match_waits() {
    let mut contest = contest(3, 1, 3, 1, 1);
    contest.play(0, Course::WhiteForfeits);
    contest.abort(1);
    assert!(
        !contest.schedule().is_settled(2),
        "half a match says nothing"
    );
    assert_eq!(opponent(&contest, 1), "r1");
    contest.play(1, Course::WhiteMates);
    assert!(contest.schedule().is_settled(2));
    assert_eq!(opponent(&contest, 2), "r0", "a forfeit is a loss");
    contest.play(2, Course::PlyLimit);
    contest.play(3, Course::BlackMates);
    assert_eq!(
        opponent(&contest, 4),
        "r0",
        "a game that was cut off counts as the protocol says"
    );
    assert_eq!(contest.codes(), Vec::<&str>::new());
}

/// Loses to whoever mates: with White by the fool's mate, with Black by the scholar's.
const MATED: &str = "f2f3 e7e5 g2g4 b8c6 a2a3 g8f6";
/// Mates whoever plays like that.
const MATES: &str = "e2e4 e7e5 d1h5 d8h4 f1c4 a7a6 h5f7";
/// Says no move, and is forfeit when it is its turn.
const FORFEITS: &str = "set -- '(none)';";

/// A run file of these on a ladder of anchors.
fn run_file(
    head: &str,
    protocol: &str,
    players: &[(&str, &Script)],
    anchors: &[(&str, &Script)],
) -> String {
    let mut text = format!(
        "cohort = \"ladder\"\n\
         {head}\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"anchored rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"ladder-1\"\n\
         preset = \"mini-matches\"\n\
         ply_cap = 40\n\
         anchored = {{ scale = \"local\" }}\n\
         {protocol}\n"
    );
    for (name, script) in players {
        write!(text, "[[engine]]\nname = \"{name}\"\n{}\n", engine(script)).unwrap();
    }
    for (number, (name, script)) in anchors.iter().enumerate() {
        let rating = 1000 + 200 * number;
        let engine = engine(script);
        write!(
            text,
            "[[anchor]]\nname = \"{name}\"\nrating = \"{rating}\"\n{engine}\n"
        )
        .unwrap();
    }
    text
}

/// The run file of one who climbs and falls and one who stays, and their scripts.
struct Climbers {
    scripts: [Script; 3],
}

impl Climbers {
    fn new() -> Self {
        Self {
            scripts: [
                Script::player("", MATED),
                Script::player(FORFEITS, MATED),
                Script::player("", MATES),
            ],
        }
    }

    fn file(&self, head: &str) -> String {
        let [mated, forfeits, mates] = &self.scripts;
        run_file(
            head,
            "allocator = { anchor_ladder = { start = \"weak\", rounds = 2 } }\n\
             [starts]\nstandard = 3",
            &[("climber", mated), ("stayer", forfeits)],
            &[("weak", forfeits), ("middle", forfeits), ("strong", mates)],
        )
    }
}

/// Whom each system met in each of its mini-matches, in turn.
fn opponents(arena: &Arena) -> BTreeMap<String, Vec<String>> {
    let mut met: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for pair in arena.games().chunks(2) {
        let seats = |line: &str| {
            let seats = line.split(' ').nth(1).unwrap().split_once('-').unwrap();
            (seats.0.to_owned(), seats.1.to_owned())
        };
        let [(system, opponent), (other, same)] = [seats(&pair[0]), seats(&pair[1])];
        assert_eq!((&other, &same), (&opponent, &system), "colors swapped");
        met.entry(system).or_default().push(opponent);
    }
    met
}

#[test]
fn a_run_climbs_and_falls_and_its_board_says_by_which_rule() {
    let players = Climbers::new();
    let arena = Arena::new();
    let file = arena.write("run.toml", &players.file(""));
    let path = file.to_str().unwrap();
    arena
        .call(&["run", path, "--dry-run"])
        .ends_with(0)
        .says("opponents follow from results: anchor ladder v1")
        .says("    4  weak - stayer\n    5  climber - by results\n    6  by results - climber\n")
        .says("climber: 12 games, 6 with White, 12 open\n");
    arena
        .call(&["run", path, "--games", "4"])
        .ends_with(0)
        .says("20 cells open");
    arena
        .call(&["run", path, "--dry-run"])
        .ends_with(0)
        .says("    5  climber - middle\n")
        .says("    9  climber - by results\n");
    arena
        .run(&file)
        .ends_with(0)
        .says("cohort ladder is terminal");
    let met = opponents(&arena);
    let climbed = ["weak", "middle", "strong", "middle", "strong", "middle"];
    assert_eq!(met["climber"], climbed);
    assert_eq!(met["stayer"], ["weak"; 6]);
    arena
        .call(&["board", "anchored"])
        .ends_with(0)
        .says("Allocation: adaptive: anchor ladder v1.\n");
    let board = arena.call(&["board", "anchored", "--format", "json"]);
    let board: serde_json::Value = serde_json::from_str(&board.ends_with(0).out).unwrap();
    assert_eq!(board["allocation"], "adaptive: anchor ladder v1");
    let notes = board["notes"].to_string();
    for said in [
        "Every system goes 2 times through the same starts",
        "its first mini-match is against weak",
        "which anchor each was against followed from the results before it",
    ] {
        assert!(notes.contains(said), "{said}: {notes}");
    }
    let climber = board["rows"].as_array().unwrap().iter();
    let mut climber = climber.filter(|row| row["system"] == "climber");
    let per_anchor = climber.next().unwrap()["per_anchor"].clone();
    let lost = json!({"d": 0, "l": 2, "w": 0});
    assert_eq!(
        per_anchor[2],
        json!({
            "anchor": "strong", "black": lost, "rating": "1400", "white": lost,
        })
    );
    let exported = arena.call(&["export", "pgn", "--cohort", "ladder"]);
    exported
        .ends_with(0)
        .says("[Black \"strong\"]")
        .says("[Round \"5.1\"]");
}

#[test]
fn games_side_by_side_are_the_matches_one_after_another() {
    let players = Climbers::new();
    let [serial, parallel] = ["", "parallel = 4"].map(|head| {
        let arena = Arena::new();
        let file = arena.write("run.toml", &players.file(head));
        arena.run(&file).ends_with(0);
        arena.games()
    });
    assert_eq!(parallel, serial);
}

#[test]
fn where_a_match_cannot_be_completed_the_rest_of_its_ladder_stays_open() {
    let [mated, forfeits] =
        [("", MATED), (FORFEITS, MATED)].map(|(first, moves)| Script::player(first, moves));
    let dies = Script::new("go) exit;;");
    let arena = Arena::new();
    let text = run_file(
        "",
        "replays_max = 1\n\
         allocator = { anchor_ladder = { start = \"weak\" } }\n\
         [starts]\nstandard = 3",
        &[("climber", &mated), ("stayer", &forfeits)],
        &[("weak", &forfeits), ("dead", &dies)],
    );
    let file = arena.write("run.toml", &text);
    arena
        .run(&file)
        .ends_with(1)
        .says("4 cells stay open, where engines failed more often than the protocol allows");
    let games = arena.games();
    let aborted: Vec<_> = games
        .iter()
        .filter(|game| game.contains(" aborted"))
        .collect();
    assert_eq!(
        aborted.len(),
        4,
        "both games of the match, twice: {games:#?}"
    );
    assert!(aborted.iter().all(|game| game.contains("dead")));
    assert_eq!(games.len() - aborted.len(), 2 + 6);
}

#[test]
fn killed_at_any_change_of_the_disk_a_ladder_is_climbed_to_the_same_end() {
    let [mated, forfeits, mates] = [("", MATED), (FORFEITS, MATED), ("", MATES)]
        .map(|(first, moves)| Script::player(first, moves));
    let text = run_file(
        "",
        "allocator = { anchor_ladder = { start = \"weak\", rounds = 3 } }\n\
         [starts]\nstandard = 1",
        &[("climber", &mated)],
        &[("weak", &forfeits), ("strong", &mates)],
    );
    let mut cup = Cup::of(&text, vec![mated, forfeits, mates]);
    cup.finish();
    let whole = games(&cup.arena.projection());
    let met: Vec<_> = whole
        .iter()
        .map(|game| game.split(' ').nth(1).unwrap())
        .collect();
    let expected = [
        "climber-weak",
        "weak-climber",
        "climber-strong",
        "strong-climber",
        "climber-weak",
        "weak-climber",
    ];
    assert_eq!(met, expected);
    for changes in (1..).step_by(11) {
        cup.clear();
        let last = if changes % 2 == 0 {
            Part::Third
        } else {
            Part::Whole
        };
        if cup.run_mortal(changes, last) {
            assert!(60 < changes, "{changes} changes are not all there is");
            break;
        }
        cup.finish();
        assert_eq!(
            games(&cup.arena.projection()),
            whole,
            "killed at change {changes}"
        );
    }
}

#[test]
fn killed_in_searches_the_program_climbs_the_ladder_to_the_same_end() {
    let kill = "n=0; [ -e n ] && read n <n; n=$((n + 1)); echo $n >n;\n\
                [ $((n % 3)) = 2 ] && { kill -9 $PPID; exit; };";
    let climbed = |kill: &str| {
        let [mated, forfeits, mates] = [(kill, MATED), (FORFEITS, MATED), ("", MATES)]
            .map(|(first, moves)| Script::player(first, moves));
        let text = run_file(
            "",
            "allocator = { anchor_ladder = { start = \"weak\", rounds = 3 } }\n\
             [starts]\nstandard = 1",
            &[("climber", &mated)],
            &[("weak", &forfeits), ("strong", &mates)],
        );
        let arena = Arena::new();
        let file = arena.write("run.toml", &text);
        let mut kills = 0;
        loop {
            let ran = arena.run(&file);
            if ran.code.is_some() {
                ran.ends_with(0).says("cohort ladder is terminal");
                break;
            }
            kills += 1;
            assert!(kills < 20, "no progress");
        }
        let projection = arena.projection();
        let board = arena.call(&["board", "anchored", "--format", "csv"]);
        (
            kills,
            lost(&projection),
            games(&projection),
            board.ends_with(0).out.clone(),
        )
    };
    let (kills, lost, killed, board) = climbed(kill);
    let (none, _, whole, undisturbed) = climbed("");
    assert_eq!(none, 0);
    assert!(3 <= kills, "{kills}");
    // One call was in flight each time, and every move that was answered stands once.
    assert_eq!(lost, kills);
    assert_eq!(killed, whole);
    assert_eq!(results(&board), results(&undisturbed));
}

/// The board, but for the calls that failed, for their time and for registrations.
fn results(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let named = |name: &str| {
        let words = ["call", "time", "id", "reported", "nodes", "ms"];
        !words.iter().any(|word| name.contains(word))
    };
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let cells = headers
            .iter()
            .zip(row.iter())
            .filter(|(name, _)| named(name));
        cells.map(|(name, cell)| format!("{name}={cell}")).collect()
    });
    rows.collect()
}

#[test]
fn what_a_run_file_says_of_a_ladder_fits_together() {
    let players = Climbers::new();
    let good = players.file("");
    let arena = Arena::new();
    for (from, to, says) in [
        (
            "start = \"weak\"",
            "start = \"nobody\"",
            "the name of an [[anchor]]",
        ),
        ("rounds = 2", "rounds = 0", "one or more `rounds`"),
        ("rounds = 2", "rounds = 9000", "at most 100000 games"),
        (
            "rating = \"1200\"",
            "rating = \"1000\"",
            "weak before middle",
        ),
        (
            "\"mini-matches\"\nply_cap",
            "\"anchored\"\nply_cap",
            "beside the preset \"mini-matches\" alone",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        let file = arena.write("run.toml", &good.replacen(from, to, 1));
        arena.run(&file).ends_with(2).says(says);
    }
    assert_eq!(arena.events().len(), 1, "nothing was written");
    // What is said of the default is the default.
    let fixed = good.replacen(
        "{ anchor_ladder = { start = \"weak\", rounds = 2 } }",
        "\"fixed\"",
        1,
    );
    let file = arena.write("run.toml", &fixed);
    arena
        .call(&["run", file.to_str().unwrap(), "--dry-run"])
        .ends_with(0)
        .says("36 games, not registered yet");
}
