//! What is asked one by one, outside games: which questions are left, and what is
//! told of those that were asked.

use std::time::Instant;

use crate::event::{CallFailure, CallSent, EventId, StopReason, What};
use crate::projection::Projection;
use crate::run::player::{Answered, Request};
use crate::run::{Going, Toll};

/// The questions of a dataset: what is asked, and how a reply is taken.
pub(crate) trait Questions {
    /// One question, as it stands: a puzzle, or a position after so many answers.
    type Question: Clone;

    /// The dataset.
    fn dataset(&self) -> EventId;

    /// What these players are still to be asked, in the order of the dataset, for one
    /// player after another; with the place of the player.
    fn left(&self, projection: &Projection, players: &[EventId]) -> Vec<(usize, Self::Question)>;

    /// The name of what is asked, in its dataset.
    fn name<'q>(&self, question: &'q Self::Question) -> &'q str;

    /// What is said before a request leaves. Who is asked for is filled in.
    fn sent(&self, question: &Self::Question, system: EventId) -> CallSent;

    /// What is asked.
    fn request(&self, question: &Self::Question) -> Request;

    /// What is said of an answer, or of a failure that is not asked again, where this
    /// event ended the call. And the question to go on with, where the answer is
    /// followed by another one.
    fn take(
        &self,
        question: &Self::Question,
        ended: (EventId, EventId),
        answered: Option<&Answered>,
    ) -> (What, Option<Self::Question>);

    /// What became of a question that was answered, in words.
    fn verdict(
        &self,
        projection: &Projection,
        system: &EventId,
        question: &Self::Question,
    ) -> String;

    /// What a question counts as that got no answer, in words.
    fn without_answer(&self) -> &'static str;
}

/// How a run of questions ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskingOutcome {
    /// Everybody was asked everything.
    Finished,
    /// It was told to stop; so many are left.
    Interrupted(usize),
    /// Request after request got no answer, so that another is not worth trying; so
    /// many are left.
    Failing(usize),
    /// What it was allowed to take is spent; so many are left.
    Spent(String, usize),
}

impl AskingOutcome {
    /// The word for it in the ledger.
    pub(crate) const fn reason(&self) -> StopReason {
        match self {
            Self::Finished => StopReason::Finished,
            Self::Interrupted(_) => StopReason::Interrupted,
            Self::Failing(_) => StopReason::Failed,
            Self::Spent(..) => StopReason::BudgetSpent,
        }
    }
}

/// What a run of questions tells while it goes on: one of them is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskingTold {
    /// Who was asked.
    pub system: String,
    /// What was asked, by its name in the dataset.
    pub question: String,
    /// How many of how many are done by now.
    pub asked: (usize, usize),
    /// What became of it, in words.
    pub verdict: String,
    /// What its calls took.
    pub took: Toll,
    /// How far the run is.
    pub going: Going,
}

/// One question for one player.
#[derive(Clone)]
pub(crate) struct Task<Q> {
    pub(crate) player: usize,
    pub(crate) question: Q,
    /// How often the request at hand failed in this run.
    pub(crate) failures: u64,
    /// What the calls took so far.
    pub(crate) took: Toll,
    pub(crate) not_before: Option<Instant>,
}

impl<Q> Task<Q> {
    pub(crate) fn new((player, question): (usize, Q)) -> Self {
        Self {
            player,
            question,
            failures: 0,
            took: Toll::default(),
            not_before: None,
        }
    }
}

/// What became of a task.
pub(crate) enum Came<Q> {
    /// Another request is to be sent for it.
    Again(Box<Task<Q>>),
    /// It is done: why no answer came where none did, and what its calls took.
    Said(Option<CallFailure>, Toll),
}
