use std::collections::BTreeMap;

use crate::chess::Color;
use crate::event::{EventId, Glicko2Rule};
use crate::measure::{Bout, NoConvergence, Rating, update};
use crate::projection::Cohort;

/// The placement ratings of a cohort: all its games as one Glicko-2 period from
/// equal starts, whatever their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// One standing a system that did not withdraw, in the order of the schedule.
    pub standings: Vec<Standing>,
    /// Whether no registered cell is open. Until then nobody is ranked.
    pub is_complete: bool,
}

/// Where a system stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The system.
    pub system: EventId,
    /// Its rating after the period.
    pub rating: Rating,
    /// From 1; systems with exactly equal ratings share a rank. Absent while
    /// the placement is not complete.
    pub rank: Option<u64>,
}

/// Why there is no placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// The protocol rates nothing.
    #[error("the protocol of the cohort declares no Glicko-2 rating")]
    Unrated,
    /// The numbers do not settle.
    #[error("the Glicko-2 volatility does not converge")]
    NoConvergence,
}

impl From<NoConvergence> for PlacementError {
    fn from(_: NoConvergence) -> Self {
        Self::NoConvergence
    }
}

impl Placement {
    /// Returns the placement of a cohort under these parameters.
    ///
    /// Everyone starts equal, so a system's rating follows from its points
    /// against each opponent alone. Points are summed as integer half-points.
    ///
    /// # Errors
    ///
    /// When the volatility of a system does not converge.
    pub fn of(cohort: &Cohort<'_>, rule: &Glicko2Rule) -> Result<Self, PlacementError> {
        let start = Rating {
            rating: rule.rating.to_f64(),
            deviation: rule.deviation.to_f64(),
            volatility: rule.volatility.to_f64(),
        };
        let mut bouts: BTreeMap<EventId, Vec<Bout>> = BTreeMap::new();
        for game in cohort.counting() {
            let Some(result) = game.result() else {
                continue;
            };
            for color in [Color::White, Color::Black] {
                let bout = Bout::one(&start, result.half_points(color));
                bouts.entry(*game.seat(color)).or_default().push(bout);
            }
        }
        let mut standings = Vec::new();
        let systems = cohort.schedule.committed.systems.iter();
        for system in systems.filter(|system| !cohort.schedule.withdrawn.contains(system)) {
            let games = bouts.get(system).map_or(&[][..], Vec::as_slice);
            standings.push(Standing {
                system: *system,
                rating: update(&start, games, rule.tau.to_f64())?,
                rank: None,
            });
        }
        let is_complete = cohort.is_terminal();
        if is_complete {
            rank(&mut standings);
        }
        Ok(Self {
            standings,
            is_complete,
        })
    }
}

/// Gives ranks by unrounded rating, the highest first.
fn rank(standings: &mut [Standing]) {
    let ratings: Vec<f64> = standings
        .iter()
        .map(|standing| standing.rating.rating)
        .collect();
    for standing in standings {
        let better = ratings
            .iter()
            .filter(|rating| standing.rating.rating < **rating)
            .count();
        standing.rank = u64::try_from(better + 1).ok();
    }
}
