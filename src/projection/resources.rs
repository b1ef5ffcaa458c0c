use std::collections::BTreeMap;

use crate::canonical::{Count, Money};
use crate::event::{CallAnswered, CallFailed, CallFailure, CallTime};
use crate::projection::{CallFigures, Tally};

/// What calls took: of one game and seat, or of one system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    pub cost_usd: Tally<Money>,
}

impl Resources {
    /// Takes in a call that left.
    pub(crate) fn take_sent(&mut self) {
        self.sent += 1;
    }

    /// Takes in an answer.
    pub(crate) fn take_answered(&mut self, answered: &CallAnswered) {
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
        self.cost_usd.take(answered.cost_usd);
    }

    /// Takes in a failure.
    pub(crate) fn take_failed(&mut self, failed: &CallFailed) {
        *self.failed.entry(failed.class).or_default() += 1;
        self.time_ms
            .take(failed.time.map(|time: CallTime| time.total_ms.get()));
        self.cost_usd.take(None);
    }

    /// Puts other figures of a call in the place of those that it was taken in
    /// with: a cost became known later, or a correction sets something right.
    /// Sums are exact, so nothing of the former is left.
    pub(crate) fn replace(&mut self, before: &CallFigures, after: &CallFigures) {
        let count = |count: Option<Count>| count.map(u64::from);
        self.prompt_tokens.replace(
            count(before.prompt),
            count(after.prompt),
            u64::saturating_sub,
        );
        self.completion_tokens.replace(
            count(before.completion),
            count(after.completion),
            u64::saturating_sub,
        );
        self.cost_usd
            .replace(before.cost_usd, after.cost_usd, Money::minus);
    }

    /// What all calls cost together, where there were any and each has a cost.
    pub fn complete_cost(&self) -> Option<Money> {
        let cost = &self.cost_usd;
        (0 < cost.base && cost.is_complete()).then_some(cost.sum)
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
    }

    /// Calls that failed, of any class.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }
}
