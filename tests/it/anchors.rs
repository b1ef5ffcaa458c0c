//! Systems against fixed opponents: who plays whom from where, measured and
//! adjudicated as it is played.

use std::fmt::Write as _;

use proptest::prelude::*;
use scoresheet::chess::{Color, GameResult, Termination, Variant, chess960_start};
use scoresheet::event::{
    AnchorSeat, CellStart, EventId, ScheduleCommitted, ScheduleRule, Stage, Start, What,
};
use scoresheet::projection::{Game, GameState, cells_of};

use crate::arena::{Arena, engine};
use crate::script::Script;

fn id(text: &str) -> EventId {
    EventId::of(text.as_bytes())
}

/// A schedule of so many systems, anchors and starts.
fn schedule(rule: ScheduleRule, systems: usize, anchors: usize, starts: u16) -> ScheduleCommitted {
    let anchor = |number| AnchorSeat {
        anchor: id(&format!("rating {number}")),
        system: id(&format!("anchor {number}")),
    };
    ScheduleCommitted {
        allocation: None,
        anchors: (0..anchors).map(anchor).collect(),
        cohort: "anchored".parse().unwrap(),
        era: None,
        preregistration: None,
        protocol: id("protocol"),
        rule,
        run_file: None,
        starts: (0..starts)
            .map(|number| CellStart {
                opening: None,
                start: Start {
                    fen: chess960_start(number).unwrap(),
                    variant: Variant::Chess960,
                },
            })
            .collect(),
        systems: (0..systems)
            .map(|number| id(&format!("system {number}")))
            .collect(),
    }
}

proptest! {
    #[test]
    fn every_system_plays_the_same_starts_in_the_same_order_against_the_same_anchors(
        (systems, anchors, starts) in (1..5_usize, 1..5_usize, 1..6_u16),
        pairs in any::<bool>(),
    ) {
        let rule = if pairs { ScheduleRule::MiniMatches } else { ScheduleRule::Anchored };
        let schedule = schedule(rule, systems, anchors, starts);
        let cells = cells_of(&schedule);
        let per_system: Vec<Vec<_>> = schedule.systems.iter().map(|system| {
            let own = cells.iter().filter_map(|cell| {
                let color = match system {
                    white if *white == cell.seats.white => Color::White,
                    black if *black == cell.seats.black => Color::Black,
                    _ => return None,
                };
                let opponent = if color == Color::White { cell.seats.black } else { cell.seats.white };
                Some((color, opponent, cell.start.clone()))
            });
            own.collect()
        }).collect();
        for own in &per_system {
            prop_assert_eq!(own, &per_system[0]);
            let opponents = own.iter().map(|(_, opponent, _)| opponent);
            prop_assert!(opponents.clone().all(|one| schedule.anchors.iter().any(|seat| seat.system == *one)));
            for (turn, (color, _, _)) in own.iter().enumerate() {
                let expected = if turn % 2 == 0 { Color::White } else { Color::Black };
                prop_assert_eq!(*color, expected, "colors alternate");
            }
            for seat in &schedule.anchors {
                let mine = own.iter().filter(|(_, opponent, _)| *opponent == seat.system);
                let whites = mine.clone().filter(|(color, _, _)| *color == Color::White).count();
                prop_assert!(whites.abs_diff(mine.count() - whites) <= 1, "each anchor with both colors");
            }
        }
        let games = if pairs { 2 } else { 1 };
        prop_assert_eq!(cells.len(), systems * anchors * usize::from(starts) * games);
    }
}

/// A run file of one player against two anchors, all of them scripts, with this
/// referee.
pub(crate) fn run_file(player: &Script, referee: &str, rules: &str) -> String {
    let player = engine(player);
    let mut text = format!(
        "cohort = \"anchored\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"the program does what it says\"\n\
         primary_endpoints = [\"anchored rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"anchored-1\"\n\
         preset = \"anchored\"\n\
         anchored = {{ scale = \"local\" }}\n\
         {rules}\n\
         [starts]\n\
         standard = 1\n\
         [analyst]\n\
         name = \"referee\"\n\
         {referee}\n\
         [[engine]]\n\
         name = \"player\"\n\
         {player}\n"
    );
    for rating in [1320, 1500] {
        let anchor = format!("name = \"anchor-{rating}\"\nrating = \"{rating}\"\n{player}\n");
        write!(text, "[[anchor]]\n{anchor}").unwrap();
    }
    text
}

/// Debian's Stockfish, one thread, so many nodes.
pub(crate) const STOCKFISH: &str = "command = \"stockfish\"\nnodes = 2000";

/// White loses the queen on ply 6, and it goes on.
pub(crate) const QUEEN_LOST: &str =
    "e2e4 e7e5 d1g4 d7d5 a2a3 c8g4 a3a4 g4e6 a4a5 a7a6 h2h3 h7h6 h3h4 h6h5";

pub(crate) const QUEEN_WINS: &str = "adjudication = { win = { cp = 500, positions = 3 } }";

