//! Published and computed reference vectors for Glicko-2, read when they are
//! at hand.
//!
//! The file stands beside the project, not in it, so that a checkout alone
//! passes without it; the figures that must never change are pinned in
//! `glicko2.rs`.

use serde_json::Value;

use crate::measure::{Bout, Rating, update, update_over};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../shared/data/vectors/glicko2.json"
);

fn vectors() -> Option<Value> {
    let text = std::fs::read_to_string(FILE).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

/// A number, which the file writes as a number or, with all its digits, as a
/// text.
fn number(value: &Value) -> f64 {
    let text = value.as_str().map(str::to_owned);
    text.unwrap_or_else(|| value.to_string()).parse().unwrap()
}

fn rating(value: &Value) -> Rating {
    let part = |index: usize, name| value.get(index).unwrap_or_else(|| &value[name]);
    Rating {
        rating: number(part(0, "rating")),
        deviation: number(part(1, "rd")),
        volatility: number(part(2, "vol")),
    }
}

fn half_points(value: &Value) -> u8 {
    match value.as_f64() {
        Some(0.0) => 0,
        Some(0.5) => 1,
        Some(1.0) => 2,
        _ => panic!("no points: {value}"),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn assert_near(found: &Rating, expected: &Value, case: &Value) {
    let expected = rating(expected);
    assert!(
        (found.rating - expected.rating).abs() < 1e-8,
        "{case}: {found:?}"
    );
    assert!(
        (found.deviation - expected.deviation).abs() < 1e-8,
        "{case}: {found:?}"
    );
    assert!(
        (found.volatility - expected.volatility).abs() < 1e-11,
        "{case}: {found:?}"
    );
}

#[test]
fn single_periods_agree_with_the_vectors() {
    let Some(vectors) = vectors() else { return };
    for case in list(&vectors["single_player_periods"]) {
        let bouts: Vec<_> = list(&case["games"])
            .iter()
            .map(|game| Bout {
                opponent_rating: number(&game["opp_rating"]),
                opponent_deviation: number(&game["opp_rd"]),
                half_points: half_points(&game["score"]),
                count: 1,
            })
            .collect();
        let found = update(&rating(&case["player"]), &bouts, number(&case["tau"])).unwrap();
        assert_near(&found, &case["expected"], &case["id"]);
    }
}

#[test]
fn games_without_growth_agree_with_the_vectors() {
    let Some(vectors) = vectors() else { return };
    for case in list(&vectors["two_player_no_inflation"]) {
        let (white, black) = (rating(&case["white"]), rating(&case["black"]));
        let points = half_points(&case["white_score"]);
        let tau = number(&case["tau"]);
        let found = update_over(&white, &[Bout::one(&black, points)], tau, 0).unwrap();
        assert_near(&found, &case["expected_white"], &case["id"]);
        let found = update_over(&black, &[Bout::one(&white, 2 - points)], tau, 0).unwrap();
        assert_near(&found, &case["expected_black"], &case["id"]);
    }
}

#[test]
fn games_one_after_another_agree_with_the_vectors() {
    let Some(vectors) = vectors() else { return };
    for case in list(&vectors["sequential"]) {
        let mut players = std::collections::BTreeMap::new();
        for (name, start) in case["init"].as_object().unwrap() {
            players.insert(name.as_str(), rating(start));
        }
        let periods = u32::from(case["step6_inflation"].as_bool().unwrap());
        let tau = number(&case["tau"]);
        for game in list(&case["games"]) {
            let names = [&game["white"], &game["black"]].map(|name| name.as_str().unwrap());
            // Both are rated from what they were before the game.
            let [white, black] = names.map(|name| players[name]);
            let points = half_points(&game["white_score"]);
            for (name, player, opponent, points) in [
                (names[0], white, black, points),
                (names[1], black, white, 2 - points),
            ] {
                let bout = Bout::one(&opponent, points);
                let found = update_over(&player, &[bout], tau, periods).unwrap();
                assert_near(&found, &game["after"][name], &case["id"]);
                players.insert(name, found);
            }
        }
        for (name, found) in &players {
            assert_near(found, &case["final"][name], &case["id"]);
        }
    }
}

#[test]
fn placement_periods_agree_with_the_vectors() {
    let Some(vectors) = vectors() else { return };
    for case in list(&vectors["rating_periods"]) {
        for (name, start) in case["init"].as_object().unwrap() {
            let mut bouts = Vec::new();
            for game in list(&case["games"]) {
                let points = half_points(&game[2]);
                for (player, opponent, points) in [(0, 1, points), (1, 0, 2 - points)] {
                    if game[player] == **name {
                        let opponent = game[opponent].as_str().unwrap();
                        bouts.push(Bout::one(&rating(&case["init"][opponent]), points));
                    }
                }
            }
            let found = update(&rating(start), &bouts, number(&case["tau"])).unwrap();
            assert_near(&found, &case["final"][name], &case["id"]);
        }
    }
}
