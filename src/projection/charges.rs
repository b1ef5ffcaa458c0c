use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Day, Total};
use crate::event::EventId;
use crate::projection::prices::Usage;
use crate::projection::{CallFigures, Corrections, CostFigures, LateCost, Prices, RecordedFigures};

/// A call that ended: what events say of its tokens and charges, and what
/// counts of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EndedCall {
    /// The UTC day on which it ended, and on which all of it counts.
    pub(crate) day: Day,
    /// Who asked, for what.
    pub(crate) seat: usize,
    /// The saved price of the moment it was sent.
    pub(crate) price: Option<usize>,
    pub(crate) figures: RecordedFigures,
    pub(crate) priced: Priced,
}

/// What a call that ended cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Priced {
    /// The charge, reported or looked up.
    pub(crate) charge: Option<Total>,
    /// The estimate that stands in for a charge.
    pub(crate) estimate: Option<Total>,
}

/// What counts of a call that ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counting {
    pub(crate) figures: CallFigures,
    pub(crate) priced: Priced,
}

impl EndedCall {
    /// What counts of it.
    pub(crate) const fn counting(&self) -> Counting {
        Counting {
            figures: self.figures.counting,
            priced: self.priced,
        }
    }

    /// The charge that counts, and where it stands.
    pub(crate) fn late(&self, call: &EventId) -> LateCost {
        let amount_usd = self.figures.counting.cost_usd;
        LateCost {
            id: self
                .figures
                .late
                .or(self.figures.answer)
                .filter(|_| amount_usd.is_some()),
            call: *call,
            amount_usd,
        }
    }

    /// Works out what counts: the charge, else the tokens at the saved price.
    pub(crate) fn settle(&mut self, corrections: &Corrections, prices: &Prices) {
        self.figures.settle(corrections);
        let figures = self.figures.counting;
        let charge = figures.cost_usd.map(Total::from);
        let usage = self.price.zip(figures.tokens());
        let usage = usage.and_then(|(price, tokens)| Usage::of(price, &tokens));
        let estimate = usage.and_then(|usage| prices.estimate(&usage));
        self.priced = Priced {
            charge,
            estimate: estimate.filter(|_| charge.is_none()),
        };
    }
}

impl Counting {
    /// What it adds to sums; `is_billed` where somebody bills the calls of who asks.
    pub(crate) fn cost_figures(&self, is_billed: bool) -> CostFigures {
        let output = self.figures.completion;
        let Priced { charge, estimate } = self.priced;
        CostFigures {
            reported: charge.is_some().into(),
            reported_usd: charge.unwrap_or_default(),
            estimated: estimate.is_some().into(),
            estimated_usd: estimate.unwrap_or_default(),
            unbilled: (!is_billed && charge.is_none() && estimate.is_none()).into(),
            output_known: output.is_some().into(),
            output_tokens: output.map_or(0, Count::get),
            ..CostFigures::default()
        }
    }
}
