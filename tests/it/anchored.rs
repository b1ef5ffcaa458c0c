//! Our ratings against anchors beside those of others, and their laws.

use std::path::Path;

use proptest::prelude::*;
use scoresheet::measure::anchored::{
    AnchoredReport, AnchoredVectors, ColorEffect, DrawRate, End, Fit, Joint, MiniMatch,
    Performance, Record, Score, Seat, Side, SystemFit, Tally, Terms,
};
use serde_json::{Value, json};

use crate::program::{Outcome, scoresheet};

/// Vectors that were computed with 40 digits by a program of its own.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/anchored.json");

/// What stands beside the project, where it does.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data");

fn measured(args: &[&str]) -> Outcome {
    let args = [&["measure", "anchored"], args].concat();
    scoresheet(Path::new("no-ledger-is-needed"), &args)
}

#[test]
fn ratings_agree_with_those_that_others_computed() {
    let shared = format!("{SHARED}/vectors/anchored.json");
    for (path, n_figures) in [(OWN, 153), (&shared, 237)] {
        let Ok(bytes) = std::fs::read(path) else {
            assert_eq!(path, shared, "it stands in the project");
            continue;
        };
        let vectors = AnchoredVectors::parse(&bytes).unwrap();
        assert!(vectors.tolerance.is_of_file);
        let report = AnchoredReport::of(&vectors, true);
        let verdict = report.check.as_ref().unwrap();
        assert!(verdict.agreement.agrees(), "{report:#?}");
        assert_eq!(verdict.agreement.cases_not_compared, 0);
        assert_eq!(verdict.agreement.figures_compared, n_figures);
    }
}

fn record(rows: &[(f64, Seat, [u32; 3])]) -> Record {
    Record::of(
        rows.iter()
            .map(|(anchor, seat, [wins, draws, losses])| Score {
                anchor: *anchor,
                seat: *seat,
                tally: Tally {
                    wins: *wins,
                    draws: *draws,
                    losses: *losses,
                },
            }),
    )
    .unwrap()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
}

#[test]
#[rustfmt::skip]
fn the_table_of_ratings_holds_to_five_decimals() {
    let white = |anchor, tally| (anchor, Seat::White, tally);
    let far = [white(1320.0, [10, 0, 0]), white(2400.0, [0, 2, 8])];
    for (rows, score, joint, draw_rate) in [
        (&[white(1320.0, [6, 2, 2])][..], [1_467.190_714, 1_244.817_162, 1_733.788_983],
            [1_467.190_714, 1_268.265_149, 1_692.982_235], 0.224_009),
        (&[white(1500.0, [0, 10, 0])], [1500.0, 1_277.706_070, 1_722.293_930],
            [1500.0, 1_438.654_839, 1_561.345_161], 1.0),
        (&far, [2_045.684_382, 1_693.792_085, 2_317.019_742],
            [2_043.064_613, 1_806.228_464, 2_251.684_644], 1.0),
        (&[white(1500.0, [9, 1, 0])], [2_011.501_440, 1_653.148_960, 2_855.624_186],
            [2_011.501_440, 1_709.887_864, 2_508.887_626], 1.0),
        // Without a draw both are the same.
        (&[white(1500.0, [7, 0, 3])], [1_647.190_714, 1_424.817_162, 1_913.788_983],
            [1_647.190_714, 1_424.817_162, 1_913.788_983], 0.0),
    ] {
        let record = record(rows);
        let Ok(Fit::Finite(found)) = Performance::of(&record, 0.0) else { panic!("{rows:?}") };
        let [rating, low, high] = score;
        near(found.rating, rating);
        near(found.profile.low, low);
        near(found.profile.high, high);
        let Ok(Fit::Finite(found)) = Joint::of(&record, &Terms::FREE_DRAWS) else { panic!("{rows:?}") };
        let [rating, low, high] = joint;
        near(found.rating, rating);
        near(found.profile.low, low);
        near(found.profile.high, high);
        near(found.draw_rate, draw_rate);
    }
    for (tally, side, rating, next) in [
        ([10, 0, 0], Side::AtLeast, 1_682.729_096, 1682.0),
        ([0, 0, 10], Side::AtMost, 1_317.270_904, 1000.0),
    ] {
        let record = record(&[white(1500.0, tally)]);
        let Ok(Fit::Bounded(score)) = Performance::of(&record, 0.0) else { panic!("{tally:?}") };
        let Ok(Fit::Bounded(joint)) = Joint::of(&record, &Terms::FREE_DRAWS) else { panic!("{tally:?}") };
        assert_eq!((score.side, joint.side), (side, side));
        near(score.rating, rating);
        near(joint.rating, rating);
        // Promoted is who is shown to be above the next anchor.
        assert_eq!(score.promotes_above(next), side == Side::AtLeast);
        assert!(!score.promotes_above(rating + 1.0));
    }
}

