use std::fmt;

use crate::projection::{Resources, Tally};

/// What the calls behind a row took, and how complete that knowledge is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accounting {
    resources: Resources,
    /// Games with a result in which the system sat.
    games: u64,
    /// Games that were aborted in which the system sat.
    aborted: u64,
}

impl Accounting {
    /// Returns the accounting over these many finished and aborted games.
    pub const fn new(resources: Resources, games: u64, aborted: u64) -> Self {
        Self {
            resources,
            games,
            aborted,
        }
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
    pub fn share<T: Copy + std::iter::Sum>(tally: &Tally<T>) -> String {
        match tally.reported {
            _ if tally.base == 0 => "none".to_owned(),
            0 => "none".to_owned(),
            reported if reported == tally.base => "all".to_owned(),
            reported => format!("{reported} of {}", tally.base),
        }
    }
}

impl fmt::Display for Accounting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resources = &self.resources;
        let known = [
            ("nodes", Self::share(&resources.nodes)),
            ("time", Self::share(&resources.time_ms)),
            ("tokens", Self::share(&resources.completion_tokens)),
            ("cost", Self::share(&resources.cost_usd)),
        ];
        let words: Vec<_> = known
            .into_iter()
            .map(|(name, share)| format!("{name} {share}"))
            .collect();
        f.pad(&words.join(", "))
    }
}
