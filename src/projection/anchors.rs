use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::{AnchorRegistered, EventId, GameStarted, Pairing, ScheduleCommitted};
use crate::finding::{Code, Finding, Place};

/// A system whose rating is fixed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// The id of its `anchor.registered`.
    pub id: EventId,
    /// The position of that event in the ledger.
    pub index: u64,
    /// The system, its rating, and where that comes from.
    pub registered: AnchorRegistered,
}

/// All anchors, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchors {
    by_id: BTreeMap<EventId, Anchor>,
    /// The first registration of each system.
    of_system: BTreeMap<EventId, EventId>,
}

impl Anchors {
    /// The anchor with this id.
    pub fn anchor(&self, id: &EventId) -> Option<&Anchor> {
        self.by_id.get(id)
    }

    /// The first registration of this system as an anchor.
    pub fn of_system(&self, system: &EventId) -> Option<&Anchor> {
        self.by_id.get(self.of_system.get(system)?)
    }

    /// The anchors, in the order of the ledger.
    pub fn iter(&self) -> impl Iterator<Item = &Anchor> {
        let mut anchors: Vec<_> = self.by_id.values().collect();
        anchors.sort_by_key(|anchor| anchor.index);
        anchors.into_iter()
    }

    pub(crate) fn register(&mut self, id: EventId, index: u64, registered: &AnchorRegistered) {
        self.of_system.entry(registered.system).or_insert(id);
        let anchor = Anchor {
            id,
            index,
            registered: registered.clone(),
        };
        self.by_id.insert(id, anchor);
    }

    /// A schedule has anchors where its protocol measures against some, and each
    /// is the system that its rating was fixed for. What is not there is a dangling
    /// reference, which `verify` names.
    pub(crate) fn check_schedule(
        &self,
        id: EventId,
        schedule: &ScheduleCommitted,
        pairing: Option<Pairing>,
    ) -> Vec<Finding> {
        let find = |expected: String, found: String| {
            let place = Place::event(*id.digest());
            Finding::new(Code::ScheduleContradicted, place, expected, found)
        };
        let is_against = pairing.map(Pairing::is_against_anchors);
        let unfit = is_against.filter(|is_against| *is_against != schedule.rule.has_anchors());
        let unfit = unfit.map(|is_against| {
            let [with, without] = ["a schedule with anchors", "one without"].map(str::to_owned);
            if is_against {
                find(with, without)
            } else {
                find(without, with)
            }
        });
        let seats = schedule.anchors.iter();
        let others = seats.filter_map(|seat| {
            let fixed = self.anchor(&seat.anchor)?.registered.system;
            let expected = format!("the system {fixed}, which the anchor is");
            (fixed != seat.system).then(|| find(expected, seat.system.to_string()))
        });
        let unordered = self.unordered(schedule, pairing);
        let unordered = unordered.map(|(expected, found)| find(expected, found));
        unfit.into_iter().chain(others).chain(unordered).collect()
    }

    /// What is wrong with the rungs of an anchor ladder: they rise, and it is
    /// climbed in mini-matches.
    fn unordered(
        &self,
        schedule: &ScheduleCommitted,
        pairing: Option<Pairing>,
    ) -> Option<(String, String)> {
        schedule.allocation?;
        if pairing.is_some_and(|pairing| pairing != Pairing::MiniMatches) {
            let expected = "a protocol of mini-matches beside an anchor ladder".to_owned();
            return Some((expected, "another".to_owned()));
        }
        let seats = schedule.anchors.iter();
        let ratings = seats.filter_map(|seat| Some(self.anchor(&seat.anchor)?.registered.rating));
        let ratings: Vec<_> = ratings.collect();
        let mut steps = ratings.windows(2);
        let falls = steps.find(|step| matches!(step, [low, high] if high <= low))?;
        let found: Vec<_> = falls.iter().map(ToString::to_string).collect();
        let expected = "anchors in increasing order of rating".to_owned();
        Some((expected, found.join(" before ")))
    }

    /// Under a protocol that measures against anchors, one side of a game is an
    /// anchor and the other is none: systems never meet one another.
    pub(crate) fn check_game(
        &self,
        id: EventId,
        started: &GameStarted,
        pairing: Pairing,
    ) -> Option<Finding> {
        let seats = [started.seats.white, started.seats.black];
        let anchors = seats.iter().filter(|seat| self.of_system(seat).is_some());
        let anchors = anchors.count();
        (pairing.is_against_anchors() && anchors != 1).then(|| {
            Finding::new(
                Code::PairingForbidden,
                Place::event(*id.digest()),
                "one anchor at the board, and one system that is none",
                format!("{anchors} anchors"),
            )
        })
    }
}
