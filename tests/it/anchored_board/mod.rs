//! Ratings against anchors as boards show them: golden pages that a person can
//! read, and the laws of a board on which everybody stands alone.

mod contest;
mod laws;

use scoresheet::event::Origin;
use scoresheet::ledger::{Waivers, create, put_blob};
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::story::{RUN_FILE, TIME, by};

pub(crate) use contest::{Contest, Course, Setting};

/// The ledger of a contest on disk.
pub(crate) fn bundle(contest: &Contest) -> Bundle {
    let bundle = Bundle::empty();
    let origin: Origin = "t".parse().unwrap();
    create(&bundle.disk(), origin, TIME.parse().unwrap(), by()).unwrap();
    put_blob(&bundle.disk(), RUN_FILE, &Waivers::default()).unwrap();
    bundle.append(&contest.events);
    bundle
}

const ANCHORS: &[(&str, u32)] = &[("low", 1000), ("high", 1400)];

/// Two-game mini-matches from two starts: `even` wins some and loses some, one
/// by forfeit, one is cut off; `lost` loses everything; one game of `lost` is
/// still open, and one was played again.
pub(crate) fn contest() -> Contest {
    use Course::{BlackMates, PlyLimit, Repetition, WhiteForfeits, WhiteMates};
    let mut contest = Contest::new(&Setting {
        rule: "mini_matches",
        anchors: ANCHORS,
        systems: &["even", "lost"],
        starts: 2,
        terms: json!({}),
    });
    contest.price("2", "10");
    for (start, even) in [
        (0, [WhiteMates, BlackMates, PlyLimit, WhiteMates]),
        (1, [WhiteMates, Repetition, WhiteForfeits, WhiteMates]),
    ] {
        contest.on(1 + start);
        let mut courses = even.into_iter();
        for (anchor, is_last) in [("low", false), ("high", start == 1)] {
            for is_white in [true, false] {
                let cell = contest.cell("even", anchor, start, is_white);
                let game = contest.play(cell, courses.next().unwrap());
                if start == 0 {
                    contest.measure(game);
                }
            }
            for (is_white, course) in [(true, BlackMates), (false, WhiteMates)] {
                let cell = contest.cell("lost", anchor, start, is_white);
                if is_last && is_white {
                    contest.abort(cell);
                    contest.play(cell, course);
                } else if !is_last {
                    contest.play(cell, course);
                }
            }
        }
    }
    contest
}

fn json_of(contest: &Contest, args: &[&str]) -> Value {
    let text = bundle(contest).must(&[args, &["--format", "json"]].concat());
    serde_json::from_str(&text).unwrap()
}

fn row<'a>(board: &'a Value, system: &str) -> &'a Value {
    let mut rows = board["rows"].as_array().unwrap().iter();
    rows.find(|row| row["system"] == system).unwrap()
}

#[test]
fn a_board_shows_ratings_bounds_endpoints_readings_moves_and_resources() {
    let contest = contest();
    assert_eq!(contest.codes(), [""; 0]);
    let bundle = bundle(&contest);
    let text = bundle.must(&["board", "anchored"]);
    insta::assert_snapshot!("anchored_board", text);
    assert!(
        text.lines().all(|line| line.chars().count() <= 110),
        "{text}"
    );
    insta::assert_snapshot!(
        "anchored_csv",
        bundle.must(&["board", "anchored", "c", "--format", "csv"])
    );
    let page = bundle.must(&["board", "anchored", "--format", "markdown"]);
    assert!(
        page.starts_with("# Anchored board of cohort c, protocol p\n"),
        "{page}"
    );
}

