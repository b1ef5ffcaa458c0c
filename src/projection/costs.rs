use std::collections::BTreeMap;

use crate::canonical::{Count, Day, Total};
use crate::event::{
    BillingCorrected, CallAnswered, CallSent, CostLookedUp, CostPart, EventId, ExpenseRecorded,
    Tokens,
};
use crate::projection::calls::Payer;
use crate::projection::cost_figures::Priced;
use crate::projection::prices::Usage;
use crate::projection::{CostFigures, CostGroup, CostSlot, Prices};

/// What everything cost, by day, by where it belongs and by who asked.
///
/// A call costs what its provider reports, or what is looked up later; else its
/// tokens at the saved price, which is an estimate; else it is not known what it
/// costs. All of it counts on the UTC day on which the call ended, however late
/// the charge becomes known. Sums are kept and not calls, but for those whose
/// charge may still be looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// The saved prices.
    pub prices: Prices,
    sums: BTreeMap<CostSlot, CostFigures>,
    seats: Vec<CostSeat>,
    seat_of: BTreeMap<Payer, usize>,
    in_flight: BTreeMap<EventId, InFlight>,
    unreported: BTreeMap<EventId, Unreported>,
    expenses: BTreeMap<EventId, Expense>,
    bills: BTreeMap<EventId, Bill>,
}

/// Who asks, for what, and where it belongs. Many calls share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CostSeat {
    pub(crate) payer: Payer,
    pub(crate) group: CostGroup,
    pub(crate) identity: EventId,
    /// Whether somebody bills single calls. An engine's calls nobody bills.
    pub(crate) is_billed: bool,
}

/// A call that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InFlight {
    seat: usize,
    price: Option<usize>,
    /// A charge that was looked up already.
    early: Option<Total>,
}

/// A call that ended without a reported charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unreported {
    day: Day,
    seat: usize,
    usage: Option<Usage>,
    looked_up: Option<Total>,
}

/// An operating expense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expense {
    /// The UTC day of its event.
    pub day: Day,
    /// What it says.
    pub recorded: ExpenseRecorded,
}

/// A correction of a bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill {
    /// The UTC day of its event, on which the difference counts.
    pub day: Day,
    /// The identity that it is about, where it is about one.
    pub identity: Option<EventId>,
    /// What it says.
    pub corrected: BillingCorrected,
}

impl Bill {
    /// US dollars that the bill is above what was recorded.
    pub fn difference(&self) -> Total {
        Total::from(self.corrected.corrected_usd) - Total::from(self.corrected.recorded_usd)
    }
}

/// A charge that became known after its call had ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LateCharge {
    pub(crate) payer: Payer,
    /// The estimate in whose place it stands.
    pub(crate) replaced: Option<Total>,
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
    fn has(&self, slot: &CostSlot) -> bool {
        slot.group == CostGroup::Part(self.part)
            && (self.identity.is_none() || slot.identity == self.identity)
            && self.from.is_none_or(|from| from <= slot.day)
            && self.until.is_none_or(|until| slot.day <= until)
    }
}

impl Costs {
    /// All figures, in the order of days.
    pub fn figures(&self) -> BTreeMap<CostSlot, CostFigures> {
        let mut figures = self.sums.clone();
        for expense in self.expenses.values() {
            let sum = figures.entry(expense.slot()).or_default();
            sum.expenses = sum.expenses.saturating_add(1);
            sum.expenses_usd += expense.recorded.amount_usd.into();
        }
        for bill in self.bills.values() {
            let sum = figures.entry(bill.slot()).or_default();
            sum.bills = sum.bills.saturating_add(1);
            sum.corrected_usd += bill.difference();
        }
        figures
    }

    /// The operating expenses, by the id of their event.
    pub const fn expenses(&self) -> &BTreeMap<EventId, Expense> {
        &self.expenses
    }

    /// The corrections of bills, by the id of their event.
    pub const fn bills(&self) -> &BTreeMap<EventId, Bill> {
        &self.bills
    }

    /// US dollars that are recorded of what a bill is about: the known costs of
    /// every basis, earlier corrections of bills included.
    pub fn recorded(&self, billed: &Billed) -> Total {
        let sums = self.sums.iter().filter(|(slot, _)| billed.has(slot));
        let expenses = self.expenses.values();
        let expenses = expenses.filter(|expense| billed.has(&expense.slot()));
        let bills = self.bills.values().filter(|bill| billed.has(&bill.slot()));
        sums.map(|(_, figures)| figures.sum_usd())
            .chain(expenses.map(|expense| expense.recorded.amount_usd.into()))
            .chain(bills.map(Bill::difference))
            .sum()
    }

    /// Takes in a call that left.
    pub(crate) fn send(&mut self, id: EventId, sent: &CallSent, seat: CostSeat) {
        let model = sent.requested_model.as_ref().zip(sent.route.as_ref());
        let price = model.and_then(|(model, route)| self.prices.number(model, route));
        let next = self.seats.len();
        let number = *self.seat_of.entry(seat.payer).or_insert(next);
        if number == next {
            self.seats.push(seat);
        }
        let sent = InFlight {
            seat: number,
            price,
            early: None,
        };
        self.in_flight.insert(id, sent);
    }

