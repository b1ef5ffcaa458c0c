//! Each test says which sentence of the seed it holds the projection to.

use scoresheet::event::{Seats, Stage};
use scoresheet::projection::{NextGame, Status};

use super::{BlackWins, Drawn, Saga, WhiteWins, fold, model};
use crate::story::body;

/// White wins where the cell is even.
fn by_cell(cell: usize) -> scoresheet::chess::GameResult {
    if cell.is_multiple_of(2) {
        WhiteWins
    } else {
        Drawn
    }
}

#[test]
fn placement_games_are_unranked_until_complete_and_replays_keep_the_status_of_their_start() {
    let mut saga = Saga::begin(3);
    for cell in 0..6 {
        assert_eq!(saga.standings(), [], "before cell {cell}");
        let game = saga.play_cell(saga.placement, cell, by_cell(cell));
        let start = saga.projection.games.game(&game).unwrap().at_start.unwrap();
        assert_eq!((start.white.rank, start.black.rank), (None, None));
        assert_eq!(start.white.rating, None);
    }
    assert_eq!(saga.standings().len(), 3);
    // The first batch has a shared id and shows no change of Elo.
    assert_eq!(saga.era().ladder.rated(), []);
    let game = saga.play_manual("first-0", "first-1", Drawn);
    let start = saga.projection.games.game(&game).unwrap().at_start.unwrap();
    assert!(start.white.rank.is_some() && start.black.rating.is_some());
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn the_highest_unrounded_rating_is_first_and_equal_points_give_equal_ratings() {
    // 0 wins both against 2; everything else is drawn: 3, 2, 1 points.
    let mut saga = Saga::begin(3);
    for cell in 0..6 {
        let schedule = saga.projection.schedules.schedule(&saga.placement).unwrap();
        let seats = &schedule.cells[cell].seats;
        let players = [saga.system("first-0"), saga.system("first-2")];
        let result = match (
            players.contains(&seats.white),
            players.contains(&seats.black),
        ) {
            (true, true) if seats.white == players[0] => WhiteWins,
            (true, true) => BlackWins,
            _ => Drawn,
        };
        saga.play_cell(saga.placement, cell, result);
    }
    let order = ["first-0", "first-1", "first-2"].map(|name| saga.position(name).unwrap());
    assert_eq!(order, [1, 2, 3]);
    assert!((saga.rating("first-1") - 1500.0).abs() < 1e-9);
    let level = Saga::placed(4, |_| Drawn);
    let ratings: Vec<_> = level
        .standings()
        .iter()
        .map(|one| (one.rank, one.rating.rating.to_bits()))
        .collect();
    assert_eq!(ratings, [(1, 1500_f64.to_bits()); 4]);
}

#[test]
fn a_withdrawal_during_placement_removes_the_identity_and_its_games_from_the_calculation_and_no_record()
 {
    let mut saga = Saga::begin(4);
    for cell in 0..7 {
        saga.play_cell(saga.placement, cell, by_cell(cell));
    }
    let games = saga.projection.games.count();
    saga.change("withdrawn", "first-1");
    assert!(!saga.era().is_placed);
    while let NextGame::Cell {
        schedule,
        index,
        seats,
        ..
    } = saga.next()
    {
        let gone = saga.system("first-1");
        assert!(seats.white != gone && seats.black != gone);
        saga.play_cell(schedule, index, by_cell(index));
    }
    assert!(saga.era().is_placed);
    assert_eq!(saga.standings().len(), 3);
    assert_eq!(saga.position("first-1"), None);
    assert!(games < saga.projection.games.count());
    let cohort = saga.projection.cohort("first").unwrap();
    let withdrawn = saga.system("first-1");
    assert!(
        cohort
            .finished()
            .any(|game| game.color_of(&withdrawn).is_some())
    );
    assert_eq!(cohort.counting().count(), 6);
    // The ratings are those of the three alone.
    let mut alone = Saga::under(|_| ());
    let three: Vec<_> = ["first-0", "first-2", "first-3"]
        .map(|name| alone.say(model(name, name, "high")))
        .into();
    alone.schedule("first", &three);
    alone.era = alone.say(scoresheet::event::EraStarted {
        name: "era".parse().unwrap(),
        placement: alone.placement,
        protocol: alone.protocol,
        seed_sha256: super::SEED.sha256(),
    });
    for cell in 0..6 {
        let seats = alone
            .projection
            .schedules
            .schedule(&alone.placement)
            .unwrap()
            .cells[cell]
            .seats;
        let name = |system| alone.projection.name_of(&system);
        let (white, black) = (name(seats.white), name(seats.black));
        let same = cohort.counting().find(|game| {
            saga.projection.name_of(&game.started.seats.white) == white
                && saga.projection.name_of(&game.started.seats.black) == black
        });
        let result = same.unwrap().result().unwrap();
        alone.play_cell(alone.placement, cell, result);
    }
    for name in ["first-0", "first-2", "first-3"] {
        assert_eq!(
            saga.rating(name).to_bits(),
            alone.rating(name).to_bits(),
            "{name}"
        );
    }
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn a_temporary_outage_defers_games_and_is_no_withdrawal() {
    let mut saga = Saga::begin(3);
    saga.change("paused", "first-0");
    let mut played = Vec::new();
    while let NextGame::Cell {
        schedule, index, ..
    } = saga.next()
    {
        saga.play_cell(schedule, index, Drawn);
        played.push(index);
    }
    assert_eq!(played.len(), 2, "the other two play on");
    assert!(!saga.era().is_placed);
    saga.change("resumed", "first-0");
    while let Some(game) = saga.start_next().filter(|_| !saga.era().is_placed) {
        saga.finish(game, Drawn);
    }
    assert_eq!(saga.standings().len(), 3);
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn each_rated_game_updates_both_players_from_the_same_snapshots_and_carries_forward() {
    let mut saga = Saga::placed(4, by_cell);
    let names = ["first-0", "first-1"];
    let before = names.map(|name| saga.rating(name));
    saga.play_manual(names[0], names[1], WhiteWins);
    let rated = *saga.era().ladder.rated().last().unwrap();
    let bits = |ratings: [f64; 2]| ratings.map(f64::to_bits);
    let ratings = [rated.before.white.rating, rated.before.black.rating];
    assert_eq!(bits(ratings), bits(before));
    let expected = |own: &scoresheet::measure::Rating, other: &_, half_points| {
        let bout = scoresheet::measure::Bout::one(other, half_points);
        scoresheet::measure::update(own, &[bout], 0.5).unwrap()
    };
    let (white, black) = (rated.before.white, rated.before.black);
    assert_eq!(rated.after.white, expected(&white, &black, 2));
    assert_eq!(rated.after.black, expected(&black, &white, 0));
    let ratings = [rated.after.white.rating, rated.after.black.rating];
    assert_eq!(bits(ratings), bits(names.map(|name| saga.rating(name))));
    // The next game begins where this one ended, however long it takes.
    saga.clock += 60 * 24 * 365;
    saga.play_manual(names[1], names[0], Drawn);
    let next = *saga.era().ladder.rated().last().unwrap();
    assert_eq!(
        (next.before.black, next.before.white),
        (rated.after.white, rated.after.black)
    );
}

#[test]
fn whether_the_deviation_grows_before_each_game_is_the_protocols_choice() {
    let deviation = |grows: Option<bool>| {
        let mut saga = Saga::under(|protocol| {
            if let Some(grows) = grows {
                protocol["glicko2"]["grows_each_game"] = grows.into();
            }
        });
        saga.begin_era("era", "first", 2);
        for cell in 0..2 {
            saga.play_cell(saga.placement, cell, Drawn);
        }
        saga.play_manual("first-0", "first-1", Drawn);
        let after = saga.era().ladder.rated()[0].after.white;
        after.deviation
    };
    assert_eq!(deviation(None).to_bits(), deviation(Some(true)).to_bits());
    assert!(deviation(Some(false)) < deviation(Some(true)));
}

#[test]
fn the_order_in_which_games_are_finished_decides_and_the_start_is_what_a_page_shows() {
    let mut saga = Saga::placed(4, by_cell);
    let first = saga.start_manual("first-0", "first-1");
    let second = saga.start_manual("first-2", "first-3");
    saga.finish(second, WhiteWins);
    saga.finish(first, WhiteWins);
    let order: Vec<_> = saga
        .era()
        .ladder
        .rated()
        .iter()
        .map(|game| game.game)
        .collect();
    assert_eq!(order, [second, first]);
    // Someone else's game in between moves no snapshot of these two.
    let start = saga
        .projection
        .games
        .game(&first)
        .unwrap()
        .at_start
        .unwrap();
    let rated = saga.era().ladder.rated()[1];
    assert_eq!(start.white.rating, Some(rated.before.white.rating));
}

#[test]
fn a_forfeit_affects_ratings_and_failing_to_win_costs_the_stronger_side() {
    let mut saga = Saga::placed(2, |cell| if cell == 0 { WhiteWins } else { BlackWins });
    let (strong, weak) = if saga.position("first-0") == Some(1) {
        ("first-0", "first-1")
    } else {
        ("first-1", "first-0")
    };
    let before = [strong, weak].map(|name| saga.rating(name));
    saga.play_manual(strong, weak, Drawn);
    let after = [strong, weak].map(|name| saga.rating(name));
    assert!(after[0] < before[0] && before[1] < after[1]);
    saga.play_manual(strong, weak, WhiteWins);
    assert!(after[0] < saga.rating(strong));
}

#[test]
fn the_ladder_counts_ladder_and_manual_games_of_both_players_and_no_others() {
    let mut saga = Saga::placed(4, by_cell);
    let recent = |saga: &Saga, name: &str| saga.era().recent(&saga.identity(name).id, saga.now());
    assert_eq!(
        recent(&saga, "first-0"),
        (0, 0),
        "placement games do not count"
    );
    saga.play_manual("first-0", "first-1", Drawn);
    assert_eq!(recent(&saga, "first-0"), (1, 1));
    assert_eq!(recent(&saga, "first-1"), (1, 0));
    let schedule = saga.admit("late");
    saga.play_cell(schedule, 0, Drawn);
    assert_eq!(
        recent(&saga, "late"),
        (0, 0),
        "newcomers' games do not count"
    );
    saga.clock += 60 * 48 - 10;
    assert_eq!(recent(&saga, "first-0"), (1, 1));
    saga.clock += 60;
    assert_eq!(recent(&saga, "first-0"), (0, 0), "after 48 hours");
}

#[test]
fn the_fewest_games_play_next_and_only_what_is_ready() {
    let mut saga = Saga::placed(4, by_cell);
    saga.play_manual("first-0", "first-1", Drawn);
    for _ in 0..8 {
        let made = saga.drawn();
        let fewest = made.eligible.iter().map(|one| one.games).min().unwrap();
        let picked = made.eligible.iter().find(|one| one.system == made.picked);
        assert_eq!(picked.unwrap().games, fewest);
        let game = saga.start_next().unwrap();
        // Two of four are at the board: nobody plays twice at once.
        let NextGame::Draw { eligible, .. } = saga.next() else {
            panic!("two are free")
        };
        assert_eq!(eligible.len(), 2);
        let other = saga.start_next().unwrap();
        assert_eq!(
            saga.next(),
            NextGame::Nothing("no two of the ranked systems that are ready stand within reach")
        );
        saga.finish(other, Drawn);
        saga.finish(game, WhiteWins);
    }
    saga.close();
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn a_paused_identity_keeps_its_position_and_cannot_play_and_a_retired_one_leaves() {
    let mut saga = Saga::placed(4, by_cell);
    let positions = |saga: &Saga| -> Vec<_> {
        (0..4)
            .map(|number| saga.position(&format!("first-{number}")))
            .collect()
    };
    let before = positions(&saga);
    let second = (0..4).find(|number| before[*number] == Some(2)).unwrap();
    let second = format!("first-{second}");
    saga.change("paused", &second);
    assert_eq!(positions(&saga), before);
    let eligible = saga.drawn().eligible;
    let system = saga.system(&second);
    assert!(eligible.iter().all(|one| one.system != system));
    assert_eq!(
        eligible
            .iter()
            .map(|one| one.position.get())
            .collect::<Vec<_>>(),
        [1, 3, 4]
    );
    saga.change("resumed", &second);
    let rating = saga.rating(&second);
    saga.change("retired", &second);
    assert_eq!(saga.position(&second), None);
    assert_eq!(saga.standings().len(), 3);
    // Restoring the same identity keeps its rating and placement.
    saga.change("restored", &second);
    assert_eq!(positions(&saga), before);
    assert_eq!(saga.rating(&second).to_bits(), rating.to_bits());
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn opponents_stand_within_reach_and_with_nobody_there_nobody_is_eligible() {
    let mut saga = Saga::under(|protocol| protocol["ladder"]["reach"] = 1.into());
    saga.begin_era("era", "first", 4);
    for cell in 0..12 {
        saga.play_cell(saga.placement, cell, by_cell(cell));
    }
    let at = |position: u64| {
        let names = (0..4).map(|number| format!("first-{number}"));
        names
            .into_iter()
            .find(|name| saga.position(name) == Some(position))
            .unwrap()
    };
    let [second, third] = [at(2), at(3)];
    saga.change("paused", &second);
    assert_eq!(
        saga.drawn().eligible.len(),
        2,
        "the first has nobody beside it"
    );
    saga.change("paused", &third);
    assert!(matches!(saga.next(), NextGame::Nothing(_)));
}

#[test]
fn a_newcomer_plays_the_pool_at_admission_once_with_each_color_before_the_ladder_goes_on() {
    let mut saga = Saga::placed(3, by_cell);
    let schedule = saga.admit("late");
    assert_eq!(saga.position("late"), None, "unranked until placed");
    let mut games = Vec::new();
    while let NextGame::Cell {
        stage,
        schedule: of,
        index,
        ..
    } = saga.next()
    {
        assert_eq!((stage, of), (Stage::Newcomer, schedule));
        games.push(saga.play_cell(
            schedule,
            index,
            if index % 2 == 0 { WhiteWins } else { BlackWins },
        ));
    }
    assert_eq!(games.len(), 6);
    let whites = games
        .iter()
        .filter(|game| saga.color(**game, "late") == Some(scoresheet::chess::Color::White));
    assert_eq!(whites.count(), 3);
    // Both players of each game were rated, each game once.
    let rated: Vec<_> = saga
        .era()
        .ladder
        .rated()
        .iter()
        .map(|one| one.game)
        .collect();
    assert_eq!(rated, games);
    assert!(
        (saga.era().ladder.rated()[0].before.white.rating - 1500.0).abs() < 1e-9
            || (saga.era().ladder.rated()[0].before.black.rating - 1500.0).abs() < 1e-9
    );
    // It won all: it leads, whatever its deviation.
    assert_eq!(saga.position("late"), Some(1));
    assert!(matches!(saga.next(), NextGame::Draw { .. }));
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn failed_attempts_satisfy_nothing_and_other_games_of_a_newcomer_go_on() {
    let mut saga = Saga::placed(3, by_cell);
    let schedule = saga.admit("late");
    let game = saga.start_cell(schedule, 0);
    saga.abort(game);
    // What failed comes again, behind those that nobody tried.
    assert!(matches!(saga.next(), NextGame::Cell { index, .. } if index != 0));
    let paused = {
        let cell = &saga.projection.schedules.schedule(&schedule).unwrap().cells[0];
        let late = saga.system("late");
        let other = if cell.seats.white == late {
            cell.seats.black
        } else {
            cell.seats.white
        };
        saga.projection.name_of(&other)
    };
    saga.change("paused", &paused);
    let NextGame::Cell { index, .. } = saga.next() else {
        panic!("another is ready")
    };
    assert_ne!(index, 0);
    while let NextGame::Cell { index, .. } = saga.next() {
        saga.play_cell(schedule, index, Drawn);
    }
    assert_eq!(
        saga.position("late"),
        None,
        "two games are still to be played"
    );
    // A retired opponent drops out of unfinished requirements.
    saga.change("retired", &paused);
    assert!(saga.position("late").is_some());
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn another_thinking_setting_is_another_identity_and_another_runner_is_not() {
    let mut saga = Saga::placed(2, by_cell);
    let same = saga.say(model("first-0-new-route", "first-0", "high"));
    let other = saga.say(model("first-0-low", "first-0", "low"));
    let newer = saga.say(model("first-0-v2", "first-0-v2", "high"));
    let identities = &saga.projection.identities;
    let id = |system| identities.of_system(system).unwrap();
    assert_eq!(id(&same), saga.system("first-0"));
    assert_ne!(id(&other), saga.system("first-0"));
    assert_ne!(id(&newer), saga.system("first-0"));
    // The other registration plays under the same rating.
    let seats = Seats {
        black: saga.system("first-1"),
        white: same,
    };
    let game = saga.say(saga.started(Stage::Manual, seats));
    saga.finish(game, WhiteWins);
    assert_eq!(
        saga.era().ladder.rated()[0].players.white,
        saga.system("first-0")
    );
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn a_withdrawn_identity_that_comes_back_starts_a_new_placement() {
    let mut saga = Saga::begin(3);
    saga.change("withdrawn", "first-0");
    while let NextGame::Cell {
        schedule, index, ..
    } = saga.next()
    {
        saga.play_cell(schedule, index, Drawn);
    }
    saga.change("restored", "first-0");
    assert_eq!(saga.identity("first-0").status, Status::Active);
    assert_eq!(saga.position("first-0"), None);
    let schedule = saga.admit("first-0");
    while let NextGame::Cell { index, .. } = saga.next() {
        saga.play_cell(schedule, index, Drawn);
    }
    assert!(saga.position("first-0").is_some());
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn another_era_starts_afresh_and_nothing_of_the_first_one_moves() {
    let mut saga = Saga::placed(3, by_cell);
    saga.play_manual("first-0", "first-1", WhiteWins);
    let before = saga.era().clone();
    saga.close();
    let mut later = Saga::under(|protocol| protocol["name"] = "ladder-2".into());
    std::mem::swap(&mut later.projection, &mut saga.projection);
    // The same models, under the next protocol.
    let mut saga = Saga {
        clock: saga.clock,
        ..later
    };
    let rules = saga.events.remove(0);
    saga.projection.apply(&rules);
    let systems = ["first-0", "first-1", "first-2"].map(|name| saga.system(name));
    saga.schedule("second", &systems);
    saga.era = saga.say(scoresheet::event::EraStarted {
        name: "second".parse().unwrap(),
        placement: saga.placement,
        protocol: saga.protocol,
        seed_sha256: super::SEED.sha256(),
    });
    for cell in 0..6 {
        saga.play_cell(saga.placement, cell, Drawn);
    }
    assert!(
        saga.standings()
            .iter()
            .all(|one| (one.rating.rating - 1500.0).abs() < 1e-9)
    );
    let first = saga.projection.eras.era(&before.id).unwrap();
    assert_eq!(first.ladder, before.ladder);
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn a_picked_draw_is_refuted_when_the_seed_is_revealed_and_an_honest_one_is_not() {
    let mut saga = Saga::placed(4, |_| Drawn);
    let mut made = saga.drawn();
    // With equal shares either may have White: nobody sees the difference yet.
    (made.white, made.black) = (made.black, made.white);
    saga.say(made);
    assert_eq!(saga.codes(), [""; 0]);
    saga.close();
    assert_eq!(saga.codes(), ["draw-refuted"]);
    let again = fold(&saga.events);
    assert_eq!(again.findings, saga.projection.findings);
}

/// What is deferred because somebody sits at another game is no cell out of order.
#[test]
fn cells_of_those_who_play_elsewhere_wait_and_the_next_ones_go_on() {
    let mut saga = Saga::placed(3, by_cell);
    let schedule = saga.admit("late");
    let cells = saga
        .projection
        .schedules
        .schedule(&schedule)
        .unwrap()
        .cells
        .clone();
    let late = saga.system("late");
    let first = if cells[0].seats.white == late {
        cells[0].seats.black
    } else {
        cells[0].seats.white
    };
    let others = saga.standings().into_iter().map(|one| one.identity);
    let other = others.into_iter().find(|one| *one != first).unwrap();
    let [first, other] = [first, other].map(|system| saga.projection.name_of(&system));
    let by_hand = saga.start_manual(&first, &other);
    let game = saga.start_next().unwrap();
    assert_ne!(
        saga.projection
            .games
            .game(&game)
            .unwrap()
            .cell()
            .unwrap()
            .index
            .get(),
        0
    );
    saga.finish(game, Drawn);
    saga.finish(by_hand, Drawn);
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn another_seed_reveals_nothing_and_the_true_one_closes_the_era_later() {
    let mut saga = Saga::placed(4, |_| Drawn);
    let game = saga.start_next().unwrap();
    saga.finish(game, Drawn);
    saga.say(scoresheet::event::EraClosed {
        era: saga.era,
        seed: Some(scoresheet::event::EraSeed::new([9; 32])),
        seed_lost: None,
    });
    assert_eq!(saga.codes(), ["draw-refuted"], "the closing, and no draw");
    assert_eq!(saga.era().seed, None);
    saga.close();
    assert_eq!(saga.codes(), ["draw-refuted"]);
    assert_eq!(saga.era().seed, Some(super::SEED));
}

#[test]
fn an_era_whose_seed_is_lost_is_closed_and_its_draws_stay_unchecked_until_it_is_found() {
    let mut saga = Saga::placed(4, |_| Drawn);
    let game = saga.start_next().unwrap();
    saga.finish(game, Drawn);
    saga.lose_seed();
    assert_eq!(saga.codes(), ["draw-uncheckable"]);
    assert!(saga.era().is_closed);
    assert_eq!(saga.era().seed, None);
    assert_eq!(saga.next(), NextGame::Nothing("the era is closed"));
    // The protocol is free for another era.
    let protocol = saga.protocol;
    assert!(saga.projection.eras.open_under(&protocol).is_none());
    saga.lose_seed();
    assert_eq!(saga.codes(), ["draw-uncheckable", "era-contradicted"]);
    saga.close();
    assert_eq!(saga.codes(), ["draw-uncheckable", "era-contradicted"]);
    assert_eq!(saga.era().seed, Some(super::SEED));
}

#[test]
fn a_first_batch_in_which_an_identity_plays_twice_is_found() {
    let mut saga = Saga::under(|_| ());
    let systems = [("one", "m"), ("again", "m"), ("other", "n")];
    let systems = systems.map(|(name, version)| saga.say(model(name, version, "high")));
    saga.schedule("first", &systems);
    saga.era = saga.say(body::<scoresheet::event::EraStarted>(serde_json::json!({
        "name": "era", "placement": saga.placement, "protocol": saga.protocol,
        "seed_sha256": super::SEED.sha256(),
    })));
    assert_eq!(saga.codes(), ["era-contradicted"]);
}

#[test]
fn a_draw_that_waits_and_is_played_before_a_newcomer_who_is_ready_is_found() {
    let mut saga = Saga::placed(4, |_| Drawn);
    let (draw, made) = saga.draw();
    let schedule = saga.admit("late");
    let mut patient = saga.clone();
    saga.start_drawn(draw, made.white, made.black);
    assert_eq!(saga.codes(), ["game-unchosen"]);
    for cell in 0..8 {
        patient.play_cell(schedule, cell, Drawn);
    }
    patient.start_drawn(draw, made.white, made.black);
    assert_eq!(patient.codes(), [""; 0]);
}
