//! What a file of vectors may not look like, and that the message leads there.

use scoresheet::measure::Vectors;
use serde_json::{Value, json};

use crate::measure::changed;

fn refusal(file: &Value) -> String {
    Vectors::parse(file.to_string().as_bytes())
        .unwrap_err()
        .to_string()
}

/// The small file with another value in this place.
fn with(place: &str, value: Value) -> Value {
    changed(|file| *file.pointer_mut(place).unwrap() = value)
}

/// The small file without this key, or with one more.
fn members(place: &str, change: impl FnOnce(&mut serde_json::Map<String, Value>)) -> Value {
    changed(|file| {
        change(file.pointer_mut(place).unwrap().as_object_mut().unwrap());
    })
}

#[test]
#[rustfmt::skip]
fn a_key_that_is_missing_is_named_with_its_section_and_case() {
    for (place, key, case, field) in [
        ("/single_player_periods/0", "tau", "\"one\"", "tau"),
        ("/single_player_periods/0", "id", "1", "id"),
        ("/single_player_periods/0", "player", "\"one\"", "player"),
        ("/single_player_periods/0", "games", "\"one\"", "games"),
        (
            "/single_player_periods/0/player",
            "vol",
            "\"one\"",
            "player.vol",
        ),
        (
            "/single_player_periods/0/games/0",
            "score",
            "\"one\"",
            "games[0].score",
        ),
        (
            "/single_player_periods/0/expected",
            "rd",
            "\"one\"",
            "expected.rd",
        ),
        ("/two_player_no_inflation/0", "white", "\"two\"", "white"),
        (
            "/two_player_no_inflation/0",
            "white_score",
            "\"two\"",
            "white_score",
        ),
        (
            "/sequential/0",
            "step6_inflation",
            "\"three\"",
            "step6_inflation",
        ),
        ("/sequential/0", "init", "\"three\"", "init"),
        (
            "/sequential/0/games/0",
            "black",
            "\"three\"",
            "games[0].black",
        ),
        (
            "/sequential/0/games/0/after",
            "B",
            "\"three\"",
            "games[0].after.B",
        ),
        ("/sequential/0/final", "A", "\"three\"", "final.A"),
        (
            "/rating_periods/0/final/B",
            "rating",
            "\"four\"",
            "final.B.rating",
        ),
    ] {
        let refused = refusal(&members(place, |members| {
            members.remove(key).unwrap();
        }));
        let section = place.split('/').nth(1).unwrap();
        let wanted = format!(
            "section {section}, case {case}, field {field}: expected a value, found no such key"
        );
        assert_eq!(refused, wanted);
    }
}

#[test]
#[rustfmt::skip]
fn a_key_that_nobody_knows_is_refused_wherever_it_stands() {
    let places = [
        "",
        "/single_player_periods/0",
        "/single_player_periods/0/player",
        "/single_player_periods/0/games/0",
        "/single_player_periods/0/expected",
        "/two_player_no_inflation/0",
        "/sequential/0",
        "/sequential/0/games/0",
        "/rating_periods/0",
        "/rating_periods/0/final/B",
    ];
    for place in places {
        let refused = refusal(&members(place, |members| {
            members.insert("surprise".to_owned(), json!(1));
        }));
        assert!(refused.contains("found the key `surprise`"), "{refused}");
        assert!(refused.contains("expected only the keys `"), "{refused}");
    }
    let misspelled = members("", |members| {
        let cases = members.remove("sequential").unwrap();
        members.insert("sequental".to_owned(), cases);
    });
    assert!(refusal(&misspelled).contains("found the key `sequental`, near `sequential`"));
    for place in [
        "/sequential/0/games/0/after",
        "/sequential/0/final",
        "/rating_periods/0/final",
    ] {
        let refused = refusal(&members(place, |members| {
            members.insert("Z".to_owned(), json!([1, 2, 3]));
        }));
        assert!(
            refused.ends_with("expected players who are rated here, found \"Z\""),
            "{refused}"
        );
    }
}

/// What is expected and found where a field of the case `one` says this.
fn refused_in_one(place: &str, value: Value) -> String {
    let refused = refusal(&with(&format!("/single_player_periods/0{place}"), value));
    let one = "section single_player_periods, case \"one\", field ";
    refused.strip_prefix(one).unwrap().to_owned()
}

