use std::path::PathBuf;

use crate::board::Table;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::measure::read_vectors;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted};
use crate::finding::visible;
use crate::measure::{
    CheckedCase, FigureDifference, FigureFormat, FigureReport, FigureTolerance, FigureVerdict,
    Figures, Value,
};

/// Compute the figures of a file of cases.
///
/// Prints what comes out of each case as JSON, with every digit; null says that
/// there is no such value. With --check the values are held against those that
/// the file expects. The format is described in docs/measure.md.
///
/// Exit codes: 0 computed, or all that was compared agrees; 1 with --check, a
/// value differs or nothing was compared; 2 the file is not in the format.
#[derive(Debug, clap::Args)]
pub(crate) struct FiguresArgs {
    /// The file of cases, or - for standard input.
    file: PathBuf,

    /// Compare with what the file expects, within its tolerance, or else within
    /// 1e-6 (grading) or 1 % (match).
    #[arg(long)]
    check: bool,

    /// How to print [default: json; with --check, text].
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,
}

pub(crate) fn run(
    args: &FiguresArgs,
    format: FigureFormat,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let figures = read_vectors(&args.file, |bytes| Figures::parse(bytes, format))?;
    let report = FigureReport::of(&figures, args.check);
    let usual = if args.check {
        ReportFormat::Text
    } else {
        ReportFormat::Json
    };
    match (args.format.unwrap_or(usual), &report.check) {
        (ReportFormat::Json, _) => {
            let document = serde_json::to_string_pretty(&report);
            screen.line(&document.map_err(|error| CliError::Input(error.to_string()))?);
        }
        (ReportFormat::Text, None) => screen.line(values(&report).trim_end()),
        (ReportFormat::Text, Some(verdict)) => {
            for case in &report.cases {
                compared(case, screen);
            }
            screen.line(&in_words(verdict, figures.tolerance));
        }
    }
    Ok(match &report.check {
        Some(verdict) if !verdict.agrees() => Exit::Blocked,
        Some(_) | None => Exit::Clean,
    })
}

/// The values of each case, as a table.
fn values(report: &FigureReport<'_>) -> String {
    let mut table = Table::new(vec!["section", "case", "figure", "value"]);
    for case in &report.cases {
        for (name, value) in &case.values {
            let cells = [case.section, case.id, name].map(visible);
            let [section, id, name] = cells;
            table.push(vec![section, id, name, shown(value)]);
        }
    }
    table.markdown()
}

fn shown(value: &Value) -> String {
    match value {
        Value::None => "none".to_owned(),
        Value::Number(number) => format!("{number:?}"),
        Value::Word(word) => visible(word),
    }
}

/// Says of a case what is not as the file expects, and nothing where all is.
fn compared(case: &CheckedCase<'_>, screen: &mut Screen<'_>) {
    let place = format!("{} {}", case.section, visible(&format!("{:?}", case.id)));
    if case.compared == Some(0) {
        screen.line(&format!("{place}: not compared, the file expects nothing"));
    }
    for difference in case.differences.iter().flatten() {
        screen.line(&format!("{place}: {}", apart(difference)));
    }
}

fn apart(difference: &FigureDifference<'_>) -> String {
    let (expected, found) = (shown(difference.expected), shown(difference.found));
    let tolerated = difference
        .tolerance
        .map(|tolerance| format!("; {tolerance:.2e} is tolerated"));
    format!(
        "{}: expected {expected}, found {found}{}",
        difference.field,
        tolerated.unwrap_or_default()
    )
}

fn in_words(verdict: &FigureVerdict, tolerance: FigureTolerance) -> String {
    let tolerated = match tolerance {
        FigureTolerance::Absolute(most) => format!("{most:e}"),
        FigureTolerance::Relative(share) => format!("{share:e} of each value"),
    };
    format!(
        "{}: {} compared, {} not, {} of {}; tolerated are {tolerated}",
        verdict.verdict,
        counted(verdict.cases_compared, "case"),
        verdict.cases_not_compared,
        counted(verdict.differences, "difference"),
        counted(verdict.figures_compared, "figure"),
    )
}
