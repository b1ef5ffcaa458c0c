use std::collections::{BTreeMap, BTreeSet};

use crate::canonical::Day;
use crate::chess::GameResult;
use crate::event::ScheduleRule;
use crate::measure::anchored::{
    Fit, Level, MiniMatch, Model, NoFit, Reach, Record, Score, Seat, SystemFit, Tally, Terms,
    leave_each_out, level, range,
};

/// How often the clusters of a system are drawn anew for its interval.
pub const REPLICATES: u32 = 2000;

/// The seed of those draws (`SplitMix64`): the same for every system, so that
/// nothing depends on who else is there.
pub const SEED: u64 = 1;

/// The rating of one system, how sure it is, and what it would be otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchoredEstimate {
    /// The complete system: forfeits are losses. The rating that counts.
    pub complete: Result<SystemFit, NoFit>,
    /// The same without games that ended by forfeit. Absent: none is left.
    pub without_forfeits: Option<Result<SystemFit, NoFit>>,
    /// With the games that were cut off read by their last measured position, as
    /// far as there is one; the others keep the result of the protocol. Absent:
    /// none has one.
    pub last_measured: Option<Result<Level, NoFit>>,
    /// How many games that were cut off have a measured position.
    pub measured: u64,
    /// With the games that were cut off read by endgame tables, as far as those
    /// say what their last position is worth; the others keep the result of the
    /// protocol. Absent: they say it of none.
    pub by_tables: Option<Result<Level, NoFit>>,
    /// Of how many games that were cut off tables say it.
    pub in_tables: u64,
    /// Without the games that were cut off. Absent: no game is left.
    pub uncensored: Option<Result<Level, NoFit>>,
    /// How many games those are.
    pub uncensored_games: u64,
    /// With the games of each UTC day left out in turn.
    pub days: Sensitivity,
    /// With the games over each route left out in turn. Absent: the system asks
    /// over no route.
    pub routes: Option<Sensitivity>,
    /// The games of each start and anchor, by the protocol's results.
    pub(crate) matches: Vec<MiniMatch>,
}

/// How far a rating moves when parts of the games are left out in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// Into how many parts the games fall.
    pub parts: usize,
    /// The lowest and the highest rating; nothing where the parts are fewer than
    /// two, or there is no fit.
    pub range: Option<Reach>,
}

/// One game of a system, as far as ratings go.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) start: usize,
    /// The anchor's rating.
    pub(crate) anchor: f64,
    pub(crate) seat: Seat,
    /// The system's half-points by the protocol.
    pub(crate) half_points: u8,
    /// The half-points by the last measured position, where there is one.
    pub(crate) measured: Option<u8>,
    /// The half-points by endgame tables, where they settle the last position.
    pub(crate) tabled: Option<u8>,
    pub(crate) is_forfeit: bool,
    pub(crate) is_censored: bool,
    pub(crate) day: Option<Day>,
    pub(crate) routes: BTreeSet<String>,
}

impl Played {
    const fn score(&self, half_points: u8) -> Score {
        Score {
            anchor: self.anchor,
            seat: self.seat,
            tally: Tally::one(half_points),
        }
    }

    const fn mini_match(&self) -> MiniMatch {
        let (one, none) = (Tally::one(self.half_points), Tally::NONE);
        let (white, black) = match self.seat {
            Seat::White => (one, none),
            Seat::Black => (none, one),
        };
        MiniMatch {
            anchor: self.anchor,
            white,
            black,
        }
    }
}

impl AnchoredEstimate {
    /// Fits one system to its own games, in the order of starts and anchors.
    pub(crate) fn of(games: &[Played], terms: &Terms, rule: ScheduleRule) -> Self {
        let model = Model::Joint(*terms);
        let of_some = |games: &[&Played]| (!games.is_empty()).then(|| fitted(games, terms, rule));
        let all: Vec<_> = games.iter().collect();
        let unforfeited: Vec<_> = games.iter().filter(|one| !one.is_forfeit).collect();
        let complete = fitted(&all, terms, rule);
        let without_forfeits = if unforfeited.len() == all.len() {
            Some(complete.clone())
        } else {
            of_some(&unforfeited)
        };
        let rated =
            |scores: Vec<Score>| (!scores.is_empty()).then(|| level(&Record::of(scores)?, &model));
        // The rating by another reading of the games that were cut off, and of how
        // many there is one.
        let read = |reading: fn(&Played) -> Option<u8>| {
            let of = |one: &Played| reading(one).filter(|_| one.is_censored);
            let count = games.iter().filter(|one| of(one).is_some()).count();
            let scores = games
                .iter()
                .map(|one| one.score(of(one).unwrap_or(one.half_points)));
            let level = rated(scores.collect()).filter(|_| count != 0);
            (level, u64::try_from(count).unwrap_or(u64::MAX))
        };
        let (last_measured, measured) = read(|one| one.measured);
        let (by_tables, in_tables) = read(|one| one.tabled);
        let uncensored: Vec<_> = games.iter().filter(|one| !one.is_censored).collect();
        Self {
            last_measured,
            measured,
            by_tables,
            in_tables,
            uncensored_games: u64::try_from(uncensored.len()).unwrap_or(u64::MAX),
            uncensored: rated(
                uncensored
                    .iter()
                    .map(|one| one.score(one.half_points))
                    .collect(),
            ),
            days: by_part(games, &model, |one| one.day),
            routes: games
                .iter()
                .any(|one| !one.routes.is_empty())
                .then(|| by_part(games, &model, |one| one.routes.clone())),
            complete,
            without_forfeits,
            matches: mini_matches(&all),
        }
    }

