use serde::Serialize;
use serde_json::value::RawValue;

use crate::measure::VectorsFault;
use crate::measure::figures::FigureTolerance;
use crate::measure::vectors::{Object, name, number};

/// One thing that is computed, and what the file expects of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name: the key under which the file expects it.
    pub name: &'static str,
    /// What came out.
    pub found: Value,
    /// What should, where the file says so.
    pub expected: Option<Value>,
    /// The least tolerance, for a value that is written with few digits.
    pub(crate) least_tolerance: f64,
}

/// What a figure is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// There is none, as where nothing was played.
    None,
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

impl Figure {
    pub(crate) fn new(name: &'static str, found: impl Into<Value>) -> Self {
        Self {
            name,
            found: found.into(),
            expected: None,
            least_tolerance: 0.0,
        }
    }

    /// The same, with what this object expects under its name.
    pub(crate) fn expecting(
        self,
        object: &Object<'_>,
        read: impl FnOnce(&RawValue) -> Result<Value, VectorsFault>,
    ) -> Result<Self, VectorsFault> {
        let expected = object.have(self.name, read)?;
        Ok(Self { expected, ..self })
    }

    /// Whether it is as expected; nothing where nothing is expected.
    pub(crate) fn agrees(&self, tolerance: FigureTolerance) -> Option<bool> {
        Some(match (&self.found, self.expected.as_ref()?) {
            (Value::Number(found), Value::Number(expected)) => {
                (found - expected).abs() <= self.tolerated(tolerance, *expected)
            }
            (found, expected) => found == expected,
        })
    }

    pub(crate) fn tolerated(&self, tolerance: FigureTolerance, expected: f64) -> f64 {
        let tolerated = match tolerance {
            FigureTolerance::Absolute(most) => most,
            FigureTolerance::Relative(share) => share * expected.abs(),
        };
        tolerated.max(self.least_tolerance)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        // An infinity is no number of JSON, and none of ours.
        if number.is_finite() {
            Self::Number(number)
        } else {
            Self::None
        }
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(maybe: Option<T>) -> Self {
        maybe.map_or(Self::None, Into::into)
    }
}

/// Reads a number, or null for none.
pub(crate) fn number_or_none(part: &RawValue) -> Result<Value, VectorsFault> {
    match part.get() {
        "null" => Ok(Value::None),
        _ => number(part).map(Value::Number),
    }
}

/// Reads a word, or null for none.
pub(crate) fn word_or_none(part: &RawValue) -> Result<Value, VectorsFault> {
    match part.get() {
        "null" => Ok(Value::None),
        _ => name(part).map(Value::Word),
    }
}
