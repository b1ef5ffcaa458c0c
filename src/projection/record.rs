//! What people say of the evidence: claims and their reviews, decisions,
//! deviations, and what accounts were seen to spend.

use serde::{Deserialize, Serialize};

use crate::canonical::Time;
use crate::event::{AccountObserved, By, DecisionRecorded, DeviationRecorded, EventId, Name, What};
use crate::projection::{Claims, Game, Projection};

/// What an event says, with who said it, when, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<T> {
    /// The id of the event.
    pub id: EventId,
    /// Its position in the ledger.
    pub index: u64,
    /// What a clock said.
    pub at: Time,
    /// Who wrote it.
    pub by: By,
    /// What it says.
    pub said: T,
}

/// Everything that people say of the evidence, in the order of the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Claims, with their reviews.
    pub claims: Claims,
    /// Decisions.
    pub decisions: Vec<Entry<DecisionRecorded>>,
    /// Deviations.
    pub deviations: Vec<Entry<DeviationRecorded>>,
    /// What accounts were seen to spend, also where a correction takes it out.
    pub accounts: Vec<Entry<AccountObserved>>,
}

impl Projection {
    /// Takes in what somebody says of the evidence.
    pub(crate) fn apply_to_record(
        &mut self,
        id: EventId,
        index: u64,
        at: (Time, &By),
        what: &What,
    ) {
        let (at, by) = (at.0, at.1.clone());
        let record = &mut self.record;
        match what {
            What::ClaimRecorded(claim) => record.claims.record(entry(id, index, at, by, claim)),
            What::ClaimReviewed(review) => record.claims.review(entry(id, index, at, by, review)),
            What::DecisionRecorded(decision) => {
                record.decisions.push(entry(id, index, at, by, decision));
            }
            What::DeviationRecorded(deviation) => {
                record.deviations.push(entry(id, index, at, by, deviation));
            }
            What::AccountObserved(observed) => {
                record.accounts.push(entry(id, index, at, by, observed));
            }
            _ => {}
        }
    }

    /// What accounts were seen to spend, but for what a correction takes out.
    pub fn account_spend(&self) -> impl Iterator<Item = &Entry<AccountObserved>> {
        let accounts = self.record.accounts.iter();
        accounts.filter(|one| !self.corrections.is_excluded(&one.id))
    }

    /// The position of the event that last changed what stands of a cohort: the
    /// start or the result of a game, a correction of one, or a freeze.
    pub fn last_change(&self, cohort: &str) -> Option<u64> {
        let schedule = self.schedules.cohort(cohort)?;
        let games = schedule.games.iter().flatten();
        let played = games.filter_map(|id| self.games.game(id).map(|game| game.index));
        let frozen = self.frozen.iter();
        let frozen = frozen.filter(|one| one.frozen.schedule == schedule.id);
        let corrections = self.corrections.iter().filter(|correction| {
            let reached = self.corrections.reach(&correction.id);
            self.schedules_of(&reached).contains(&schedule.id)
        });
        played
            .chain(frozen.map(|one| one.index))
            .chain(corrections.map(|one| one.index))
            .max()
    }

    /// The preregistrations of a cohort that were committed when a game of it had
    /// been started, each with its position, in the order of the ledger.
    pub fn late_preregistrations(&self, cohort: &Name) -> Vec<(u64, EventId)> {
        let Some(schedule) = self.schedules.cohort(cohort.as_str()) else {
            return Vec::new();
        };
        let games = schedule.games.iter().flatten();
        let games = games.filter_map(|id| self.games.game(id));
        let first = games.map(|game: &Game| game.index).min();
        let promises = self.schedules.preregistrations_of(cohort);
        let mut late: Vec<_> = promises
            .filter(|(index, _)| first.is_some_and(|first| first < *index))
            .collect();
        late.sort_unstable();
        late
    }
}

fn entry<T: Clone>(id: EventId, index: u64, at: Time, by: By, said: &T) -> Entry<T> {
    Entry {
        id,
        index,
        at,
        by,
        said: said.clone(),
    }
}
