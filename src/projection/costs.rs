use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::canonical::{Day, Money, Total};
use crate::event::{CallAnswered, CallSent, CostLookedUp, EventId, ExpenseRecorded};
use crate::projection::calls::Payer;
use crate::projection::charges::{Counting, EndedCall, Priced};
use crate::projection::prices::Usage;
use crate::projection::{
    Bill, Billed, ById, CallFigures, Corrections, CostFigures, CostGroup, CostSlot, Expense,
    Prices, RecordedFigures,
};

/// What everything cost, by day, by where it belongs and by who asked.
///
/// A call costs what its provider reports, or what is looked up later; else its
/// tokens at the saved price, which is an estimate; else it is not known what it
/// costs. All of it counts on the UTC day on which the call ended, however late
/// the charge becomes known. Sums are kept and not calls, but for those whose
/// charge may still be looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// The saved prices.
    pub prices: Prices,
    #[serde(with = "crate::projection::pairs")]
    sums: BTreeMap<CostSlot, CostFigures>,
    seats: Vec<CostSeat>,
    #[serde(with = "crate::projection::pairs")]
    seat_of: BTreeMap<Payer, usize>,
    in_flight: ById<InFlight>,
    ended: ById<EndedCall>,
    /// From an answer, or a later word on a charge, to its call.
    call_of: ById<EventId>,
    /// Whether calls with a reported charge are not all there any more.
    has_forgotten: bool,
    /// How many ended calls there may be before the next forgetting.
    pile: usize,
    expenses: BTreeMap<EventId, Expense>,
    bills: BTreeMap<EventId, Bill>,
    /// The calls of which the last event changed the charge after it was known.
    pub(crate) late: Vec<LateCost>,
}

/// The charge of a call that counts after a later word on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateCost {
    /// The event whose charge counts: the `cost.looked_up`, or the
    /// `call.answered`. Absent: no charge counts.
    pub id: Option<EventId>,
    /// The `call.sent`.
    pub call: EventId,
    /// How much. Absent: no charge counts.
    pub amount_usd: Option<Money>,
}

/// Who asks, for what, and where it belongs. Many calls share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CostSeat {
    pub(crate) payer: Payer,
    pub(crate) group: CostGroup,
    pub(crate) identity: EventId,
    /// Whether somebody bills single calls. An engine's calls nobody bills.
    pub(crate) is_billed: bool,
}

/// A call that has not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InFlight {
    seat: usize,
    price: Option<usize>,
    /// Charges that were looked up already.
    looked_up: Vec<(EventId, Money)>,
}

/// Figures of a call that take the place of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) payer: Payer,
    pub(crate) before: Counting,
    pub(crate) after: Counting,
}

impl Costs {
    /// All figures, in the order of days.
    pub fn figures(&self) -> BTreeMap<CostSlot, CostFigures> {
        let mut figures = self.sums.clone();
        for expense in self.expenses.values() {
            let Some((_, amount)) = expense.counting else {
                continue;
            };
            let sum = figures.entry(expense.slot()).or_default();
            sum.expenses = sum.expenses.saturating_add(1);
            sum.expenses_usd += amount.into();
        }
        for bill in self.bills.values() {
            let Some(difference) = bill.difference() else {
                continue;
            };
            let sum = figures.entry(bill.slot()).or_default();
            sum.bills = sum.bills.saturating_add(1);
            sum.corrected_usd += difference;
        }
        figures
    }

    /// The calls of which the last event changed the charge after they had
    /// ended, or which ended with a charge that was looked up before.
    pub fn late(&self) -> &[LateCost] {
        &self.late
    }

    /// US dollars of the tokens of a call at the price that was saved when it was
    /// sent, whatever its provider charged. Nothing where the call has not ended,
    /// was forgotten, had no saved price, or says not all of its tokens.
    pub fn list_usd(&self, call: &EventId) -> Option<Total> {
        let ended = self.ended.get(call)?;
        let (price, tokens) = ended.price.zip(ended.figures.counting.tokens())?;
        self.prices.estimate(&Usage::of(price, &tokens)?)
    }

