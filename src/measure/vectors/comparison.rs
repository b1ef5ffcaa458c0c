use serde::Serialize;

use crate::measure::vectors::case::Expected;
use crate::measure::{Evaluation, Rating, Tolerance};

/// What comes out of a case, held against what should.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// How many figures were compared.
    pub figures: usize,
    /// Those that are too far apart, in the order of the file.
    pub differences: Vec<Difference>,
}

/// A figure that is not what it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Where the file says what it should be: `final.A.rating`.
    pub field: String,
    /// What it should be.
    pub expected: f64,
    /// What it is. Absent: the case came to no such figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<f64>,
    /// How far apart they may be.
    pub tolerance: f64,
}

impl Comparison {
    /// Holds an evaluation against what the file expects, or returns nothing
    /// where it expects nothing.
    pub fn of(evaluation: &Evaluation<'_>, tolerance: &Tolerance) -> Option<Self> {
        let expected = &evaluation.case.expected;
        if expected.is_empty() {
            return None;
        }
        let mut comparison = Self::default();
        for expected in expected {
            comparison.take(expected, evaluation, tolerance);
        }
        Some(comparison)
    }

    fn take(&mut self, expected: &Expected, evaluation: &Evaluation<'_>, tolerance: &Tolerance) {
        let found = found(expected, evaluation);
        let tally = evaluation.tallies.get(expected.player);
        let tally = tally.filter(|_| evaluation.unrated.is_none());
        for (name, wanted, found, tolerance) in [
            (
                "rating",
                Some(expected.rating.rating),
                found.map(|found| found.rating),
                tolerance.rating,
            ),
            (
                "rd",
                Some(expected.rating.deviation),
                found.map(|found| found.deviation),
                tolerance.deviation,
            ),
            (
                "vol",
                Some(expected.rating.volatility),
                found.map(|found| found.volatility),
                tolerance.volatility,
            ),
            (
                "games",
                expected.games,
                tally.map(|tally| tally.games.into()),
                0.0,
            ),
            (
                "points",
                expected.points,
                tally.map(|tally| f64::from(tally.half_points) / 2.0),
                0.0,
            ),
        ] {
            let Some(wanted) = wanted else { continue };
            self.figures += 1;
            if !found.is_some_and(|found| (found - wanted).abs() <= tolerance) {
                self.differences.push(Difference {
                    field: format!("{}.{name}", expected.field),
                    expected: wanted,
                    found,
                    tolerance,
                });
            }
        }
    }
}

/// What came out in the place of what is expected.
fn found(expected: &Expected, evaluation: &Evaluation<'_>) -> Option<Rating> {
    let Some(period) = expected.period else {
        let end = evaluation.end.get(expected.player);
        return end.filter(|_| evaluation.unrated.is_none()).copied();
    };
    let rated = evaluation.after.get(period)?.iter();
    let mut of_player = rated.filter(|(player, _)| *player == expected.player);
    of_player.next().map(|(_, rating)| *rating)
}