fn ended(arena: &Arena) -> Vec<(u64, Option<GameResult>, Option<Termination>)> {
    let projection = arena.projection();
    let games = projection.games.iter();
    games
        .map(|game| (game.accepted, game.result(), game.termination()))
        .collect()
}

#[test]
fn a_side_that_is_far_ahead_over_the_stretch_wins_and_the_games_are_flagged() {
    let arena = Arena::new();
    let player = Script::player("", QUEEN_LOST);
    let file = arena.write("run.toml", &run_file(&player, STOCKFISH, QUEEN_WINS));
    arena
        .run(&file)
        .ends_with(0)
        .says("0-1 by adjudication after ");
    let [(plies, result, termination), again] = ended(&arena)[..] else {
        panic!("two games: {:?}", ended(&arena));
    };
    assert_eq!(again, (plies, result, termination));
    assert_eq!(
        (result, termination),
        (Some(GameResult::BlackWins), Some(Termination::Adjudication))
    );
    // The queen is there to be taken after ply 5, and three positions in a row say so.
    assert!((7..12).contains(&plies), "{plies}");
    let projection = arena.projection();
    assert_eq!(
        projection.measurements.count(),
        2 * plies,
        "every position after a move"
    );
    for game in projection.games.iter() {
        assert_eq!(game.started.stage, Stage::Anchored);
        assert!(game.termination().unwrap().is_censored());
    }
    // Played to the end already.
    arena.run(&file).ends_with(0).says("terminal");
}

