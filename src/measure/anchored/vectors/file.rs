use serde_json::value::RawValue;

use crate::measure::VectorsFault;
use crate::measure::anchored::vectors::case::AnchoredCase;
use crate::measure::anchored::vectors::leaf::{Leaf, leaves};
use crate::measure::vectors::object::{Object, each, name, number_from_zero};

/// A file of vectors for ratings against anchors.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchoredVectors {
    /// How far apart values may be.
    pub tolerance: AnchoredTolerance,
    /// The cases, section by section.
    pub cases: Vec<AnchoredCase>,
}

/// How far what is computed may be from what is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchoredTolerance {
    /// Of what comes from the score alone, and of error bars: in points.
    pub m0: f64,
    /// Of what comes from wins, draws and losses: in points.
    pub m3: f64,
    /// Whether the file says so. Otherwise it is [`AnchoredTolerance::DEFAULT`].
    pub is_of_file: bool,
}

impl AnchoredTolerance {
    /// What is tolerated where the file says nothing.
    pub const DEFAULT: Self = Self {
        m0: 1e-6,
        m3: 1e-6,
        is_of_file: false,
    };

    /// Reads `{"M0": …, "M3": …}`, or a sentence that has both, as
    /// `1e-4 Elo for M0, 1e-3 for M3`.
    fn read(part: &RawValue) -> Result<Self, VectorsFault> {
        if part.get().starts_with('{') {
            let object = Object::of(part, &["M0", "M3"])?;
            return Ok(Self {
                m0: object.need("M0", number_from_zero)?,
                m3: object.need("M3", number_from_zero)?,
                is_of_file: true,
            });
        }
        let sentence = name(part)?;
        let of = |model: &str| {
            let mut parts = sentence.split(',').filter(|part| part.contains(model));
            let number = parts.next()?.split_whitespace().next()?;
            number
                .parse::<f64>()
                .ok()
                .filter(|number| 0.0 <= *number && number.is_finite())
        };
        match (of("M0"), of("M3")) {
            (Some(m0), Some(m3)) => Ok(Self {
                m0,
                m3,
                is_of_file: true,
            }),
            _ => Err(VectorsFault::new(
                "how far apart M0 and M3 may be, as `1e-4 for M0, 1e-3 for M3`",
                format!("{sentence:?}"),
            )),
        }
    }
}

const CASES: &str = "cases";
const BARS: &str = "bootstrap_and_error_bars";
const KEYS: [&str; 5] = ["about", "verified_against", "tolerance", CASES, BARS];

impl AnchoredVectors {
    /// Reads a file. It may have no case at all.
    ///
    /// # Errors
    ///
    /// The first part that is not as it must be, with its place.
    pub fn parse(bytes: &[u8]) -> Result<Self, VectorsFault> {
        let document: &RawValue = serde_json::from_slice(bytes).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let found = format!("something else at line {line}, column {column}");
            VectorsFault::new("one JSON document", found)
        })?;
        let object = Object::of(document, &KEYS)?;
        let tolerance = object.have("tolerance", AnchoredTolerance::read)?;
        let mut cases = Vec::new();
        let named = object.have(CASES, |part| {
            let named = Object::of_names(part)?;
            let cases = named
                .names()
                .map(|(id, part)| AnchoredCase::of_rows(CASES, id, part));
            cases.collect::<Result<Vec<_>, _>>()
        })?;
        cases.extend(named.into_iter().flatten());
        let bars = object.have(BARS, bars)?;
        cases.extend(bars.into_iter().flatten());
        Ok(Self {
            tolerance: tolerance.unwrap_or(AnchoredTolerance::DEFAULT),
            cases,
        })
    }
}

fn bars(part: &RawValue) -> Result<Vec<AnchoredCase>, VectorsFault> {
    let object = Object::of_names(part)?;
    let mut cases = Vec::new();
    let mut own = Vec::new();
    for (key, part) in object.names() {
        match key {
            "pentanomial" | "trinomial" => {
                let mut number = 0;
                let read = each(part, |part| {
                    let id = format!("{key}[{number}]");
                    number += 1;
                    AnchoredCase::of_counts(BARS, &id, part)
                });
                cases.extend(read.map_err(|fault| fault.inside(key))?);
            }
            "saturation_case" => cases.push(AnchoredCase::of_pairs(BARS, key, part, None)?),
            "pairs" => {}
            _ => own.extend(
                leaves(part)?
                    .into_iter()
                    .map(|(path, leaf)| (joined(key, &path), leaf)),
            ),
        }
    }
    if object.have("pairs", |_| Ok(()))?.is_some() || !own.is_empty() {
        cases.insert(0, AnchoredCase::of_pairs(BARS, "pairs", part, Some(own))?);
    }
    Ok(cases)
}

fn joined(key: &str, path: &str) -> String {
    match path {
        "" => key.to_owned(),
        below if below.starts_with('[') => format!("{key}{below}"),
        below => format!("{key}.{below}"),
    }
}

/// What a figure of a file is called, and what it says.
pub(crate) type Expected = (String, Leaf);
