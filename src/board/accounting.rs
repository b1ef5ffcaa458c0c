use std::fmt;

use crate::projection::{CostState, Resources, Summand, Tally};

/// What the calls behind a row took, and how complete that knowledge is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accounting {
    resources: Resources,
    /// Games with a result in which the system sat.
    games: u64,
    /// Games that were aborted in which the system sat.
    aborted: u64,
    /// Whether somebody bills the calls.
    is_billed: bool,
}

impl Accounting {
    /// Returns the accounting over these many finished and aborted games, of a
    /// system whose calls somebody bills or nobody does.
    pub const fn new(resources: Resources, games: u64, aborted: u64, is_billed: bool) -> Self {
        Self {
            resources,
            games,
            aborted,
            is_billed,
        }
    }

    /// The same for people: `n/a` where nobody bills the calls.
    pub fn in_words(&self) -> String {
        let cost = &self.resources.cost_usd;
        if self.is_billed || cost.reported != 0 {
            self.words(&Self::share(cost))
        } else {
            self.words("n/a")
        }
    }

    /// How much of the cost of the calls is known, reported or estimated. Where
    /// nobody bills them there is none.
    pub const fn cost_state(&self) -> CostState {
        let (reported, estimated) = (&self.resources.cost_usd, &self.resources.estimated_usd);
        let known = reported.reported + estimated.reported;
        if known == 0 && !self.is_billed {
            CostState::NotApplicable
        } else if known == 0 {
            CostState::Unknown
        } else if known < reported.base {
            CostState::Partial
        } else {
            CostState::Known
        }
    }

    fn words(&self, cost: &str) -> String {
        let resources = &self.resources;
        let [nodes, time, tokens] = [
            Self::share(&resources.nodes),
            Self::share(&resources.time_ms),
            Self::share(&resources.completion_tokens),
        ];
        format!("nodes {nodes}, time {time}, tokens {tokens}, cost {cost}")
    }

    /// What was taken.
    pub const fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Games that were aborted; their calls are not counted here.
    pub const fn aborted(&self) -> u64 {
        self.aborted
    }

    /// The share of calls that say this, in words: `all`, `none` or `7 of 9`.
    pub fn share<T: Summand>(tally: &Tally<T>) -> String {
        match tally.reported {
            _ if tally.base == 0 => "none".to_owned(),
            0 => "none".to_owned(),
            reported if reported == tally.base => "all".to_owned(),
            reported => format!("{reported} of {}", tally.base),
        }
    }
}

/// The shares of calls that say something of what they took.
impl fmt::Display for Accounting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.words(&Self::share(&self.resources.cost_usd)))
    }
}