#[test]
fn a_dead_level_stretch_is_drawn_and_chess_comes_first() {
    let arena = Arena::new();
    let player = Script::player("", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    let level = |positions: u32| {
        format!("adjudication = {{ level = {{ cp = 200, positions = {positions} }} }}")
    };
    let file = arena.write("run.toml", &run_file(&player, STOCKFISH, &level(4)));
    arena.run(&file).ends_with(0);
    let drawn = (4, Some(GameResult::Draw), Some(Termination::Adjudication));
    assert_eq!(ended(&arena), [drawn, drawn]);
    // The third repetition stands on the very ply that would fill the stretch.
    let arena = Arena::new();
    let file = arena.write("run.toml", &run_file(&player, STOCKFISH, &level(8)));
    arena.run(&file).ends_with(0);
    let repeated = (
        8,
        Some(GameResult::Draw),
        Some(Termination::ThreefoldRepetition),
    );
    assert_eq!(ended(&arena), [repeated, repeated]);
}

#[test]
fn a_referee_that_fails_aborts_games_and_never_decides_one() {
    let arena = Arena::new();
    let player = Script::player("", QUEEN_LOST);
    let dies = Script::new("go) exit;;");
    let file = arena.write("run.toml", &run_file(&player, &engine(&dies), QUEEN_WINS));
    let ran = arena.run(&file);
    ran.ends_with(1);
    let projection = arena.projection();
    assert!(0 < projection.games.count());
    for game in projection.games.iter() {
        assert_eq!(game.result(), None);
        assert!(matches!(game.state, GameState::Aborted { .. }));
        let reason = game.abort_reason.as_deref().unwrap();
        assert!(reason.contains("referee"), "{reason}");
    }
}

#[test]
fn from_every_event_on_another_run_comes_to_the_same_games() {
    let whole = Arena::new();
    let player = Script::player("", QUEEN_LOST);
    let text = run_file(&player, STOCKFISH, QUEEN_WINS);
    let file = whole.write("run.toml", &text);
    whole.run(&file).ends_with(0);
    let events = whole.events();
    let first = events
        .iter()
        .position(|event| matches!(event.what, What::WorkerStarted(_)));
    let second_game = events
        .iter()
        .rposition(|event| matches!(event.what, What::GameStarted(_)));
    let (first, end) = (first.unwrap(), second_game.unwrap() + 9);
    for kept in (first..end).step_by(5) {
        let arena = Arena::holding(&events[..kept], &whole);
        let file = arena.write("run.toml", &text);
        arena.run(&file).ends_with(0);
        assert_eq!(ended(&arena), ended(&whole), "after {kept} events");
        let projection = arena.projection();
        let plies = |game: &Game| game.accepted;
        let played: u64 = projection.games.iter().map(plies).sum();
        assert_eq!(
            projection.measurements.count(),
            played,
            "each position once"
        );
    }
}

/// What is put in the place of what, and what is said then.
fn faults() -> Vec<(&'static str, &'static str, &'static str)> {
    vec![
        ("[starts]\nstandard = 1\n", "", "[starts]"),
        ("standard = 1", "chess960 = [960]", "0 to 959"),
        ("standard = 1", "", "1 to 300 starts"),
        (
            "standard = 1",
            "prefixes = [{ name = \"x\", moves = \"e2e5\" }]",
            "legal moves",
        ),
        (
            "rating = \"1320\"\n",
            "",
            "a `rating` of the anchor anchor-1320, or `fitted = true`",
        ),
        (
            "rating = \"1320\"\n",
            "rating = \"1320\"\noptions = { UCI_Elo = 1400 }\n",
            "the `rating` of the anchor anchor-1320 to be its UCI_Elo, 1400",
        ),
        (
            "name = \"player\"\n",
            "name = \"player\"\nrating = \"1\"\n",
            "for anchors alone",
        ),
        (
            "preset = \"anchored\"\n",
            "ply_cap = 9\n",
            "beside the presets",
        ),
        (
            "anchored = { scale = \"local\" }\n",
            "",
            "`anchored` with its scale",
        ),
        (
            "preset = \"anchored\"",
            "preset = \"mini-matches\"",
            "a `ply_cap`",
        ),
        (
            "cp = 500, positions = 3",
            "cp = 500, positions = 0",
            "at least one position",
        ),
        (
            "scale = \"local\"",
            "scale = \"local\", draw_rate = \"1.5\"",
            "a share of draws from 0 to 0.7",
        ),
        ("name = \"referee\"", "name = \"player\"", "twice"),
    ]
}

#[test]
fn what_a_run_file_says_of_anchors_fits_together() {
    let player = Script::player("", QUEEN_LOST);
    let good = run_file(&player, STOCKFISH, QUEEN_WINS);
    let arena = Arena::new();
    for (from, to, says) in faults() {
        assert!(good.contains(from), "{from}");
        let file = arena.write("run.toml", &good.replacen(from, to, 1));
        arena.run(&file).ends_with(2).says(says);
    }
    let without = good
        .replacen("[analyst]\nname = \"referee\"\n", "", 1)
        .replacen(STOCKFISH, "", 1);
    let file = arena.write("run.toml", &without);
    arena
        .run(&file)
        .ends_with(2)
        .says("an [analyst] beside a protocol that measures");
    let unmeasured = good
        .replacen("preset = \"anchored\"", "preset = \"mini-matches\"", 1)
        .replacen(QUEEN_WINS, "ply_cap = 20", 1);
    let file = arena.write("run.toml", &unmeasured);
    arena
        .run(&file)
        .ends_with(2)
        .says("no [analyst] where the protocol has neither");
    assert_eq!(arena.events().len(), 1, "nothing was written");
}

#[test]
fn an_anchor_of_which_nothing_is_said_plays_half_a_second_a_move() {
    let player = Script::player("", QUEEN_LOST);
    let text = run_file(&player, STOCKFISH, QUEEN_WINS);
    let of_anchor = "rating = \"1320\"\n";
    let (before, after) = text.split_once(of_anchor).unwrap();
    let limit = after
        .lines()
        .find(|line| line.starts_with("nodes"))
        .unwrap();
    let text = format!("{before}{of_anchor}{}", after.replacen(limit, "", 1));
    let arena = Arena::new();
    let file = arena.write("run.toml", &text);
    arena.run(&file).ends_with(0);
    let projection = arena.projection();
    let limits = ["player", "anchor-1320"].map(|name| {
        let mut systems = projection.systems.systems().into_iter();
        let system = systems.find(|system| system.registered.name.as_str() == name);
        let engine = system.unwrap().registered.engine.clone().unwrap();
        engine.limit.movetime_ms.map(u64::from)
    });
    assert_eq!(limits, [None, Some(500)]);
}

#[test]
fn a_dry_run_shows_who_meets_whom_from_where() {
    let player = Script::player("", QUEEN_LOST);
    let good = run_file(&player, STOCKFISH, QUEEN_WINS);
    let arena = Arena::new();
    let file = arena.write(
        "run.toml",
        &good.replacen(
            "standard = 1",
            "prefixes = [{ name = \"sicilian\", moves = \"e2e4 c7c5\" }]",
            1,
        ),
    );
    let planned = arena.call(&["run", file.to_str().unwrap(), "--dry-run"]);
    planned
        .ends_with(0)
        .says("player - anchor-1320  from sicilian")
        .says("anchor-1500 - player  from sicilian");
}

#[test]
fn grades_come_from_the_analyst_of_the_run_file_and_take_what_was_measured_in_play() {
    let arena = Arena::new();
    let player = Script::player("", QUEEN_LOST);
    let file = arena.write("run.toml", &run_file(&player, STOCKFISH, QUEEN_WINS));
    arena.run(&file).ends_with(0);
    let path = file.to_str().unwrap();
    // Both games are the same: positions after moves, and the first one.
    let plies = ended(&arena)[0].0;
    let grade = |more: &[&str]| arena.call(&[&["grade", "--run-file", path], more].concat());
    grade(&["--dry-run"]).ends_with(0).says(&format!(
        "{} positions, 1 of them to be analyzed",
        plies + 1
    ));
    grade(&[]).ends_with(0);
    let projection = arena.projection();
    assert_eq!(projection.measurements.count(), 2 * plies + 1);
    let protocol = projection.systems.protocols().next().unwrap();
    let analyst = protocol.published.grading.unwrap().analyst;
    assert!(
        projection
            .measurements
            .iter()
            .all(|(content, _)| content.analyst == analyst)
    );
    grade(&[]).ends_with(0).says("0 of them to be analyzed");
    grade(&["--engine", "stockfish"]).ends_with(2);
}
