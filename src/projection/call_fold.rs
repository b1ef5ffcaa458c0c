//! How calls change a projection, and what it may forget of them.

use crate::canonical::{Day, Time};
use crate::event::{CallAnswered, EventId, Stage, What};
use crate::finding::{Code, Finding, Place};
use crate::projection::calls::Payer;
use crate::projection::{GameState, Projection, Resources};

impl Projection {
    /// Notes where an event speaks of a call that is not there.
    pub(crate) fn look_for_calls(&mut self, what: &What) {
        let answer = match what {
            What::MoveAccepted(accepted) => accepted.call.as_ref(),
            What::MoveRejected(rejected) => rejected.call.as_ref(),
            _ => None,
        };
        let call = match what {
            What::CallAnswered(answered) => Some(&answered.call),
            What::CallFailed(failed) => Some(&failed.call),
            _ => None,
        };
        let ended = match what {
            What::PuzzleAnswered(answered) => Some(&answered.call),
            What::CellAnswered(answered) => Some(&answered.call),
            _ => None,
        };
        let is_there = answer.is_none_or(|answer| self.calls.answered_by(answer).is_some())
            && call.is_none_or(|call| self.calls.call(call).is_some())
            && ended.is_none_or(|ended| self.calls.ended_by(ended).is_some());
        self.has_missed |= !is_there;
    }

    pub(crate) fn forget_calls(&mut self) {
        self.costs.forget();
        let games = &self.games;
        self.calls.forget(|game| {
            let game = games.game(game);
            game.is_some_and(|game| game.state == GameState::Playing)
        });
    }

    pub(crate) fn apply_to_call(&mut self, id: EventId, at: Time, what: &What) {
        match what {
            What::CallSent(sent) => {
                if self.is_forgetful() && self.calls.are_piled_up() {
                    self.forget_calls();
                }
                let finding = self.check_candidates(id, sent);
                self.findings.extend(finding);
                self.calls.send(id, self.size - 1, at, sent);
                let seat = self.cost_seat(Payer::of(sent));
                self.costs.send(id, sent, seat);
                self.charge(Payer::of(sent), Resources::take_sent);
            }
            What::CallAnswered(answered) => match self.calls.answer(id, answered) {
                Ok(payer) => {
                    self.check_hidden(id, payer, answered);
                    let corrections = &self.corrections;
                    let cost = self.costs.answer(Day::of(at), id, answered, corrections);
                    self.charge(payer, |total| total.take_answered(answered, cost));
                }
                Err(finding) => self.findings.extend(finding),
            },
            What::CallFailed(failed) => match self.calls.fail(id, failed) {
                Ok(payer) => {
                    let corrections = &self.corrections;
                    let cost = self.costs.fail(Day::of(at), &failed.call, corrections);
                    self.charge(payer, |total| total.take_failed(failed, cost));
                }
                Err(finding) => self.findings.extend(finding),
            },
            What::CostLookedUp(looked_up) => {
                let corrections = &self.corrections;
                if let Some(change) = self.costs.look_up(id, looked_up, corrections) {
                    self.change_cost(&change);
                }
            }
            _ => {}
        }
    }

    /// Nothing about a position is measured in public while a person plays.
    fn check_hidden(&mut self, id: EventId, payer: Payer, answered: &CallAnswered) {
        let is_measured = answered.engine.is_some_and(|engine| engine.score.is_some());
        let game = payer.game.and_then(|game| self.games.game(&game));
        let is_hidden = game.is_some_and(|game| {
            game.started.stage == Stage::Human && game.state == GameState::Playing
        });
        if is_measured && is_hidden {
            self.findings.push(Finding::new(
                Code::EvaluationEarly,
                Place::event(*id.digest()),
                "no score before a game with a person has ended",
                "an engine's score",
            ));
        }
    }
}
