use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::canonical::{Money, Time};
use crate::event::{By, CorrectionChange, CorrectionRecorded, EventId};

/// A correction, and whether it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The id of its `correction.recorded`.
    pub id: EventId,
    /// The position of that event in the ledger.
    pub index: u64,
    /// What a clock said.
    pub at: Time,
    /// Who recorded it.
    pub by: By,
    /// What it says.
    pub recorded: CorrectionRecorded,
    /// The corrections that reverse it, in the order of the ledger, whether
    /// they are reversed themselves or not.
    pub reversed_by: Vec<EventId>,
    /// Whether it counts: no correction that counts reverses it.
    pub is_in_effect: bool,
}

/// All corrections, and what they say of the events before them.
///
/// Which of them count follows from who reverses whom alone, whatever the order
/// in which that was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corrections {
    by_id: BTreeMap<EventId, Correction>,
    /// In the order they were recorded.
    order: Vec<EventId>,
    /// From an event to the corrections of it, in the order of the ledger.
    of_target: BTreeMap<EventId, Vec<EventId>>,
}

impl Corrections {
    /// The correction with this id.
    pub fn correction(&self, id: &EventId) -> Option<&Correction> {
        self.by_id.get(id)
    }

    /// All of them, in the order they were recorded.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Correction> {
        self.order.iter().filter_map(|id| self.by_id.get(id))
    }

    /// The corrections that name this event, in the order they were recorded,
    /// whether they count or not.
    pub fn of(&self, target: &EventId) -> impl DoubleEndedIterator<Item = &Correction> {
        let ids = self.of_target.get(target).map_or(&[][..], Vec::as_slice);
        ids.iter().filter_map(|id| self.by_id.get(id))
    }

    /// The first correction that counts and takes this event out of every figure.
    pub fn excluding(&self, target: &EventId) -> Option<&Correction> {
        self.in_effect(target, CorrectionChange::Exclude).next()
    }

    /// Whether a correction takes this event out of every figure.
    pub fn is_excluded(&self, target: &EventId) -> bool {
        self.excluding(target).is_some()
    }

    /// The value that counts in a field of this event, where a correction that
    /// counts supersedes it: the last word.
    pub fn superseded(&self, target: &EventId, field: &str) -> Option<&str> {
        let mut supersedings = self.in_effect(target, CorrectionChange::Supersede).rev();
        supersedings.find_map(|correction| {
            let mut values = correction.recorded.values.iter();
            let value = values.find(|value| value.name == field)?;
            Some(value.value.as_str())
        })
    }

    /// The US dollars that count in a field of this event, where a correction
    /// that counts supersedes them.
    pub fn superseded_money(&self, target: &EventId, field: &str) -> Option<Money> {
        self.superseded(target, field)?.parse().ok()
    }

    /// The corrections that count and change this event in this way.
    pub(crate) fn in_effect(
        &self,
        target: &EventId,
        change: CorrectionChange,
    ) -> impl DoubleEndedIterator<Item = &Correction> {
        self.of(target).filter(move |correction| {
            correction.is_in_effect && correction.recorded.change == change
        })
    }

    /// The first correction that counts and reverses this one.
    pub(crate) fn reversing(&self, correction: &EventId) -> Option<&Correction> {
        self.in_effect(correction, CorrectionChange::Reverse).next()
    }

    /// The events whose figures a correction bears on: those that it names,
    /// and for a reversal those of what it reverses, however many steps away.
    pub fn reach(&self, correction: &EventId) -> BTreeSet<EventId> {
        let mut reached = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![*correction];
        while let Some(id) = open.pop() {
            let Some(correction) = self.by_id.get(&id).filter(|_| seen.insert(id)) else {
                continue;
            };
            match correction.recorded.change {
                CorrectionChange::Annotate => {}
                CorrectionChange::Reverse => open.extend(&correction.recorded.targets),
                CorrectionChange::Exclude | CorrectionChange::Supersede => {
                    reached.extend(correction.recorded.targets.iter().copied());
                }
            }
        }
        reached
    }

    /// Takes in a correction; returns the events of which something else may
    /// count from now on.
    pub(crate) fn record(&mut self, correction: Correction) -> BTreeSet<EventId> {
        let (id, change) = (correction.id, correction.recorded.change);
        let targets = correction.recorded.targets.clone();
        for target in &targets {
            self.of_target.entry(*target).or_default().push(id);
        }
        self.order.push(id);
        self.by_id.insert(id, correction);
        if change != CorrectionChange::Reverse {
            return targets.into_iter().collect();
        }
        for target in &targets {
            if let Some(target) = self.by_id.get_mut(target) {
                target.reversed_by.push(id);
            }
        }
        self.settle(&targets)
    }

    /// Looks which corrections count now, beginning with these. What reverses
    /// stands behind what it reverses, so the later ones go first.
    fn settle(&mut self, touched: &[EventId]) -> BTreeSet<EventId> {
        let mut changed = BTreeSet::new();
        let mut open = BTreeSet::new();
        self.queue(touched, &mut open);
        while let Some((_, id)) = open.pop_last() {
            let counts = self.reversing(&id).is_none();
            let Some(correction) = self.by_id.get_mut(&id) else {
                continue;
            };
            if correction.is_in_effect == counts {
                continue;
            }
            correction.is_in_effect = counts;
            let targets = correction.recorded.targets.clone();
            match correction.recorded.change {
                CorrectionChange::Reverse => self.queue(&targets, &mut open),
                _ => changed.extend(targets),
            }
        }
        changed
    }

    fn queue(&self, ids: &[EventId], open: &mut BTreeSet<(u64, EventId)>) {
        let known = ids.iter().filter_map(|id| self.by_id.get(id));
        open.extend(known.map(|correction| (correction.index, correction.id)));
    }
}
