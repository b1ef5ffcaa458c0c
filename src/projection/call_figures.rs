use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Money};
use crate::event::{CallAnswered, EventId, Tokens, tokens_in_words};
use crate::projection::Corrections;

/// Tokens and US dollars of a call, as they count. Absent is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFigures {
    /// What the call cost: as the answer reports it, else as it was looked up.
    pub cost_usd: Option<Money>,
    /// Prompt tokens that came from a cache.
    pub cached: Option<Count>,
    /// Completion tokens, reasoning included.
    pub completion: Option<Count>,
    /// Prompt tokens.
    pub prompt: Option<Count>,
    /// Tokens of reasoning.
    pub reasoning: Option<Count>,
}

impl CallFigures {
    /// The tokens, where any are known.
    pub(crate) fn tokens(&self) -> Option<Tokens> {
        let tokens = Tokens {
            cached: self.cached,
            completion: self.completion,
            prompt: self.prompt,
            reasoning: self.reasoning,
        };
        let known = [self.cached, self.completion, self.prompt, self.reasoning];
        known.iter().any(Option::is_some).then_some(tokens)
    }
}

/// What events say of the tokens and costs of a call, and what counts of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordedFigures {
    /// The `call.answered`, where there is one.
    pub(crate) answer: Option<EventId>,
    /// What it says.
    recorded: CallFigures,
    /// Later words on the cost, in the order of their events.
    pub(crate) looked_up: Vec<(EventId, Money)>,
    /// What counts.
    pub(crate) counting: CallFigures,
    /// The later word whose cost counts, where one does.
    pub(crate) late: Option<EventId>,
}

impl RecordedFigures {
    /// Returns what an answer says, where it says anything.
    pub(crate) fn of(id: EventId, answered: &CallAnswered) -> Option<Self> {
        let tokens = |part: fn(Tokens) -> Option<Count>| answered.tokens.and_then(part);
        let recorded = CallFigures {
            cost_usd: answered.cost_usd,
            cached: tokens(|tokens| tokens.cached),
            completion: tokens(|tokens| tokens.completion),
            prompt: tokens(|tokens| tokens.prompt),
            reasoning: tokens(|tokens| tokens.reasoning),
        };
        (recorded != CallFigures::default()).then(|| Self {
            recorded,
            counting: recorded,
            ..Self::silent(Some(id))
        })
    }

    /// Returns what is said where nothing is, in this answer if there was one.
    pub(crate) fn silent(answer: Option<EventId>) -> Self {
        Self {
            answer,
            ..Self::default()
        }
    }

    /// Whether the answer reports a charge.
    pub(crate) const fn reports_charge(&self) -> bool {
        self.recorded.cost_usd.is_some()
    }

    /// Whether anything is said of tokens or charges.
    pub(crate) fn says_anything(&self) -> bool {
        self.recorded != CallFigures::default() || !self.looked_up.is_empty()
    }

    /// Works out what counts.
    pub(crate) fn settle(&mut self, corrections: &Corrections) {
        let word = |field| corrections.superseded(self.answer.as_ref()?, field);
        let tokens = |field, recorded| word(field).and_then(tokens_in_words).or(recorded);
        let recorded = self.recorded;
        let answered = word("cost_usd").and_then(|word| word.parse().ok());
        let answered = answered.or(recorded.cost_usd);
        let mut later = self.looked_up.iter();
        let late = later.find(|(id, _)| answered.is_none() && !corrections.is_excluded(id));
        let late = late.map(|(id, amount)| {
            let superseded = corrections.superseded_money(id, "amount_usd");
            (*id, superseded.unwrap_or(*amount))
        });
        let counting = CallFigures {
            cost_usd: answered.or(late.map(|(_, amount)| amount)),
            cached: tokens("tokens.cached", recorded.cached),
            completion: tokens("tokens.completion", recorded.completion),
            prompt: tokens("tokens.prompt", recorded.prompt),
            reasoning: tokens("tokens.reasoning", recorded.reasoning),
        };
        self.late = late.map(|(id, _)| id);
        self.counting = counting;
    }
}
