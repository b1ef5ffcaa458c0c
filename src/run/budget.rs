use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::canonical::{Decimal, Money, Total};
use crate::finding::counted;
use crate::projection::{Game, Projection, Resources};
use crate::run::estimate::Estimate;
use crate::run::file::{RunFileError, wrong};
use crate::run::{Going, Toll};

/// What a run may take. It stops in good order once anything is spent: calls in
/// flight are waited for, so a little more than this may be taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
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
        let toll = Toll::of(taken);
        let (cost, used) = (toll.cost_usd.sum, toll.tokens.sum);
        let unknown = unknown_costs(taken);
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

/// What of one part of a budget a run is expected to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetShare {
    /// The part, as the run file calls it.
    pub part: &'static str,
    /// What the run file allows.
    pub allowed: String,
    /// What was taken before, in words.
    pub taken: String,
    /// What the estimate comes to, in words.
    pub more: String,
    /// Whether the two together are more than is allowed, where that is known.
    pub is_too_little: Option<bool>,
}

impl BudgetPart {
    /// What of each part of it is expected to be taken beside what was taken before.
    pub(crate) fn shares(&self, taken: &Resources, estimates: &[Estimate]) -> Vec<BudgetShare> {
        let mut shares = Vec::new();
        let mut share = |part, allowed: String, taken: String, more, is_too_little| {
            shares.push(BudgetShare {
                part,
                allowed,
                taken,
                more,
                is_too_little,
            });
        };
        let toll = Toll::of(taken);
        if let Some(allowed) = self.usd {
            let spent = toll.cost_usd.sum;
            let unknown = match unknown_costs(taken) {
                0 => String::new(),
                calls => format!(" and {} of unknown cost", counted(calls, "call")),
            };
            let all: Option<Vec<Total>> = estimates.iter().map(|one| one.usd).collect();
            let more: Option<Total> = all.map(|all| all.into_iter().sum());
            let said = more.map_or_else(|| "unknown".to_owned(), |more| format!("about {more}"));
            let is_over = more.map(|more| (spent + more - Total::from(allowed)).is_positive());
            share(
                "usd",
                allowed.to_string(),
                format!("{spent}{unknown}"),
                said,
                is_over,
            );
        }
        if let Some(allowed) = self.tokens {
            let used = toll.tokens.sum;
            let more = estimates.iter().try_fold(0_u64, |sum, one| {
                let answers = one.completion_tokens?;
                Some(sum.saturating_add(one.prompt_tokens?.saturating_add(answers)))
            });
            let said = more.map_or_else(|| "unknown".to_owned(), |more| format!("about {more}"));
            let is_over = more.map(|more| allowed < used.saturating_add(more));
            share(
                "tokens",
                allowed.to_string(),
                used.to_string(),
                said,
                is_over,
            );
        }
        if let Some(allowed) = self.calls {
            let more = estimates.iter().map(|one| one.calls);
            let more = more.fold(0, u64::saturating_add);
            let is_over = Some(allowed < taken.sent.saturating_add(more));
            let said = format!("about {more}");
            share(
                "calls",
                allowed.to_string(),
                taken.sent.to_string(),
                said,
                is_over,
            );
        }
        if let Some(allowed) = self.hours {
            let nothing = "nothing by this run".to_owned();
            share(
                "hours",
                allowed.to_string(),
                nothing,
                "unknown".to_owned(),
                None,
            );
        }
        shares
    }
}

/// Calls that have ended and whose cost nobody knows: neither what was charged, nor
/// tokens and a price. Those in flight are not among them.
const fn unknown_costs(taken: &Resources) -> u64 {
    let estimated = &taken.estimated_usd;
    estimated.base.saturating_sub(estimated.reported)
}

/// What these games took of those who are billed.
pub(crate) fn taken_by<'g>(
    projection: &Projection,
    games: impl Iterator<Item = &'g Game>,
) -> Resources {
    let mut all = Resources::default();
    for game in games {
        join(&mut all, projection, game);
    }
    all
}

/// What was taken of a budget so far.
#[derive(Clone, Debug)]
pub(crate) struct Purse {
    budget: BudgetPart,
    /// By the games that have ended.
    ended: Resources,
    /// By those of them that have a result, and how many they are.
    finished: (u64, Resources),
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
            finished: (0, Resources::default()),
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
        if game.result().is_some() {
            let (games, finished) = &mut self.finished;
            *games += 1;
            join(finished, projection, game);
        }
    }

    /// How far a run is that has taken this, with these games that go on. `extent`
    /// says how many games have ended for good, and how many there are.
    pub(crate) fn going<'g>(
        &self,
        projection: &Projection,
        playing: impl Iterator<Item = &'g Game>,
        extent: (u64, Option<u64>),
    ) -> Going {
        let mut all = self.ended.clone();
        let mut at_tables = 0;
        for game in playing {
            at_tables += 1;
            join(&mut all, projection, game);
        }
        let (games, finished) = &self.finished;
        let finished = Toll::of(finished);
        Going::of(extent, at_tables, Toll::of(&all), (*games, &finished))
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

/// What a game took of those who are billed; nothing where nobody in it is.
pub(crate) fn bill_of(projection: &Projection, game: &Game) -> Option<Toll> {
    let seats = [game.started.seats.white, game.started.seats.black];
    let mut systems = seats
        .iter()
        .filter_map(|seat| projection.systems.system(seat));
    let is_billed = systems.any(|system| system.registered.is_billed());
    is_billed.then(|| Toll::of(&taken_by(projection, std::iter::once(game))))
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
