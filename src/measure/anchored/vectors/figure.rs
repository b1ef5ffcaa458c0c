use serde::{Serialize, Serializer};

use crate::measure::anchored::vectors::case::{AnchoredCase, Given};
use crate::measure::anchored::vectors::leaf::Leaf;
use crate::measure::anchored::{
    Bootstrap, Bound, ColorBasis, ColorEffect, DrawRate, End, ErrorBar, Fit, Joint, MiniMatch,
    Model, NoFit, Performance, Record, Score, Seat, Side, Tally, Terms,
};
use crate::measure::{MatchScore, VectorsFault};

/// A figure as it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    /// A number.
    Number(f64),
    /// `+inf`: above every number.
    PlusInfinity,
    /// `-inf`: below every number.
    MinusInfinity,
    /// Nothing can be said.
    Nothing,
    /// A word.
    Word(&'static str),
}

impl From<End> for Shown {
    fn from(end: End) -> Self {
        match end {
            End::BelowAll => Self::MinusInfinity,
            End::At(number) => Self::Number(number),
            End::AboveAll => Self::PlusInfinity,
        }
    }
}

impl From<Option<f64>> for Shown {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::Nothing, Self::Number)
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::PlusInfinity => serializer.serialize_str("+inf"),
            Self::MinusInfinity => serializer.serialize_str("-inf"),
            Self::Nothing => serializer.serialize_none(),
            Self::Word(word) => serializer.serialize_str(word),
        }
    }
}

impl Shown {
    /// Whether it is what the file says, within the tolerance.
    pub(crate) fn agrees(self, leaf: &Leaf, tolerance: f64) -> bool {
        match (self, leaf) {
            (Self::Number(found), Leaf::Number(wanted)) => (found - wanted).abs() <= tolerance,
            (Self::PlusInfinity, Leaf::PlusInfinity | Leaf::Nothing)
            | (Self::MinusInfinity, Leaf::MinusInfinity | Leaf::Nothing)
            | (Self::Nothing, Leaf::Nothing) => true,
            (Self::Word(found), Leaf::Text(wanted)) => found == wanted,
            _ => false,
        }
    }
}

/// A figure that is computed, and where the file says what it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The place: `M0_performance.rating`.
    pub field: String,
    /// What it is.
    pub value: Shown,
}

/// Where wins, draws and losses are fitted jointly.
pub(crate) const JOINT: &str = "M3_logistic_score_davidson_draws";

/// The terms of the joint fits beside the bootstrap.
const FIXED: Terms = Terms {
    draws: DrawRate::Constant(0.2),
    color: ColorEffect::Constant(32.8),
};

/// Figures of other models, and remarks: for people.
pub(crate) fn is_for_reading(field: &str) -> bool {
    field.starts_with("M1")
        || field.starts_with("M2")
        || field.starts_with("one_sided_bound.exact_95_davidson")
        || field.ends_with("note")
}

/// The parts below a key that the file names, each once, in its order.
fn parts<'a>(case: &'a AnchoredCase, prefix: &'a str) -> Vec<&'a str> {
    let fields = case.expected.iter().map(|(field, _)| field.as_str());
    let mut parts: Vec<_> = fields
        .filter_map(|field| field.strip_prefix(prefix))
        .map(|rest| {
            // Numbers in a name have points, too: `fixed_d0_0.20_gamma32.8.theta`.
            let known = [
                ".theta",
                ".d0",
                ".gamma",
                ".loglik",
                ".profile95",
                ".wald_se",
            ];
            let ends = known.iter().filter_map(|end| rest.rfind(end));
            ends.max().map_or(rest, |end| &rest[..end])
        })
        .collect();
    parts.dedup();
    parts
}