    /// Takes in an answer to a call that was in flight.
    pub(crate) fn answer(&mut self, day: Day, answered: &CallAnswered) -> Priced {
        let tokens = answered.tokens.as_ref();
        let output = tokens.and_then(|tokens| tokens.completion);
        let figures = CostFigures {
            answered: 1,
            answered_ms: answered.time.total_ms.get(),
            output_known: output.is_some().into(),
            output_tokens: output.map_or(0, Count::get),
            ..CostFigures::default()
        };
        let reported = answered.cost_usd.map(Total::from);
        self.end(day, &answered.call, figures, reported, tokens)
    }

    /// Takes in the failure of a call that was in flight.
    pub(crate) fn fail(&mut self, day: Day, call: &EventId) -> Priced {
        self.end(day, call, CostFigures::default(), None, None)
    }

    fn end(
        &mut self,
        day: Day,
        call: &EventId,
        mut figures: CostFigures,
        reported: Option<Total>,
        tokens: Option<&Tokens>,
    ) -> Priced {
        let sent = self.in_flight.remove(call);
        let found = sent.and_then(|sent| Some((sent, *self.seats.get(sent.seat)?)));
        let Some((sent, seat)) = found else {
            return Priced::default();
        };
        let early = sent.early.filter(|_| reported.is_none());
        let usage = sent.price.zip(tokens);
        let usage = usage.and_then(|(price, tokens)| Usage::of(price, tokens));
        let usage = usage.filter(|_| reported.is_none());
        let estimate = usage.and_then(|usage| self.prices.estimate(&usage));
        figures.ended = 1;
        match (reported.or(early), estimate) {
            (Some(charge), _) => {
                figures.reported = 1;
                figures.reported_usd = charge;
            }
            (None, Some(estimate)) => {
                figures.estimated = 1;
                figures.estimated_usd = estimate;
            }
            (None, None) => {}
        }
        if reported.is_none() && seat.is_billed {
            let unreported = Unreported {
                day,
                seat: sent.seat,
                usage,
                looked_up: early,
            };
            self.unreported.insert(*call, unreported);
        }
        self.take(seat.slot(day), figures);
        Priced { early, estimate }
    }

    /// Takes in a later word on a charge. One beside a charge that is known
    /// already changes nothing, nor does one for a call that nobody bills.
    pub(crate) fn look_up(&mut self, looked_up: &CostLookedUp) -> Option<LateCharge> {
        let amount = Total::from(looked_up.amount_usd);
        if let Some(sent) = self.in_flight.get_mut(&looked_up.call) {
            let is_billed = self.seats.get(sent.seat).is_some_and(|seat| seat.is_billed);
            sent.early = sent.early.or(Some(amount).filter(|_| is_billed));
            return None;
        }
        let call = self.unreported.get_mut(&looked_up.call)?;
        if call.looked_up.is_some() {
            return None;
        }
        call.looked_up = Some(amount);
        let (day, usage, number) = (call.day, call.usage, call.seat);
        let seat = *self.seats.get(number)?;
        let replaced = usage.and_then(|usage| self.prices.estimate(&usage));
        if let Some(sum) = self
            .sums
            .get_mut(&seat.slot(day))
            .filter(|_| seat.is_ours())
        {
            sum.reported = sum.reported.saturating_add(1);
            sum.reported_usd += amount;
            if let Some(estimate) = replaced {
                sum.estimated = sum.estimated.saturating_sub(1);
                sum.estimated_usd -= estimate;
            }
        }
        Some(LateCharge {
            payer: seat.payer,
            replaced,
        })
    }

    /// Takes in an answered attempt at a move.
    pub(crate) fn attempt(&mut self, slot: CostSlot, is_accepted: bool) {
        let figures = CostFigures {
            accepted: is_accepted.into(),
            rejected: (!is_accepted).into(),
            ..CostFigures::default()
        };
        self.take(slot, figures);
    }

    pub(crate) fn spend(&mut self, id: EventId, day: Day, recorded: &ExpenseRecorded) {
        let recorded = recorded.clone();
        self.expenses.insert(id, Expense { day, recorded });
    }

    pub(crate) fn bill(&mut self, id: EventId, bill: Bill) {
        self.bills.insert(id, bill);
    }

    fn take(&mut self, slot: CostSlot, mut figures: CostFigures) {
        if slot.group == CostGroup::Byok {
            // The calls stay to be seen; the money is somebody else's.
            figures = CostFigures {
                reported: 0,
                reported_usd: Total::ZERO,
                estimated: 0,
                estimated_usd: Total::ZERO,
                ..figures
            };
        }
        self.sums.entry(slot).or_default().join(&figures);
    }
}

impl CostSeat {
    fn slot(&self, day: Day) -> CostSlot {
        CostSlot {
            day,
            group: self.group,
            identity: Some(self.identity),
        }
    }

    fn is_ours(&self) -> bool {
        self.group != CostGroup::Byok
    }
}

impl Expense {
    const fn slot(&self) -> CostSlot {
        CostSlot {
            day: self.day,
            group: CostGroup::Part(CostPart::Operating),
            identity: None,
        }
    }
}

impl Bill {
    const fn slot(&self) -> CostSlot {
        CostSlot {
            day: self.day,
            group: CostGroup::Part(self.corrected.part),
            identity: self.identity,
        }
    }
}
