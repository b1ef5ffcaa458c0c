//! What people read of a ladder.

use scoresheet::event::{Seats, Stage};
use serde_json::Value;

use super::{Drawn, Saga, WhiteWins};
use crate::bundle::Bundle;
use crate::story::body;

/// A ladder with a newcomer, a pause, a retirement, a withdrawal and a person.
fn lived() -> (Saga, Bundle) {
    let mut saga = Saga::begin(4);
    saga.change("withdrawn", "first-3");
    while let Some(game) = saga.start_next().filter(|_| !saga.era().is_placed) {
        saga.finish(game, WhiteWins);
    }
    // The last one started is the first of the ladder.
    let playing: Vec<_> = saga
        .projection
        .games
        .playing()
        .map(|game| game.id)
        .collect();
    for game in playing {
        saga.finish(game, Drawn);
    }
    saga.admit("late");
    while let Some(game) = saga
        .start_next()
        .filter(|_| saga.position("late").is_none())
    {
        saga.finish(game, Drawn);
    }
    let playing: Vec<_> = saga
        .projection
        .games
        .playing()
        .map(|game| game.id)
        .collect();
    for game in playing {
        saga.finish(game, WhiteWins);
    }
    saga.change("paused", "first-1");
    saga.change("retired", "first-2");
    let person = saga.say(body::<scoresheet::event::PlayerRegistered>(
        serde_json::json!({
            "account": scoresheet::digest::Digest::of(b"an account"), "issuer": "x.com",
        }),
    ));
    let seats = Seats {
        black: saga.system("late"),
        white: person,
    };
    let game = saga.say(saga.started(Stage::Human, seats));
    saga.finish(game, WhiteWins);
    assert_eq!(saga.codes(), [""; 0]);
    let bundle = Bundle::new();
    bundle.append(&saga.events);
    (saga, bundle)
}

#[test]
fn a_ladder_is_read_in_four_formats_with_the_same_figures() {
    let (saga, bundle) = lived();
    let text = bundle.must(&["board", "ladder"]);
    // The root follows from every event, and the events from golden lines.
    let root = scoresheet::ledger::Prefix::open(&bundle.disk())
        .unwrap()
        .root();
    insta::assert_snapshot!(text.replace(&root.to_string(), "[root]"));
    let json: Value =
        serde_json::from_str(&bundle.must(&["board", "ladder", "era", "--format", "json"]))
            .unwrap();
    let csv = bundle.must(&["board", "ladder", "--format", "csv"]);
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len() + 1, csv.lines().count());
    for (row, standing) in rows.iter().zip(saga.standings()) {
        let rating = format!("{:.6}", standing.rating.rating);
        assert_eq!(row["rating"], rating.as_str());
        assert_eq!(row["rank"], standing.rank.to_string().as_str());
        assert_eq!(row.get("cost_usd_per_game"), None, "unknown is not zero");
        assert_eq!(row["cost_state"], "unknown");
    }
    let markdown = bundle.must(&["board", "ladder", "--format", "markdown"]);
    assert!(markdown.starts_with("# Ladder of era era, protocol ladder\n"));
}

#[test]
fn a_game_shows_where_its_players_stood_and_what_it_did_to_their_ratings() {
    let (saga, bundle) = lived();
    let show = |game: scoresheet::event::EventId| bundle.must(&["show", &game.to_string()]);
    let rated = saga.era().ladder.rated()[0];
    let text = show(rated.game);
    let line = |name: &str, text: &str| {
        text.lines()
            .find(|line| line.starts_with(name))
            .map(str::to_owned)
    };
    assert!(line("At start", &text).unwrap().contains('#'), "{text}");
    let change = format!(
        "{:.1} to {:.1}",
        rated.before.white.rating, rated.after.white.rating
    );
    assert!(line("Rated", &text).unwrap().contains(&change), "{text}");
    let first = saga
        .projection
        .schedules
        .schedule(&saga.placement)
        .unwrap()
        .games[1][0];
    let text = show(first);
    assert_eq!(
        line("At start", &text).unwrap(),
        "At start   white unranked, black unranked"
    );
    assert_eq!(
        line("Rated", &text),
        None,
        "no official change in the first batch"
    );
    let human = saga.projection.people.iter().next().unwrap().games[0];
    let text = show(human.game);
    assert!(line("Elo", &text).unwrap().contains("1500.0 to"), "{text}");
    let json: Value =
        serde_json::from_str(&bundle.must(&["show", &rated.game.to_string(), "--format", "json"]))
            .unwrap();
    assert_eq!(
        json["standing"]["white"]["before"],
        format!("{:.6}", rated.before.white.rating).as_str()
    );
}

#[test]
fn people_are_listed_by_elo_and_the_world_as_it_stood_has_nobody() {
    let (_, bundle) = lived();
    let text = bundle.must(&["board", "people"]);
    assert!(text.contains("x.com") && text.contains("1-0-0"), "{text}");
    let csv = bundle.must(&["board", "people", "--format", "csv"]);
    assert!(
        csv.starts_with("position,player,elo,games,wins,draws,losses,video,issuer\n1,"),
        "{csv}"
    );
    let json: Value =
        serde_json::from_str(&bundle.must(&["board", "people", "--format", "json"])).unwrap();
    assert!(csv.contains(json[0]["elo"].as_str().unwrap()), "{csv}");
    assert_eq!(
        bundle.must(&["board", "people", "--format", "markdown"]),
        text
    );
    let before = bundle.must(&["board", "people", "--at", "20"]);
    assert_eq!(before, "nobody is registered\n");
    let early = bundle.run(&["board", "ladder", "--at", "3"]);
    assert_eq!(early.code, 2);
}

#[test]
fn the_games_of_a_newcomer_are_told_from_a_pool_and_no_choice_where_none_is_named() {
    let (_, bundle) = lived();
    let text = bundle.must(&["board", "placement", "newcomer-late"]);
    assert!(
        text.starts_with("Games of the newcomer late to era era: "),
        "{text}"
    );
    assert!(text.contains("This is no pool: "), "{text}");
    let first = bundle.must(&["board", "placement", "first"]);
    assert!(
        first.contains("Withdrawn, their games in no calculation: first-3."),
        "{first}"
    );
    // The bundle has a round robin of its own beside the first batch.
    let (_, said) = bundle.program(&["board", "placement"]);
    let choices =
        "name one of the cohorts: first, t (there are also those of newcomers: newcomer-late)";
    assert!(said.contains(choices), "{said}");
}

#[test]
fn a_ladder_before_its_first_batch_is_complete_says_how_far_it_is() {
    let mut saga = Saga::begin(3);
    saga.play_cell(saga.placement, 0, Drawn);
    let bundle = Bundle::new();
    bundle.append(&saga.events);
    let text = bundle.must(&["board", "ladder", "era"]);
    let far =
        "first batch: 1 of 6 games have a result, 5 open; nobody is ranked before it is complete";
    assert!(text.contains(far), "{text}");
    let json = bundle.must(&["board", "ladder", "era", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["first_batch"]["open"], 5);
}
