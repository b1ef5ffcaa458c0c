use serde::Serialize;

use crate::measure::agreement::counts;
use crate::measure::{
    Agreement, Case, Comparison, Difference, Evaluation, Flag, Rating, Section, Tolerance, Vectors,
};

/// What comes out of a file of vectors, with every digit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report<'a> {
    /// The cases, in the order of the file.
    pub cases: Vec<CaseReport<'a>>,
    /// What the comparison came to, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Verdict>,
}

/// What comes out of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseReport<'a> {
    /// Its section.
    pub section: &'static str,
    /// Its name.
    pub id: &'a str,
    /// The players at the end; none where somebody could not be rated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) values: Vec<Value<'a>>,
    /// What the games of a single player said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) intermediate: Option<Intermediate>,
    /// Both players after each game, where games come one after another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) after: Vec<After<'a>>,
    /// Why there is no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// How many figures were compared; 0: the file expects nothing of the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<usize>,
    /// The figures that are not as expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differences: Option<Vec<Difference>>,
}

/// The players of a game after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct After<'a> {
    /// From 1.
    game: usize,
    values: Vec<Value<'a>>,
}

/// A player's values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Value<'a> {
    player: &'a str,
    rating: f64,
    rd: f64,
    vol: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<f64>,
    flags: Vec<Flag>,
}

/// v and delta of step 3 and 4, on the scale of Glicko-2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Intermediate {
    pub(crate) v: f64,
    pub(crate) delta: f64,
}

/// What a comparison of a whole file came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// How many figures were compared, and how many differ.
    #[serde(flatten)]
    pub agreement: Agreement,
    tolerance: Tolerated,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Tolerated {
    rating: f64,
    rd: f64,
    vol: f64,
    is_of_file: bool,
}

impl<'a> Report<'a> {
    /// Evaluates every case, and compares where that is asked for.
    pub fn of(vectors: &'a Vectors, is_compared: bool) -> Self {
        let tolerance = is_compared.then_some(&vectors.tolerance);
        let cases = vectors.cases.iter();
        let cases: Vec<_> = cases.map(|case| CaseReport::of(case, tolerance)).collect();
        let check = tolerance.map(|tolerance| Verdict::of(&cases, tolerance));
        Self { cases, check }
    }
}

impl<'a> CaseReport<'a> {
    fn of(case: &'a Case, tolerance: Option<&Tolerance>) -> Self {
        let evaluation = Evaluation::of(case);
        let comparison =
            tolerance.map(|tolerance| Comparison::of(&evaluation, tolerance).unwrap_or_default());
        let is_whole = evaluation.unrated.is_none();
        let ends = evaluation.end.iter().enumerate();
        let values = ends.filter(|_| is_whole).map(|(player, rating)| {
            let mut value = Value::of(case, player, rating);
            if case.section == Section::RatingPeriods {
                let tally = evaluation.tallies.get(player);
                value.games = tally.map(|tally| tally.games);
                value.points = tally.map(|tally| f64::from(tally.half_points) / 2.0);
            }
            value
        });
        let after = evaluation.after.iter().zip(1..);
        let after = after.filter(|_| case.section == Section::Sequential);
        let after = after.map(|(rated, game)| After {
            game,
            values: rated
                .iter()
                .map(|(player, rating)| Value::of(case, *player, rating))
                .collect(),
        });
        Self {
            section: case.section.as_str(),
            id: &case.id,
            values: values.collect(),
            intermediate: evaluation
                .evidence
                .as_ref()
                .map(|evidence| Intermediate {
                    v: evidence.variance,
                    delta: evidence.delta(),
                })
                // An infinity is no number of JSON.
                .filter(|found| found.v.is_finite() && found.delta.is_finite()),
            after: after.collect(),
            fault: evaluation.unrated.as_ref().map(ToString::to_string),
            compared: comparison.as_ref().map(|comparison| comparison.figures),
            differences: comparison.map(|comparison| comparison.differences),
        }
    }

    /// The values at the end, as texts: player, rating, rd, vol, flags.
    pub fn rows(&self) -> Vec<[String; 5]> {
        let values = self.values.iter();
        values
            .map(|value| {
                let flags: Vec<_> = value.flags.iter().map(|flag| flag.as_str()).collect();
                let [rating, rd, vol] = [value.rating, value.rd, value.vol].map(shown);
                [value.player.to_owned(), rating, rd, vol, flags.join(" ")]
            })
            .collect()
    }
}

impl<'a> Value<'a> {
    fn of(case: &'a Case, player: usize, rating: &Rating) -> Self {
        Self {
            player: case.players.get(player).map_or("", |(name, _)| name),
            rating: rating.rating,
            rd: rating.deviation,
            vol: rating.volatility,
            games: None,
            points: None,
            flags: rating.flags(),
        }
    }
}

impl Verdict {
    fn of(cases: &[CaseReport<'_>], tolerance: &Tolerance) -> Self {
        let cases = cases.iter();
        let counts = cases.map(|case| counts(case.compared, case.differences.as_ref()));
        Self {
            agreement: Agreement::of(counts),
            tolerance: Tolerated {
                rating: tolerance.rating,
                rd: tolerance.deviation,
                vol: tolerance.volatility,
                is_of_file: tolerance.is_of_file,
            },
        }
    }

    /// How far apart ratings, deviations and volatilities may be.
    pub const fn tolerated(&self) -> [f64; 3] {
        [self.tolerance.rating, self.tolerance.rd, self.tolerance.vol]
    }

    /// Whether the file says so.
    pub const fn is_tolerance_of_file(&self) -> bool {
        self.tolerance.is_of_file
    }
}

/// A number with as many digits as tell it from every other one.
fn shown(number: f64) -> String {
    format!("{number:?}")
}
