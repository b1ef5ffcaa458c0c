use std::collections::BTreeSet;

use serde_json::value::RawValue;

use crate::measure::vectors::object::{Object, list, number_from_zero};
use crate::measure::{Case, Section, VectorsFault};

/// A file of vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    /// How far apart values may be.
    pub tolerance: Tolerance,
    /// The cases: section by section, and within one in the order of the file.
    pub cases: Vec<Case>,
}

/// How far what is computed may be from what is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Of a rating, in points.
    pub rating: f64,
    /// Of a deviation, in points.
    pub deviation: f64,
    /// Of a volatility.
    pub volatility: f64,
    /// Whether the file says so. Otherwise it is [`Tolerance::DEFAULT`].
    pub is_of_file: bool,
}

impl Tolerance {
    /// What is tolerated where the file recommends nothing for a search that
    /// ends within 1e-12, as ours does.
    pub const DEFAULT: Self = Self {
        rating: 1e-8,
        deviation: 1e-8,
        volatility: 1e-11,
        is_of_file: false,
    };

    fn read(part: &RawValue) -> Result<Self, VectorsFault> {
        let object = Object::of(part, &["rating", "rd", "vol"])?;
        Ok(Self {
            rating: object.need("rating", number_from_zero)?,
            deviation: object.need("rd", number_from_zero)?,
            volatility: object.need("vol", number_from_zero)?,
            is_of_file: true,
        })
    }
}

/// The keys of a file beside its sections.
const ABOUT: &str = "about";
const RECOMMENDED: &str = "recommended_tolerance";
const TOLERANCES: [&str; 2] = ["eps_1e_12", "eps_1e_6"];

/// Reads the whole of a file as one JSON value that is not looked into yet.
pub(crate) fn document(bytes: &[u8]) -> Result<&RawValue, VectorsFault> {
    serde_json::from_slice(bytes).map_err(|error| {
        let message = error.to_string();
        let (what, _) = message.rsplit_once(" at line ").unwrap_or((&message, ""));
        let (line, column) = (error.line(), error.column());
        let found = format!("something else at line {line}, column {column}: {what}");
        VectorsFault::new("one JSON document", found)
    })
}

impl Vectors {
    /// Reads a file. It may have no case at all.
    ///
    /// # Errors
    ///
    /// The first part that is not as it must be, with its place.
    pub fn parse(bytes: &[u8]) -> Result<Self, VectorsFault> {
        let document = document(bytes)?;
        let mut keys = vec![ABOUT, RECOMMENDED];
        keys.extend(Section::ALL.map(Section::as_str));
        let object = Object::of(document, &keys)?;
        let tolerance = object.have(RECOMMENDED, |part| {
            let named = Object::of(part, &TOLERANCES)?;
            let [ours, other] = TOLERANCES.map(|name| named.have(name, Tolerance::read));
            other?;
            ours
        })?;
        let mut vectors = Self {
            tolerance: tolerance.flatten().unwrap_or(Tolerance::DEFAULT),
            cases: Vec::new(),
        };
        for section in Section::ALL {
            let cases = object.have(section.as_str(), list).map_err(|fault| {
                let section = Some(section.as_str());
                VectorsFault {
                    section,
                    field: String::new(),
                    ..fault
                }
            })?;
            let mut ids = BTreeSet::new();
            for (number, part) in (1..).zip(cases.unwrap_or_default()) {
                let case = Case::read(section, number, part)?;
                if !ids.insert(case.id.clone()) {
                    return Err(VectorsFault {
                        section: Some(section.as_str()),
                        case: Some(number.to_string()),
                        field: "id".to_owned(),
                        expected: "an id that no earlier case of the section has".to_owned(),
                        found: format!("{:?} again", case.id),
                    });
                }
                vectors.cases.push(case);
            }
        }
        Ok(vectors)
    }
}