#[test]
fn the_two_games_of_a_mini_match_have_one_round_and_are_found_again_in_the_pgn() {
    let bundle = bundle(&contest());
    let pgn = bundle.must(&["export", "pgn"]);
    let rounds = pgn.lines().filter(|line| line.starts_with("[Round "));
    let rounds: std::collections::BTreeSet<_> = rounds.collect();
    assert_eq!(
        rounds.len(),
        15,
        "every game has a round of its own: {rounds:?}"
    );
    assert!(rounds.contains("[Round \"1.1\"]") && rounds.contains("[Round \"1.2\"]"));
    bundle.write("games.pgn", pgn.as_bytes());
    bundle.write("anchors.csv", b"anchor,elo\nlow,1000\nhigh,1400\n");
    let paths = ["games.pgn", "anchors.csv"].map(|name| bundle.at(name));
    let [games, anchors] = paths.each_ref().map(|path| path.to_str().unwrap());
    let fit = bundle.must(&["measure", "anchored", "--pgn", games, "--anchors", anchors]);
    assert!(
        fit.contains("4 mini-matches of two games, 0 alone"),
        "{fit}"
    );
    assert!(
        fit.contains("3 mini-matches of two games, 1 alone"),
        "{fit}"
    );
}

#[test]
fn everything_lost_is_a_bound_and_no_number_and_half_matches_are_said() {
    let board = json_of(&contest(), &["board", "anchored"]);
    let lost = row(&board, "lost");
    assert_eq!(lost.get("rating"), None);
    assert_eq!(lost["rating_kind"], "at_most");
    assert_eq!(lost["promotion"], "not promoted: every game was lost");
    assert_eq!(
        (&lost["games"], &lost["whole_matches"]),
        (&json!("7"), &json!("3"))
    );
    assert_eq!(
        (&lost["half_matches"], &lost["cells_open"]),
        (&json!("1"), &json!("1"))
    );
    assert_eq!(
        (&lost["provider_failures"], &lost["cells_replaced"]),
        (&json!("1"), &json!("1"))
    );
    let even = row(&board, "even");
    assert_eq!(
        (&even["rating_kind"], even.get("bound")),
        (&json!("estimate"), None)
    );
    assert_eq!(
        (&even["forfeits"], &even["without_forfeits_games"]),
        (&json!("1"), &json!("7"))
    );
    let rating = |field: &str| even[field].as_str().unwrap().parse::<f64>().unwrap();
    assert!(
        rating("rating") < rating("without_forfeits"),
        "a forfeit is a loss"
    );
    assert_eq!(board["is_primary_scale"], false);
    assert_eq!(board["scale_in_words"], "the local scale test-scale");
}

#[test]
fn moves_are_graded_where_both_positions_were_measured_and_nothing_is_zero_elsewhere() {
    let board = json_of(&contest(), &["board", "anchored"]);
    let even = row(&board, "even");
    // Of the first start everything was measured, but for what a mate ended.
    let number = |field: &str| even[field].as_str().unwrap().parse::<u32>().unwrap();
    assert!(0 < number("graded") && number("graded") < number("moves"));
    let lost = row(&board, "lost");
    let own = |field: &str| lost[field].as_str().unwrap().to_owned();
    assert_eq!(own("moves").parse::<u32>().unwrap(), 2 * 4 + 3 * 3);
    let mut silent = Contest::new(&Setting {
        rule: "mini_matches",
        anchors: ANCHORS,
        systems: &["even", "lost"],
        starts: 1,
        terms: json!({}),
    });
    let cell = silent.cell("even", "low", 0, true);
    silent.play(cell, Course::PlyLimit);
    let board = json_of(&silent, &["board", "anchored"]);
    let even = row(&board, "even");
    assert_eq!(
        (&even["moves"], &even["graded"]),
        (&json!("4"), &json!("0"))
    );
    for field in [
        "accuracy_percent",
        "blunders",
        "best_moves",
        "wdl_regret",
        "last_measured",
    ] {
        assert_eq!(even.get(field), None, "{field}");
    }
    assert_eq!(board["without_games"], json!(["lost"]));
}

