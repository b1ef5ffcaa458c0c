//! What the imported games of one player come to.

use crate::chess::{Color, GameResult};
use crate::event::{EndingClass, GameImported, ImportedSeat};
use crate::import::FigureVerdict;
use crate::import::figure::{Amount, Figure};

/// The games of one player, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::import) struct SeatTally {
    wins: u64,
    draws: u64,
    losses: u64,
    forfeits: u64,
    /// Games without a result, or with more than one.
    errors: u64,
    rejected: Sum,
    prompt: Sum,
    completion: Sum,
    reasoning: Sum,
    cost: Sum,
}

/// A sum of what games report, and how many of them do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    total: i128,
    reported: u64,
}

impl Sum {
    fn add(&mut self, amount: Option<Amount>) {
        if let Some(Amount(amount)) = amount {
            self.total = self.total.saturating_add(amount);
            self.reported += 1;
        }
    }
}

impl SeatTally {
    /// Games with a result.
    pub(in crate::import) const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub(in crate::import) fn take(
        &mut self,
        game: &GameImported,
        seat: &ImportedSeat,
        is_white: bool,
    ) {
        let color = if is_white { Color::White } else { Color::Black };
        let class = game.ending.as_ref().map(|ending| ending.class);
        match counted_result(game).map(GameResult::winner) {
            None => self.errors += 1,
            Some(None) => self.draws += 1,
            Some(Some(winner)) if winner == color => self.wins += 1,
            Some(Some(_)) => {
                self.losses += 1;
                self.forfeits += u64::from(class == Some(EndingClass::Interface));
            }
        }
        let whole = |count: crate::canonical::Count| Amount::whole(count.get());
        self.rejected.add(seat.rejected.map(whole));
        let tokens = seat.tokens;
        self.prompt
            .add(tokens.and_then(|tokens| tokens.prompt).map(whole));
        self.completion
            .add(tokens.and_then(|tokens| tokens.completion).map(whole));
        self.reasoning
            .add(tokens.and_then(|tokens| tokens.reasoning).map(whole));
        self.cost
            .add(seat.cost_usd.and_then(|cost| Amount::of(&cost.to_string())));
    }

    /// What the games say to a figure. `is_even` says that every row of the table
    /// has as many games.
    pub(in crate::import) fn judge(
        &self,
        figure: Figure,
        claimed: Amount,
        is_even: bool,
    ) -> FigureVerdict {
        let all = self.games() + self.errors;
        if all == 0 {
            return FigureVerdict::Underived("no imported game has a player of this name");
        }
        let mine = match figure {
            Figure::Games => Amount::whole(self.games()),
            Figure::Wins => Amount::whole(self.wins),
            Figure::Draws => Amount::whole(self.draws),
            Figure::Losses => Amount::whole(self.losses),
            Figure::Points => Amount::halves(2 * self.wins + self.draws),
            Figure::Forfeits => Amount::whole(self.forfeits),
            Figure::Errors => Amount::whole(self.errors),
            Figure::Rejected => return of_sum(&self.rejected, all, claimed),
            Figure::PromptTokens => return of_sum(&self.prompt, all, claimed),
            Figure::CompletionTokens => return of_sum(&self.completion, all, claimed),
            Figure::ReasoningTokens => return of_sum(&self.reasoning, all, claimed),
            Figure::CostUsd => return of_sum(&self.cost, all, claimed),
            Figure::Rating => return self.judge_rating(),
            Figure::Rank if is_even => {
                return FigureVerdict::Underived("a rank follows from a rule that nobody stated");
            }
            Figure::Rank => {
                return FigureVerdict::Underived(
                    "the rows have different numbers of games, so their ranks have different denominators",
                );
            }
        };
        compare(mine, claimed, self.trap(figure, claimed))
    }

    /// A finite rating needs a win and a loss, or draws.
    const fn judge_rating(&self) -> FigureVerdict {
        let is_saturated = self.wins == self.games() || self.losses == self.games();
        FigureVerdict::Underived(if is_saturated {
            "every game was won, or every game was lost: no finite rating follows from them"
        } else {
            "a rating follows from a scale and a method that nobody stated"
        })
    }

    /// What seems to have been done to a figure.
    fn trap(&self, figure: Figure, claimed: Amount) -> Option<&'static str> {
        let with_errors = |mine: u64| claimed == Amount::whole(mine + self.errors);
        if self.errors == 0 {
            return None;
        }
        match figure {
            Figure::Games if with_errors(self.games()) => {
                Some("games without a result are counted as games")
            }
            Figure::Draws if with_errors(self.draws) => Some("errors are counted as draws"),
            Figure::Losses if with_errors(self.losses) => Some("errors are counted as losses"),
            Figure::Wins if with_errors(self.wins) => Some("errors are counted as wins"),
            _ => None,
        }
    }
}

/// The result of a game, where the source has one and the board does not say
/// another.
fn counted_result(game: &GameImported) -> Option<GameResult> {
    let result = game.result()?;
    let start = game.start.fen.position(game.start.variant).ok()?;
    let end = start.after(&game.moves).ok()?.forced_end();
    end.is_none_or(|(given, _)| given == result)
        .then_some(result)
}

fn of_sum(sum: &Sum, all: u64, claimed: Amount) -> FigureVerdict {
    match (sum.reported, claimed) {
        (0, Amount(0)) => {
            FigureVerdict::Underived("no game reports it; what is unknown is printed as zero")
        }
        (0, _) => FigureVerdict::Underived("no game reports it"),
        (reported, _) if reported < all => {
            FigureVerdict::Underived("only some of the games report it")
        }
        _ => compare(Amount(sum.total), claimed, None),
    }
}

fn compare(mine: Amount, claimed: Amount, trap: Option<&'static str>) -> FigureVerdict {
    if mine == claimed {
        return FigureVerdict::Follows;
    }
    FigureVerdict::Differs {
        follows: mine.to_string(),
        by: Amount(claimed.0.saturating_sub(mine.0)).to_string(),
        trap,
    }
}
