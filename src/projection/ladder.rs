use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::chess::Color;
use crate::event::{EventId, Glicko2Rule};
use crate::measure::{Bout, NoConvergence, Rating, update_over};
use crate::projection::ByColor;

/// The ratings of an era after its first batch: game by game, both players from
/// the same snapshot, in the order in which games were finished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    start: Rating,
    #[serde(with = "crate::projection::bits")]
    tau: f64,
    /// Rating periods over which a deviation grows before each game: 1 or 0.
    periods: u32,
    members: BTreeMap<EventId, Member>,
    rated: Vec<RatedGame>,
}

/// An identity on the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its rating now.
    pub rating: Rating,
    /// Whether it has played its placement and may be ranked.
    pub is_placed: bool,
}

/// A game that changed ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatedGame {
    /// The game.
    pub game: EventId,
    /// The identities that played.
    pub players: ByColor<EventId>,
    /// Their ratings just before the game was finished.
    pub before: ByColor<Rating>,
    /// Their ratings just after.
    pub after: ByColor<Rating>,
}

impl Ladder {
    /// Returns a ladder on which nobody stands.
    pub(crate) fn new(rule: &Glicko2Rule) -> Self {
        Self {
            start: Rating {
                rating: rule.rating.to_f64(),
                deviation: rule.deviation.to_f64(),
                volatility: rule.volatility.to_f64(),
            },
            tau: rule.tau.to_f64(),
            periods: u32::from(rule.grows_each_game.unwrap_or(true)),
            members: BTreeMap::new(),
            rated: Vec::new(),
        }
    }

    /// What everyone starts with.
    pub const fn start(&self) -> &Rating {
        &self.start
    }

    /// The identity with this id, where it stands on the ladder.
    pub fn member(&self, identity: &EventId) -> Option<&Member> {
        self.members.get(identity)
    }

    /// Everyone on the ladder, in the order of ids.
    pub fn members(&self) -> impl Iterator<Item = (&EventId, &Member)> {
        self.members.iter()
    }

    /// The games that changed ratings, in the order they were finished.
    pub fn rated(&self) -> &[RatedGame] {
        &self.rated
    }

    /// Puts an identity on the ladder, or gives it the status that is due.
    pub(crate) fn admit(&mut self, identity: EventId, rating: Rating, is_placed: bool) {
        self.members
            .entry(identity)
            .or_insert(Member { rating, is_placed })
            .is_placed = is_placed;
    }

    /// Rates a game between two that stand on the ladder; where one does not,
    /// nothing happens.
    ///
    /// # Errors
    ///
    /// When a rating has no finite value. Both stay what they were.
    pub(crate) fn rate(
        &mut self,
        game: EventId,
        players: ByColor<EventId>,
        half_points: impl Fn(Color) -> u8,
    ) -> Result<(), NoConvergence> {
        let rating = |color| self.members.get(players.get(color)).map(|one| one.rating);
        let (Some(white), Some(black)) = (rating(Color::White), rating(Color::Black)) else {
            return Ok(());
        };
        let before = ByColor { white, black };
        let update = |color: Color| {
            let bout = Bout::one(before.get(color.other()), half_points(color));
            update_over(before.get(color), &[bout], self.tau, self.periods)
        };
        let after = ByColor {
            white: update(Color::White)?,
            black: update(Color::Black)?,
        };
        for color in [Color::White, Color::Black] {
            if let Some(member) = self.members.get_mut(players.get(color)) {
                member.rating = *after.get(color);
            }
        }
        self.rated.push(RatedGame {
            game,
            players,
            before,
            after,
        });
        Ok(())
    }
}
