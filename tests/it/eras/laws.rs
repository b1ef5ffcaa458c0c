//! Laws over histories that nobody thought of.

use proptest::prelude::*;
use scoresheet::chess::GameResult;
use scoresheet::event::{EventId, GameStarted, What};
use scoresheet::projection::{Cohort, NextGame, Projection};

use super::{BlackWins, Drawn, Saga, WhiteWins, fold};

/// One thing that happens, where it can.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Starts what comes next.
    Start,
    /// Ends one of the games that go on.
    End(usize, Option<GameResult>),
    Manual(usize, usize),
    Change(&'static str, usize),
    Admit,
    Wait(i64),
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let result = prop_oneof![Just(WhiteWins), Just(BlackWins), Just(Drawn)];
    let status = prop::sample::select(vec![
        "paused",
        "resumed",
        "withdrawn",
        "retired",
        "restored",
    ]);
    prop_oneof![
        6 => Just(Step::Start),
        8 => (any::<usize>(), prop::option::weighted(0.9, result)).prop_map(|(n, r)| Step::End(n, r)),
        1 => (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Step::Manual(a, b)),
        2 => (status, any::<usize>()).prop_map(|(status, who)| Step::Change(status, who)),
        1 => Just(Step::Admit),
        1 => (1..3000_i64).prop_map(Step::Wait),
    ]
}

/// Lives through these steps, as a maintainer who does nothing that is not allowed.
pub(crate) fn live(count: usize, steps: &[Step]) -> Saga {
    let mut saga = Saga::begin(count);
    let mut names: Vec<String> = (0..count).map(|number| format!("first-{number}")).collect();
    for step in steps {
        let mut tried = saga.clone();
        take(&mut tried, &mut names, *step);
        if tried.projection.findings.is_empty() {
            saga = tried;
        }
    }
    saga
}

fn take(saga: &mut Saga, names: &mut Vec<String>, step: Step) {
    let playing: Vec<EventId> = saga
        .projection
        .games
        .playing()
        .map(|game| game.id)
        .collect();
    match step {
        Step::Start => {
            saga.start_next();
        }
        Step::End(number, result) if !playing.is_empty() => {
            let game = playing[number % playing.len()];
            match result {
                Some(result) => saga.finish(game, result),
                None => saga.abort(game),
            };
        }
        Step::Manual(one, other) => {
            let [one, other] = [one, other].map(|number| names[number % names.len()].clone());
            if one != other {
                saga.start_manual(&one, &other);
            }
        }
        Step::Change(status, who) => {
            let name = names[who % names.len()].clone();
            saga.change(status, &name);
        }
        Step::Admit if !saga.standings().is_empty() && names.len() < 9 => {
            let name = format!("late-{}", names.len());
            saga.admit(&name);
            names.push(name);
        }
        Step::Wait(minutes) => saga.clock += minutes,
        Step::End(..) | Step::Admit => {}
    }
}

/// All that a reader sees of the ladders, to the last bit.
fn table(projection: &Projection) -> String {
    let eras: Vec<_> = projection
        .eras
        .iter()
        .map(|era| (era, projection.standings(era)))
        .collect();
    format!("{eras:?} {:?} {:?}", projection.findings, projection.people)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_ladder_at_work_contradicts_nothing_and_draws_what_its_seed_gives(
        count in 2..6_usize,
        steps in prop::collection::vec(step(), 60..160),
    ) {
        let mut saga = live(count, &steps);
        // What is kept of open cells is what looking at all of them finds.
        for schedule in saga.projection.schedules.iter() {
            let cohort = Cohort::of(schedule, &saga.projection.games);
            let open: Vec<_> = schedule.open.iter().copied().collect();
            prop_assert_eq!(open, cohort.open_cells());
        }
        saga.close();
        prop_assert_eq!(saga.codes(), [""; 0]);
    }

    #[test]
    fn folding_in_one_go_and_resuming_anywhere_give_the_same_tables(
        count in 2..6_usize,
        steps in prop::collection::vec(step(), 60..160),
        cut in any::<prop::sample::Index>(),
    ) {
        let saga = live(count, &steps);
        let whole = table(&saga.projection);
        prop_assert_eq!(&whole, &table(&fold(&saga.events)));
        let cut = cut.index(saga.events.len());
        let mut resumed = fold(&saga.events[..cut]).clone();
        for event in &saga.events[cut..] {
            resumed.apply(event);
        }
        prop_assert_eq!(&whole, &table(&resumed));
        let mut forgetful = Projection::forgetful();
        for event in &saga.events {
            forgetful.apply(event);
        }
        prop_assert_eq!(&whole, &table(&forgetful));
    }

    #[test]
    fn the_order_of_placement_games_changes_no_bit(
        results in prop::collection::vec(prop_oneof![Just(WhiteWins), Just(BlackWins), Just(Drawn)], 12),
        order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let ratings = |order: &[usize]| {
            let mut saga = Saga::begin(4);
            // All are started in the order of the schedule and end in any.
            let games: Vec<_> = (0..12).map(|cell| saga.start_cell(saga.placement, cell)).collect();
            for cell in order {
                saga.finish(games[*cell], results[*cell]);
            }
            let standings = saga.standings();
            standings
                .iter()
                .map(|one| (one.identity, one.rank, one.rating.rating.to_bits(), one.rating.deviation.to_bits()))
                .collect::<Vec<_>>()
        };
        let in_order: Vec<_> = (0..12).collect();
        prop_assert_eq!(ratings(&in_order), ratings(&order));
    }

    /// The tie-break by cost fires only where ratings are equal to the last bit.
    #[test]
    fn equal_points_over_equal_opponents_are_equal_to_the_last_bit(
        splits in prop::collection::vec(0..3_usize, 3),
    ) {
        // Three pairs, each 1 to 1: two draws, or a win for each side.
        let mut saga = Saga::begin(3);
        let cells = saga.projection.schedules.schedule(&saga.placement).unwrap().cells.clone();
        let mut pairs = std::collections::BTreeMap::new();
        for (index, cell) in cells.iter().enumerate() {
            let mut pair = [cell.seats.white, cell.seats.black];
            pair.sort();
            pairs.entry(pair).or_insert_with(Vec::new).push(index);
        }
        let mut results = [Drawn; 6];
        for (pair, split) in pairs.values().zip(splits) {
            let result = [Drawn, WhiteWins, BlackWins][split];
            for cell in pair {
                results[*cell] = result;
            }
        }
        for (cell, result) in results.into_iter().enumerate() {
            saga.play_cell(saga.placement, cell, result);
        }
        let bits: Vec<_> = saga
            .standings()
            .iter()
            .map(|one| (one.rank, one.rating.rating.to_bits()))
            .collect();
        prop_assert_eq!(bits, vec![(1, 1500_f64.to_bits()); 3]);
    }
}

/// A shorter prefix stays what it was, whatever is said later.
#[test]
fn every_game_of_the_ladder_is_chosen_and_every_start_names_its_choice() {
    let mut saga = Saga::placed(5, |cell| if cell % 3 == 0 { WhiteWins } else { Drawn });
    for number in 0..20 {
        let game = saga.start_next().unwrap();
        saga.finish(game, if number % 2 == 0 { Drawn } else { BlackWins });
    }
    let drawn = saga.events.iter().filter(|event| {
        matches!(
            &event.what,
            What::GameStarted(GameStarted { draw: Some(_), .. })
        )
    });
    assert_eq!(drawn.count(), 20);
    assert!(saga.era().draws.iter().all(|draw| draw.game.is_some()));
    assert!(matches!(saga.next(), NextGame::Draw { number: 20, .. }));
}
