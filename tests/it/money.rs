//! The rules of money, one test a rule.

use scoresheet::chess::Color;
use scoresheet::projection::{CostPerGame, Projection};
use serde_json::json;

use crate::book::{Book, DAY, text, thinker};
use crate::story::body;

#[test]
fn request_costs_use_reported_charges_where_available_or_recorded_tokens_and_saved_prices() {
    let mut book = Book::new();
    book.price("2", "10");
    let game = book.game("manual");
    let reported = book.ask(Some(game), 0);
    book.answer(reported, Some("0.5"), Some([1000, 100]));
    let estimated = book.ask(Some(game), 0);
    book.answer(estimated, None, Some([1000, 100]));
    let unknown = book.ask(Some(game), 0);
    book.answer(unknown, None, None);
    let figures = book.of(|_| true);
    assert_eq!(
        (figures.ended, figures.reported, figures.estimated),
        (3, 1, 1)
    );
    assert_eq!(figures.reported_usd.to_string(), "0.5");
    assert_eq!(figures.estimated_usd.to_string(), "0.003");
    assert!(!figures.is_complete());
}

#[test]
fn the_price_of_a_call_is_the_newest_that_stood_before_it_was_sent() {
    let mut book = Book::new();
    let game = book.game("manual");
    let early = book.ask(Some(game), 0);
    book.price("1", "1");
    book.price("2", "2");
    let call = book.ask(Some(game), 0);
    book.price("4", "4");
    book.answer(early, None, Some([500_000, 500_000]));
    assert_eq!(text(&book.of(|_| true)), "unknown");
    book.answer(call, None, Some([500_000, 500_000]));
    assert_eq!(text(&book.of(|_| true)), "2");
}

#[test]
fn what_is_unknown_is_never_zero_and_what_is_free_is() {
    let mut book = Book::new();
    let game = book.game("manual");
    let call = book.ask(Some(game), 0);
    assert_eq!(book.of(|_| true).ended, 0);
    book.answer(call, None, Some([10, 10]));
    assert_eq!(book.known("continuous"), "unknown");
    book.pay(game, 0, "0");
    assert_eq!(book.known("continuous"), "0");
}

#[test]
fn a_failed_call_has_a_cost_only_where_one_is_looked_up() {
    let mut book = Book::new();
    book.price("2", "10");
    let game = book.game("manual");
    let call = book.ask(Some(game), 0);
    book.fail(call);
    assert_eq!(book.known("continuous"), "unknown");
    book.look_up(call, "0.25");
    assert_eq!(book.known("continuous"), "0.25");
    assert!(book.of(|_| true).is_complete());
}

#[test]
fn a_cost_that_is_looked_up_replaces_the_estimate_on_the_day_the_call_ended() {
    let mut book = Book::new();
    book.price("2", "10");
    let game = book.game("manual");
    let call = book.ask(Some(game), 0);
    book.answer(call, None, Some([1000, 100]));
    let reported = book.ask(Some(game), 0);
    book.answer(reported, Some("1"), None);
    book.abort(game);
    book.on("2026-11-05");
    book.look_up(call, "0.004");
    // Neither a second word nor one beside a report counts.
    book.look_up(call, "7");
    book.look_up(reported, "8");
    let figures = book.of(|_| true);
    assert_eq!((figures.reported, figures.estimated), (2, 0));
    assert_eq!(book.known_on(DAY), "1.004");
    assert_eq!(book.known_on("2026-11-05"), "unknown");
    let taken = &book.projection.games.game(&game).unwrap().resources;
    assert_eq!(taken.black.complete_cost().unwrap().to_string(), "1.004");
}

#[test]
fn a_cost_that_is_looked_up_before_the_call_ended_counts_once_it_has() {
    let mut book = Book::new();
    book.price("2", "10");
    let game = book.game("manual");
    let [lost, answered, reported] = [0; 3].map(|_| book.ask(Some(game), 0));
    for call in [lost, answered, reported] {
        book.look_up(call, "0.5");
    }
    assert_eq!(book.known("continuous"), "unknown");
    book.fail(lost);
    book.answer(answered, None, Some([10, 10]));
    book.answer(reported, Some("1"), None);
    assert_eq!(book.known("continuous"), "2");
    let taken = &book.projection.games.game(&game).unwrap().resources;
    assert_eq!(taken.black.complete_cost().unwrap().to_string(), "2");
}

