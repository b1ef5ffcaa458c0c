use std::path::PathBuf;

use crate::board::Table;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::measure::{read_vectors, report};
use crate::cli::reading::ReportFormat;
use crate::cli::screen::Screen;
use crate::finding::visible;
use crate::measure::{
    CheckedCase, FigureDifference, FigureFormat, FigureReport, FigureTolerance, Figures, Value,
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
pub(crate) struct Args {
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
    args: &Args,
    format: FigureFormat,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let figures = read_vectors(&args.file, |bytes| Figures::parse(bytes, format))?;
    let report = FigureReport::of(&figures, args.check);
    report::print(
        &report,
        report.check.as_ref(),
        args.format,
        screen,
        |screen| {
            let Some(agreement) = &report.check else {
                return screen.line(values(&report).trim_end());
            };
            for case in &report.cases {
                compared(case, screen);
            }
            screen.line(&report::in_words(agreement, &tolerated(figures.tolerance)));
        },
    )
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
    let place = report::place(case.section, case.id);
    report::say_whether_compared(&place, case.compared, screen);
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

fn tolerated(tolerance: FigureTolerance) -> String {
    match tolerance {
        FigureTolerance::Absolute(most) => format!("{most:e}"),
        FigureTolerance::Relative(share) => format!("{share:e} of each value"),
    }
}
