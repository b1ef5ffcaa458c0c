//! How a correction changes a projection, from its event on.

use std::collections::BTreeSet;

use crate::canonical::Time;
use crate::event::{By, CorrectionChange, CorrectionRecorded, EventId};
use crate::finding::{Code, Finding, Place};
use crate::projection::answered::About;
use crate::projection::{Correction, Eras, GameState, Projection, Recorded};

impl Projection {
    /// Takes in a correction: what follows from it is worked out anew as a
    /// whole, so that taking it back leaves nothing behind.
    pub(crate) fn correct(
        &mut self,
        id: EventId,
        index: u64,
        (at, by): (Time, &By),
        recorded: &CorrectionRecorded,
    ) {
        let findings = self.check_correction(id, recorded);
        self.findings.extend(findings);
        self.note_as(About::Correction(id));
        let changed = self.corrections.record(Correction {
            id,
            index,
            at,
            by: by.clone(),
            recorded: recorded.clone(),
            reversed_by: Vec::new(),
            is_in_effect: true,
        });
        if self.settle_games(&changed) {
            self.people.rate_anew(&self.games);
            let unsettled = self.with_eras(Eras::rate_anew);
            self.find_unsettled(id, &unsettled);
        }
        self.settle_money(&changed);
        self.measurements.settle(&changed, &self.corrections);
        self.tablebases.settle(&changed, &self.corrections);
        self.answer_findings();
    }

    /// Says what contradicts the evidence in a correction. Fields and values
    /// are of the right form, and targets that cannot be meant are found by
    /// `verify`.
    fn check_correction(&self, id: EventId, recorded: &CorrectionRecorded) -> Vec<Finding> {
        let contradicted = |expected: &str, found: String| {
            let place = Place::event(*id.digest());
            Finding::new(Code::CorrectionContradicted, place, expected, found)
        };
        let targets = recorded.targets.iter();
        match recorded.change {
            CorrectionChange::Annotate | CorrectionChange::Exclude => Vec::new(),
            CorrectionChange::Reverse => targets
                .filter_map(|target| self.corrections.correction(target))
                .filter(|target| !target.is_in_effect)
                .map(|target| {
                    let found = format!("{}, which is reversed already", target.id);
                    contradicted("a correction that counts", found)
                })
                .collect(),
            CorrectionChange::Supersede => targets
                .filter_map(|target| {
                    let game = self.games.finished_by(target)?;
                    let wanted = superseding_end(game.recorded_end?, recorded);
                    let found = format!("{} by {}", wanted.0, wanted.1);
                    match game.given_end {
                        Some(given) if given == wanted => None,
                        Some((result, termination)) => {
                            Some(contradicted(&format!("{result} by {termination}"), found))
                        }
                        None => {
                            let expected = "a game whose moves and protocol give a result";
                            Some(contradicted(expected, found))
                        }
                    }
                })
                .collect(),
        }
    }

    /// Gives games the standing that corrections leave them; says whether any
    /// of these events is of one.
    fn settle_games(&mut self, changed: &BTreeSet<EventId>) -> bool {
        let corrections = &self.corrections;
        let mut is_any = false;
        for id in changed {
            if let Some(game) = self.games.game_mut(id) {
                game.is_excluded = corrections.is_excluded(id);
                is_any = true;
            }
            let finished = self.games.finished_by(id).map(|game| game.id);
            let game = finished.and_then(|game| self.games.game_mut(&game));
            let Some(game) = game else { continue };
            let (Some(recorded), GameState::Finished { id, at, .. }) =
                (game.recorded_end, game.state)
            else {
                continue;
            };
            // Only what the moves give can be put in a result's place.
            let mut supersedings = corrections.in_effect(&id, CorrectionChange::Supersede);
            let correction = supersedings.find(|correction| {
                let wanted = superseding_end(recorded, &correction.recorded);
                game.given_end == Some(wanted)
            });
            let counting = correction.and(game.given_end).unwrap_or(recorded);
            game.corrected_by = correction.map(|correction| correction.id);
            game.state = GameState::Finished {
                id,
                at,
                result: counting.0,
                termination: counting.1,
            };
            is_any = true;
        }
        is_any
    }

    /// Says which ratings do not settle after a correction, each once: where
    /// the game was finished, or at the correction where the first batch does not.
    fn find_unsettled(&mut self, correction: EventId, unsettled: &[EventId]) {
        for id in unsettled {
            let finished = self.games.game(id).and_then(|game| match game.state {
                GameState::Finished { id, .. } => Some(id),
                GameState::Playing | GameState::Aborted { .. } => None,
            });
            let finding = crate::projection::eras::unsettled(finished.unwrap_or(correction));
            let answered = self.answered.iter().map(|answered| &answered.finding);
            if self
                .findings
                .iter()
                .chain(answered)
                .any(|one| *one == finding)
            {
                continue;
            }
            self.findings.push(finding);
            self.note_as(match finished {
                Some(_) => About::Game(*id),
                None => About::Correction(correction),
            });
        }
    }

    /// Lets corrections of expenses, bills, prices, answers and charges count.
    fn settle_money(&mut self, changed: &BTreeSet<EventId>) {
        for id in changed {
            // Only a projection that remembers everything knows this answer.
            let is_known = self.games.game(id).is_some() || self.games.finished_by(id).is_some();
            self.has_missed |= !is_known && self.costs.may_have_forgotten(id);
            for change in self.costs.correct(id, &self.corrections) {
                self.change_cost(&change);
            }
        }
    }
}

/// The end that a correction puts in the place of a recorded one. What it does
/// not name stays.
fn superseding_end(recorded: Recorded, correction: &CorrectionRecorded) -> Recorded {
    let value = |name: &str| {
        let mut values = correction.values.iter();
        values.find(|value| value.name == name)
    };
    let result = value("result").and_then(|value| value.value.parse().ok());
    let termination = value("termination").and_then(|value| value.value.parse().ok());
    (
        result.unwrap_or(recorded.0),
        termination.unwrap_or(recorded.1),
    )
}
