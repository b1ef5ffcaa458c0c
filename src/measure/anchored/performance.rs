use crate::measure::Interval;
use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::law::{Expectation, Q};
use crate::measure::anchored::level::Fit;
use crate::measure::anchored::profile;
use crate::measure::anchored::record::{MiniMatch, Record, Score};
use crate::measure::anchored::root::{NoRoot, Search};
use crate::measure::anchored::saturated::{BOUND_RISK, Bound, limits};
use crate::measure::anchored::terms::{ColorEffect, DrawRate, Terms};

/// A rating whose expected score is the score: the sum of E over all games
/// equals the points. It needs no draw law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Performance {
    /// The rating, in points.
    pub rating: f64,
    /// The standard error from the Fisher information, in points:
    /// 1/(q sqrt(sum E(1 - E))), as though every game were won or lost.
    pub fisher_error: f64,
    /// The 95 % profile interval, in points, from the quasi-likelihood
    /// sum(s ln E + (1 - s) ln(1 - E)).
    pub profile: Interval,
}

impl Performance {
    /// Fits the rating, with a constant color effect in points.
    ///
    /// # Errors
    ///
    /// The constant is out of its range, or a search did not end.
    pub fn of(record: &Record, color: f64) -> Result<Fit<Self>, NoFit> {
        let terms = Terms {
            draws: DrawRate::Constant(0.0),
            color: ColorEffect::Constant(color),
        };
        terms.check()?;
        if let Some(bound) = Bound::of(record, &terms, BOUND_RISK)? {
            return Ok(Fit::Bounded(bound));
        }
        let rating = rating(record, color)?;
        let fisher_error = 1.0 / (Q * libm::sqrt(information(record, color, rating)));
        let limits = limits(record, color);
        let profile = profile::interval(rating, fisher_error, limits, &[], |rating| {
            let logs = expectations(record, color, rating);
            Ok(logs.map(|(score, e)| e.log_likelihood(score.tally)).sum())
        })?;
        Ok(Fit::Finite(Self {
            rating,
            fisher_error,
            profile,
        }))
    }

    /// Returns the standard error that holds whatever the games of a
    /// mini-match have to do with one another, in points: the sandwich
    /// sqrt(sum u^2)/(q sum E(1 - E)), with u the points of a mini-match beyond
    /// what was expected, times sqrt(G/(G - 1)) over G mini-matches (CR1:
    /// Liang and Zeger, Biometrika 73, 1986). Nothing when there is but one.
    ///
    /// It is 0 when every mini-match went as expected, as when all games were
    /// drawn with equals. So it is a check and never the printed error.
    pub fn cluster_error(&self, matches: &[MiniMatch], color: f64) -> Option<f64> {
        self.error_of_clusters(matches.iter().map(std::slice::from_ref), color)
    }

    /// The same for clusters of more than one mini-match.
    pub(crate) fn error_of_clusters<'a>(
        &self,
        all: impl Iterator<Item = &'a [MiniMatch]>,
        color: f64,
    ) -> Option<f64> {
        let mut squares = 0.0;
        let mut information = 0.0;
        let mut clusters = 0.0;
        for cluster in all {
            let (mut beyond, mut n_games) = (0.0, 0);
            for score in cluster.iter().flat_map(MiniMatch::scores) {
                let e = expectation(&score, color, self.rating);
                information += f64::from(score.tally.games()) * e.variance();
                beyond += e.surprise(score.tally);
                n_games += score.tally.games();
            }
            if 0 < n_games {
                squares += beyond * beyond;
                clusters += 1.0;
            }
        }
        let bread = Q * information;
        (1.0 < clusters).then(|| libm::sqrt(clusters / (clusters - 1.0) * squares) / bread)
    }
}

fn expectation(score: &Score, color: f64, rating: f64) -> Expectation {
    Expectation::over(rating - score.anchor + color * score.seat.sign())
}

fn expectations(
    record: &Record,
    color: f64,
    rating: f64,
) -> impl Iterator<Item = (&Score, Expectation)> {
    let scores = record.scores().iter();
    scores.map(move |score| (score, expectation(score, color, rating)))
}

/// The sum of E(1 - E).
fn information(record: &Record, color: f64, rating: f64) -> f64 {
    expectations(record, color, rating)
        .map(|(score, e)| f64::from(score.tally.games()) * e.variance())
        .sum()
}

/// The rating of a record that is not saturated.
pub(crate) fn rating(record: &Record, color: f64) -> Result<f64, NoRoot> {
    let total = record.total();
    let games = f64::from(total.games());
    let points = f64::from(total.half_points()) / 2.0;
    let sum: f64 = record
        .scores()
        .iter()
        .map(|score| f64::from(score.tally.games()) * score.anchor)
        .sum();
    // Where it would lie if all anchors had their mean.
    let start = sum / games + libm::log(points / (games - points)) / Q;
    let search = Search {
        start,
        step: 10.0,
        limits: limits(record, color),
        tolerance: 1e-11,
    };
    search.falling(&mut |rating| {
        Ok(expectations(record, color, rating)
            .map(|(score, e)| e.surprise(score.tally))
            .sum())
    })
}