fn any_match() -> impl Strategy<Value = MiniMatch> {
    let anchor = prop::sample::select(vec![-200.0, 1320.0, 1500.0, 1600.5, 4000.0]);
    (anchor, 0..3_u8, 0..3_u8).prop_map(|(anchor, white, black)| MiniMatch {
        anchor,
        white: Tally::one(white),
        black: Tally::one(black),
    })
}

fn any_terms() -> impl Strategy<Value = Terms> {
    let draws = prop_oneof![
        Just(DrawRate::Free),
        (0.01..0.7_f64).prop_map(DrawRate::Constant)
    ];
    let color = prop_oneof![
        Just(ColorEffect::Free { frozen: 0.0 }),
        (-60.0..60.0_f64).prop_map(ColorEffect::Constant)
    ];
    (draws, color).prop_map(|(draws, color)| Terms { draws, color })
}

/// The rating of a record on a scale that has the bounds at its ends.
fn height(record: &Record, terms: &Terms) -> f64 {
    match Joint::of(record, terms).unwrap() {
        Fit::Finite(joint) => joint.rating,
        Fit::Bounded(bound) if bound.side == Side::AtLeast => f64::INFINITY,
        Fit::Bounded(_) => f64::NEG_INFINITY,
    }
}

fn swapped(games: &MiniMatch) -> MiniMatch {
    MiniMatch {
        white: games.black,
        black: games.white,
        ..*games
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_order_of_games_and_other_systems_change_no_bit(
        (matches, shuffled) in prop::collection::vec(any_match(), 1..20)
            .prop_flat_map(|matches| (Just(matches.clone()), Just(matches).prop_shuffle())),
        terms in any_terms(),
        other in prop::collection::vec(any_match(), 1..20),
    ) {
        let fit = |matches: &[MiniMatch]| Joint::of(&Record::of_matches(matches).unwrap(), &terms);
        let found = fit(&matches);
        prop_assert_eq!(&found, &fit(&shuffled));
        // Each is fitted alone: there is nothing that another could move.
        let _other = fit(&other);
        prop_assert_eq!(&found, &fit(&matches));
    }

    #[test]
    fn with_colors_changed_the_color_effect_changes_its_sign_and_nothing_else(
        matches in prop::collection::vec(any_match(), 1..20),
        terms in any_terms(),
    ) {
        let mirrored: Vec<_> = matches.iter().map(swapped).collect();
        let mirrored_terms = Terms {
            color: match terms.color {
                ColorEffect::Constant(points) => ColorEffect::Constant(-points),
                free @ ColorEffect::Free { .. } => free,
            },
            ..terms
        };
        let fit = |matches: &[MiniMatch], terms: &Terms| {
            Joint::of(&Record::of_matches(matches).unwrap(), terms).unwrap()
        };
        match (fit(&matches, &terms), fit(&mirrored, &mirrored_terms)) {
            (Fit::Finite(one), Fit::Finite(two)) => {
                prop_assert!((one.log_likelihood - two.log_likelihood).abs() < 1e-7, "{:?} {:?}", one, two);
                // Where equals always draw, a top can be flat along a ridge.
                if one.draw_rate < 0.99 {
                    prop_assert!((one.rating - two.rating).abs() < 1e-4, "{:?} {:?}", one, two);
                    prop_assert!((one.color_effect + two.color_effect).abs() < 1e-4, "{:?} {:?}", one, two);
                }
                prop_assert!((one.profile.low - two.profile.low).abs() < 1e-3);
                prop_assert!((one.profile.high - two.profile.high).abs() < 1e-3);
            }
            (Fit::Bounded(one), Fit::Bounded(two)) => {
                prop_assert!((one.rating - two.rating).abs() < 1e-6);
            }
            found => prop_assert!(false, "{:?}", found),
        }
    }

    #[test]
    fn a_win_in_place_of_a_loss_never_lowers_the_score_s_rating(
        matches in prop::collection::vec(any_match(), 1..20),
        place in any::<prop::sample::Index>(),
    ) {
        let mut better = matches.clone();
        better[place.index(matches.len())].white = Tally::one(2);
        let rating = |matches: &[MiniMatch]| {
            match Performance::of(&Record::of_matches(matches).unwrap(), 0.0).unwrap() {
                Fit::Finite(fit) => fit.rating,
                Fit::Bounded(bound) if bound.side == Side::AtLeast => f64::INFINITY,
                Fit::Bounded(_) => f64::NEG_INFINITY,
            }
        };
        prop_assert!(rating(&matches) - 1e-9 <= rating(&better));
    }

    #[test]
    fn a_win_in_place_of_a_loss_never_lowers_the_joint_rating(
        matches in prop::collection::vec(any_match(), 1..20),
        share in 0.01..0.7_f64,
        place in any::<prop::sample::Index>(),
    ) {
        let mut better = matches.clone();
        let place = place.index(matches.len());
        better[place].white = Tally::one(2);
        prop_assume!(better[place].white != matches[place].white);
        let terms = Terms { draws: DrawRate::Constant(share), color: ColorEffect::Constant(0.0) };
        let height = |matches: &[MiniMatch]| height(&Record::of_matches(matches).unwrap(), &terms);
        prop_assert!(height(&matches) - 1e-7 <= height(&better));
    }

    #[test]
    fn clusters_of_one_mini_match_against_one_anchor_are_that_mini_match(
        matches in prop::collection::vec(any_match(), 1..16),
        terms in any_terms(),
        seed in any::<u64>(),
    ) {
        let matches: Vec<_> = matches
            .into_iter()
            .map(|games| MiniMatch { anchor: 1500.0, ..games })
            .collect();
        let clusters: Vec<_> = matches.iter().map(|games| vec![*games]).collect();
        prop_assert_eq!(
            SystemFit::of(&matches, &terms, 100, seed),
            SystemFit::of_clusters(&clusters, &terms, 100, seed)
        );
    }

    #[test]
    fn intervals_contain_the_rating_have_a_width_and_bounds_are_no_estimates(
        matches in prop::collection::vec(any_match(), 1..16),
        terms in any_terms(),
        seed in any::<u64>(),
    ) {
        let fit = SystemFit::of(&matches, &terms, 50, seed).unwrap();
        let is_saturated = fit.total.is_saturated();
        prop_assert_eq!(fit.joint.bound().is_some(), is_saturated);
        prop_assert_eq!(fit.performance.bound().is_some(), is_saturated);
        prop_assert_eq!(fit.printed.is_none(), is_saturated);
        if let (Fit::Finite(joint), Some(printed)) = (&fit.joint, fit.printed) {
            prop_assert!(joint.profile.low < joint.rating && joint.rating < joint.profile.high);
            let reach = printed.reach();
            prop_assert!(reach.low < reach.high);
            prop_assert!(reach.low != End::AboveAll && reach.high != End::BelowAll);
            prop_assert_eq!(&fit, &SystemFit::of(&matches, &terms, 50, seed).unwrap());
        }
    }
}

#[test]
fn all_drawn_has_a_width_however_many_games_there_are() {
    let drawn = MiniMatch {
        anchor: 1500.0,
        white: Tally::one(1),
        black: Tally::one(1),
    };
    for n in [1, 2, 40, 500] {
        let fit = SystemFit::of(&vec![drawn; n], &Terms::FREE_DRAWS, 200, 1).unwrap();
        let reach = fit.printed.unwrap().reach();
        let (Some(low), Some(high)) = (reach.low.finite(), reach.high.finite()) else {
            panic!("{reach:?}");
        };
        assert!(0.1 < 1500.0 - low && 0.1 < high - 1500.0, "{n}: {reach:?}");
    }
}

#[test]
fn every_figure_that_a_file_expects_is_compared_and_none_is_passed_over() {
    let file: Value = serde_json::from_slice(&std::fs::read(OWN).unwrap()).unwrap();
    let mut n_changed = 0;
    for (id, case) in file["cases"].as_object().unwrap() {
        let joint = "M3_logistic_score_davidson_draws";
        let mut places = vec![format!("/cases/{id}/M0_performance/rating")];
        if case.get("one_sided_bound").is_some() {
            places.push(format!("/cases/{id}/one_sided_bound/exact_95"));
        }
        for (name, fit) in case[joint].as_object().unwrap() {
            let below = fit.as_object().into_iter().flat_map(|fit| fit.keys());
            for key in below {
                let end = if key == "profile95" { "/1" } else { "" };
                places.push(format!("/cases/{id}/{joint}/{name}/{key}{end}"));
            }
        }
        for place in places {
            let mut other = file.clone();
            *other.pointer_mut(&place).unwrap() = json!(77.5);
            let vectors = AnchoredVectors::parse(other.to_string().as_bytes()).unwrap();
            let verdict = AnchoredReport::of(&vectors, true).check.unwrap();
            assert_eq!(
                (verdict.agreement.agrees(), verdict.agreement.differences),
                (false, 1),
                "{place}"
            );
            n_changed += 1;
        }
    }
    assert!(80 < n_changed, "{n_changed}");
    for (place, key) in [
        ("/cases/many_draws", "M0_perfomance"),
        ("/cases/many_draws/M0_performance", "ratng"),
        (
            "/cases/many_draws/M3_logistic_score_davidson_draws",
            "free_d1_gamma0",
        ),
        ("", "case"),
    ] {
        let mut other = file.clone();
        let object = other.pointer_mut(place).unwrap().as_object_mut().unwrap();
        object.insert(key.to_owned(), json!({"theta": 1}));
        assert!(
            AnchoredVectors::parse(other.to_string().as_bytes()).is_err(),
            "{place} {key}"
        );
    }
}

#[test]
fn a_difference_blocks_and_is_told_with_both_values() {
    let text = std::fs::read_to_string(OWN).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let outcome = measured(&[OWN, "--check"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert!(
        outcome
            .stdout
            .starts_with("agrees: 8 cases compared, 0 not, 0 differences of 153")
    );
    std::fs::write(
        path,
        text.replacen("\"loglik\": \"-", "\"loglik\": \"-9", 1),
    )
    .unwrap();
    let outcome = measured(&[path, "--check"]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stdout.contains(".loglik: expected -9"),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome
            .stdout
            .contains("differs: 8 cases compared, 0 not, 1 difference of 153")
    );
    for text in [
        "",
        "[]",
        "{\"cases\": {\"a\": {\"rows\": []}}}",
        "{\"tolerance\": \"wide\"}",
    ] {
        std::fs::write(path, text).unwrap();
        let outcome = measured(&[path, "--check"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{text}");
        assert!(
            outcome.stderr.contains("is no file of vectors"),
            "{}",
            outcome.stderr
        );
    }
    std::fs::write(path, "{}").unwrap();
    assert_eq!(measured(&[path, "--check"]).code, 1, "nothing was compared");
}

/// The lines about one player.
fn of_player<'a>(stdout: &'a str, name: &str) -> Vec<&'a str> {
    let lines = stdout
        .lines()
        .skip_while(|line| *line != format!("{name:?}"));
    let first = lines.clone().take(1);
    first
        .chain(lines.skip(1).take_while(|line| line.starts_with(' ')))
        .collect()
}

fn game(white: &str, black: &str, round: u32, result: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n\n1. e4 {{a {{nested}} 0-1}} {result}\n\n"
    )
}

/// Rounds of two games against an anchor of 1500: the result with White, and
/// the one with Black.
fn rounds(name: &str, results: &[(&str, &str)]) -> String {
    let rounds = (1..).zip(results).map(|(round, (white, black))| {
        game(name, "SF 1500", round, white) + &game("SF 1500", name, round, black)
    });
    rounds.collect()
}

/// Six won, two drawn, two lost.
fn one() -> String {
    let results = [
        ("1-0", "0-1"),
        ("1/2-1/2", "1-0"),
        ("1-0", "1/2-1/2"),
        ("0-1", "0-1"),
        ("1-0", "0-1"),
    ];
    rounds("one", &results)
}

/// All won against the anchor, and a game without one.
fn two() -> String {
    rounds("two", &[("1-0", "0-1"), ("1-0", "0-1")]) + &game("two", "one", 9, "1-0")
}

fn fitted(pgn: &str, more: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("anchors.csv");
    std::fs::write(&list, "name,rating\nSF 1500,1500\nSF 1320,1320\n").unwrap();
    let games = folder.path().join("games.pgn");
    std::fs::write(&games, pgn).unwrap();
    let paths = [games.to_str().unwrap(), list.to_str().unwrap()];
    measured(&[&["--pgn", paths[0], "--anchors", paths[1]], more].concat())
}

#[test]
fn a_player_is_fitted_from_pgn_and_no_other_player_moves_a_digit() {
    let alone = fitted(&one(), &[]);
    assert_eq!((alone.code, alone.stderr.as_str()), (0, ""));
    let both = fitted(&(two() + &one()), &[]);
    assert_eq!(
        of_player(&alone.stdout, "one"),
        of_player(&both.stdout, "one")
    );
    // 7 of 10, with 2 draws.
    let lines = of_player(&alone.stdout, "one").join("\n");
    assert!(
        lines.contains("10 games: 6 won, 2 drawn, 2 lost; 5 mini-matches of two games, 0 alone"),
        "{lines}"
    );
    assert!(
        lines.contains("score alone: 1647.1907 [1424.8172, 1913.7890] profile; error 119.8767"),
        "{lines}"
    );
    let lines = of_player(&both.stdout, "two").join("\n");
    assert!(lines.contains("joint fit: at least "), "{lines}");
    assert!(!lines.contains("95 % interval"), "{lines}");
    assert!(
        both.stdout
            .ends_with("15 games read, 1 left out (1 without an anchor)\n"),
        "{}",
        both.stdout
    );
}

#[test]
fn who_has_no_game_is_named_and_what_is_declared_is_said() {
    let outcome = fitted(&two(), &["--player", "one"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome
            .stderr
            .contains("\"one\" has no finished game against an anchor")
    );
    let outcome = fitted(&one(), &["--draw-rate", "0.9"]);
    assert!(
        outcome.stderr.contains("from 0 to 0.7"),
        "{}",
        outcome.stderr
    );
    let outcome = fitted(
        &one(),
        &[
            "--format",
            "json",
            "--color-effect",
            "free",
            "--draw-rate",
            "0.2",
        ],
    );
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["players"][0]["joint"]["color_effect_is"], "fitted");
    assert_eq!(
        report["players"][0]["interval_95"]["method"],
        "cluster bootstrap"
    );
}

#[test]
fn pgn_files_of_all_sorts_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("anchors.csv");
    std::fs::write(
        &list,
        "Stockfish 7,3000\n\"Acosta,Florencia\",2200\nMeridyan,1132\nAlphaZero,3500\n",
    )
    .unwrap();
    let mut n_read = 0;
    for (file, name, expected) in [
        ("varied/cutechess-fischerrandom.pgn", "Maverick 1.5", "lost"),
        ("varied/chessbase-empty-line.pgn", "Stockfish 8", "at most"),
        (
            "extract/test-fixresulttags-in.pgn",
            "Fernandez,Maria",
            "at most",
        ),
        ("lichess/sample.pgn", "alanbrito4", "at most"),
    ] {
        let path = format!("{SHARED}/pgn/{file}");
        if !Path::new(&path).exists() {
            continue;
        }
        let outcome = measured(&[
            "--pgn",
            &path,
            "--anchors",
            list.to_str().unwrap(),
            "--player",
            name,
        ]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{file}");
        assert!(
            outcome.stdout.contains(expected),
            "{file}: {}",
            outcome.stdout
        );
        n_read += 1;
    }
    assert!(matches!(n_read, 0 | 4));
}

#[test]
fn resampling_of_games_that_are_all_alike_says_nothing_and_no_zero_is_printed() {
    let drawn = rounds("m", &[("1/2-1/2", "1/2-1/2"); 5]);
    let text = fitted(&drawn, &[]);
    assert_eq!(text.code, 0, "{}", text.stdout);
    assert!(
        text.stdout.contains("over mini-matches n/a"),
        "{}",
        text.stdout
    );
    let json = fitted(&drawn, &["--format", "json"]).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let player = &json["players"][0];
    assert_eq!(player["score_alone"].get("cluster_error"), None, "{player}");
    assert_eq!(player["bootstrap"].get("percentile_95"), None, "{player}");
    assert_eq!(player["interval_95"]["method"], "profile");
}

#[test]
fn a_draw_rate_below_zero_is_a_bad_number_and_games_that_are_left_out_are_counted() {
    let refused = fitted(&one(), &["--draw-rate", "-0.1"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("-0.1"), "{}", refused.stderr);
    assert!(
        !refused.stderr.contains("unexpected argument"),
        "{}",
        refused.stderr
    );
    let nobody = fitted(&game("m", "n", 1, "1-0"), &[]);
    assert_eq!(nobody.code, 2);
    let counted = "1 game read, 1 left out (1 without an anchor)";
    assert!(nobody.stderr.contains(counted), "{}", nobody.stderr);
}