/// The terms that a name says: `free_d0_gamma0`, `fixed_d0_0.20_gamma32.8`,
/// `free_d0_free_gamma`, `one_sided95_no_draw_gamma0`, `one_sided95_d0_0.20_gamma32.8`.
fn terms(name: &str) -> Option<Terms> {
    let name = name.strip_prefix("one_sided95_").unwrap_or(name);
    let (draws, color) = if let Some(draws) = name.strip_suffix("_free_gamma") {
        (draws, ColorEffect::Free { frozen: 0.0 })
    } else {
        let (draws, color) = name.split_once("_gamma")?;
        (draws, ColorEffect::Constant(color.parse().ok()?))
    };
    let draws = match draws {
        "free_d0" | "no_draw" => DrawRate::Free,
        other => {
            let share = other.strip_prefix("fixed_").unwrap_or(other);
            DrawRate::Constant(share.strip_prefix("d0_")?.parse().ok()?)
        }
    };
    let terms = Terms { draws, color };
    terms.check().ok().map(|()| terms)
}

/// The names of all figures of a case, or the name of one whose terms nobody
/// can read.
pub(crate) fn names(case: &AnchoredCase) -> Result<Vec<String>, VectorsFault> {
    let prefix = format!("{JOINT}.");
    for name in parts(case, &prefix) {
        if terms(name).is_none() {
            let wanted = "terms, such as `free_d0_gamma0` or `fixed_d0_0.20_gamma32.8`";
            return Err(VectorsFault::new(wanted, "others").inside(format!("{prefix}{name}")));
        }
    }
    // What cannot be computed is told with the case, not with the file.
    let figures = figures(case).unwrap_or_default();
    let mut names: Vec<_> = figures.into_iter().map(|figure| figure.field).collect();
    for name in boots(case) {
        names.extend(["B", "seed"].map(|key| format!("{name}.{key}")));
    }
    Ok(names)
}

/// The bootstraps that the file names.
fn boots(case: &AnchoredCase) -> Vec<&str> {
    let fields = case.expected.iter().map(|(field, _)| field.as_str());
    let mut names: Vec<_> = fields
        .filter(|field| field.starts_with("boot"))
        .filter_map(|field| Some(field.rsplit_once('.')?.0))
        .collect();
    names.dedup();
    names
}

/// Everything that is computed of a case.
///
/// # Errors
///
/// A search did not end.
pub(crate) fn figures(case: &AnchoredCase) -> Result<Vec<Figure>, NoFit> {
    let mut sheet = Sheet(Vec::new());
    match &case.given {
        Given::Scores(record) => of_record(case, record, &mut sheet)?,
        Given::Matches(matches) => of_matches(case, matches, &mut sheet)?,
        Given::Pentanomial(counts) => sheet.bar(ErrorBar::of(&MatchScore::pairs(*counts)), true),
        Given::Trinomial(counts) => sheet.bar(
            {
                let [losses, draws, wins] = *counts;
                ErrorBar::of(&MatchScore::games(wins, draws, losses))
            },
            false,
        ),
    }
    Ok(sheet.0)
}

struct Sheet(Vec<Figure>);

impl Sheet {
    fn add(&mut self, field: impl Into<String>, value: impl Into<Shown>) {
        self.0.push(Figure {
            field: field.into(),
            value: value.into(),
        });
    }

    fn number(&mut self, field: impl Into<String>, number: f64) {
        self.add(field, Shown::Number(number));
    }

    fn interval(&mut self, field: &str, ends: [impl Into<Shown>; 2]) {
        for (place, end) in ends.into_iter().enumerate() {
            self.add(format!("{field}[{place}]"), end);
        }
    }

    fn bar(&mut self, bar: Option<ErrorBar>, is_of_pairs: bool) {
        let Some(bar) = bar else { return };
        let [low, high] = bar.elo_ends;
        self.add("elo", bar.elo);
        self.add("nelo", bar.normalized);
        if is_of_pairs {
            self.number("score", bar.score);
            self.number("var_pair", bar.variance);
            self.add("elo_lo", low);
            self.add("elo_hi", high);
            self.add("error", bar.error.map_or(Shown::Nothing, Shown::from));
            self.add("los", bar.superiority);
        } else {
            self.add("lo", low);
            self.add("hi", high);
        }
    }

