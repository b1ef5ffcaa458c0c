//! Laws of money, over histories of any shape.

use std::collections::BTreeMap;

use proptest::prelude::*;
use scoresheet::board::{CostsBy, LineKind, costs};
use scoresheet::canonical::Total;
use scoresheet::event::EventId;
use scoresheet::projection::{CostFigures, CostGroup, CostSlot, Projection, Source};

use crate::book::Book;

const STAGES: [&str; 6] = ["placement", "newcomer", "ladder", "manual", "free", "byok"];

/// Something that costs, on one of forty days.
#[derive(Clone, Debug)]
enum Deed {
    Call {
        stage: usize,
        system: usize,
        usd: Option<u32>,
        has_tokens: bool,
    },
    Fail {
        stage: usize,
        system: usize,
    },
    Outside {
        system: usize,
    },
    Price {
        usd: u32,
    },
    Expense {
        usd: i32,
    },
    Bill {
        stage: usize,
        usd: i32,
    },
}

fn deed() -> impl Strategy<Value = (u8, Deed)> {
    let (stage, system) = (0..STAGES.len(), 0..2_usize);
    let called = (
        stage.clone(),
        system.clone(),
        any::<Option<u32>>(),
        any::<bool>(),
    );
    let call = called.prop_map(|(stage, system, usd, has_tokens)| Deed::Call {
        stage,
        system,
        usd,
        has_tokens,
    });
    let fail =
        (stage.clone(), system.clone()).prop_map(|(stage, system)| Deed::Fail { stage, system });
    let deed = prop_oneof![
        5 => call,
        2 => fail,
        1 => system.prop_map(|system| Deed::Outside { system }),
        1 => any::<u32>().prop_map(|usd| Deed::Price { usd }),
        1 => any::<i32>().prop_map(|usd| Deed::Expense { usd }),
        1 => (stage, any::<i32>()).prop_map(|(stage, usd)| Deed::Bill { stage, usd }),
    ];
    (0..40_u8, deed)
}

/// A number of millionths, as money.
fn millionths(number: i64) -> String {
    let one = Total::of_tokens(number.unsigned_abs(), "1".parse().unwrap());
    let text = one.to_string();
    if number < 0 { format!("-{text}") } else { text }
}

/// Plays a history; returns the calls whose cost may be looked up.
fn play(deeds: &[(u8, Deed)]) -> (Book, Vec<EventId>) {
    let mut book = Book::new();
    let games = STAGES.map(|stage| book.game(stage));
    let mut unreported = Vec::new();
    for (day, deed) in deeds {
        book.on(&format!("2026-{:02}-{:02}", 11 + day / 30, 1 + day % 30));
        match deed {
            Deed::Call {
                stage,
                system,
                usd,
                has_tokens,
            } => {
                // Only the model sits at a board with a person.
                let system = if *stage < 4 { *system } else { 0 };
                let call = book.ask(Some(games[*stage]), system);
                let usd = usd.map(|usd| millionths(usd.into()));
                book.answer(call, usd.as_deref(), has_tokens.then_some([123, 45]));
                if usd.is_none() {
                    unreported.push(call);
                }
            }
            Deed::Fail { stage, system } => {
                let system = if *stage < 4 { *system } else { 0 };
                let call = book.ask(Some(games[*stage]), system);
                book.fail(call);
                unreported.push(call);
            }
            Deed::Outside { system } => {
                let call = book.ask(None, *system);
                book.answer(call, None, Some([7, 7]));
                unreported.push(call);
            }
            Deed::Price { usd } => {
                let price = millionths((*usd).into());
                book.price(&price, &price);
            }
            Deed::Expense { usd } => {
                book.spend("hosting", &millionths((*usd).into()));
            }
            Deed::Bill { stage, usd } => {
                let part = ["placement", "continuous", "human", "operating"][stage % 4];
                book.bill(part, "1", &millionths((*usd).into()));
            }
        }
    }
    (book, unreported)
}

fn source(projection: &Projection) -> Source {
    Source {
        origin: "t".parse().unwrap(),
        size: projection.size,
        root: scoresheet::digest::empty_root(),
    }
}

fn grouped<K: Ord>(
    figures: &BTreeMap<CostSlot, CostFigures>,
    key: impl Fn(&CostSlot) -> K,
) -> Total {
    let mut groups: BTreeMap<K, CostFigures> = BTreeMap::new();
    for (slot, figures) in figures {
        groups.entry(key(slot)).or_default().join(figures);
    }
    groups.values().filter_map(CostFigures::known_usd).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn totals_by_part_are_those_by_system_and_the_sum_over_days(
        deeds in prop::collection::vec(deed(), 0..40),
    ) {
        let (book, _) = play(&deeds);
        let figures = book.projection.costs.figures();
        let total = grouped(&figures, |_| ());
        prop_assert_eq!(grouped(&figures, |slot| slot.group), total);
        prop_assert_eq!(grouped(&figures, |slot| slot.identity), total);
        prop_assert_eq!(grouped(&figures, |slot| slot.day), total);
        let byok: Vec<_> = figures.iter().filter(|(slot, _)| slot.group == CostGroup::Byok).collect();
        prop_assert!(byok.iter().all(|(_, figures)| figures.known_usd().is_none()));
        for by in [CostsBy::Part, CostsBy::System] {
            let board = costs(&book.projection, by, None, None, source(&book.projection));
            let known = |figures: &CostFigures| figures.known_usd().unwrap_or_default();
            let entries = board.lines.iter().filter(|line| line.kind == LineKind::Entry);
            prop_assert_eq!(entries.map(|line| known(&line.all)).sum::<Total>(), total);
            prop_assert_eq!(known(&board.lines.last().unwrap().all), total);
            for line in &board.lines {
                prop_assert_eq!(line.each.iter().map(known).sum::<Total>(), known(&line.all));
            }
        }
    }

    #[test]
    fn late_costs_come_in_any_order(
        deeds in prop::collection::vec(deed(), 0..30),
        seed in any::<prop::sample::Index>(),
    ) {
        let late = |turn: usize, is_reversed: bool| {
            let (mut book, unreported) = play(&deeds);
            let mut calls: Vec<_> = (1..).zip(unreported).collect();
            let middle = turn % calls.len().max(1);
            calls.rotate_left(middle);
            if is_reversed {
                calls.reverse();
            }
            for (number, call) in calls {
                book.look_up(call, &millionths(number));
            }
            book.projection.costs.figures()
        };
        prop_assert_eq!(late(0, false), late(seed.index(100), true));
    }

    #[test]
    fn going_on_from_any_event_is_going_in_one_go(
        deeds in prop::collection::vec(deed(), 0..20),
        at in any::<prop::sample::Index>(),
    ) {
        let (mut book, unreported) = play(&deeds);
        for call in unreported {
            book.look_up(call, "0.25");
        }
        let (before, after) = book.events.split_at(at.index(book.events.len()));
        let mut stopped = Projection::default();
        for event in before {
            stopped.apply(event);
        }
        let mut resumed = stopped.clone();
        for event in after {
            resumed.apply(event);
        }
        prop_assert_eq!(resumed.costs, book.projection.costs);
        prop_assert_eq!(resumed.findings, book.projection.findings);
    }
}