#[test]
fn placement_games_combine_the_first_batch_and_newcomers_and_continuous_has_all_others() {
    let mut book = Book::new();
    for (stage, usd) in [
        ("placement", "1"),
        ("newcomer", "2"),
        ("ladder", "10"),
        ("manual", "20"),
        ("anchored", "40"),
        ("paired", "80"),
        ("free", "100"),
    ] {
        let game = book.game(stage);
        book.pay(game, 0, usd);
    }
    assert_eq!(book.known("placement"), "3");
    assert_eq!(book.known("continuous"), "150");
    assert_eq!(book.known("human"), "100");
}

#[test]
fn every_charge_is_the_requesting_llms_with_its_thinking_setup_and_both_players_count_once() {
    let mut book = Book::new();
    let game = book.game("ladder");
    book.pay(game, 0, "1");
    book.pay(game, 1, "2");
    let [high, none] = book.systems;
    // The same model and effort under another prompt is the same identity.
    let again = book.say(thinker("c", Some("high"), Some(1)));
    let call = book.ask_by(None, again);
    book.answer(call, Some("4"), None);
    assert_eq!(book.known_of(high), "5");
    assert_eq!(book.known_of(none), "2");
    assert_eq!(book.known("continuous"), "3");
    assert_eq!(text(&book.of(|_| true)), "7");
}

#[test]
fn calls_outside_games_are_in_no_part_and_are_not_lost() {
    let mut book = Book::new();
    let call = book.ask(None, 0);
    book.answer(call, Some("3"), None);
    assert_eq!(book.known("outside_games"), "3");
    assert_eq!(text(&book.of(|_| true)), "3");
}

#[test]
fn human_games_count_the_llms_requests_that_the_benchmark_pays_and_byok_enters_no_sum() {
    let mut book = Book::new();
    let free = book.game("free");
    book.pay(free, 0, "1");
    let byok = book.game("byok");
    book.price("2", "10");
    book.pay(byok, 0, "50");
    let call = book.ask(Some(byok), 0);
    book.answer(call, None, Some([1000, 1000]));
    book.look_up(call, "60");
    assert_eq!(text(&book.of(|_| true)), "1");
    // The calls stay to be seen, and the game knows what it cost.
    assert_eq!(book.of(|slot| slot.group.as_str() == "byok").ended, 2);
    let taken = &book.projection.games.game(&byok).unwrap().resources;
    assert_eq!(taken.black.complete_cost().unwrap().to_string(), "110");
    let system = book.projection.systems.system(&book.systems[0]).unwrap();
    assert_eq!(system.resources.answered, 3);
    assert_eq!(system.resources.cost_usd.sum.to_string(), "1");
    assert_eq!(system.resources.estimated_usd.base, 0);
    book.bill("human", "1", "1");
    assert_eq!(book.contradictions(), [""; 0]);
}

#[test]
fn operating_expenses_include_hosting_storage_and_domain_registration() {
    let mut book = Book::new();
    assert_eq!(book.known("operating"), "unknown");
    for (category, usd) in [
        ("hosting", "20"),
        ("storage", "3.5"),
        ("domain_registration", "12"),
        ("other", "1"),
        ("hosting", "-5"),
    ] {
        book.spend(category, usd);
    }
    assert_eq!(book.known("operating"), "31.5");
    assert_eq!(book.projection.costs.expenses().len(), 5);
}

#[test]
fn billing_corrections_count_only_the_difference_on_their_own_day() {
    let mut book = Book::new();
    let game = book.game("ladder");
    book.pay(game, 0, "1");
    book.pay(game, 1, "2");
    book.on("2026-11-04");
    book.bill("continuous", "3", "3.5");
    assert_eq!(book.known_on(DAY), "3");
    assert_eq!(book.known_on("2026-11-04"), "0.5");
    // An earlier correction is recorded too.
    book.bill("continuous", "3.5", "3.25");
    assert_eq!(book.known("continuous"), "3.25");
    // Of one system and its days: the corrections above are of none and later.
    book.bill_of(json!({
        "corrected_usd": "1.5", "from": "2026-11-01", "note": "bill", "part": "continuous",
        "recorded_usd": "1", "system": book.systems[0], "until": "2026-11-03",
    }));
    assert_eq!(book.known_of(book.systems[0]), "1.5");
    let expense = book.spend("hosting", "10");
    assert!(book.projection.costs.expenses().contains_key(&expense));
    book.bill("operating", "10", "9");
    assert_eq!(book.known("operating"), "9");
    assert_eq!(book.contradictions(), [""; 0]);
}

