use std::cmp::Ordering;

use crate::canonical::Money;
use crate::projection::Resources;

/// What a system's side of a game costs on average, over the completed games
/// whose pricing is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CostPerGame {
    /// US dollars of those games together.
    pub sum: Money,
    /// How many games.
    pub games: u64,
}

impl CostPerGame {
    /// Takes in a completed game, where all of its calls have a cost.
    pub(crate) fn take(&mut self, resources: &Resources) {
        if let Some(cost) = resources.complete_cost() {
            self.sum = [self.sum, cost].into_iter().sum();
            self.games += 1;
        }
    }

    /// Whether there is a game to go by.
    pub const fn is_known(&self) -> bool {
        self.games != 0
    }

    /// US dollars a game, to eighteen decimals; nothing without games.
    pub fn average(&self) -> Option<Money> {
        self.sum.divided_by(self.games)
    }

    /// Orders by average cost, the lower first and the unknown last.
    pub(crate) fn cheaper_first(one: Option<Self>, other: Option<Self>) -> Ordering {
        match (one, other) {
            (Some(one), Some(other)) => {
                // Across, so that nothing is rounded.
                let [a, b] = [one.sum.times(other.games), other.sum.times(one.games)];
                match (a, b) {
                    (Some(a), Some(b)) => a.cmp(&b),
                    _ => one.average().cmp(&other.average()),
                }
            }
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        }
    }
}
