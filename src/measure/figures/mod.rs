//! Files of figures: what is given, what should come out, and what does.
//!
//! Two formats, those of docs/measure.md: grading of moves, and match
//! statistics. Both are lists of cases by section, and a case is some figures
//! with the values that the file expects of them. The reader is that of the
//! Glicko-2 vectors: as strict, and as unwilling to panic.

mod figure;
mod grading;
mod matches;
mod report;

use serde_json::value::RawValue;

pub use figure::{Figure, Value};
pub use report::{CheckedCase, FigureDifference, FigureReport};

use crate::measure::VectorsFault;
use crate::measure::vectors::{Object, document, list, number_from_zero};

/// What a file of figures is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureFormat {
    /// Win chances, judgements, accuracy, centipawn loss, regret.
    Grading,
    /// Elo, normalized Elo and superiority of counts, and sequential tests.
    Match,
}

/// A file of figures, read and computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The cases: section by section, and within one in the order of the file.
    pub cases: Vec<FigureCase>,
    /// How far apart values may be, where a figure says nothing else.
    pub tolerance: FigureTolerance,
}

/// How far apart values may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FigureTolerance {
    /// So much.
    Absolute(f64),
    /// So much of what is expected.
    Relative(f64),
}

/// A case of a file of figures.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureCase {
    /// The section that it stands in.
    pub section: &'static str,
    /// Its name, or its number in the section, from 1.
    pub id: String,
    /// What is computed, with what is expected.
    pub figures: Vec<Figure>,
}

/// How a case of a section is read and computed.
type Read = fn(&RawValue) -> Result<(Option<String>, Vec<Figure>), VectorsFault>;

impl Figures {
    /// Reads a file of this format, and computes its cases.
    ///
    /// # Errors
    ///
    /// The first part that is not as it must be, with its place.
    pub fn parse(bytes: &[u8], format: FigureFormat) -> Result<Self, VectorsFault> {
        let (sections, about, tolerance): (&[(&'static str, Read)], _, _) = match format {
            FigureFormat::Grading => (
                grading::SECTIONS,
                grading::ABOUT,
                FigureTolerance::Absolute(grading::TOLERANCE),
            ),
            FigureFormat::Match => (
                matches::SECTIONS,
                matches::ABOUT,
                FigureTolerance::Relative(matches::TOLERANCE),
            ),
        };
        let names = sections.iter().map(|(name, _)| *name);
        let keys: Vec<_> = names.chain(about.iter().copied()).collect();
        let object = Object::of(document(bytes)?, &keys)?;
        let given = object.have("tolerance", number_from_zero)?;
        let tolerance = match (tolerance, given) {
            (usual, None) => usual,
            (FigureTolerance::Absolute(_), Some(given)) => FigureTolerance::Absolute(given),
            (FigureTolerance::Relative(_), Some(given)) => FigureTolerance::Relative(given),
        };
        let mut cases = Vec::new();
        for (section, read) in sections {
            let in_section = |fault: VectorsFault| VectorsFault {
                section: Some(*section),
                ..fault
            };
            let parts = object.have(section, list).map_err(in_section)?;
            for (number, part) in (1..).zip(parts.unwrap_or_default()) {
                let (id, figures) = read(part).map_err(|fault| VectorsFault {
                    case: Some(number.to_string()),
                    ..in_section(fault)
                })?;
                cases.push(FigureCase {
                    section,
                    id: id.unwrap_or_else(|| number.to_string()),
                    figures,
                });
            }
        }
        Ok(Self { cases, tolerance })
    }
}