    fn joint(&mut self, name: &str, fit: &Fit<Joint>) {
        let Fit::Finite(fit) = fit else { return };
        if fit.color_basis == ColorBasis::Separated || fit.color_basis == ColorBasis::Missing {
            return;
        }
        self.number(format!("{name}.theta"), fit.rating);
        self.number(format!("{name}.d0"), fit.draw_rate);
        self.number(format!("{name}.gamma"), fit.color_effect);
        self.number(format!("{name}.loglik"), fit.log_likelihood);
        self.add(format!("{name}.wald_se"), fit.wald_error);
        let ends = [fit.profile.low, fit.profile.high].map(Shown::Number);
        self.interval(&format!("{name}.profile95"), ends);
    }
}

fn of_record(case: &AnchoredCase, record: &Record, sheet: &mut Sheet) -> Result<(), NoFit> {
    let total = record.total();
    sheet.number("W", total.wins.into());
    sheet.number("D", total.draws.into());
    sheet.number("L", total.losses.into());
    sheet.number("points", f64::from(total.half_points()) / 2.0);
    sheet.number("n", total.games().into());
    match Performance::of(record, 0.0)? {
        Fit::Finite(fit) => {
            sheet.number("M0_performance.rating", fit.rating);
            sheet.number("M0_performance.se_fisher", fit.fisher_error);
            sheet.add(
                "M0_performance.se_sandwich",
                plain_error(&fit, &single_games(record)),
            );
            let ends = [fit.profile.low, fit.profile.high].map(Shown::Number);
            sheet.interval("M0_performance.profile95", ends);
        }
        Fit::Bounded(bound) => of_bound(record, &bound, sheet)?,
    }
    let prefix = format!("{JOINT}.");
    let mut named = parts(case, &prefix);
    if named.is_empty() {
        named.push("free_d0_gamma0");
    }
    for name in named {
        let Some(terms) = terms(name) else { continue };
        let field = format!("{prefix}{name}");
        if name.starts_with("one_sided95_") {
            if let Some(bound) = Bound::of(record, &terms, 0.05)? {
                sheet.number(field, bound.rating);
            }
        } else {
            sheet.joint(&field, &Joint::of(record, &terms)?);
        }
    }
    let all = MatchScore::games(total.wins, total.draws, total.losses);
    if let Some(bar) = ErrorBar::of(&all)
        && let [first, .., last] | [first @ last] = record.scores()
        && first.anchor.to_bits() == last.anchor.to_bits()
    {
        let moved = |end: End| match end {
            End::At(elo) => Shown::Number(first.anchor + elo),
            beyond => beyond.into(),
        };
        sheet.number("trinomial_normal_95.score", bar.score);
        sheet.interval(
            "trinomial_normal_95.score_ci",
            bar.score_ends.map(Shown::Number),
        );
        sheet.interval("trinomial_normal_95.elo_ci", bar.elo_ends.map(moved));
    }
    Ok(())
}

fn of_bound(record: &Record, bound: &Bound, sheet: &mut Sheet) -> Result<(), NoFit> {
    let (side, rating) = match bound.side {
        Side::AtLeast => ("lower", Shown::PlusInfinity),
        Side::AtMost => ("upper", Shown::MinusInfinity),
    };
    let no_draws = Terms::FREE_DRAWS;
    let rating_of = |bound: Option<Bound>| Shown::from(bound.map(|bound| bound.rating));
    sheet.add("M0_performance.rating", rating);
    sheet.add("one_sided_bound.side", Shown::Word(side));
    sheet.number("one_sided_bound.exact_95", bound.rating);
    let strict = rating_of(Bound::of(record, &no_draws, 0.025)?);
    sheet.add("one_sided_bound.exact_97_5", strict);
    let ratio = rating_of(Bound::of_likelihood_ratio(record, &no_draws)?);
    sheet.add("one_sided_bound.lr_95", ratio);
    Ok(())
}