    /// What is known of a call that ended: tokens and charge as they count, and
    /// US dollars of its tokens at the saved price where there is no charge.
    /// Nothing where it has not ended, was forgotten, or nobody bills it and it
    /// says nothing.
    pub(crate) fn ended(&self, call: &EventId) -> Option<(CallFigures, Option<Total>)> {
        let counting = self.ended.get(call)?.counting();
        Some((counting.figures, counting.priced.estimate))
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
        let bills = self.bills.values().filter(|bill| billed.has_bill(bill));
        sums.map(|(_, figures)| figures.sum_usd())
            .chain(expenses.filter_map(|expense| Some(expense.counting?.1.into())))
            .chain(bills.filter_map(Bill::difference))
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
            looked_up: Vec::new(),
        };
        self.in_flight.insert(id, sent);
    }

    /// Takes in an answer to a call that was in flight.
    pub(crate) fn answer(
        &mut self,
        day: Day,
        id: EventId,
        answered: &CallAnswered,
        corrections: &Corrections,
    ) -> Priced {
        let figures = CostFigures {
            answered: 1,
            answered_ms: answered.time.total_ms.get(),
            ..CostFigures::default()
        };
        let recorded = RecordedFigures::of(id, answered);
        let recorded = recorded.unwrap_or_else(|| RecordedFigures::silent(Some(id)));
        self.end(day, &answered.call, figures, recorded, corrections)
    }

    /// Takes in the failure of a call that was in flight.
    pub(crate) fn fail(&mut self, day: Day, call: &EventId, corrections: &Corrections) -> Priced {
        let silent = RecordedFigures::silent(None);
        self.end(day, call, CostFigures::default(), silent, corrections)
    }

    fn end(
        &mut self,
        day: Day,
        call: &EventId,
        mut figures: CostFigures,
        mut recorded: RecordedFigures,
        corrections: &Corrections,
    ) -> Priced {
        let sent = self.in_flight.remove(call);
        let found = sent.and_then(|sent| Some((self.seats.get(sent.seat).copied()?, sent)));
        let Some((seat, sent)) = found else {
            return Priced::default();
        };
        recorded.looked_up = sent.looked_up;
        let mut ended = EndedCall {
            day,
            seat: sent.seat,
            price: sent.price,
            figures: recorded,
            priced: Priced::default(),
        };
        ended.settle(corrections, &self.prices);
        if ended.figures.late.is_some() {
            self.late.push(ended.late(call));
        }
        figures.ended = 1;
        figures.join(&ended.counting().cost_figures(seat.is_billed));
        self.take(seat.slot(day), figures);
        let priced = ended.priced;
        if seat.is_billed || ended.figures.says_anything() {
            let words = ended.figures.looked_up.iter().map(|(id, _)| *id);
            for id in ended.figures.answer.into_iter().chain(words) {
                self.call_of.insert(id, *call);
            }
            self.ended.insert(*call, ended);
        }
        priced
    }

    /// Takes in a later word on a charge. One beside a charge that counts
    /// changes nothing, nor does one for a call that nobody bills.
    pub(crate) fn look_up(
        &mut self,
        id: EventId,
        looked_up: &CostLookedUp,
        corrections: &Corrections,
    ) -> Option<Change> {
        let word = (id, looked_up.amount_usd);
        let is_billed = |seat: usize| self.seats.get(seat).is_some_and(|seat| seat.is_billed);
        if let Some(sent) = self.in_flight.get_mut(&looked_up.call) {
            if is_billed(sent.seat) {
                sent.looked_up.push(word);
            }
            return None;
        }
        let call = self.ended.get_mut(&looked_up.call)?;
        if !is_billed(call.seat) {
            return None;
        }
        call.figures.looked_up.push(word);
        self.call_of.insert(id, looked_up.call);
        self.settle(&looked_up.call, corrections)
    }

    /// Works out anew what counts of a call that ended, and puts it in the place
    /// of what counted.
    fn settle(&mut self, id: &EventId, corrections: &Corrections) -> Option<Change> {
        let call = self.ended.get_mut(id)?;
        let before = call.counting();
        call.settle(corrections, &self.prices);
        let after = call.counting();
        if before == after {
            return None;
        }
        if before.figures.cost_usd != after.figures.cost_usd {
            self.late.push(call.late(id));
        }
        let seat = *self.seats.get(call.seat)?;
        let [mut less, mut more] = [before, after].map(|one| one.cost_figures(seat.is_billed));
        if !seat.is_ours() {
            less.forget_money();
            more.forget_money();
        }
        let sum = self.sums.entry(seat.slot(call.day)).or_default();
        sum.leave(&less);
        sum.join(&more);
        Some(Change {
            payer: seat.payer,
            before,
            after,
        })
    }

    /// Lets corrections of this event count; returns the calls that it changes.
    pub(crate) fn correct(&mut self, event: &EventId, corrections: &Corrections) -> Vec<Change> {
        if let Some(expense) = self.expenses.get_mut(event) {
            expense.settle(event, corrections);
        }
        if let Some(bill) = self.bills.get_mut(event) {
            bill.settle(event, corrections);
        }
        if let Some(number) = self.prices.correct(event, corrections) {
            let calls = self.ended.in_order();
            let calls = calls.filter(|(_, call)| call.price == Some(number));
            let calls: Vec<_> = calls.map(|(id, _)| *id).collect();
            let changes = calls
                .iter()
                .filter_map(|call| self.settle(call, corrections));
            return changes.collect();
        }
        let call = self.call_of.get(event).copied();
        call.and_then(|call| self.settle(&call, corrections))
            .into_iter()
            .collect()
    }

    /// Forgets the calls whose answer reports a charge: only a correction could
    /// change them.
    ///
    /// It looks through the calls once they have doubled, so that each is looked
    /// at twice or so, however many there are.
    pub(crate) fn forget(&mut self) {
        if self.ended.count() < self.pile {
            return;
        }
        let before = self.ended.count();
        self.ended.retain(|call| !call.figures.reports_charge());
        self.has_forgotten |= self.ended.count() < before;
        let ended = &self.ended;
        self.call_of.retain(|call| ended.contains(call));
        self.pile = 2 * self.ended.count();
    }

    /// Whether this may be an answer that was forgotten.
    pub(crate) fn may_have_forgotten(&self, event: &EventId) -> bool {
        let is_known = self.call_of.contains(event)
            || self.expenses.contains_key(event)
            || self.bills.contains_key(event)
            || self.prices.iter().any(|price| price.id == *event);
        self.has_forgotten && !is_known
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
        let expense = Expense {
            day,
            counting: Some((recorded.category, recorded.amount_usd)),
            recorded: recorded.clone(),
        };
        self.expenses.insert(id, expense);
    }

    pub(crate) fn bill(&mut self, id: EventId, bill: Bill) {
        self.bills.insert(id, bill);
    }

    fn take(&mut self, slot: CostSlot, mut figures: CostFigures) {
        if slot.group == CostGroup::Byok {
            // The calls stay to be seen; the money is somebody else's.
            figures.forget_money();
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
