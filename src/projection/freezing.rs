//! How often a cohort is frozen, and what of it corrections touch.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::event::{CohortFrozen, EventId};
use crate::finding::{Code, Finding, Place};
use crate::projection::{GameState, Projection};

/// A cohort that was frozen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    /// The position of its event.
    pub index: u64,
    /// What was frozen.
    pub frozen: CohortFrozen,
}

impl Projection {
    /// The newest manifest of a schedule, whether its cohort was complete or not.
    pub fn newest_freeze(&self, schedule: &EventId) -> Option<&Frozen> {
        let mut freezes = self.frozen.iter().rev();
        freezes.find(|freeze| freeze.frozen.schedule == *schedule)
    }

    /// The newest freeze of a schedule, where its cohort was complete and no later
    /// correction touches a game of it: a correction makes a new manifest, and
    /// changes no old one.
    pub fn standing_freeze(&self, schedule: &EventId) -> Option<&Frozen> {
        let newest = self.newest_freeze(schedule)?;
        if newest.frozen.is_live() {
            return None;
        }
        let mut later = self.corrections.iter().rev();
        let is_touched = later
            .by_ref()
            .take_while(|correction| newest.index < correction.index)
            .any(|correction| {
                let reached = self.corrections.reach(&correction.id);
                self.schedules_of(&reached).contains(schedule)
            });
        (!is_touched).then_some(newest)
    }

    /// The schedules that games of these events were played for: of those that
    /// start a game, and of those that gave one its result.
    pub fn schedules_of(&self, events: &BTreeSet<EventId>) -> BTreeSet<EventId> {
        let is_meant = |game: &&crate::projection::Game| {
            let by_end = match game.state {
                GameState::Finished { id, .. } => events.contains(&id),
                GameState::Playing | GameState::Aborted { .. } => false,
            };
            by_end || events.contains(&game.id)
        };
        let games = self.games.iter().filter(is_meant);
        games
            .filter_map(|game| Some(game.cell()?.schedule))
            .collect()
    }

    /// Takes in a freeze; says what is wrong with it.
    pub(crate) fn freeze(&mut self, id: EventId, index: u64, frozen: &CohortFrozen) {
        let finding = self.check_freeze(id, index, frozen);
        self.findings.extend(finding);
        let frozen = frozen.clone();
        self.frozen.push(Frozen { index, frozen });
    }

    /// A cohort is frozen once, and once more after a correction of it; under its own
    /// schedule, right behind what is frozen.
    fn check_freeze(&self, id: EventId, index: u64, frozen: &CohortFrozen) -> Option<Finding> {
        let place = Place::event(*id.digest());
        if let Some([expected, found]) = self.check_superseded(frozen) {
            let code = Code::LabelContradicted;
            return Some(Finding::new(code, place, expected, found));
        }
        let schedule = self.schedules.cohort(frozen.cohort.as_str())?;
        let before = self.standing_freeze(&frozen.schedule);
        let (expected, found) = if schedule.id != frozen.schedule {
            let expected = format!("the schedule {} of {}", schedule.id, frozen.cohort);
            (expected, format!("the schedule {}", frozen.schedule))
        } else if let Some(before) = before {
            let expected = format!("{} to be frozen once", frozen.cohort);
            (expected, format!("event {} froze it before", before.index))
        } else if frozen.checkpoint.size.get() != index {
            let expected = format!("a manifest of the {index} events before this one");
            (expected, format!("one of {}", frozen.checkpoint.size))
        } else {
            return None;
        };
        Some(Finding::new(Code::ManifestChanged, place, expected, found))
    }

    /// What is expected and what is found where a freeze does not name the manifest
    /// before it. Evidence from before there were labels need not name any.
    fn check_superseded(&self, frozen: &CohortFrozen) -> Option<[String; 2]> {
        let before = self.newest_freeze(&frozen.schedule);
        let newest = before.map(|before| before.frozen.manifest);
        let is_old_form = frozen.supersedes.is_none()
            && !frozen.is_live()
            && before.is_none_or(|before| !before.frozen.is_live());
        let word = |manifest: Option<crate::digest::Digest>| {
            manifest.map_or_else(|| "none".to_owned(), |manifest| manifest.to_string())
        };
        (!is_old_form && frozen.supersedes != newest).then(|| {
            let expected = format!("the manifest that it supersedes: {}", word(newest));
            [expected, word(frozen.supersedes)]
        })
    }
}