/// The sandwich without the correction for the number of clusters.
fn plain_error(fit: &Performance, matches: &[MiniMatch]) -> Option<f64> {
    let clusters = f64::from(u32::try_from(matches.len()).ok()?);
    let corrected = fit.cluster_error(matches, 0.0)?;
    Some(corrected * libm::sqrt((clusters - 1.0) / clusters))
}

/// Every game as a mini-match of its own.
fn single_games(record: &Record) -> Vec<MiniMatch> {
    let games = |score: &Score| {
        let Score {
            anchor,
            seat,
            tally,
        } = *score;
        let counts = [(2, tally.wins), (1, tally.draws), (0, tally.losses)];
        counts.into_iter().flat_map(move |(half_points, count)| {
            let none = Tally::default();
            let one = Tally::one(half_points);
            let (white, black) = match seat {
                Seat::White => (one, none),
                Seat::Black => (none, one),
            };
            let games = MiniMatch {
                anchor,
                white,
                black,
            };
            std::iter::repeat_n(games, usize::try_from(count).unwrap_or(0))
        })
    };
    record.scores().iter().flat_map(games).collect()
}

fn of_matches(case: &AnchoredCase, matches: &[MiniMatch], sheet: &mut Sheet) -> Result<(), NoFit> {
    let record = Record::of_matches(matches)?;
    // Black first, as -1 comes before 1.
    let mut rows: Vec<_> = record.scores().to_vec();
    rows.sort_by(|a, b| a.anchor.total_cmp(&b.anchor).then(b.seat.cmp(&a.seat)));
    for (
        place,
        Score {
            anchor,
            seat,
            tally,
        },
    ) in rows.into_iter().enumerate()
    {
        let counts = [tally.wins, tally.draws, tally.losses].map(f64::from);
        let row = [anchor, seat.sign()].into_iter().chain(counts);
        for (column, number) in row.enumerate() {
            sheet.number(format!("rows[{place}][{column}]"), number);
        }
    }
    if let Fit::Finite(fit) = Performance::of(&record, 0.0)? {
        sheet.number("M0", fit.rating);
        sheet.number("M0_fisher_se", fit.fisher_error);
        sheet.add("M0_cluster_sandwich_se", plain_error(&fit, matches));
        sheet.add(
            "M0_cluster_sandwich_se_CR1",
            fit.cluster_error(matches, 0.0),
        );
    }
    if let Fit::Finite(fit) = Joint::of(&record, &FIXED)? {
        sheet.number("M3_fixed", fit.rating);
    }
    for name in boots(case) {
        let whole = |key: &str| case.number(&format!("{name}.{key}"));
        let (Some(replicates), Some(seed)) = (whole("B"), whole("seed")) else {
            continue;
        };
        let (Some(replicates), Some(seed)) = (exact(replicates, 100_000), exact(seed, u32::MAX))
        else {
            continue;
        };
        let model = if name.starts_with("boot_M3") {
            Model::Joint(FIXED)
        } else {
            Model::Performance { color: 0.0 }
        };
        let found = Bootstrap::of(matches, &model, replicates, seed.into())?;
        let percentile = |share| found.percentile(share).map_or(Shown::Nothing, Shown::from);
        sheet.add(format!("{name}.lower_2_5"), percentile(0.025));
        sheet.add(format!("{name}.median"), percentile(0.5));
        sheet.add(format!("{name}.upper_97_5"), percentile(0.975));
        let (below, above) = found.beyond();
        let count = |n: usize| Shown::from(u32::try_from(n).ok().map(f64::from));
        sheet.add(format!("{name}.n_minus_inf"), count(below));
        sheet.add(format!("{name}.n_plus_inf"), count(above));
    }
    Ok(())
}

/// A whole number up to a limit.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is whole and within the limits"
)]
fn exact(number: f64, most: u32) -> Option<u32> {
    let is_whole = 0.0 <= number
        && number <= f64::from(most)
        && libm::trunc(number).to_bits() == (number + 0.0).to_bits();
    is_whole.then_some(number as u32)
}
