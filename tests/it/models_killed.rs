//! A run of models may be killed at any change of the disk: another one goes on in
//! the same conversations, asks nothing twice that was answered, and comes to the
//! same boards.

use serde_json::Value;

use crate::arena::games;
use crate::cup::{Cup, lost};
use crate::mortal::Part;
use crate::provider::{Act, Provider, completion};
use crate::runs::FOOLS_MATE;

/// Answers by the book, and on the fourth ply first with a word: it sees by the
/// messages alone where the game is.
fn answer(body: &Value, _: usize) -> Act {
    let messages = body["messages"].as_array().unwrap();
    let last = messages.last().unwrap()["content"].as_str().unwrap();
    let played = last.split("Moves so far (SAN): ").nth(1).unwrap();
    let played = played.lines().next().unwrap().split(' ');
    let played = played.filter(|word| *word != "none" && !word.ends_with('.'));
    let played = played.count();
    // Whoever answers without the conversation has forgotten what it said.
    let said = messages.iter().filter(|one| one["role"] == "assistant");
    let is_again = last.contains("attempt 2");
    assert_eq!(said.count(), played / 2 + usize::from(is_again), "{last}");
    if played == 3 && !is_again {
        return completion("mate");
    }
    completion(FOOLS_MATE.split(' ').nth(played).unwrap())
}

fn cup(provider: &Provider) -> Cup {
    let url = &provider.url;
    let models = ["a", "b"].map(|name| {
        format!(
            "[[model]]\nname = \"{name}\"\nroute = \"here\"\nbase_url = \"{url}\"\n\
             model = \"test/{name}\"\nstream = false\n"
        )
    });
    let text = format!(
        "cohort = \"cup\"\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"nothing is lost\"\n\
         primary_endpoints = [\"placement rating\"]\n\
         stopping_rule = \"every cell once\"\n\
         [protocol]\n\
         name = \"cup-rules\"\n\
         preset = \"chessbench-v3\"\n\
         {}",
        models.concat()
    );
    Cup::of(&text, Vec::new())
}

const GAMES: [&str; 2] = [
    "0 a-b 0-1 checkmate f2f3 e7e5 g2g4 d8h4 (4: unparseable)",
    "1 b-a 0-1 checkmate f2f3 e7e5 g2g4 d8h4 (4: unparseable)",
];

/// What reviewers compare: the board, and what was paid for answers.
fn boards(cup: &Cup) -> (Vec<String>, Vec<String>) {
    let projection = cup.arena.projection();
    let systems = projection.systems.systems();
    let paid = systems.iter().map(|system| {
        let resources = &system.resources;
        let cost = resources.cost_usd;
        format!(
            "{} answered, {:?}, {} reported",
            resources.answered, cost.sum, cost.reported
        )
    });
    (cup.arena.board(), paid.collect())
}

fn kill_at_any_change(last: Part) {
    let provider = Provider::start(answer);
    let mut cup = cup(&provider);
    cup.finish();
    assert_eq!(cup.arena.games(), GAMES, "undisturbed");
    let undisturbed = boards(&cup);
    let calls = provider.count();
    let mut in_flight = 0;
    for changes in 1.. {
        let before = provider.count();
        cup.clear();
        if cup.run_mortal(changes, last) {
            assert!(60 < changes, "{changes} changes are not all there is");
            break;
        }
        let lost_then = cup.in_flight();
        assert!(lost_then <= 1, "killed at change {changes}");
        in_flight += lost_then;
        cup.finish();
        let context = format!("killed at change {changes}");
        let projection = cup.arena.projection();
        assert_eq!(games(&projection), GAMES, "{context}");
        assert_eq!(boards(&cup), undisturbed, "{context}");
        let n_lost = usize::try_from(lost(&projection)).unwrap();
        // A call that was lost before it left is asked once in all.
        let asked = provider.count() - before;
        assert!((calls..=calls + n_lost).contains(&asked), "{context}");
        cup.arena.call(&["verify"]).ends_with(0);
    }
    assert!(20 < in_flight, "{in_flight}");
}

#[test]
fn killed_in_any_change_of_the_disk_models_play_on_to_the_same_boards() {
    kill_at_any_change(Part::Third);
}

#[test]
fn killed_after_any_change_of_the_disk_models_play_on_to_the_same_boards() {
    kill_at_any_change(Part::Whole);
}
