//! Findings that corrections answer: they stay to be seen, and block nothing.

use crate::event::{EventId, What};
use crate::finding::{Code, Finding};
use crate::projection::{Calls, GameState, Projection};

/// A finding that a correction answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredFinding {
    /// The finding.
    pub finding: Finding,
    /// The correction.
    pub correction: EventId,
    about: About,
    number: u64,
}

/// What a finding is about, as far as a correction can answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// An event of this game.
    Game(EventId),
    /// This draw, and the game that was started for it.
    Draw(EventId),
    /// This correction.
    Correction(EventId),
    /// This measurement, maybe during this game, or this probe of tables.
    Measurement(EventId, Option<EventId>),
    /// This answer to a puzzle or a position.
    Answer(EventId),
    /// What no correction answers.
    Evidence,
}

impl About {
    /// Returns what findings are about that an event raises.
    ///
    /// Where a projection has forgotten the calls of a game that has ended, an
    /// answer that comes again is of no game. It does not
    /// [know every call](Projection::knows_every_call) then, and who asks what
    /// corrections answer folds anew with one that remembers.
    fn of(id: EventId, what: &What, calls: &Calls) -> Self {
        let asked_for = |call| calls.call(call).and_then(|call| call.sent.game);
        let game = match what {
            What::GameStarted(_) => Some(id),
            What::MoveAccepted(accepted) => Some(accepted.game),
            What::MoveRejected(rejected) => Some(rejected.game),
            What::GameFinished(finished) => Some(finished.game),
            What::GameAborted(aborted) => Some(aborted.game),
            What::CallSent(sent) => sent.game,
            What::CallAnswered(answered) => asked_for(&answered.call),
            What::CallFailed(failed) => asked_for(&failed.call),
            What::PositionMeasured(measured) => return Self::Measurement(id, measured.game),
            What::TablebaseProbed(_) => return Self::Measurement(id, None),
            What::PuzzleAnswered(_) | What::CellAnswered(_) => return Self::Answer(id),
            What::DrawMade(_) => return Self::Draw(id),
            What::CorrectionRecorded(_) => return Self::Correction(id),
            _ => None,
        };
        game.map_or(Self::Evidence, Self::Game)
    }
}

/// What the findings are about that stand: one each, with a number that keeps
/// their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Abouts {
    standing: Vec<(u64, About)>,
    next: u64,
}

impl Projection {
    /// Notes what the findings are about that the event raised; those that a
    /// correction before it answers do not stand.
    pub(crate) fn note_findings(&mut self, id: EventId, what: &What) {
        if self.findings.len() <= self.abouts.standing.len() {
            return;
        }
        let about = About::of(id, what, &self.calls);
        self.note_as(about);
        self.answer_findings();
    }

    /// Notes what the findings are about that nothing is noted of yet.
    pub(crate) fn note_as(&mut self, about: About) {
        while self.abouts.standing.len() < self.findings.len() {
            self.abouts.standing.push((self.abouts.next, about));
            self.abouts.next += 1;
        }
    }

    /// Looks anew which findings stand and which are answered.
    pub(crate) fn answer_findings(&mut self) {
        if self.corrections.iter().next().is_none() {
            return;
        }
        let standing = std::mem::take(&mut self.findings).into_iter();
        let abouts = std::mem::take(&mut self.abouts.standing);
        let answered = std::mem::take(&mut self.answered).into_iter();
        let mut all: Vec<(u64, About, Finding)> = standing
            .zip(abouts)
            .map(|(finding, (number, about))| (number, about, finding))
            .chain(answered.map(|one| (one.number, one.about, one.finding)))
            .collect();
        all.sort_by_key(|(number, ..)| *number);
        for (number, about, finding) in all {
            if let Some(correction) = self.answer_to(about, &finding) {
                self.answered.push(AnsweredFinding {
                    finding,
                    correction,
                    about,
                    number,
                });
            } else {
                self.findings.push(finding);
                self.abouts.standing.push((number, about));
            }
        }
    }

    /// The correction that answers a finding, where one does.
    fn answer_to(&self, about: About, finding: &Finding) -> Option<EventId> {
        let corrections = &self.corrections;
        let excluding =
            |game: &EventId| corrections.excluding(game).map(|correction| correction.id);
        match about {
            About::Game(game) => excluding(&game).or_else(|| self.answer_by_result(&game, finding)),
            // Nothing may rest on the draw, and nothing does without its game.
            About::Draw(draw) if finding.code == Code::DrawContradicted => {
                excluding(&self.eras.made(&draw)?.game?)
            }
            About::Answer(answer) => excluding(&answer),
            About::Measurement(measured, game) => {
                excluding(&measured).or_else(|| excluding(&game?))
            }
            About::Correction(correction) => corrections
                .reversing(&correction)
                .map(|correction| correction.id),
            About::Draw(_) | About::Evidence => None,
        }
    }

    /// A recorded result that is not what the moves give is answered by the
    /// correction that puts what they give in its place.
    fn answer_by_result(&self, game: &EventId, finding: &Finding) -> Option<EventId> {
        let game = self.games.game(game)?;
        let GameState::Finished {
            id,
            result,
            termination,
            ..
        } = game.state
        else {
            return None;
        };
        let answers = finding.code == Code::ResultContradicted
            && finding.place.event.as_ref() == Some(id.digest())
            && finding.expected == format!("{result} by {termination}");
        let correction = game.corrected_by.filter(|_| answers)?;
        Some(correction)
    }
}