#[test]
fn a_system_whose_games_were_all_aborted_has_a_row_without_a_rating() {
    let mut contest = Contest::new(&Setting {
        rule: "anchored",
        anchors: ANCHORS,
        systems: &["even", "broken"],
        starts: 1,
        terms: json!({}),
    });
    let color = |contest: &Contest, name: &str| {
        let colors = [true, false];
        let mut found = colors.into_iter().filter_map(|is_white| {
            let mut cells = contest.cells.iter();
            let name_of = |id| contest.names[id].as_str();
            cells.position(|cell| {
                let seats = [&cell.seats.white, &cell.seats.black].map(name_of);
                seats
                    == if is_white {
                        [name, "low"]
                    } else {
                        ["low", name]
                    }
            })
        });
        found.next().unwrap()
    };
    let cell = color(&contest, "even");
    contest.play(cell, Course::WhiteForfeits);
    let cell = color(&contest, "broken");
    contest.abort(cell);
    let board = json_of(&contest, &["board", "anchored"]);
    let broken = row(&board, "broken");
    assert_eq!(
        [
            &broken["games"],
            &broken["provider_failures"],
            &broken["rating_kind"]
        ],
        [&json!("0"), &json!("1"), &json!("no_fit")]
    );
    assert_eq!((broken.get("rating"), broken.get("bound")), (None, None));
    assert_ne!(broken["cells_open"], json!("0"));
    assert_eq!(board["without_games"], json!(["broken"]));
    // One game a start and anchor is no mini-match, and a forfeit is somebody's.
    let even = row(&board, "even");
    assert_eq!(
        (even.get("whole_matches"), even.get("half_matches")),
        (None, None)
    );
    let count = |field: &str| even[field].as_str().unwrap().parse::<u32>().unwrap();
    assert_eq!(count("forfeits") + count("anchor_forfeits"), 1);
    assert_eq!(even["uncensored_games"], json!("1"));
    let bundle = bundle(&contest);
    for format in ["text", "markdown", "csv"] {
        let page = bundle.must(&["board", "anchored", "--format", format]);
        assert!(page.contains("broken"), "{page}");
    }
}

#[test]
fn costs_are_tokens_at_list_price_whatever_was_charged_and_engines_have_none() {
    let mut contest = Contest::new(&Setting {
        rule: "mini_matches",
        anchors: ANCHORS,
        systems: &["talker"],
        starts: 1,
        terms: json!({}),
    });
    contest.price("2", "10");
    let cell = contest.cell("talker", "low", 0, true);
    let game = contest.start(cell);
    let talker = contest.cells[cell].seats.white;
    contest.ask(game, talker, 1, [1_000_000, 100_000]);
    contest.say(crate::story::accepted(game, 1, "e2e4"));
    contest.say(scoresheet::event::MoveRejected {
        attempt: 1_u32.into(),
        bodies: Vec::new(),
        call: None,
        class: scoresheet::chess::RejectionClass::Empty,
        extracted: String::new(),
        game,
        ply: scoresheet::chess::Ply(2),
    });
    contest.say(scoresheet::event::GameFinished {
        game,
        plies: 1_u32.into(),
        result: scoresheet::chess::GameResult::WhiteWins,
        termination: scoresheet::chess::Termination::RejectedMoves,
    });
    let board = json_of(&contest, &["board", "anchored"]);
    let talker = row(&board, "talker");
    assert_eq!(
        (&talker["list_usd"], &talker["list_usd_of"]),
        (&json!("3"), &json!("1/1"))
    );
    assert_eq!(
        (&talker["time_ms"], &talker["routes"]),
        (&json!("2000"), &json!("1"))
    );
    // The anchor forfeited, and nothing is left without forfeits.
    assert_eq!(talker.get("without_forfeits_kind"), None);
    assert_eq!(
        (&talker["forfeits"], &talker["rating_kind"]),
        (&json!("0"), &json!("at_least"))
    );
    let promotion = talker["promotion"].as_str().unwrap();
    assert!(
        promotion.starts_with("not promoted: not shown above the next anchor high"),
        "{promotion}"
    );
}

