//! Run folders of `llm_chess`, made by hand.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{bodies, project, survives, told};
use crate::story::TIME;

fn player(name: &str, model: &str, wrong: u32) -> Value {
    json!({"model": model, "name": name, "wrong_actions": 0, "wrong_moves": wrong})
}

fn game(winner: &str, reason: &str, plies: u32, material: [u32; 2], pgn: &str) -> Value {
    json!({
        "material_count": {"black": material[1], "white": material[0]},
        "number_of_moves": plies, "pgn": pgn,
        "player_black": player("Player_Black", "some-model-0528", 2),
        "player_white": player("Random_Player", "N/A", 0),
        "reason": reason, "time_started": "2026.03.08_17:54",
        "usage_stats": {
            "black": {
                "some-model": {"completion_tokens": 7, "cost": 0, "prompt_tokens": 5, "total_tokens": 12},
                "total_cost": 0,
            },
            "white": {"total_cost": 0},
        },
        "winner": winner,
    })
}

fn pgn(moves: &str, result: &str) -> String {
    format!(
        "[White \"Player White\"]\n[Black \"Player Black\"]\n[Result \"{result}\"]\n\n{moves}  {result}"
    )
}

fn mate() -> Value {
    let pgn = pgn("1. f3 e5 2. g4 Qh4#", "0-1");
    game("Player_Black", "Checkmate", 4, [39, 39], &pgn)
}

/// The documents of a run: a mate, an error that its PGN calls a draw, a ply
/// limit, a forfeit, words that nobody knows, and a game whose figures are wrong.
pub(crate) fn samples() -> Vec<(&'static str, Value)> {
    let drawn = pgn("1. Nf3", "1/2-1/2");
    let mut older = game("Random_Player", "Too many wrong actions", 9, [39, 39], "");
    older.as_object_mut().unwrap().remove("pgn");
    vec![
        ("1.json", mate()),
        ("2.json", game("NONE", "ERROR OCCURED", 1, [39, 39], &drawn)),
        (
            "3.json",
            game("NONE", "Max moves reached", 1, [39, 39], &drawn),
        ),
        ("4.json", older),
        ("5.json", game("NONE", "Solar flare", 1, [39, 39], &drawn)),
        (
            "6.json",
            game(
                "Random_Player",
                "Checkmate",
                5,
                [38, 39],
                &pgn("1. f3 e5 2. g4 Qh4#", "0-1"),
            ),
        ),
    ]
}

#[test]
fn a_run_is_one_source_and_its_aggregate_is_held_against_its_games() {
    let bundle = project();
    for (name, document) in samples() {
        bundle.write(&format!("run/{name}"), document.to_string().as_bytes());
    }
    let run = json!({"config": {"max_game_moves": 200}, "llm_configs": {"black": {"api_key": "REDACTED"}}});
    bundle.write("run/_run.json", run.to_string().as_bytes());
    let aggregate =
        json!({"black_wins": 1, "draws": 3, "total_games": 6, "total_moves": 21, "white_wins": 2});
    bundle.write(
        "run/_aggregate_results.json",
        aggregate.to_string().as_bytes(),
    );
    let path = bundle.at("run");
    let path = path.to_str().unwrap();
    let args = [
        "import",
        "llm-chess",
        path,
        "--time",
        TIME,
        "--format",
        "json",
    ];
    let report: Value = serde_json::from_str(&bundle.must(&args)).unwrap();
    let mut page = told(&report);
    for kind in ["import.started", "game.imported", "import.finished"] {
        for mut said in bodies(&bundle, kind) {
            let fields = said.as_object_mut().unwrap();
            for field in ["blob", "bytes", "faults", "import", "sha256", "start"] {
                fields.remove(field);
            }
            if kind == "game.imported" && fields["number"] != 1 {
                fields.remove("details");
            }
            writeln!(page, "{kind} {said}").unwrap();
        }
    }
    insta::assert_snapshot!(page);
    assert_eq!(bundle.run(&["verify"]).code, 0);
    let again: Value = serde_json::from_str(&bundle.must(&args)).unwrap();
    assert_eq!(again["sources"][0]["how"], "known");
    assert_eq!(
        bundle
            .run(&["import", "llm-chess", bundle.at("ledger").to_str().unwrap()])
            .code,
        2
    );
}

#[test]
fn each_figure_of_a_published_table_follows_differs_or_cannot_be_derived() {
    let bundle = project();
    for (name, document) in samples() {
        bundle.write(&format!("run/{name}"), document.to_string().as_bytes());
    }
    bundle.write("run/_run.json", b"{}");
    let table = "Player,games,wins,draws,losses,points,forfeits,errors,prompt_tokens,cost_usd,rating\n\
                 some-model-0528,6,1,4,1,1.5,1,3,30,0,1500\n\n\
                 Player,games,wins,draws,losses,points,forfeits,errors,prompt_tokens,cost_usd,rating\n\
                 Nobody,1,,,,,,,,,\n";
    bundle.write("table.csv", table.as_bytes());
    let json = json!([{"name": "Random_Player", "wins": 1, "points": 1.5, "rank": 2, "reasoning_tokens": null}]);
    bundle.write("table.json", json.to_string().as_bytes());
    let [run, csv, json] = ["run", "table.csv", "table.json"].map(|path| bundle.at(path));
    let [run, csv, json] = [&run, &csv, &json].map(|path| path.to_str().unwrap());
    let start = [
        "import",
        "llm-chess",
        run,
        "--time",
        TIME,
        "--format",
        "json",
        "--claims",
    ];
    let mut page = String::new();
    for end in [vec![csv, "--column", "name=Player"], vec![json]] {
        let report = bundle.must(&[&start[..], &end].concat());
        let report: Value = serde_json::from_str(&report).unwrap();
        for figure in report["claims"].as_array().unwrap() {
            writeln!(page, "{figure}").unwrap();
        }
    }
    insta::assert_snapshot!(page);
    let told = bundle.must(
        &[
            &start[..6],
            &["text", "--claims", csv, "--column", "name=Player"],
        ]
        .concat(),
    );
    assert!(
        told.contains("4, a difference of 3: errors are counted as draws"),
        "{told}"
    );
    for wrong in [vec![csv], vec![csv, "--column", "elo=rating"]] {
        assert_eq!(bundle.run(&[&start[..], &wrong].concat()).code, 2);
    }
}

#[test]
fn every_truncation_and_every_flipped_byte_is_survived() {
    survives("llm_chess", mate().to_string().as_bytes());
}
