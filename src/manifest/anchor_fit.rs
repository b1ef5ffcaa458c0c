use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Decimal};
use crate::chess::Color;
use crate::event::{AnchorBasis, CheckpointRef, EventId, Name, Origin};
use crate::measure::anchored::{Ladder, LadderFault, Meeting, Rung, Side, Tally, Terms};
use crate::measure::{NotFinite, decimal};
use crate::projection::{Cohort, Projection, Source};

/// Levels of weaker anchors, fitted jointly against anchors whose ratings are
/// nominal: a frozen artifact, which `anchor.registered` names by its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorFit {
    /// The prefix that it was computed from.
    pub checkpoint: CheckpointRef,
    /// Whose games, in the order of names.
    pub cohorts: Vec<Name>,
    /// What White is worth, in points, over all meetings.
    pub color_effect: FittedTerm,
    /// The share of draws between equals, over all meetings.
    pub draw_rate: FittedTerm,
    /// Everybody who played, in the order of ids.
    pub levels: Vec<AnchorLevel>,
    /// `anchor-fit`.
    pub manifest: String,
    /// Who met whom, in the order of the ids of White and Black.
    pub meetings: Vec<AnchorMeeting>,
    /// The ledger.
    pub origin: Origin,
    /// The version of this form: 1.
    pub v: Count,
}

/// A parameter of the fit beside the levels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedTerm {
    /// Where it comes from, in words.
    pub basis: String,
    /// The constant that was asked for. Absent: it was fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Decimal>,
    /// What it came to.
    pub value: Decimal,
}

/// What the games say of one anchor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorLevel {
    /// Games with a result that count.
    pub games: Count,
    /// The level in points, or the exact one-sided 95 % bound of it. Absent where
    /// it is not connected with a pinned one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Decimal>,
    /// The standard error of a fitted level, in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<Decimal>,
    /// What the rating is.
    pub standing: LevelStanding,
    /// The system.
    pub system: EventId,
}

/// What the rating of an anchor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelStanding {
    /// Nominal, and held.
    Pinned,
    /// Fitted.
    Fitted,
    /// At least this: it won every game.
    AtLeast,
    /// At most this: it lost every game.
    AtMost,
    /// Unknown: no chain of games leads to a pinned one and back.
    Unconnected,
}

/// The games of one system with White against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorMeeting {
    /// Who had Black.
    pub black: EventId,
    /// Games drawn.
    pub draws: Count,
    /// Games that White lost.
    pub losses: Count,
    /// Who had White.
    pub white: EventId,
    /// Games that White won.
    pub wins: Count,
}

/// Constants of the fit; what is absent is fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FitConstants {
    /// What White is worth, in points, within 1000 of 0.
    pub color_effect: Option<Decimal>,
    /// The share of draws between equals, from 0 to 0.7.
    pub draw_rate: Option<Decimal>,
}

impl FitConstants {
    fn terms(self) -> Terms {
        Terms::declared(
            self.draw_rate.map(Decimal::to_f64),
            self.color_effect.map(Decimal::to_f64),
        )
    }
}

