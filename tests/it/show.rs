//! A game as its scoresheet, and the board of its cohort, as people see them.

use std::collections::BTreeMap;

use scoresheet::chess::{Fen, Termination, Variant};
use scoresheet::event::{EventId, GameStarted, Seats, Stage, Start, What};
use scoresheet::ledger::Prefix;

use crate::evidence::{COHORT, Evidence, Script};
use crate::program::{printed, scoresheet};

/// The id of the last game that ended like this; of the aborted one with nothing.
fn game(evidence: &Evidence, termination: Option<Termination>) -> String {
    let (projection, _) = evidence.project();
    let games = projection.games.iter();
    let game = games
        .filter(|game| game.termination() == termination)
        .last();
    game.unwrap().id.to_string()
}

#[test]
fn a_sheet_has_the_heading_the_position_and_every_turn() {
    let evidence = Evidence::new();
    let id = game(&evidence, Some(Termination::Checkmate));
    insta::assert_snapshot!("sheet", printed(&evidence.path(), &["show", &id]));
    assert_eq!(
        printed(&evidence.path(), &["show", &id[..4]]),
        printed(&evidence.path(), &["show", &id]),
    );
}

#[test]
fn the_events_of_an_aborted_game_stand_below_its_sheet() {
    let evidence = Evidence::new();
    let id = game(&evidence, None);
    let sheet = printed(&evidence.path(), &["show", &id, "--events"]);
    insta::assert_snapshot!("sheet_with_events", sheet);
}

#[test]
fn a_sheet_for_programs_has_what_the_sheet_for_people_has() {
    let evidence = Evidence::new();
    let id = game(&evidence, Some(Termination::RejectedMoves));
    let sheet = printed(&evidence.path(), &["show", &id, "--format", "json"]);
    insta::assert_snapshot!("sheet_json", sheet);
}

#[test]
fn the_events_of_a_sheet_are_all_lines_that_lead_to_its_game() {
    let evidence = Evidence::new();
    let disk = evidence.disk();
    let prefix = Prefix::open(&disk).unwrap();
    let mut lines = Vec::new();
    // Which game an event belongs to, found another way than `show` does.
    let mut game_of: BTreeMap<EventId, EventId> = BTreeMap::new();
    let read = prefix.read(prefix.size(), |index, event| {
        let id = event.id();
        let game = match &event.what {
            What::GameStarted(_) => Some(id),
            What::MoveAccepted(accepted) => Some(accepted.game),
            What::MoveRejected(rejected) => Some(rejected.game),
            What::GameFinished(finished) => Some(finished.game),
            What::GameAborted(aborted) => Some(aborted.game),
            What::CallSent(sent) => sent.game,
            What::CallAnswered(answered) => game_of.get(&answered.call).copied(),
            What::CallFailed(failed) => game_of.get(&failed.call).copied(),
            What::CostLookedUp(looked_up) => game_of.get(&looked_up.call).copied(),
            _ => None,
        };
        if let Some(game) = game {
            game_of.insert(id, game);
            lines.push((game, index, id, event.line().to_owned()));
        }
    });
    read.unwrap();
    let (projection, _) = evidence.project();
    for game in projection.games.iter() {
        let id = game.id.to_string();
        let args = ["show", &id, "--events", "--format", "json"];
        let sheet: serde_json::Value =
            serde_json::from_str(&printed(&evidence.path(), &args)).unwrap();
        let expected: Vec<_> = lines
            .iter()
            .filter(|(of, ..)| *of == game.id)
            .map(|(_, index, id, line)| {
                serde_json::json!({ "id": id, "index": index, "line": line })
            })
            .collect();
        assert_eq!(sheet["events"], serde_json::Value::from(expected));
    }
}

#[test]
fn an_id_that_names_no_game_or_more_than_one_is_refused_with_the_candidates() {
    let evidence = Evidence::new();
    let ledger = evidence.path();
    let id = game(&evidence, None);
    for wrong in ["0000", &id[..3], "ABCD", &format!("{id}0")] {
        let outcome = scoresheet(&ledger, &["show", wrong]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{wrong}");
    }
    let unknown = scoresheet(&ledger, &["show", "0000"]).stderr;
    assert!(
        unknown.contains("no game begins with 0000; there is:"),
        "{unknown}"
    );
    assert_eq!(unknown.matches(" - ").count(), 7, "{unknown}");
    let early = scoresheet(&ledger, &["show", &id, "--at", "5"]).stderr;
    assert!(early.contains("there is none before event 5"), "{early}");
    assert_eq!(scoresheet(&ledger, &["show", &id, "--at", "9999"]).code, 2);
}

#[test]
fn a_beginning_that_two_games_share_is_refused_with_both() {
    let mut story = Script::default();
    let schedule = story.schedule();
    story.cell(schedule, 0);
    let started = story.events.last().unwrap().clone();
    let What::GameStarted(cell) = &started.what else {
        panic!("a game was started");
    };
    let started = GameStarted {
        billing: None,
        draw: None,
        cell: None,
        opening: None,
        protocol: cell.protocol,
        seats: Seats { ..cell.seats },
        stage: Stage::Manual,
        start: Start {
            fen: Fen::standard_start(),
            variant: Variant::Standard,
        },
    };
    // Enough games that two of them begin with the same four digits.
    let mut seen = BTreeMap::new();
    let shared = (0..2000).find_map(|_| {
        let id = story.start(started.clone()).game.to_string();
        let earlier = seen.insert(id[..4].to_owned(), id.clone())?;
        Some((earlier, id))
    });
    let (one, other) = shared.unwrap();
    let evidence = Evidence::opened();
    evidence.append(&story.events);
    let outcome = scoresheet(&evidence.path(), &["show", &one[..4]]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("more than one game begins with"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains(&one) && outcome.stderr.contains(&other));
    assert!(printed(&evidence.path(), &["show", &one]).contains("the game goes on"));
}

#[test]
fn the_placement_board_of_the_evidence() {
    let evidence = Evidence::new();
    insta::assert_snapshot!(
        "placement_board",
        printed(&evidence.path(), &["board", "placement", COHORT])
    );
}

#[test]
fn without_an_id_all_games_are_listed_with_ids_that_show_them() {
    let evidence = Evidence::new();
    let ledger = evidence.path();
    let listed = printed(&ledger, &["show"]);
    let (projection, _) = evidence.project();
    let rows: Vec<_> = listed.lines().skip(2).collect();
    assert_eq!(rows.len(), projection.games.count());
    for (row, game) in rows.iter().zip(projection.games.iter()) {
        let id = row.split('|').nth(1).unwrap().trim();
        assert!(game.id.to_string().starts_with(id), "{row}");
        assert_eq!(scoresheet(&ledger, &["show", id]).code, 0);
    }
    let json = printed(&ledger, &["show", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let first = projection.games.iter().next().unwrap();
    assert_eq!(json[0]["game"], first.id.to_string());
}
