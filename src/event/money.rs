//! Prices, expenses and later knowledge of costs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Day, Money};
use crate::event::kinds::{Fact, Meaningless, NOT_BLANK, NOT_NEGATIVE, check_text};
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

impl ExpenseCategory {
    /// Every category, in order.
    pub const ALL: [Self; 4] = [
        Self::Hosting,
        Self::Storage,
        Self::DomainRegistration,
        Self::Other,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hosting => "hosting",
            Self::Storage => "storage",
            Self::DomainRegistration => "domain_registration",
            Self::Other => "other",
        }
    }
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

/// `billing.corrected`: a bill says another total than this ledger recorded.
/// Only the difference counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BillingCorrected {
    /// The total that the bill says.
    pub corrected_usd: Money,
    /// The first UTC day that the totals cover. Absent: from the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Day>,
    /// The bill, in words.
    pub note: String,
    /// Which part of the costs the totals are of.
    pub part: CostPart,
    /// The total that follows from the events before this one.
    pub recorded_usd: Money,
    /// The system that the totals are of. Absent: of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<EventId>,
    /// The last UTC day that the totals cover. Absent: up to this event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Day>,
}

/// A part of the costs of a benchmark.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CostPart {
    /// Games of the first batch, and of newcomers.
    Placement,
    /// Every other game between systems.
    Continuous,
    /// Games with people.
    Human,
    /// Hosting, storage, names.
    Operating,
}

impl CostPart {
    /// Every part, in the order of a breakdown.
    pub const ALL: [Self; 4] = [
        Self::Placement,
        Self::Continuous,
        Self::Human,
        Self::Operating,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Placement => "placement",
            Self::Continuous => "continuous",
            Self::Human => "human",
            Self::Operating => "operating",
        }
    }
}

impl Fact for BillingCorrected {
    fn references(&self) -> Vec<Reference<'_>> {
        let system = self.system.iter();
        system
            .map(|system| Reference::new("system", system, &["system.registered"]))
            .collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.part == CostPart::Operating && self.system.is_some() {
            let expected = "none beside the part `operating`, which is no system's";
            return Err(Meaningless::new("system", expected, "one"));
        }
        match (self.from, self.until) {
            (Some(from), Some(until)) if until < from => Err(Meaningless::new(
                "until",
                "a day not before `from`",
                "an earlier one",
            )),
            _ => Ok(()),
        }
    }
}

/// `account.observed`: what an account was seen to have spent. Several systems, and
/// others than this benchmark, may share one: it is assigned to no model, and
/// never added to what calls cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountObserved {
    /// The account, by a name that is no credential.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub account: String,
    /// What it spent in these days.
    #[schemars(extend("pattern" = NOT_NEGATIVE))]
    pub amount_usd: Money,
    /// The first UTC day.
    pub from: Day,
    /// Where it was seen, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub note: String,
    /// The last UTC day.
    pub until: Day,
}

impl Fact for AccountObserved {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_text("account", "the name of an account", &self.account)?;
        check_text("note", "where it was seen, in words", &self.note)?;
        if self.amount_usd.is_negative() {
            let expected = "an amount of zero or more";
            return Err(Meaningless::new("amount_usd", expected, "a negative one"));
        }
        if self.until < self.from {
            let expected = "a day not before `from`";
            return Err(Meaningless::new("until", expected, "an earlier one"));
        }
        Ok(())
    }
}