/// Why anchors cannot be fitted to the games of these cohorts.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnchorFitError {
    /// Nobody has this name.
    #[error("no cohort is named {name}; there is: {known}")]
    NoCohort {
        /// The name.
        name: Name,
        /// Those that there are.
        known: String,
    },
    /// Nothing was played.
    #[error("no game of these cohorts has a result that counts: play some first")]
    NoGames,
    /// Two protocols never go into one rating.
    #[error(
        "{one} and {other} are played under different protocols, and no rating mixes two: fit them apart"
    )]
    TwoProtocols {
        /// A cohort.
        one: Name,
        /// Another.
        other: Name,
    },
    /// The model has no answer.
    #[error(transparent)]
    NoFit(#[from] LadderFault),
    /// A number of the fit is none.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

/// Digits after the point: a rating that is printed has as many.
const RATING_DIGITS: usize = 2;

/// Digits after the point of a share.
const SHARE_DIGITS: usize = 6;

impl AnchorFit {
    /// Fits everybody who played in these cohorts and is no nominal anchor.
    ///
    /// # Errors
    ///
    /// What the games do not allow.
    pub fn of(
        projection: &Projection,
        cohorts: &[Name],
        constants: FitConstants,
        source: &Source,
    ) -> Result<Self, AnchorFitError> {
        let mut names = cohorts.to_vec();
        names.sort();
        names.dedup();
        let played = games_of(projection, &names)?;
        let mut ids: Vec<EventId> = played.keys().flat_map(|(one, two)| [*one, *two]).collect();
        ids.sort();
        ids.dedup();
        let number = |id: &EventId| ids.binary_search(id).unwrap_or(usize::MAX);
        let pinned: Vec<_> = ids.iter().map(|id| nominal(projection, id)).collect();
        let meetings: Vec<_> = played
            .iter()
            .map(|((white, black), tally)| Meeting {
                white: number(white),
                black: number(black),
                tally: *tally,
            })
            .collect();
        let ladder = Ladder::of(&pinned, &meetings, &constants.terms())?;
        let mut levels = Vec::with_capacity(ids.len());
        for (id, rung) in ids.iter().zip(&ladder.rungs) {
            let own = played
                .iter()
                .filter(|((white, black), _)| [white, black].contains(&id));
            let games: u64 = own.map(|(_, tally)| u64::from(tally.games())).sum();
            levels.push(level(projection, *id, *rung, games)?);
        }
        Ok(Self {
            checkpoint: source.checkpoint(),
            cohorts: names,
            color_effect: FittedTerm {
                basis: ladder.color_basis.as_str().to_owned(),
                declared: constants.color_effect,
                value: rounded(ladder.color_effect, RATING_DIGITS)?,
            },
            draw_rate: FittedTerm {
                basis: ladder.draw_basis.as_str().to_owned(),
                declared: constants.draw_rate,
                value: rounded(ladder.draw_rate, SHARE_DIGITS)?,
            },
            levels,
            manifest: "anchor-fit".to_owned(),
            meetings: played.into_iter().map(meeting).collect(),
            origin: source.origin.clone(),
            v: 1_u32.into(),
        })
    }

    /// The constants that it was asked for with.
    pub const fn constants(&self) -> FitConstants {
        FitConstants {
            color_effect: self.color_effect.declared,
            draw_rate: self.draw_rate.declared,
        }
    }

    /// What it says of a system.
    pub fn level(&self, system: &EventId) -> Option<&AnchorLevel> {
        self.levels.iter().find(|level| level.system == *system)
    }

    /// The level that a system has by it, where it is fitted.
    pub fn fitted(&self, system: &EventId) -> Option<Decimal> {
        let level = self.level(system)?;
        level
            .rating
            .filter(|_| level.standing == LevelStanding::Fitted)
    }
}

/// The games that count, by who has White and who has Black.
fn games_of(
    projection: &Projection,
    names: &[Name],
) -> Result<BTreeMap<(EventId, EventId), Tally>, AnchorFitError> {
    let mut played: BTreeMap<_, Tally> = BTreeMap::new();
    let mut first: Option<(&Name, EventId)> = None;
    for name in names {
        let Some(cohort) = projection.cohort(name.as_str()) else {
            return Err(AnchorFitError::NoCohort {
                name: name.clone(),
                known: projection.schedules.cohorts_in_words(),
            });
        };
        let protocol = cohort.schedule.committed.protocol;
        let (one, known) = *first.get_or_insert((name, protocol));
        if known != protocol {
            return Err(AnchorFitError::TwoProtocols {
                one: one.clone(),
                other: name.clone(),
            });
        }
        add(&cohort, &mut played);
    }
    if played.is_empty() {
        return Err(AnchorFitError::NoGames);
    }
    Ok(played)
}

fn add(cohort: &Cohort<'_>, played: &mut BTreeMap<(EventId, EventId), Tally>) {
    for game in cohort.counting() {
        let Some(result) = game.result() else {
            continue;
        };
        let seats = game.started.seats;
        let tally = played.entry((seats.white, seats.black)).or_default();
        *tally = tally.and(Tally::one(result.half_points(Color::White)));
    }
}

/// The nominal rating of an anchor.
fn nominal(projection: &Projection, system: &EventId) -> Option<f64> {
    let anchor = &projection.anchors.of_system(system)?.registered;
    (anchor.basis == AnchorBasis::Nominal).then(|| anchor.rating.to_f64())
}

fn level(
    projection: &Projection,
    system: EventId,
    rung: Rung,
    games: u64,
) -> Result<AnchorLevel, NotFinite> {
    let (standing, rating, error) = match rung {
        Rung::Pinned(rating) => (LevelStanding::Pinned, Some(rating), None),
        Rung::Fitted { rating, error } => (LevelStanding::Fitted, Some(rating), Some(error)),
        Rung::Bounded(bound) => match bound.side {
            Side::AtLeast => (LevelStanding::AtLeast, Some(bound.rating), None),
            Side::AtMost => (LevelStanding::AtMost, Some(bound.rating), None),
        },
        Rung::Unconnected => (LevelStanding::Unconnected, None, None),
    };
    let anchor = projection.anchors.of_system(&system);
    let exact = anchor.filter(|_| standing == LevelStanding::Pinned);
    let points = |value: f64| rounded(value, RATING_DIGITS);
    Ok(AnchorLevel {
        games: Count::saturating(games),
        rating: match exact {
            // As it was registered, and not rounded.
            Some(anchor) => Some(anchor.registered.rating),
            None => rating.map(points).transpose()?,
        },
        standard_error: error.map(points).transpose()?,
        standing,
        system,
    })
}

fn meeting(((white, black), tally): ((EventId, EventId), Tally)) -> AnchorMeeting {
    AnchorMeeting {
        black,
        draws: tally.draws.into(),
        losses: tally.losses.into(),
        white,
        wins: tally.wins.into(),
    }
}

/// The number with so many digits after the point, as a decimal is spelled.
fn rounded(value: f64, digits: usize) -> Result<Decimal, NotFinite> {
    let text = decimal(value, digits)?;
    let spelled = text.trim_end_matches('0').trim_end_matches('.');
    spelled.parse().map_err(|_| NotFinite { found: value })
}
