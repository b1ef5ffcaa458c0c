use serde_json::value::RawValue;

use crate::measure::figures::figure::{number_or_none, word_or_none};
use crate::measure::figures::{Figure, Read, Value};
use crate::measure::vectors::{Object, each, integer, name, number};
use crate::measure::{MatchElo, MatchScore, Sprt, VectorsFault};

/// The share of what is expected that is tolerated where the file says nothing.
pub(crate) const TOLERANCE: f64 = 0.01;

pub(crate) const ABOUT: &[&str] = &["about", "note", "tolerance"];

pub(crate) const SECTIONS: &[(&str, Read)] = &[
    ("wdl", |part| score(part, games)),
    ("penta", |part| score(part, pairs)),
    ("sprt_logistic_trinomial", |part| sprt(part, games)),
    ("sprt_logistic_pentanomial", |part| sprt(part, pairs)),
];

type Case = Result<(Option<String>, Vec<Figure>), VectorsFault>;
type Counts = fn(&RawValue) -> Result<MatchScore, VectorsFault>;

/// How often either side of a test may be wrong where the file says nothing.
const DOUBT: f64 = 0.05;

fn counts(part: &RawValue) -> Result<Vec<u32>, VectorsFault> {
    each(part, |part| {
        let count = integer(part)?;
        let count = u32::try_from(count);
        count.map_err(|_| VectorsFault::new("a count from 0", "another number"))
    })
}

/// Reads wins, losses and draws.
fn games(part: &RawValue) -> Result<MatchScore, VectorsFault> {
    match counts(part)?.as_slice() {
        [wins, losses, draws] => Ok(MatchScore::games(*wins, *draws, *losses)),
        other => Err(VectorsFault::new(
            "wins, losses and draws",
            format!("a list of {}", other.len()),
        )),
    }
}

/// Reads pairs by their two results: both lost, one lost and one drawn, one won
/// and one lost, both drawn, one won and one drawn, both won.
fn pairs(part: &RawValue) -> Result<MatchScore, VectorsFault> {
    match counts(part)?.as_slice() {
        [ll, ld, wl, dd, wd, ww] => match wl.checked_add(*dd) {
            Some(even) => Ok(MatchScore::pairs([*ll, *ld, even, *wd, *ww])),
            None => Err(VectorsFault::new("counts of 32 bits", "more")),
        },
        other => Err(VectorsFault::new(
            "pairs with LL, LD, WL, DD, WD and WW",
            format!("a list of {}", other.len()),
        )),
    }
}

fn score(part: &RawValue, read: Counts) -> Case {
    const KEYS: [&str; 10] = [
        "id",
        "stats",
        "score",
        "elo",
        "elo_err",
        "elo_at_least",
        "elo_at_most",
        "nelo",
        "nelo_err",
        "los",
    ];
    let object = Object::of(part, &KEYS)?;
    let score = object.need("stats", read)?;
    let elo = score.elo();
    let normalized = score.normalized_elo();
    let mut figures = vec![Figure::new("score", score.mean())];
    figures.extend(match elo {
        Some(MatchElo::Finite { elo, error }) => vec![
            Figure::new("elo", elo),
            Figure::new("elo_err", Value::from(error)),
        ],
        Some(MatchElo::AtLeast(bound)) => vec![
            Figure::new("elo", Value::None),
            Figure::new("elo_err", Value::None),
            Figure::new("elo_at_least", bound),
        ],
        Some(MatchElo::AtMost(bound)) => vec![
            Figure::new("elo", Value::None),
            Figure::new("elo_err", Value::None),
            Figure::new("elo_at_most", bound),
        ],
        None => vec![
            Figure::new("elo", Value::None),
            Figure::new("elo_err", Value::None),
        ],
    });
    figures.extend([
        Figure::new("nelo", normalized.map(|normalized| normalized.elo)),
        Figure::new("nelo_err", normalized.map(|normalized| normalized.error)),
    ]);
    let figures = figures.into_iter();
    let figures = figures.map(|figure| figure.expecting(&object, number_or_none));
    let mut figures: Vec<_> = figures.collect::<Result<_, _>>()?;
    figures.push(superiority(&score, &object)?);
    refuse_unanswered(&object, &figures)?;
    Ok((object.have("id", name)?, figures))
}

/// A bound that is expected where there is none must not pass unseen.
fn refuse_unanswered(object: &Object<'_>, figures: &[Figure]) -> Result<(), VectorsFault> {
    for key in ["elo_at_least", "elo_at_most"] {
        let is_expected = object.have(key, number)?.is_some();
        if is_expected && figures.iter().all(|figure| figure.name != key) {
            let expected = "counts of which everything, or nothing, was won";
            return Err(VectorsFault::new(expected, "others").inside(key));
        }
    }
    Ok(())
}

/// The likelihood of superiority, in percent. It may be written as `15.53 %`: then
/// half of its last digit is tolerated.
fn superiority(score: &MatchScore, object: &Object<'_>) -> Result<Figure, VectorsFault> {
    let mut least_tolerance = 0.0;
    let found = score.superiority().map(|share| 100.0 * share);
    let figure = Figure::new("los", found).expecting(object, |part| {
        let text: Option<String> = serde_json::from_str(part.get()).ok();
        match text.as_deref().and_then(|text| text.strip_suffix(" %")) {
            Some(percent) => {
                let wanted = || VectorsFault::new("a percentage such as `15.53 %`", "another text");
                let number: f64 = percent.parse().map_err(|_| wanted())?;
                if !number.is_finite() {
                    return Err(wanted());
                }
                let digits = percent
                    .split_once('.')
                    .map_or(0, |(_, digits)| digits.len());
                let digits = u8::try_from(digits).map_err(|_| wanted())?;
                least_tolerance = 0.5 * libm::exp10(-f64::from(digits));
                Ok(Value::Number(number))
            }
            None => number_or_none(part),
        }
    })?;
    Ok(Figure {
        least_tolerance,
        ..figure
    })
}

fn sprt(part: &RawValue, read: Counts) -> Case {
    const KEYS: [&str; 8] = [
        "id", "stats", "elo0", "elo1", "alpha", "beta", "llr", "state",
    ];
    let object = Object::of(part, &KEYS)?;
    let score = object.need("stats", read)?;
    let doubt = |key| {
        let doubt = object.have(key, number)?.unwrap_or(DOUBT);
        if 0.0 < doubt && doubt < 0.5 {
            Ok(doubt)
        } else {
            let found = "another number";
            Err(VectorsFault::new("a number between 0 and 0.5", found).inside(key))
        }
    };
    let strength = |key| {
        let elo = object.need(key, number)?;
        if elo.abs() <= 4000.0 {
            Ok(elo)
        } else {
            Err(VectorsFault::new("at most 4000 Elo apart", "more").inside(key))
        }
    };
    let test = Sprt {
        elo0: strength("elo0")?,
        elo1: strength("elo1")?,
        alpha: doubt("alpha")?,
        beta: doubt("beta")?,
    };
    let llr = Figure::new("llr", test.log_likelihood_ratio(&score));
    let state = Figure::new("state", test.state(&score).as_str());
    let figures = vec![
        llr.expecting(&object, number_or_none)?,
        state.expecting(&object, word_or_none)?,
    ];
    Ok((object.have("id", name)?, figures))
}
