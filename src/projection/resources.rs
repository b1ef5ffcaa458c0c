use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Total};
use crate::event::{CallAnswered, CallFailed, CallFailure, CallTime};
use crate::projection::Tally;
use crate::projection::charges::{Counting, Priced};

/// What calls took: of one game and seat, or of one system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Calls that left.
    pub sent: u64,
    /// Calls that were answered.
    pub answered: u64,
    /// Calls that failed, by class. A failure is the provider's, never a chess result.
    pub failed: BTreeMap<CallFailure, u64>,
    /// Nodes that engines report, over answered calls.
    pub nodes: Tally<u64>,
    /// Milliseconds from request to answer, over answered and failed calls.
    pub time_ms: Tally<u64>,
    /// Prompt tokens, over answered calls.
    pub prompt_tokens: Tally<u64>,
    /// Completion tokens, reasoning included, over answered calls.
    pub completion_tokens: Tally<u64>,
    /// US dollars that providers report, over answered and failed calls.
    pub cost_usd: Tally<Total>,
    /// US dollars of tokens at saved prices, over answered and failed calls
    /// without a reported cost.
    pub estimated_usd: Tally<Total>,
}

impl Resources {
    /// Takes in a call that left.
    pub(crate) fn take_sent(&mut self) {
        self.sent += 1;
    }

    /// Takes in an answer, and what it cost where it does not say so.
    pub(crate) fn take_answered(&mut self, answered: &CallAnswered, cost: Priced) {
        self.answered += 1;
        self.nodes.take(
            answered
                .engine
                .and_then(|engine| engine.nodes)
                .map(u64::from),
        );
        let tokens = answered.tokens;
        self.prompt_tokens
            .take(tokens.and_then(|tokens| tokens.prompt).map(u64::from));
        self.completion_tokens
            .take(tokens.and_then(|tokens| tokens.completion).map(u64::from));
        self.time_ms.take(Some(answered.time.total_ms.get()));
        self.take_cost(cost);
    }

    /// Takes in a failure, and what it cost all the same.
    pub(crate) fn take_failed(&mut self, failed: &CallFailed, cost: Priced) {
        *self.failed.entry(failed.class).or_default() += 1;
        self.time_ms
            .take(failed.time.map(|time: CallTime| time.total_ms.get()));
        self.take_cost(cost);
    }

    fn take_cost(&mut self, cost: Priced) {
        self.cost_usd.take(cost.charge);
        if cost.charge.is_none() {
            self.estimated_usd.take(cost.estimate);
        }
    }

    /// Puts other figures of a call in the place of those that it was taken in
    /// with: a charge became known later, or a correction sets something right.
    /// Sums are exact, so nothing of the former is left.
    pub(crate) fn replace(&mut self, before: &Counting, after: &Counting) {
        let less = u64::saturating_sub;
        let count = |count: Option<Count>| count.map(u64::from);
        let [old, new] = [before, after].map(|one| count(one.figures.prompt));
        self.prompt_tokens.replace(old, new, less);
        let [old, new] = [before, after].map(|one| count(one.figures.completion));
        self.completion_tokens.replace(old, new, less);
        let cost = &mut self.cost_usd;
        cost.leave(before.priced.charge, std::ops::Sub::sub);
        if before.priced.charge.is_none() {
            let estimates = &mut self.estimated_usd;
            estimates.leave(before.priced.estimate, std::ops::Sub::sub);
        }
        self.take_cost(after.priced);
    }

    /// What all calls cost together, reported where it was reported and else
    /// estimated, where there were any and each has a cost. A call that has not
    /// ended has none.
    pub fn complete_cost(&self) -> Option<Total> {
        let (reported, estimated) = (&self.cost_usd, &self.estimated_usd);
        let is_complete =
            self.sent == reported.base && reported.base == reported.reported + estimated.reported;
        (0 < reported.base && is_complete).then(|| reported.sum + estimated.sum)
    }

    /// Adds what other calls took.
    pub fn join(&mut self, other: &Self) {
        self.sent += other.sent;
        self.answered += other.answered;
        for (class, count) in &other.failed {
            *self.failed.entry(*class).or_default() += count;
        }
        self.nodes.join(&other.nodes);
        self.time_ms.join(&other.time_ms);
        self.prompt_tokens.join(&other.prompt_tokens);
        self.completion_tokens.join(&other.completion_tokens);
        self.cost_usd.join(&other.cost_usd);
        self.estimated_usd.join(&other.estimated_usd);
    }

    /// Calls that failed, of any class.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }
}