#[test]
#[rustfmt::skip]
fn what_is_no_number_is_refused_in_whatever_spelling() {
    for (value, found) in [
        (json!("NaN"), "the text \"NaN\""),
        (json!("inf"), "the text \"inf\""),
        (json!("+1"), "the text \"+1\""),
        (json!("1."), "the text \"1.\""),
        (json!(" 1"), "the text \" 1\""),
        (json!("0x10"), "the text \"0x10\""),
        (json!(""), "the text \"\""),
        (json!("1".repeat(60) + "x"), "a text of 63 bytes"),
        (json!(null), "null"),
        (json!(true), "true"),
        (json!([1]), "a list"),
        (json!({}), "an object"),
    ] {
        let refused = refused_in_one("/games/0/opp_rating", value);
        assert_eq!(refused, format!("games[0].opp_rating: expected a number, found {found}"));
    }
}

#[test]
#[rustfmt::skip]
fn a_value_out_of_its_range_or_form_is_refused() {
    for (place, value, wanted) in [
        ("/tau", json!("1e999"), "tau: expected a number that 64 bits can hold, found the text \"1e999\""),
        ("/tau", json!(-1), "tau: expected a number from 0, found the number -1"),
        ("/player/rd", json!(-0.5), "player.rd: expected a number from 0, found the number -0.5"),
        ("/player/vol", json!("-1"), "player.vol: expected a number from 0, found the text \"-1\""),
        ("/games/0/score", json!(0.75), "games[0].score: expected 0, 0.5 or 1, found the number 0.75"),
        ("/games/0/score", json!(2), "games[0].score: expected 0, 0.5 or 1, found the number 2"),
        ("/player", json!([1, 2]), "player: expected rating, rd and vol, found a list of 2"),
        ("/player", json!(7), "player: expected an object, found the number 7"),
        ("/expected", json!({"rating": 1}), "expected.rd: expected a value, found no such key"),
        ("/games", json!({}), "games: expected a list, found an object"),
    ] {
        assert_eq!(refused_in_one(place, value), wanted);
    }
}

#[test]
#[rustfmt::skip]
fn what_does_not_fit_the_rest_of_its_case_is_refused() {
    let three = "section sequential, case \"three\", field";
    let four = "section rating_periods, case \"four\", field";
    for (place, value, wanted) in [
        ("/sequential", json!({}), "section sequential: expected a list, found an object".to_owned()),
        ("/sequential/0", json!(3), "section sequential, case 1: expected an object, found the number 3".to_owned()),
        ("/sequential/0/id", json!(3), "section sequential, case 1, field id: expected a text of 1 to 100 bytes, found the number 3".to_owned()),
        ("/sequential/0/step6_inflation", json!(1), format!("{three} step6_inflation: expected true or false, found the number 1")),
        ("/sequential/0/games/0/white", json!("C"), format!("{three} games[0].white: expected a player of init, found \"C\"")),
        ("/sequential/0/games/0/white", json!("B"), format!("{three} games[0]: expected two players, found one against itself")),
        ("/rating_periods/0/games/0/1", json!("C"), format!("{four} games[0][1]: expected a player of init, found \"C\"")),
        ("/rating_periods/0/games/0", json!(["A", "B"]), format!("{four} games[0]: expected white, black and White's points, found 2 of them")),
        ("/rating_periods/0/games/0/2", json!(3), format!("{four} games[0][2]: expected 0, 0.5 or 1, found the number 3")),
    ] {
        assert_eq!(refusal(&with(place, value)), wanted);
    }
}

#[test]
#[rustfmt::skip]
fn a_key_or_an_id_that_stands_twice_is_refused() {
    let text = changed(|_| ()).to_string();
    let twice = text.replacen("\"tau\":0.5", "\"tau\":0.5,\"tau\":0.7", 1);
    let refused = Vectors::parse(twice.as_bytes()).unwrap_err().to_string();
    assert!(refused.ends_with("expected each key once in an object, found the key `tau` again"));
    let twice = text.replacen('{', "{\"sequential\":[],", 1);
    let refused = Vectors::parse(twice.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("`sequential` again"), "{refused}");
    let doubled = changed(|file| {
        let cases = file["sequential"].as_array_mut().unwrap();
        cases.push(cases[0].clone());
    });
    let refused = refusal(&doubled);
    assert!(
        refused.starts_with("section sequential, case 2, field id:"),
        "{refused}"
    );
    assert!(refused.ends_with("\"three\" again"), "{refused}");
}