    /// The rating that counts, or its bound. Nothing where there is no fit.
    pub fn level(&self) -> Option<Level> {
        self.complete.as_ref().ok().map(SystemFit::level)
    }

    /// Whether and where the system goes on where its record is saturated;
    /// nothing where it has a finite rating, or no fit. `met` is the highest
    /// rating of an anchor that it met, `next` the lowest above that in the
    /// cohort, with its name.
    pub(crate) fn promotion(&self, next: Option<&(String, f64)>) -> Option<String> {
        let Ok(fit) = &self.complete else { return None };
        let Fit::Bounded(bound) = &fit.joint else {
            return None;
        };
        Some(match (Level::from(*bound), next) {
            (Level::AtMost(_), _) => "not promoted: every game was lost".to_owned(),
            (_, None) => {
                "every game was won, and the cohort has no stronger anchor: add one".to_owned()
            }
            (_, Some((name, rating))) if bound.promotes_above(*rating) => {
                format!("promoted: shown above the next anchor {name}")
            }
            (_, Some((name, _))) => format!("not promoted: not shown above the next anchor {name}"),
        })
    }
}

/// The half-points of a seat by a result.
pub(crate) fn half_points(result: GameResult, seat: Seat) -> u8 {
    use crate::chess::Color;
    result.half_points(match seat {
        Seat::White => Color::White,
        Seat::Black => Color::Black,
    })
}

fn fitted(games: &[&Played], terms: &Terms, rule: ScheduleRule) -> Result<SystemFit, NoFit> {
    if rule.is_in_matches() {
        return SystemFit::of(&mini_matches(games), terms, REPLICATES, SEED);
    }
    SystemFit::of_clusters(&clusters(games, |one| one.start), terms, REPLICATES, SEED)
}

/// What was played from each start against each anchor.
fn mini_matches(games: &[&Played]) -> Vec<MiniMatch> {
    let clusters = clusters(games, |one| (one.start, one.anchor.to_bits()));
    clusters.iter().filter_map(|games| joined(games)).collect()
}

/// Games that are drawn together, in the order of their first.
fn clusters<K: Ord>(games: &[&Played], key: impl Fn(&Played) -> K) -> Vec<Vec<MiniMatch>> {
    let mut place_of = BTreeMap::new();
    let mut clusters: Vec<Vec<MiniMatch>> = Vec::new();
    for game in games {
        let place = *place_of.entry(key(game)).or_insert(clusters.len());
        if place == clusters.len() {
            clusters.push(Vec::new());
        }
        if let Some(cluster) = clusters.get_mut(place) {
            cluster.push(game.mini_match());
        }
    }
    clusters
}

/// The games of one start and anchor as one mini-match.
fn joined(games: &[MiniMatch]) -> Option<MiniMatch> {
    games.iter().copied().reduce(|one, other| MiniMatch {
        anchor: one.anchor,
        white: one.white.and(other.white),
        black: one.black.and(other.black),
    })
}

fn by_part<K: Ord + Clone>(
    games: &[Played],
    model: &Model,
    key: impl Fn(&Played) -> K,
) -> Sensitivity {
    let labelled: Vec<_> = games
        .iter()
        .map(|one| (key(one), one.mini_match()))
        .collect();
    let parts: BTreeSet<_> = labelled.iter().map(|(label, _)| label).collect();
    let parts = parts.len();
    let left_out = (1 < parts).then(|| leave_each_out(&labelled, model).ok());
    Sensitivity {
        parts,
        range: left_out.flatten().and_then(|left_out| range(&left_out)),
    }
}
