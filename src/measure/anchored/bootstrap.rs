use std::collections::BTreeMap;

use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::joint::Joint;
use crate::measure::anchored::level::{End, Fit, Reach};
use crate::measure::anchored::performance;
use crate::measure::anchored::record::{MiniMatch, Record, Seat, Tally, rank};
use crate::measure::anchored::saturated::Side;
use crate::measure::anchored::splitmix::SplitMix64;
use crate::measure::anchored::terms::Terms;

/// What is fitted to each replicate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// The score alone, with a constant color effect in points.
    Performance {
        /// The color effect.
        color: f64,
    },
    /// Wins, draws and losses.
    Joint(Terms),
}

/// Ratings of a system's mini-matches drawn again and again with replacement.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// In ascending order.
    replicates: Vec<End>,
    /// How many mini-matches were drawn from, and from how many anchors.
    matches: usize,
    strata: usize,
}

impl Bootstrap {
    /// Draws as many mini-matches against each anchor as were played against
    /// it, and fits the rating, so many times.
    ///
    /// Strata are the anchors by ascending rating. A mini-match is drawn from
    /// its stratum, in the order given, by the high half of the product of a
    /// number of `SplitMix64` with the size of the stratum. Replicates in which
    /// everything was won or lost lie beyond all ratings, and are kept.
    ///
    /// # Errors
    ///
    /// There is no game, a constant is out of its range, or a search did not
    /// end.
    pub fn of(
        matches: &[MiniMatch],
        model: &Model,
        replicates: u32,
        seed: u64,
    ) -> Result<Self, NoFit> {
        Record::of_matches(matches)?;
        if let Model::Joint(terms) = model {
            terms.check()?;
        }
        let played = |games: &&MiniMatch| 0 < games.white.games() + games.black.games();
        let mut strata: BTreeMap<i64, Vec<MiniMatch>> = BTreeMap::new();
        for games in matches.iter().filter(played) {
            strata.entry(rank(games.anchor)).or_default().push(*games);
        }
        let mut stream = SplitMix64::of(seed);
        let (mut found, mut known) = (Vec::new(), Known::default());
        for _ in 0..replicates {
            let drawn = strata
                .values()
                .filter_map(|stratum| drawn(stratum, &mut stream));
            let drawn: Vec<_> = drawn.collect();
            found.push(known.end(&Record::of_matches(&drawn)?, model)?);
        }
        let matches = strata.values().map(Vec::len).sum();
        Ok(Self::sorted(found, matches, strata.len()))
    }

    /// Draws as many clusters as there are, each with all of its games against
    /// every anchor, and fits the rating, so many times.
    ///
    /// For schedules in which a start is played once against each anchor: what
    /// goes together is the start. There is one stratum, so that every replicate
    /// of a complete schedule has the same anchors. Clusters without a game are
    /// left out.
    ///
    /// # Errors
    ///
    /// Those of [`Bootstrap::of`].
    pub fn of_clusters(
        clusters: &[Vec<MiniMatch>],
        model: &Model,
        replicates: u32,
        seed: u64,
    ) -> Result<Self, NoFit> {
        Record::of(clusters.iter().flatten().flat_map(MiniMatch::scores))?;
        if let Model::Joint(terms) = model {
            terms.check()?;
        }
        let is_played = |games: &MiniMatch| 0 < games.white.games() + games.black.games();
        let played = |cluster: &&Vec<MiniMatch>| cluster.iter().any(is_played);
        let clusters: Vec<_> = clusters.iter().filter(played).collect();
        let mut stream = SplitMix64::of(seed);
        let (mut found, mut known) = (Vec::new(), Known::default());
        for _ in 0..replicates {
            let drawn = clusters
                .iter()
                .filter_map(|_| clusters.get(stream.below(clusters.len())));
            let scores = drawn.flat_map(|cluster| cluster.iter().flat_map(MiniMatch::scores));
            found.push(known.end(&Record::of(scores)?, model)?);
        }
        Ok(Self::sorted(found, clusters.len(), 1))
    }

