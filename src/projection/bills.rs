use serde::{Deserialize, Serialize};

use crate::canonical::{Day, Money, Total};
use crate::event::{BillingCorrected, CostPart, EventId, ExpenseCategory, ExpenseRecorded};
use crate::projection::{Corrections, CostGroup, CostSlot};

/// An operating expense.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expense {
    /// The UTC day of its event.
    pub day: Day,
    /// What it says.
    pub recorded: ExpenseRecorded,
    /// What counts of it; nothing where a correction takes it out.
    pub counting: Option<(ExpenseCategory, Money)>,
}

/// A correction of a bill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bill {
    /// The position of its event.
    pub index: u64,
    /// The UTC day of its event, on which the difference counts.
    pub day: Day,
    /// The identity that it is about, where it is about one.
    pub identity: Option<EventId>,
    /// What it says.
    pub corrected: BillingCorrected,
    /// The total that counts; nothing where a correction takes the bill out.
    pub counting: Option<Money>,
}

impl Bill {
    /// US dollars that the bill is above what was recorded; nothing where it
    /// does not count.
    pub fn difference(&self) -> Option<Total> {
        let counting = Total::from(self.counting?);
        Some(counting - Total::from(self.corrected.recorded_usd))
    }
}

/// What the totals of a bill are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Billed {
    /// The part.
    pub part: CostPart,
    /// The identity; nothing: all of them.
    pub identity: Option<EventId>,
    /// The first UTC day.
    pub from: Option<Day>,
    /// The last UTC day.
    pub until: Option<Day>,
}

impl Billed {
    pub(crate) fn has(&self, slot: &CostSlot) -> bool {
        slot.group == CostGroup::Part(self.part)
            && (self.identity.is_none() || slot.identity == self.identity)
            && self.from.is_none_or(|from| from <= slot.day)
            && self.until.is_none_or(|until| slot.day <= until)
    }
}

impl Billed {
    /// Whether an earlier bill is about a part of the same: the days that it
    /// covers lie within these.
    pub(crate) fn has_bill(&self, bill: &Bill) -> bool {
        let covered = &bill.corrected;
        let begins = match (self.from, covered.from) {
            (None, _) => true,
            (Some(from), Some(first)) => from <= first,
            (Some(_), None) => false,
        };
        let last = covered.until.unwrap_or(bill.day);
        covered.part == self.part
            && (self.identity.is_none() || bill.identity == self.identity)
            && begins
            && self.until.is_none_or(|until| last <= until)
    }
}

impl Expense {
    /// Works out what counts of it.
    pub(crate) fn settle(&mut self, id: &EventId, corrections: &Corrections) {
        let category = corrections.superseded(id, "category").and_then(|word| {
            let mut categories = ExpenseCategory::ALL.into_iter();
            categories.find(|category| category.as_str() == word)
        });
        let amount = corrections.superseded_money(id, "amount_usd");
        let counting = (
            category.unwrap_or(self.recorded.category),
            amount.unwrap_or(self.recorded.amount_usd),
        );
        self.counting = (!corrections.is_excluded(id)).then_some(counting);
    }

    pub(crate) const fn slot(&self) -> CostSlot {
        CostSlot {
            day: self.day,
            group: CostGroup::Part(CostPart::Operating),
            identity: None,
        }
    }
}

impl Bill {
    /// Works out what counts of it.
    pub(crate) fn settle(&mut self, id: &EventId, corrections: &Corrections) {
        let total = corrections.superseded_money(id, "corrected_usd");
        let total = total.unwrap_or(self.corrected.corrected_usd);
        self.counting = (!corrections.is_excluded(id)).then_some(total);
    }

    pub(crate) const fn slot(&self) -> CostSlot {
        CostSlot {
            day: self.day,
            group: CostGroup::Part(self.corrected.part),
            identity: self.identity,
        }
    }
}
