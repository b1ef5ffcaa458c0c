use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::chess::Color;
use crate::event::{EventId, GameStarted, PlayerRegistered, Stage, VideoAccess};
use crate::finding::{Code, Finding, Place};
use crate::measure::{HUMAN_START, human_elo};
use crate::projection::Games;

/// A person who plays against systems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// The id of their registration.
    pub id: EventId,
    /// The position of that registration in the ledger.
    pub index: u64,
    /// Who they are, as far as the ledger says.
    pub registered: PlayerRegistered,
    /// Who may see videos of their games. Nobody else until they say so.
    pub video: VideoAccess,
    /// Their Elo now.
    #[serde(with = "crate::projection::bits")]
    pub elo: f64,
    /// Their games that have a result, in the order they were finished.
    pub games: Vec<HumanGame>,
}

/// A game of a person, with what it did to their Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HumanGame {
    /// The game.
    pub game: EventId,
    /// The person's color.
    pub color: Color,
    /// The rating of the system that was saved before the game.
    #[serde(with = "crate::projection::bits")]
    pub opponent: f64,
    /// The person's Elo before the game.
    #[serde(with = "crate::projection::bits")]
    pub before: f64,
    /// The person's Elo after it.
    #[serde(with = "crate::projection::bits")]
    pub after: f64,
}

/// A game with a person has exactly one of them, and no other game has any.
pub(crate) fn check_people(id: EventId, started: &GameStarted, people: &People) -> Option<Finding> {
    let seats = [&started.seats.white, &started.seats.black];
    let seated = seats.iter().filter(|seat| people.person(seat).is_some());
    let (expected, found) = (usize::from(started.stage == Stage::Human), seated.count());
    (expected != found).then(|| {
        Finding::new(
            Code::SeatPerson,
            Place::event(*id.digest()),
            format!("{expected} people in a {} game", started.stage.as_str()),
            found.to_string(),
        )
    })
}

/// All people, by the id of their registration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct People {
    by_id: BTreeMap<EventId, Person>,
    /// Their games that have a result, in the order they were finished.
    finished: Vec<EventId>,
}

impl People {
    /// The person with this id.
    pub fn person(&self, id: &EventId) -> Option<&Person> {
        self.by_id.get(id)
    }

    /// The people, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Person> {
        self.by_id.values()
    }

    /// The person that this account is, where they are registered.
    pub fn registered_as(&self, registered: &PlayerRegistered) -> Option<&Person> {
        let mut people = self.by_id.values();
        people.find(|person| person.registered == *registered)
    }

    pub(crate) fn register(
        &mut self,
        id: EventId,
        index: u64,
        registered: &PlayerRegistered,
    ) -> Option<Finding> {
        let before = self.registered_as(registered).map(|person| person.index);
        let person = Person {
            id,
            index,
            registered: registered.clone(),
            video: VideoAccess::Owner,
            elo: HUMAN_START,
            games: Vec::new(),
        };
        self.by_id.insert(id, person);
        before.map(|before| {
            Finding::new(
                Code::PlayerTwice,
                Place::event(*id.digest()),
                "an account that nobody is registered by",
                format!("event {before} registers it"),
            )
        })
    }

    pub(crate) fn share(&mut self, id: &EventId, video: VideoAccess) {
        if let Some(person) = self.by_id.get_mut(id) {
            person.video = video;
        }
    }

    /// Takes in a finished game: only the person's rating moves.
    pub(crate) fn finish(&mut self, game: &EventId, games: &Games) {
        self.finished.push(*game);
        self.rate(game, games);
    }

    fn rate(&mut self, game: &EventId, games: &Games) {
        let Some(game) = games.game(game).filter(|game| game.counts()) else {
            return;
        };
        let Some(result) = game.result() else { return };
        for (color, seat) in game.seats() {
            // The other seat's rating is the one that was saved at the start.
            let opponent = game.at_start.as_ref();
            let opponent = opponent.and_then(|start| start.get(color.other()).rating);
            if let (Some(person), Some(opponent)) = (self.by_id.get_mut(seat), opponent) {
                let before = person.elo;
                let after = human_elo(before, opponent, result.half_points(color));
                person.elo = after;
                person.games.push(HumanGame {
                    game: game.id,
                    color,
                    opponent,
                    before,
                    after,
                });
            }
        }
    }

    /// Works out every Elo anew, from the games in the order they were finished.
    pub(crate) fn rate_anew(&mut self, games: &Games) {
        for person in self.by_id.values_mut() {
            person.elo = HUMAN_START;
            person.games.clear();
        }
        for game in self.finished.clone() {
            self.rate(&game, games);
        }
    }
}