    fn sorted(mut replicates: Vec<End>, matches: usize, strata: usize) -> Self {
        replicates.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        Self {
            replicates,
            matches,
            strata,
        }
    }

    /// The percentile of a share between 0 and 1: the replicate of rank
    /// ceil(share * B), from 1. Nothing without replicates.
    pub fn percentile(&self, share: f64) -> Option<End> {
        let count = self.count();
        let exact = share * f64::from(count);
        // A product such as 0.975 * 1000 must not be rounded up to the next rank.
        let nearest = libm::round(exact);
        let is_whole = (exact - nearest).abs() < 1e-9 * f64::from(count);
        let rank = if is_whole { nearest } else { libm::ceil(exact) };
        let place = self.replicates.iter().zip(1_u32..);
        let mut place = place.skip_while(|(_, place)| f64::from(*place) < rank && *place < count);
        place.next().map(|(end, _)| *end)
    }

    /// Whether any two replicates differ. Where none do, all clusters of an anchor
    /// are alike, and resampling says nothing.
    pub fn varies(&self) -> bool {
        self.replicates.first() != self.replicates.last()
    }

    /// How many replicates there are.
    pub fn count(&self) -> u32 {
        u32::try_from(self.replicates.len()).unwrap_or(u32::MAX)
    }

    /// The plain 95 % percentile interval. It covers a little too seldom; see
    /// [`Printed`](crate::measure::anchored::Printed).
    pub fn percentile_95(&self) -> Option<Reach> {
        Some(Reach {
            low: self.percentile(0.025)?,
            high: self.percentile(0.975)?,
        })
    }

    /// The replicate in the middle.
    pub fn median(&self) -> Option<End> {
        self.percentile(0.5)
    }

    /// How many replicates lie below and above all ratings.
    pub fn beyond(&self) -> (usize, usize) {
        let count = |end| {
            self.replicates
                .iter()
                .filter(|found| **found == end)
                .count()
        };
        (count(End::BelowAll), count(End::AboveAll))
    }

    /// How many mini-matches were drawn from, and against how many anchors.
    pub const fn drawn_from(&self) -> (usize, usize) {
        (self.matches, self.strata)
    }
}

/// As many mini-matches as the stratum has, added up.
fn drawn(stratum: &[MiniMatch], stream: &mut SplitMix64) -> Option<MiniMatch> {
    let mut sum: Option<MiniMatch> = None;
    for _ in 0..stratum.len() {
        let games = stratum.get(stream.below(stratum.len()))?;
        sum = Some(sum.map_or(*games, |sum| MiniMatch {
            anchor: sum.anchor,
            white: sum.white.and(games.white),
            black: sum.black.and(games.black),
        }));
    }
    sum
}

/// The ratings of records that were drawn before: few mini-matches give the same
/// ones again and again, and a fit depends on its record alone.
#[derive(Default)]
struct Known(BTreeMap<Vec<(i64, Seat, Tally)>, End>);

impl Known {
    fn end(&mut self, record: &Record, model: &Model) -> Result<End, NoFit> {
        let scores = record.scores().iter();
        let key: Vec<_> = scores
            .map(|score| (rank(score.anchor), score.seat, score.tally))
            .collect();
        if let Some(end) = self.0.get(&key) {
            return Ok(*end);
        }
        let end = end(record, model)?;
        self.0.insert(key, end);
        Ok(end)
    }
}

fn end(record: &Record, model: &Model) -> Result<End, NoFit> {
    let total = record.total();
    let fit = match model {
        Model::Performance { color: _ } if total.is_saturated() => {
            return Ok(if total.losses == 0 {
                End::AboveAll
            } else {
                End::BelowAll
            });
        }
        Model::Performance { color } => Fit::Finite(performance::rating(record, *color)?),
        Model::Joint(terms) => Joint::rating_of(record, terms)?,
    };
    Ok(match fit {
        Fit::Finite(rating) => End::At(rating),
        Fit::Bounded(bound) => match bound.side {
            Side::AtLeast => End::AboveAll,
            Side::AtMost => End::BelowAll,
        },
    })
}