#[test]
fn a_billing_correction_must_know_what_is_recorded_and_counts_all_the_same() {
    let mut book = Book::new();
    let game = book.game("ladder");
    book.pay(game, 0, "1");
    book.bill("continuous", "2", "5");
    assert_eq!(book.contradictions().len(), 1);
    let said = &book.contradictions()[0];
    assert!(said.contains("a recorded total of 1"), "{said}");
    assert_eq!(book.known("continuous"), "4");
    // A part, a system or days without costs have a recorded total of zero.
    book.bill("placement", "0", "1");
    book.bill_of(json!({
        "corrected_usd": "1", "from": "2026-12-01", "note": "bill", "part": "continuous",
        "recorded_usd": "0",
    }));
    assert_eq!(book.contradictions().len(), 1);
    // The bill before is one about the same days.
    book.bill_of(json!({
        "corrected_usd": "1", "from": "2026-12-01", "note": "bill", "part": "continuous",
        "recorded_usd": "0",
    }));
    assert_eq!(book.contradictions().len(), 2);
}

#[test]
fn the_calls_of_an_aborted_game_cost_too() {
    let mut book = Book::new();
    let game = book.game("ladder");
    book.pay(game, 0, "1");
    let call = book.ask(Some(game), 1);
    book.abort(game);
    book.answer(call, Some("2"), None);
    assert_eq!(book.known("continuous"), "3");
}

#[test]
fn costs_are_recorded_across_rating_eras() {
    let mut book = Book::new();
    let game = book.game("placement");
    book.pay(game, 0, "1");
    book.publish("another");
    let game = book.game("placement");
    book.pay(game, 0, "2");
    assert_eq!(book.known("placement"), "3");
}

#[test]
fn dates_are_utc_days_of_the_end_of_the_call() {
    let mut book = Book::new();
    let game = book.game("ladder");
    book.late(3);
    let late = book.ask(Some(game), 0);
    let early = book.ask(Some(game), 0);
    book.answer(early, Some("1"), None);
    book.on("2026-11-02");
    book.late(86_400_000);
    book.answer(late, Some("2"), None);
    assert_eq!(book.known_on(DAY), "1");
    assert_eq!(book.known_on("2026-11-02"), "2");
}

#[test]
fn cost_per_game_is_the_average_over_completed_games_with_complete_pricing() {
    let mut book = Book::new();
    book.price("2", "10");
    for (usd, is_complete) in [(Some("1"), true), (None, true), (Some("50"), false)] {
        let game = book.game("ladder");
        let call = book.ask(Some(game), 0);
        book.answer(call, usd, Some([1000, 100]));
        if is_complete {
            book.mate(game);
        } else {
            book.abort(game);
        }
    }
    // One call of this completed game has neither a charge nor tokens.
    let game = book.game("ladder");
    book.pay(game, 0, "3");
    let call = book.ask(Some(game), 0);
    book.answer(call, None, None);
    book.mate(game);
    let mut cost = CostPerGame::default();
    let games = book.projection.games.iter().filter(|game| game.counts());
    for game in games {
        cost.take(game.resources.get(Color::Black));
    }
    assert_eq!((cost.games, cost.sum.to_string()), (2, "1.003".to_owned()));
    assert_eq!(cost.average().unwrap().to_string(), "0.5015");
}

#[test]
fn rejected_percent_is_rejected_of_answered_attempts_without_failed_calls() {
    let mut book = Book::new();
    let game = book.game("ladder");
    let call = book.ask(Some(game), 1);
    book.fail(call);
    book.say(body::<scoresheet::event::MoveRejected>(json!({
        "attempt": 1, "class": "unparseable", "extracted": "?", "game": game, "ply": 1,
    })));
    book.say(crate::story::accepted(game, 1, "f2f3"));
    book.say(crate::story::accepted(game, 2, "e7e5"));
    let [black, white] = book.systems;
    let of = |identity| book.of(|slot| slot.identity == Some(identity));
    assert_eq!((of(white).rejected, of(white).attempts()), (1, 2));
    assert_eq!((of(black).rejected, of(black).attempts()), (0, 1));
    // A person's moves are no attempts of a system.
    let game = book.game("free");
    book.say(crate::story::accepted(game, 1, "f2f3"));
    assert_eq!(book.of(|slot| slot.group.as_str() == "human").attempts(), 0);
}

