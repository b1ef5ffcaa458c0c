//! Prices, expenses and later knowledge of costs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Money;
use crate::event::kinds::{Fact, Meaningless};
use crate::event::{EventId, Reference};

/// `price.recorded`: what a model's tokens cost at this time, by its provider's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceRecorded {
    /// US dollars for a million prompt tokens from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_usd_per_million: Option<Money>,
    /// US dollars for a million completion tokens, reasoning included.
    pub completion_usd_per_million: Money,
    /// US dollars for a million prompt tokens.
    pub prompt_usd_per_million: Money,
    /// The model.
    pub requested_model: String,
    /// The provider route.
    pub route: String,
    /// Where the price stands.
    pub source: String,
}

impl Fact for PriceRecorded {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        let prices = [
            self.cached_usd_per_million,
            Some(self.completion_usd_per_million),
            Some(self.prompt_usd_per_million),
        ];
        if prices.into_iter().flatten().any(Money::is_negative) {
            return Err(Meaningless::new(
                "prices of zero or more",
                "a negative price",
            ));
        }
        Ok(())
    }
}

/// `expense.recorded`: money spent on running the benchmark, not on calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpenseRecorded {
    /// How much.
    pub amount_usd: Money,
    /// For what.
    pub category: ExpenseCategory,
    /// The bill, in words.
    pub note: String,
}

/// What an operating expense was for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ExpenseCategory {
    /// Machines.
    Hosting,
    /// Disks.
    Storage,
    /// Names.
    DomainRegistration,
    /// Anything else.
    Other,
}

impl Fact for ExpenseRecorded {}

/// `cost.looked_up`: a provider's later word on what a call cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CostLookedUp {
    /// How much.
    pub amount_usd: Money,
    /// The `call.sent`.
    pub call: EventId,
}

impl Fact for CostLookedUp {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("call", &self.call, &["call.sent"])]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.amount_usd.is_negative() {
            return Err(Meaningless::new(
                "a cost of zero or more",
                "a negative cost",
            ));
        }
        Ok(())
    }
}
