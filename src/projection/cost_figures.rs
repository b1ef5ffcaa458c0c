use serde::{Deserialize, Serialize};

use crate::canonical::{Day, Total};
use crate::event::{CostPart, EventId};

/// Where a cost belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CostGroup {
    /// In a part of the breakdown.
    Part(CostPart),
    /// With the calls that are for no game: no part takes them in, and they are
    /// costs of the benchmark all the same.
    Outside,
    /// With the people who pay for the calls of their games themselves. Such
    /// money is no cost of the benchmark and stands in none of its sums.
    Byok,
}

impl CostGroup {
    /// Every group, in the order of a breakdown.
    pub const ALL: [Self; 6] = [
        Self::Part(CostPart::Placement),
        Self::Part(CostPart::Continuous),
        Self::Part(CostPart::Human),
        Self::Part(CostPart::Operating),
        Self::Outside,
        Self::Byok,
    ];

    /// Whether its costs are those of games between systems.
    pub const fn is_benchmark(self) -> bool {
        matches!(self, Self::Part(CostPart::Placement | CostPart::Continuous))
    }

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Part(part) => part.as_str(),
            Self::Outside => "outside_games",
            Self::Byok => "byok",
        }
    }
}

/// The key under which costs are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CostSlot {
    /// The UTC day on which calls ended, money was spent or a bill was corrected.
    pub day: Day,
    /// Where it belongs.
    pub group: CostGroup,
    /// The identity that asked, by its id; an unregistered system by its own.
    /// Nothing for expenses, and for bills that name no system.
    pub identity: Option<EventId>,
}

/// What is known of a cost. Unknown is never zero, and what has no price is
/// neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostState {
    /// All of it.
    Known,
    /// Some of it: the cost of some calls is unknown.
    Partial,
    /// Nothing, and there are calls that cost something.
    Unknown,
    /// There is nothing that has a price: no call, or an engine's alone.
    NotApplicable,
}

impl CostState {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Partial => "partial",
            Self::Unknown => "unknown",
            Self::NotApplicable => "not_applicable",
        }
    }
}

/// Costs, each basis apart, with what they cover; and what the calls took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CostFigures {
    /// Calls that ended, answered or failed.
    pub ended: u64,
    /// Those whose charge was reported or looked up.
    pub reported: u64,
    /// US dollars of these charges.
    pub reported_usd: Total,
    /// Those without a charge whose tokens and price are known.
    pub estimated: u64,
    /// US dollars of these estimates.
    pub estimated_usd: Total,
    /// Those that nobody bills, an engine's: they have no price.
    pub unbilled: u64,
    /// Corrections of bills.
    pub bills: u64,
    /// US dollars by which bills differ from what was recorded.
    pub corrected_usd: Total,
    /// Operating expenses.
    pub expenses: u64,
    /// US dollars of these expenses.
    pub expenses_usd: Total,
    /// Calls that were answered.
    pub answered: u64,
    /// Milliseconds from request to answer, over answered calls.
    pub answered_ms: u64,
    /// Answered calls whose output is known.
    pub output_known: u64,
    /// Output tokens of these, reasoning included.
    pub output_tokens: u64,
    /// Answered attempts whose move was accepted.
    pub accepted: u64,
    /// Answered attempts that were rejected.
    pub rejected: u64,
}

impl CostFigures {
    /// US dollars that are known, of every basis together; nothing where
    /// nothing is known.
    pub fn known_usd(&self) -> Option<Total> {
        let is_known = [self.reported, self.estimated, self.bills, self.expenses] != [0; 4];
        is_known.then(|| self.sum_usd())
    }

    /// The same, where nothing known adds nothing.
    pub(crate) fn sum_usd(&self) -> Total {
        self.reported_usd + self.estimated_usd + self.corrected_usd + self.expenses_usd
    }

    /// Calls with a cost, reported or estimated.
    pub const fn priced(&self) -> u64 {
        self.reported.saturating_add(self.estimated)
    }

    /// Calls that ended and have a price, known or not.
    pub const fn billed(&self) -> u64 {
        self.ended.saturating_sub(self.unbilled)
    }

    /// Whether every call that ended and has a price has a cost.
    pub const fn is_complete(&self) -> bool {
        self.priced() == self.billed()
    }

    /// What is known of the cost.
    pub fn state(&self) -> CostState {
        match self.known_usd() {
            Some(_) if self.is_complete() => CostState::Known,
            Some(_) => CostState::Partial,
            None if self.billed() == 0 => CostState::NotApplicable,
            None => CostState::Unknown,
        }
    }

    /// Answered attempts: accepted moves and rejected answers.
    pub const fn attempts(&self) -> u64 {
        self.accepted.saturating_add(self.rejected)
    }

    /// Leaves out the money of calls, which is somebody else's.
    pub(crate) fn forget_money(&mut self) {
        (self.reported, self.reported_usd) = (0, Total::ZERO);
        (self.estimated, self.estimated_usd) = (0, Total::ZERO);
    }

    /// Takes figures of a call away that were added.
    pub(crate) fn leave(&mut self, call: &Self) {
        let counts = [
            (&mut self.reported, call.reported),
            (&mut self.estimated, call.estimated),
            (&mut self.unbilled, call.unbilled),
            (&mut self.output_known, call.output_known),
            (&mut self.output_tokens, call.output_tokens),
        ];
        for (sum, part) in counts {
            *sum = sum.saturating_sub(part);
        }
        self.reported_usd -= call.reported_usd;
        self.estimated_usd -= call.estimated_usd;
    }

    /// Adds other figures.
    pub fn join(&mut self, other: &Self) {
        let counts = [
            (&mut self.ended, other.ended),
            (&mut self.reported, other.reported),
            (&mut self.estimated, other.estimated),
            (&mut self.unbilled, other.unbilled),
            (&mut self.bills, other.bills),
            (&mut self.expenses, other.expenses),
            (&mut self.answered, other.answered),
            (&mut self.answered_ms, other.answered_ms),
            (&mut self.output_known, other.output_known),
            (&mut self.output_tokens, other.output_tokens),
            (&mut self.accepted, other.accepted),
            (&mut self.rejected, other.rejected),
        ];
        for (sum, part) in counts {
            *sum = sum.saturating_add(part);
        }
        self.reported_usd += other.reported_usd;
        self.estimated_usd += other.estimated_usd;
        self.corrected_usd += other.corrected_usd;
        self.expenses_usd += other.expenses_usd;
    }
}