#[test]
fn declared_terms_are_said_and_a_record_that_they_do_not_allow_has_no_fit() {
    let mut contest = Contest::new(&Setting {
        rule: "anchored",
        anchors: ANCHORS,
        systems: &["even"],
        starts: 2,
        terms: json!({"color_effect": "20", "draw_rate": "0"}),
    });
    for cell in 0..contest.cells.len() {
        contest.play(cell, Course::Repetition);
    }
    let bundle = bundle(&contest);
    let text = bundle.must(&["board", "anchored"]);
    let words: Vec<_> = text.split_whitespace().collect();
    let text = words.join(" ");
    for said in [
        "| even | no fit |",
        "No fit of even: the declared draw rate is 0 and the record has draws",
        "Draw rate between equals (d0): declared 0. Color effect (gamma): declared 20 points.",
        "clusters (all games from one start)",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn a_cohort_without_anchors_has_no_such_board() {
    let played = Bundle::played();
    let outcome = played.run(&["board", "anchored"]);
    assert_eq!(outcome.code, 2);
    assert_eq!(played.run(&["board", "anchored", "t"]).code, 2);
}

#[test]
fn two_systems_are_compared_by_their_cells_against_the_same_anchors() {
    let contest = contest();
    let bundle = bundle(&contest);
    insta::assert_snapshot!("compared", bundle.must(&["compare", "even", "lost"]));
    let found = json_of(&contest, &["compare", "even", "lost"]);
    let turned = json_of(&contest, &["compare", "lost", "even"]);
    let mut pairs: Vec<_> = found["pentanomial"].as_array().unwrap().clone();
    pairs.reverse();
    assert_eq!(&Value::from(pairs), &turned["pentanomial"]);
    assert_eq!(
        (&found["basis"], &found["unpaired"]),
        (&json!("common_anchors"), &json!(1))
    );
    assert_eq!(bundle.run(&["compare", "even", "even"]).code, 2);
    assert_eq!(bundle.run(&["compare", "even", "nobody"]).code, 2);
    assert_eq!(
        bundle
            .run(&["compare", "even", "lost", "--elo0", "5", "--elo1", "5"])
            .code,
        2
    );
    assert_eq!(
        bundle
            .run(&["compare", "even", "lost", "--alpha", "0.5"])
            .code,
        2
    );
}

#[test]
fn two_systems_of_a_pool_are_compared_by_their_games() {
    let played = Bundle::played();
    let text = played.must(&["compare", "a", "b"]);
    insta::assert_snapshot!("compared_in_a_pool", text);
}

#[test]
fn the_index_has_anchors_openings_measurements_and_the_ratings_of_the_board() {
    let contest = contest();
    let bundle = bundle(&contest);
    bundle.must(&["index"]);
    let index = rusqlite::Connection::open(bundle.at("ledger/index.sqlite")).unwrap();
    let texts = |query: &str| crate::rows::texts(&index, query);
    assert_eq!(
        texts(
            "SELECT systems.name, anchors.rating, basis FROM cohort_anchors
            JOIN anchors ON anchors.id = cohort_anchors.anchor
            JOIN systems ON systems.id = cohort_anchors.system ORDER BY position"
        ),
        [["low", "1000", "nominal"], ["high", "1400", "nominal"]]
    );
    assert_eq!(
        texts("SELECT DISTINCT opening, opening_moves FROM cells ORDER BY cell_index"),
        [["", ""], ["prefix-0", "a2a3 a7a6"]]
    );
    let measured = "SELECT count(*), min(nodes), max(score_cp) FROM position_measurements";
    let measured = texts(measured).concat();
    assert!(
        measured[0].parse::<u32>().unwrap() > 10 && measured[1] == "1000",
        "{measured:?}"
    );
    let board = json_of(&contest, &["board", "anchored"]);
    for field in [
        "rating_kind",
        "rating",
        "bound",
        "interval_low",
        "interval_basis",
        "without_forfeits",
        "promotion",
    ] {
        let found = texts(&format!(
            "SELECT systems.name, {field} FROM anchored_standings
            JOIN systems ON systems.id = system ORDER BY position"
        ));
        let shown: Vec<_> = board["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                [&row["system"], &row[field]]
                    .map(|text| text.as_str().unwrap_or_default().to_owned())
            })
            .collect();
        assert_eq!(found, shown, "{field}");
    }
}
