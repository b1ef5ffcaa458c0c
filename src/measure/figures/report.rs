use std::collections::BTreeMap;

use serde::Serialize;

use crate::measure::Agreement;
use crate::measure::agreement::counts;
use crate::measure::figures::{FigureCase, FigureTolerance, Figures, Value};

/// What comes out of a file of figures, with every digit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureReport<'a> {
    /// The cases, in the order of the file.
    pub cases: Vec<CheckedCase<'a>>,
    /// What the comparison came to, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Agreement>,
}

/// What comes out of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedCase<'a> {
    /// Its section.
    pub section: &'static str,
    /// Its name.
    pub id: &'a str,
    /// What came out, by name; null: there is no such value.
    pub values: BTreeMap<&'static str, &'a Value>,
    /// How many figures were compared; 0: the file expects nothing of the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<usize>,
    /// The figures that are not as expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differences: Option<Vec<FigureDifference<'a>>>,
}

/// A figure that is not what it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureDifference<'a> {
    /// Its name.
    pub field: &'static str,
    /// What it should be.
    pub expected: &'a Value,
    /// What it is.
    pub found: &'a Value,
    /// How far apart they may be, where both are numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

impl<'a> FigureReport<'a> {
    /// Returns what came out, compared where that is asked for.
    pub fn of(figures: &'a Figures, is_compared: bool) -> Self {
        let tolerance = is_compared.then_some(figures.tolerance);
        let cases = figures.cases.iter();
        let cases: Vec<_> = cases.map(|case| CheckedCase::of(case, tolerance)).collect();
        let check = is_compared.then(|| {
            let cases = cases.iter();
            Agreement::of(cases.map(|case| counts(case.compared, case.differences.as_ref())))
        });
        Self { cases, check }
    }
}

impl<'a> CheckedCase<'a> {
    fn of(case: &'a FigureCase, tolerance: Option<FigureTolerance>) -> Self {
        let figures = &case.figures;
        let values = figures.iter().map(|figure| (figure.name, &figure.found));
        let differing = |tolerance: FigureTolerance| {
            let differing = figures
                .iter()
                .filter(move |figure| figure.agrees(tolerance) == Some(false));
            let told = differing.filter_map(move |figure| {
                let expected = figure.expected.as_ref()?;
                Some(FigureDifference {
                    field: figure.name,
                    expected,
                    found: &figure.found,
                    tolerance: match (expected, &figure.found) {
                        (Value::Number(expected), Value::Number(_)) => {
                            Some(figure.tolerated(tolerance, *expected))
                        }
                        _ => None,
                    },
                })
            });
            told.collect()
        };
        let expected = figures.iter().filter(|figure| figure.expected.is_some());
        Self {
            section: case.section,
            id: &case.id,
            values: values.collect(),
            compared: tolerance.map(|_| expected.count()),
            differences: tolerance.map(differing),
        }
    }
}