#[test]
fn totals_beyond_what_money_can_say_are_exact_and_a_bill_of_them_is_a_finding() {
    let mut book = Book::new();
    let most = "999999999.999999999999999999";
    book.price(most, most);
    let game = book.game("ladder");
    for _ in 0..100 {
        book.pay(game, 0, most);
        book.spend("other", most);
    }
    let call = book.ask(Some(game), 0);
    book.answer(call, None, Some([(1 << 53) - 1; 2]));
    assert!(book.known("continuous").starts_with("18014398"));
    assert_eq!(book.known("operating"), "99999999999.9999999999999999");
    book.bill("operating", most, most);
    assert_eq!(book.contradictions().len(), 1);
}

#[test]
fn a_projection_that_forgets_knows_what_is_recorded() {
    let mut book = Book::new();
    book.price("2", "10");
    let game = book.game("ladder");
    let call = book.ask(Some(game), 0);
    book.answer(call, None, Some([1000, 100]));
    book.mate(game);
    book.look_up(call, "0.5");
    book.bill("continuous", "0.5", "1");
    book.bill("continuous", "0.5", "1");
    let mut forgetful = Projection::forgetful();
    for event in &book.events {
        forgetful.apply(event);
    }
    assert_eq!(book.contradictions().len(), 1);
    let words = |projection: &Projection| -> Vec<String> {
        projection
            .findings
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(words(&forgetful), words(&book.projection));
}

#[test]
fn a_second_bill_about_the_same_days_takes_the_place_of_the_first() {
    let mut book = Book::new();
    book.on("2026-11-10");
    let game = book.game("ladder");
    let call = book.ask(Some(game), 0);
    book.answer(call, Some("10"), None);
    let november = |recorded: &str, corrected: &str| {
        json!({
            "corrected_usd": corrected, "from": "2026-11-01", "note": "bill of November",
            "part": "continuous", "recorded_usd": recorded, "until": "2026-11-30",
        })
    };
    book.on("2026-12-03");
    book.bill_of(november("10", "12"));
    book.on("2026-12-09");
    book.bill_of(november("12", "11"));
    assert_eq!(book.contradictions().len(), 0);
    assert_eq!(book.known("continuous"), "11");
    // One about December has nothing to do with either.
    book.bill_of(json!({
        "corrected_usd": "1", "from": "2026-12-01", "note": "bill of December",
        "part": "continuous", "recorded_usd": "0",
    }));
    assert_eq!(book.contradictions().len(), 0);
    book.bill_of(november("10", "11"));
    assert_eq!(book.contradictions().len(), 1);
}

#[test]
fn the_calls_of_an_engine_have_no_price_which_is_neither_zero_nor_unknown() {
    use scoresheet::projection::CostState;
    let mut book = Book::new();
    let game = book.game("manual");
    let engine = book.say(body::<scoresheet::event::SystemRegistered>(json!({
        "assistance": {"kind": "none"},
        "engine": {
            "arguments": [], "author": "n", "files": [{"bytes": 1, "name": "e", "sha256": scoresheet::digest::Digest::of(b"e")}], "limit": {"nodes": 1}, "name": "e",
            "options": [],
        },
        "name": "engine",
    })));
    let call = book.ask_by(Some(game), engine);
    book.answer(call, None, None);
    let figures = book.of(|_| true);
    assert_eq!((figures.ended, figures.billed()), (1, 0));
    assert_eq!(figures.state(), CostState::NotApplicable);
    // Beside calls that cost something an engine's leave nothing unknown.
    let call = book.ask(Some(game), 0);
    book.answer(call, None, None);
    assert_eq!(book.of(|_| true).state(), CostState::Unknown);
    book.pay(game, 0, "2");
    assert_eq!(book.of(|_| true).state(), CostState::Partial);
    book.look_up(call, "1");
    let figures = book.of(|_| true);
    assert_eq!(figures.state(), CostState::Known);
    assert_eq!(text(&figures), "3");
}
