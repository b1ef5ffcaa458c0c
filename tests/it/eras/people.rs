//! People live apart: their games move nobody's rating but their own Elo.

use scoresheet::event::{EventId, Seats, SharingChanged, Stage, VideoAccess};
use serde_json::json;

use super::{BlackWins, Drawn, Saga, WhiteWins};
use crate::story::body;

fn register(saga: &mut Saga, account: u8) -> EventId {
    saga.say(body::<scoresheet::event::PlayerRegistered>(json!({
        "account": scoresheet::digest::Digest::of(&[account]), "issuer": "x.com",
    })))
}

fn challenge(saga: &mut Saga, white: EventId, black: EventId) -> EventId {
    saga.say(saga.started(Stage::Human, Seats { black, white }))
}

#[test]
fn only_the_persons_elo_moves_from_the_rating_that_was_saved_before_the_game() {
    let mut saga = Saga::placed(3, |cell| if cell % 2 == 0 { WhiteWins } else { Drawn });
    let person = register(&mut saga, 1);
    let system = saga.system("first-0");
    let saved = saga.rating("first-0");
    let game = challenge(&mut saga, person, system);
    // The system's rating moves while the person thinks.
    saga.play_manual("first-0", "first-1", BlackWins);
    let ladder = saga.era().ladder.clone();
    saga.finish(game, WhiteWins);
    assert_eq!(saga.era().ladder, ladder, "no system's rating moved");
    let elo = saga.projection.people.person(&person).unwrap().elo;
    let expected = scoresheet::measure::human_elo(1500.0, saved, 2);
    assert!((elo - expected).abs() < 1e-9, "{elo} for {expected}");
    assert_eq!(saga.codes(), [""; 0]);
}

#[test]
fn games_with_people_change_no_choice_of_the_ladder() {
    let mut saga = Saga::placed(3, |_| Drawn);
    let person = register(&mut saga, 1);
    let system = saga.system("first-0");
    let before = saga.drawn().eligible;
    let game = challenge(&mut saga, system, person);
    assert_eq!(saga.drawn().eligible, before, "while it is played");
    saga.finish(game, BlackWins);
    assert_eq!(saga.drawn().eligible, before, "and after");
}

#[test]
fn a_retired_system_takes_no_new_challenge() {
    let mut saga = Saga::placed(3, |_| Drawn);
    let person = register(&mut saga, 1);
    let system = saga.system("first-0");
    let goes_on = challenge(&mut saga, system, person);
    saga.change("retired", "first-0");
    saga.finish(goes_on, Drawn);
    assert_eq!(saga.codes(), [""; 0], "what had begun is finished");
    challenge(&mut saga, system, person);
    assert_eq!(saga.codes(), ["seat-unavailable"]);
}

#[test]
fn an_account_is_one_person_and_sharing_is_theirs_to_decide() {
    let mut saga = Saga::placed(2, |_| Drawn);
    let person = register(&mut saga, 1);
    register(&mut saga, 2);
    assert_eq!(saga.codes(), [""; 0]);
    let video = |saga: &Saga| saga.projection.people.person(&person).unwrap().video;
    assert_eq!(video(&saga), VideoAccess::Owner);
    saga.say(SharingChanged {
        player: person,
        video: VideoAccess::Public,
    });
    assert_eq!(video(&saga), VideoAccess::Public);
    register(&mut saga, 1);
    assert_eq!(saga.codes(), ["player-twice"]);
}

#[test]
fn a_game_of_people_has_exactly_one() {
    let mut saga = Saga::placed(3, |_| Drawn);
    let [one, other] = [1, 2].map(|account| register(&mut saga, account));
    let [a, b] = ["first-0", "first-1"].map(|name| saga.system(name));
    challenge(&mut saga, a, b);
    challenge(&mut saga, one, other);
    saga.say(saga.started(
        Stage::Manual,
        Seats {
            black: one,
            white: a,
        },
    ));
    assert_eq!(saga.codes(), ["seat-person"; 3]);
}
