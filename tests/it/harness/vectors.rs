//! Files of Glicko-2 vectors and of figures: refused with a place, or evaluated
//! with every digit.

use scoresheet::measure::{FigureFormat, FigureReport, Figures, Report, Vectors};
use serde_json::Value;

use super::message;

pub(crate) fn check(bytes: &[u8]) {
    for format in [FigureFormat::Grading, FigureFormat::Match] {
        check_figures(bytes, format);
    }
    let vectors = match Vectors::parse(bytes) {
        Ok(vectors) => vectors,
        Err(fault) => return message::is_sayable(&fault.to_string()),
    };
    let report = Report::of(&vectors, true);
    assert_eq!(report, Report::of(&vectors, true));
    assert_eq!(report.cases.len(), vectors.cases.len());
    let verdict = report.check.as_ref().unwrap();
    assert!(!verdict.agreement.agrees() || verdict.agreement.cases_compared != 0);
    for (case, read) in report.cases.iter().zip(&vectors.cases) {
        assert_eq!((case.section, case.id), (read.section.as_str(), &*read.id));
        assert!(case.fault.is_none() || case.rows().is_empty());
    }
    let plain = Report::of(&vectors, false);
    assert_eq!(plain.check, None);
    for (case, plain) in report.cases.iter().zip(&plain.cases) {
        assert_eq!(case.rows(), plain.rows());
    }
    let text = serde_json::to_string(&report).unwrap();
    has_no_null(&serde_json::from_str(&text).unwrap());
}

fn check_figures(bytes: &[u8], format: FigureFormat) {
    let figures = match Figures::parse(bytes, format) {
        Ok(figures) => figures,
        Err(fault) => return message::is_sayable(&fault.to_string()),
    };
    let report = FigureReport::of(&figures, true);
    assert_eq!(report.cases.len(), figures.cases.len());
    let verdict = report.check.as_ref().unwrap();
    assert!(!verdict.agrees() || verdict.cases_compared != 0);
    let plain = FigureReport::of(&figures, false);
    for (case, plain) in report.cases.iter().zip(&plain.cases) {
        assert_eq!(case.values, plain.values);
    }
}

/// What is no finite number would be written as null.
fn has_no_null(value: &Value) {
    match value {
        Value::Null => panic!("a figure that is no number"),
        Value::Array(values) => values.iter().for_each(has_no_null),
        Value::Object(values) => values.values().for_each(has_no_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
