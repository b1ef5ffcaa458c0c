//! Nobody moves anybody else, and no order of games moves anything.

use std::collections::BTreeMap;

use proptest::prelude::*;
use scoresheet::board::{AnchoredBoard, Table, anchored_figures};
use scoresheet::projection::Source;
use serde_json::json;

use super::{Contest, Course, Setting};

/// How a game of a system goes, by its name, the anchor, the start and its color.
type Plan = BTreeMap<(&'static str, &'static str, usize, bool), Course>;

const ANCHORS: &[(&str, u32)] = &[("low", 1000), ("high", 1400)];
const STARTS: usize = 2;

fn plan() -> impl Strategy<Value = Plan> {
    let each = ["x", "y"].into_iter().flat_map(|system| {
        ["low", "high"].into_iter().flat_map(move |anchor| {
            (0..STARTS).flat_map(move |start| {
                [true, false].map(|is_white| (system, anchor, start, is_white))
            })
        })
    });
    let keys: Vec<_> = each.collect();
    let courses = prop::collection::vec(prop::sample::select(&Course::ALL[..]), keys.len());
    courses.prop_map(move |courses| keys.iter().copied().zip(courses).collect())
}

/// The figures of each system after these games, played in this order.
fn figures(
    rule: &str,
    systems: &[&str],
    plan: &Plan,
    order: &[usize],
) -> BTreeMap<String, Vec<String>> {
    let mut contest = Contest::new(&Setting {
        rule,
        anchors: ANCHORS,
        systems,
        starts: STARTS,
        terms: json!({}),
    });
    let a_start = contest.cells.len() / STARTS;
    let mut cells: Vec<_> = (0..contest.cells.len()).collect();
    cells.sort_by_key(|cell| order.get(*cell).copied());
    for cell in cells {
        let seats = contest.cells[cell].seats;
        let [white, black] = [seats.white, seats.black].map(|id| contest.names[&id].clone());
        let found = plan.iter().find(|((system, anchor, start, is_white), _)| {
            let seats = if *is_white {
                (*system, *anchor)
            } else {
                (*anchor, *system)
            };
            *start == cell / a_start && seats == (white.as_str(), black.as_str())
        });
        let ((_, _, start, _), course) = found.unwrap();
        contest.on(1 + start);
        contest.play(cell, *course);
    }
    let source = Source {
        origin: "t".parse().unwrap(),
        size: contest.projection.size,
        root: scoresheet::digest::empty_root(),
    };
    let board = AnchoredBoard::of(&contest.projection, "c", source).unwrap();
    let table: Table = anchored_figures(&board).unwrap();
    let rows = table.rows().iter();
    rows.map(|row| (row[0].clone(), row.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn another_system_moves_no_bit_of_a_row(
        plan in plan(),
        rule in prop::sample::select(vec!["mini_matches", "anchored"]),
    ) {
        let alone = figures(rule, &["x"], &plan, &[]);
        let together = figures(rule, &["y", "x"], &plan, &[]);
        prop_assert_eq!(alone.get("x"), together.get("x"));
        prop_assert!(together.contains_key("y"));
    }

    #[test]
    fn the_order_in_which_games_are_played_moves_nothing(
        plan in plan(),
        order in Just((0..4 * STARTS).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let in_turn = figures("mini_matches", &["x"], &plan, &[]);
        let shuffled = figures("mini_matches", &["x"], &plan, &order);
        prop_assert_eq!(in_turn, shuffled);
    }
}
