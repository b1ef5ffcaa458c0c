use std::cmp::Ordering;

use crate::canonical::Total;
use crate::projection::Resources;

/// What a system's side of a game costs on average, over the completed games
/// whose pricing is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CostPerGame {
    /// US dollars of those games together.
    pub sum: Total,
    /// How many games.
    pub games: u64,
}

impl CostPerGame {
    /// Takes in a completed game, where all of its calls have a cost.
    pub fn take(&mut self, resources: &Resources) {
        if let Some(cost) = resources.complete_cost() {
            self.sum += cost;
            self.games += 1;
        }
    }

    /// Whether there is a game to go by.
    pub const fn is_known(&self) -> bool {
        self.games != 0
    }

    /// US dollars a game, to eighteen decimals rounded down; nothing without games.
    pub fn average(&self) -> Option<Total> {
        let (average, _) = self.sum.shared(self.games)?;
        Some(average.rounded(18))
    }

    /// Orders by average cost, the lower first and the unknown last.
    pub(crate) fn cheaper_first(one: Option<Self>, other: Option<Self>) -> Ordering {
        // With what is left, so that nothing is rounded.
        let shares = |cost: Option<Self>| {
            let cost = cost?;
            Some((cost.sum.shared(cost.games)?, u128::from(cost.games)))
        };
        match (shares(one), shares(other)) {
            (Some(((a, a_left), a_games)), Some(((b, b_left), b_games))) => {
                let [a_left, b_left] = [a_left, b_left].map(u128::from);
                a.cmp(&b)
                    .then_with(|| (a_left * b_games).cmp(&(b_left * a_games)))
            }
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn average(sum: &str, games: u64) -> CostPerGame {
        let sum = sum.parse::<crate::canonical::Money>().unwrap().into();
        CostPerGame { sum, games }
    }

    #[test]
    fn averages_are_compared_exactly_and_the_unknown_comes_last() {
        let compare = CostPerGame::cheaper_first;
        let cost = |sum, games| Some(average(sum, games));
        assert_eq!(compare(cost("1", 3), cost("2", 6)), Ordering::Equal);
        // They differ by less than any number of digits that is shown.
        let (a, b) = (cost("1", 3), cost("333333333", 1_000_000_000));
        assert_eq!(compare(a, b), Ordering::Greater);
        assert_eq!(
            compare(cost("1", u64::MAX), cost("1", u64::MAX - 1)),
            Ordering::Less
        );
        assert_eq!(compare(cost("5", 1), None), Ordering::Less);
        assert_eq!(compare(None, cost("5", 1)), Ordering::Greater);
        assert_eq!(compare(None, None), Ordering::Equal);
        assert_eq!(
            average("1", 3).average().unwrap().to_string(),
            "0.333333333333333333"
        );
    }
}
