//! Levels of weaker anchors: fitted to games against nominal ones, frozen, and
//! registered.

use scoresheet::canonical::Count;
use scoresheet::event::{AnchorBasis, Event, Verified, What};
use scoresheet::ledger::read_blob;
use scoresheet::manifest::{self, AnchorFit, LevelStanding};
use serde_json::{Value, json};

use crate::anchored_board::{bundle, contest};
use crate::anchors::{QUEEN_LOST, QUEEN_WINS, STOCKFISH, run_file};
use crate::arena::{Arena, engine};
use crate::bundle::Bundle;
use crate::script::Script;
use crate::story::TIME;

const REGISTER: [&str; 8] = [
    "anchor",
    "fit",
    "c",
    "--register",
    "--by",
    "t",
    "--time",
    TIME,
];

fn last_line(bundle: &Bundle) -> String {
    let events = String::from_utf8(bundle.read("ledger/events/000000.jsonl")).unwrap();
    events.lines().last().unwrap().to_owned()
}

#[test]
fn who_scored_both_ways_gets_a_level_and_who_lost_everything_a_bound() {
    let bundle = bundle(&contest());
    let text = bundle.must(&["anchor", "fit", "c"]);
    insta::assert_snapshot!(text);
    let said = bundle.must(&["anchor", "fit", "c", "--format", "json"]);
    let fit: AnchorFit = serde_json::from_str(&said).unwrap();
    let standings: Vec<_> = fit.levels.iter().map(|level| level.standing).collect();
    for (standing, count) in [
        (LevelStanding::Pinned, 2),
        (LevelStanding::Fitted, 1),
        (LevelStanding::AtMost, 1),
    ] {
        let found = standings.iter().filter(|one| **one == standing).count();
        assert_eq!(found, count, "{standing:?}");
    }
    // Declared constants stand in the fit, and change it.
    let args = [
        "--draw-rate",
        "0.1",
        "--color-effect",
        "-20.5",
        "--format",
        "json",
    ];
    let other = bundle.must(&[&["anchor", "fit", "c"], &args[..]].concat());
    let other: AnchorFit = serde_json::from_str(&other).unwrap();
    assert_eq!(other.draw_rate.value.to_string(), "0.1");
    assert_eq!(other.color_effect.declared.unwrap().to_string(), "-20.5");
    assert_ne!(other.levels, fit.levels);
}

#[test]
fn a_registered_level_names_its_frozen_fit_which_the_games_before_it_give() {
    let bundle = bundle(&contest());
    let args = REGISTER;
    let dry = bundle.must(&[&args[..], &["--dry-run"]].concat());
    let said = bundle.must(&args);
    assert!(said.contains("registered 1 anchor"), "{said}");
    let line = last_line(&bundle);
    assert!(dry.ends_with(&format!("{line}\n")), "{dry}");
    let event: Verified<Event> = Verified::parse(line.as_bytes()).unwrap();
    let What::AnchorRegistered(anchor) = &event.what else {
        panic!("{line}");
    };
    assert_eq!(anchor.basis, AnchorBasis::Fitted);
    let bytes = read_blob(&bundle.disk(), &anchor.fit.unwrap()).unwrap();
    let fit: AnchorFit = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(manifest::file(&fit).unwrap(), bytes, "one canonical line");
    assert_eq!(fit.fitted(&anchor.system), Some(anchor.rating));
    let events = contest().events.len() + 1;
    assert_eq!(
        fit.checkpoint.size,
        Count::from(u32::try_from(events).unwrap())
    );
    let list = bundle.must(&["anchor", "list"]);
    assert!(
        list.contains(&format!("even  {} fitted by the fit ", anchor.rating)),
        "{list}"
    );
    assert!(list.contains("low  1000 nominal\n"), "{list}");
    // A rating that is fixed stays.
    let again = bundle.run(&args);
    assert_eq!(again.code, 2, "{}", again.out);
    assert_eq!(last_line(&bundle), line);
}

#[test]
fn a_run_file_takes_a_fitted_anchor_by_its_name_once_it_has_a_level() {
    let arena = Arena::new();
    let player = Script::player("", QUEEN_LOST);
    let first = run_file(&player, STOCKFISH, QUEEN_WINS);
    let file = arena.write("first.toml", &first);
    arena.run(&file).ends_with(0);
    let of_player = engine(&player);
    let second = first
        .replacen("cohort = \"anchored\"", "cohort = \"second\"", 1)
        .replacen("name = \"player\"", "name = \"newcomer\"", 1);
    let second = format!("{second}[[anchor]]\nname = \"player\"\nfitted = true\n{of_player}\n");
    let file = arena.write("second.toml", &second);
    arena
        .run(&file)
        .ends_with(2)
        .says("anchor player has no fitted rating");
    let fit = arena.call(&["anchor", "fit", "anchored", "--format", "json"]);
    fit.ends_with(0);
    arena
        .call(&["anchor", "fit", "anchored", "--register"])
        .ends_with(0);
    arena.run(&file).ends_with(0);
    let board = arena.call(&["board", "anchored", "second", "--format", "json"]);
    let board: Value = serde_json::from_str(&board.ends_with(0).out).unwrap();
    let fitted = json!({"basis": "fitted", "name": "player", "rating": "1410"});
    assert_eq!(board["anchors"][2], fitted);
    assert!(
        board["notes"]
            .to_string()
            .contains("marked fitted were fitted")
    );
    let both = second.replacen("fitted = true", "fitted = true\nrating = \"1400\"", 1);
    let file = arena.write("both.toml", &both);
    arena.run(&file).ends_with(2).says("or `fitted = true`");
}
