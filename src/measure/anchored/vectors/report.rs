use serde::Serialize;

use crate::measure::Agreement;
use crate::measure::agreement::counts;
use crate::measure::anchored::vectors::case::AnchoredCase;
use crate::measure::anchored::vectors::figure::{Figure, JOINT, Shown, figures};
use crate::measure::anchored::vectors::file::{AnchoredTolerance, AnchoredVectors};
use crate::measure::anchored::vectors::leaf::Leaf;

/// What comes out of a file of vectors, with every digit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnchoredReport<'a> {
    /// The cases, in the order of the file.
    pub cases: Vec<AnchoredCaseReport<'a>>,
    /// What the comparison came to, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<AnchoredVerdict>,
}

/// What comes out of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnchoredCaseReport<'a> {
    /// Its section.
    pub section: &'static str,
    /// Its name.
    pub id: &'a str,
    /// What is computed.
    pub figures: Vec<Figure>,
    /// Why nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// How many figures were compared; 0: the file expects none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<usize>,
    /// The figures that are not as expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differences: Option<Vec<AnchoredDifference>>,
}

/// A figure that is not what it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnchoredDifference {
    /// Where the file says what it should be.
    pub field: String,
    /// What it should be, as text.
    pub expected: String,
    /// What it is. Absent: the case came to no such figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Shown>,
    /// How far apart they may be.
    pub tolerance: f64,
}

/// What a comparison of a whole file came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnchoredVerdict {
    /// How many figures were compared, and how many differ.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// How far apart figures may be that come from the score alone.
    pub tolerance_m0: f64,
    /// How far apart those of the joint fit may be.
    pub tolerance_m3: f64,
    /// Whether the file says so.
    pub is_tolerance_of_file: bool,
}

impl<'a> AnchoredReport<'a> {
    /// Evaluates every case, and compares where that is asked for.
    pub fn of(vectors: &'a AnchoredVectors, is_compared: bool) -> Self {
        let tolerance = is_compared.then_some(&vectors.tolerance);
        let cases = vectors.cases.iter();
        let cases: Vec<_> = cases
            .map(|case| AnchoredCaseReport::of(case, tolerance))
            .collect();
        let check = tolerance.map(|tolerance| AnchoredVerdict::of(&cases, tolerance));
        Self { cases, check }
    }
}

impl<'a> AnchoredCaseReport<'a> {
    fn of(case: &'a AnchoredCase, tolerance: Option<&AnchoredTolerance>) -> Self {
        let (figures, fault) = match figures(case) {
            Ok(figures) => (figures, None),
            Err(fault) => (Vec::new(), Some(fault.to_string())),
        };
        let compared = tolerance.map(|tolerance| compared(case, &figures, tolerance));
        Self {
            section: case.section,
            id: &case.id,
            figures,
            fault,
            compared: compared.as_ref().map(|(n, _)| *n),
            differences: compared.map(|(_, differences)| differences),
        }
    }
}

fn compared(
    case: &AnchoredCase,
    figures: &[Figure],
    tolerance: &AnchoredTolerance,
) -> (usize, Vec<AnchoredDifference>) {
    let mut n_compared = 0;
    let mut differences = Vec::new();
    for (field, leaf) in &case.expected {
        let (_, last) = field.rsplit_once('.').unwrap_or_default();
        if matches!(last, "B" | "seed") {
            continue;
        }
        n_compared += 1;
        let is_joint = field.starts_with(JOINT) || field.contains("M3");
        let tolerance = if is_joint { tolerance.m3 } else { tolerance.m0 };
        let found = figures.iter().find(|figure| figure.field == *field);
        let found = found.map(|figure| figure.value);
        if !found.is_some_and(|found| found.agrees(leaf, tolerance)) {
            differences.push(AnchoredDifference {
                field: field.clone(),
                expected: spelled(leaf),
                found,
                tolerance,
            });
        }
    }
    (n_compared, differences)
}

fn spelled(leaf: &Leaf) -> String {
    match leaf {
        Leaf::Number(number) => format!("{number:?}"),
        Leaf::PlusInfinity => "+inf".to_owned(),
        Leaf::MinusInfinity => "-inf".to_owned(),
        Leaf::Nothing => "nothing finite".to_owned(),
        Leaf::Text(text) => format!("{text:?}"),
    }
}

impl AnchoredVerdict {
    fn of(cases: &[AnchoredCaseReport<'_>], tolerance: &AnchoredTolerance) -> Self {
        let cases = cases.iter();
        let counts = cases.map(|case| counts(case.compared, case.differences.as_ref()));
        Self {
            agreement: Agreement::of(counts),
            tolerance_m0: tolerance.m0,
            tolerance_m3: tolerance.m3,
            is_tolerance_of_file: tolerance.is_of_file,
        }
    }
}
