use std::fmt;

use crate::canonical::Total;
use crate::event::EventId;
use crate::finding::counted;
use crate::projection::{Projection, Resources, Tally};

/// What calls of models took, as far as anybody told. Absent is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Toll {
    /// Calls that left.
    pub calls: u64,
    /// Tokens of prompts and answers, of the calls that were answered.
    pub tokens: Tally<u64>,
    /// US dollars of all calls: as they were reported, else of their tokens at the
    /// saved price.
    pub cost_usd: Tally<Total>,
}

impl Toll {
    /// What all calls of these resources took.
    pub(crate) fn of(resources: &Resources) -> Self {
        let (prompts, answers) = (&resources.prompt_tokens, &resources.completion_tokens);
        let (reported, estimated) = (&resources.cost_usd, &resources.estimated_usd);
        Self {
            calls: resources.sent,
            tokens: Tally {
                sum: prompts.sum.saturating_add(answers.sum),
                reported: prompts.reported.min(answers.reported),
                base: resources.answered,
            },
            cost_usd: Tally {
                sum: reported.sum + estimated.sum,
                reported: reported.reported.saturating_add(estimated.reported),
                base: resources.sent,
            },
        }
    }

    /// Takes in one call that has ended.
    pub(crate) fn take(&mut self, projection: &Projection, call: &EventId, is_answered: bool) {
        let (figures, estimate) = projection.costs.ended(call).unwrap_or_default();
        self.calls += 1;
        if is_answered {
            let tokens = figures.prompt.zip(figures.completion);
            let tokens = tokens.map(|(prompt, answer)| prompt.get().saturating_add(answer.get()));
            self.tokens.take(tokens);
        }
        let cost = figures.cost_usd.map(Total::from);
        self.cost_usd.take(cost.or(estimate));
    }

    /// Takes in what other calls took.
    pub(crate) fn join(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.tokens.join(&other.tokens);
        self.cost_usd.join(&other.cost_usd);
    }
}

impl fmt::Display for Toll {
    /// Calls, tokens and dollars, and of how many calls they are unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            calls,
            tokens,
            cost_usd,
        } = self;
        let known = |sum: String, noun: &str, reported: u64, base: u64| {
            if reported == 0 {
                return format!("{noun} unknown");
            }
            match base.saturating_sub(reported) {
                0 => format!("{sum} {noun}"),
                unknown => format!("{sum} {noun} and unknown for {}", counted(unknown, "call")),
            }
        };
        write!(
            f,
            "{}, {}, {}",
            counted(*calls, "call"),
            known(
                tokens.sum.to_string(),
                "tokens",
                tokens.reported,
                tokens.base
            ),
            known(
                cost_usd.sum.to_string(),
                "US dollars",
                cost_usd.reported,
                cost_usd.base
            ),
        )
    }
}

/// How far a run is, in games or in puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Going {
    /// How many have ended for good.
    pub done: u64,
    /// How many there are, where that is known.
    pub all: Option<u64>,
    /// How many go on now.
    pub at_tables: u64,
    /// What all of them took so far, those that go on and that were aborted too.
    pub took: Toll,
    /// US dollars that are to come: the mean of those that have ended, for each that
    /// has not. An estimate; nothing where no cost is known.
    pub to_come_usd: Option<Total>,
}

impl Going {
    /// How far a run is whose ended games or puzzles, so many, took this.
    pub(crate) fn of(
        (done, all): (u64, Option<u64>),
        at_tables: u64,
        took: Toll,
        ended: (u64, &Toll),
    ) -> Self {
        let left = all.map(|all| all.saturating_sub(done));
        let (n_ended, ended) = ended;
        let cost = (0 < ended.cost_usd.reported).then_some(ended.cost_usd.sum);
        let to_come = left.zip(cost).and_then(|(left, cost)| {
            let (mean, _) = cost.times(left).shared(n_ended)?;
            Some(mean)
        });
        Self {
            done,
            all,
            at_tables,
            took,
            to_come_usd: to_come,
        }
    }

    /// Calls of which nobody told the cost, or not yet.
    pub const fn n_unknown_costs(&self) -> u64 {
        let cost = &self.took.cost_usd;
        cost.base.saturating_sub(cost.reported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn took(calls: u64, cost: Option<&str>) -> Toll {
        let mut took = Toll {
            calls,
            ..Toll::default()
        };
        for _ in 0..calls {
            took.tokens.take(cost.map(|_| 10));
            took.cost_usd.take(
                cost.map(|cost| Total::from(cost.parse::<crate::canonical::Money>().unwrap())),
            );
        }
        took
    }

    #[test]
    fn what_nobody_told_is_unknown_and_never_nothing() {
        assert_eq!(
            took(1, None).to_string(),
            "1 call, tokens unknown, US dollars unknown"
        );
        assert_eq!(
            took(2, Some("0")).to_string(),
            "2 calls, 20 tokens, 0 US dollars"
        );
        let mut both = took(2, Some("0.5"));
        both.join(&took(1, None));
        assert_eq!(
            both.to_string(),
            "3 calls, 20 tokens and unknown for 1 call, 1 US dollars and unknown for 1 call"
        );
    }

    #[test]
    fn what_is_to_come_is_the_mean_of_what_ended_for_what_is_left() {
        let ended = took(3, Some("0.2"));
        let going = |done, all, ended| Going::of((done, all), 1, took(5, Some("1")), ended);
        let some = going(2, Some(8), (2, &ended));
        assert_eq!(some.to_come_usd.unwrap().to_string(), "1.8");
        for (all, ended) in [
            (None, (2, &ended)),
            (Some(8), (0, &Toll::default())),
            (Some(8), (1, &took(1, None))),
        ] {
            assert_eq!(going(2, all, ended).to_come_usd, None);
        }
    }
}
