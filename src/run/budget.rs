use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::canonical::{Decimal, Money, Total};
use crate::projection::{Game, Projection, Resources};
use crate::run::file::{RunFileError, wrong};

/// What a run may take. It stops in good order once anything is spent: calls in
/// flight are waited for, so a little more than this may be taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetPart {
    /// US dollars of the games of the cohort, over all runs: what providers report,
    /// else tokens at the saved price.
    pub usd: Option<Money>,
    /// Tokens of its games, prompts and completions, over all runs.
    pub tokens: Option<u64>,
    /// Calls of models in its games, over all runs.
    pub calls: Option<u64>,
    /// Hours of this run.
    pub hours: Option<Decimal>,
}

impl BudgetPart {
    pub(crate) fn check(&self) -> Result<(), RunFileError> {
        let is_positive = |amount: Option<Decimal>| {
            amount.is_none_or(|amount| !amount.is_negative() && amount != Decimal::ZERO)
        };
        let parts = [
            ("usd", is_positive(self.usd)),
            ("tokens", self.tokens != Some(0)),
            ("calls", self.calls != Some(0)),
            ("hours", is_positive(self.hours)),
        ];
        match parts.iter().find(|(_, is_some)| !is_some) {
            None => Ok(()),
            Some((part, _)) => Err(wrong(
                format!("a `{part}` above zero under [budget]"),
                "none",
            )),
        }
    }
}

impl BudgetPart {
    /// What of it is spent after this was taken, in words; nothing where there is some
    /// left of everything.
    pub(crate) fn spent(&self, taken: &Resources, passed: Duration) -> Option<String> {
        let cost = taken.cost_usd.sum + taken.estimated_usd.sum;
        let prompts = taken.prompt_tokens.sum;
        let used = prompts.saturating_add(taken.completion_tokens.sum);
        let unknown = taken.estimated_usd.base - taken.estimated_usd.reported;
        let is_paid = |usd: &Money| !(Total::from(*usd) - cost).is_positive();
        if let Some(usd) = self.usd.filter(is_paid) {
            let beside = match unknown {
                0 => String::new(),
                unknown => format!(", and {unknown} calls of unknown cost beside it"),
            };
            return Some(format!("{cost} of {usd} US dollars{beside}"));
        }
        if let Some(tokens) = self.tokens.filter(|tokens| *tokens <= used) {
            return Some(format!("{used} of {tokens} tokens"));
        }
        if let Some(calls) = self.calls.filter(|calls| *calls <= taken.sent) {
            return Some(format!("{} of {calls} calls", taken.sent));
        }
        let is_over = |hours: &Decimal| {
            Duration::try_from_secs_f64(hours.to_f64() * 3600.0).is_ok_and(|end| end <= passed)
        };
        let hours = self.hours.filter(is_over);
        hours.map(|hours| format!("{hours} hours"))
    }
}

/// What was taken of a budget so far.
#[derive(Clone, Debug)]
pub(crate) struct Purse {
    budget: BudgetPart,
    /// By the games that have ended.
    ended: Resources,
    began: Instant,
}

impl Purse {
    /// A purse from which these games have taken already.
    pub(crate) fn new<'g>(
        budget: BudgetPart,
        projection: &Projection,
        ended: impl Iterator<Item = &'g Game>,
    ) -> Self {
        let mut purse = Self {
            budget,
            ended: Resources::default(),
            began: Instant::now(),
        };
        for game in ended {
            purse.take(projection, game);
        }
        purse
    }

    /// Takes in a game that has ended.
    pub(crate) fn take(&mut self, projection: &Projection, game: &Game) {
        join(&mut self.ended, projection, game);
    }

    /// What of the budget is spent, with these games that go on; nothing where there
    /// is some left of everything.
    pub(crate) fn spent<'g>(
        &self,
        projection: &Projection,
        playing: impl Iterator<Item = &'g Game>,
    ) -> Option<String> {
        if self.budget == BudgetPart::default() {
            return None;
        }
        let mut all = self.ended.clone();
        for game in playing {
            join(&mut all, projection, game);
        }
        self.budget.spent(&all, self.began.elapsed())
    }
}

/// Only who is billed takes anything.
fn join(all: &mut Resources, projection: &Projection, game: &Game) {
    use crate::chess::Color;
    for color in [Color::White, Color::Black] {
        let system = projection.systems.system(game.seat(color));
        if system.is_some_and(|system| system.registered.is_billed()) {
            all.join(game.resources.get(color));
        }
    }
}
