//! Prices, expenses and later knowledge of costs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Money;
use crate::event::kinds::{Fact, Meaningless, NOT_NEGATIVE};
use crate::event::{EventId, Reference};

/// `price.recorded`: what a model's tokens cost at this time, by its provider's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceRecorded {
    /// US dollars for a million prompt tokens from a cache.
    #[schemars(extend("pattern" = NOT_NEGATIVE))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_usd_per_million: Option<Money>,
    /// US dollars for a million completion tokens, reasoning included.
    #[schemars(extend("pattern" = NOT_NEGATIVE))]
    pub completion_usd_per_million: Money,
    /// US dollars for a million prompt tokens.
    #[schemars(extend("pattern" = NOT_NEGATIVE))]
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
            ("cached_usd_per_million", self.cached_usd_per_million),
            (
                "completion_usd_per_million",
                Some(self.completion_usd_per_million),
            ),
            ("prompt_usd_per_million", Some(self.prompt_usd_per_million)),
        ];
        match prices
            .into_iter()
            .find(|(_, price)| price.is_some_and(Money::is_negative))
        {
            Some((field, _)) => Err(Meaningless::new(
                field,
                "a price of zero or more",
                "a negative price",
            )),
            None => Ok(()),
        }
    }
}

/// `expense.recorded`: money spent on running the benchmark, not on calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpenseRecorded {
    /// How much. Negative: money came back.
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
    /// How much, zero or more.
    #[schemars(extend("pattern" = NOT_NEGATIVE))]
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
                "amount_usd",
                "a cost of zero or more",
                "a negative cost",
            ));
        }
        Ok(())
    }
}
