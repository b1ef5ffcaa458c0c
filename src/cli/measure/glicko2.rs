use std::path::PathBuf;

use crate::board::Table;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::measure::{read_vectors, report};
use crate::cli::reading::ReportFormat;
use crate::cli::screen::Screen;
use crate::finding::visible;
use crate::measure::{CaseReport, Difference, Report, Vectors, Verdict};

/// Compute the Glicko-2 ratings of a file of vectors.
///
/// Prints what comes out of each case as JSON, with every digit, and beside each
/// value what is remarkable about it. With --check the values are held against
/// those that the file expects. The format is described in docs/measure.md.
///
/// Exit codes: 0 computed, or all that was compared agrees; 1 with --check, a
/// value differs or nothing was compared; 2 the file is not in the format.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file of vectors, or - for standard input.
    file: PathBuf,

    /// Compare with what the file expects, within the tolerance that it
    /// recommends for a search that ends within 1e-12, or else within 1e-8 points
    /// of rating and deviation and 1e-11 of volatility.
    #[arg(long)]
    check: bool,

    /// How to print [default: json; with --check, text].
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,
}

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let vectors = read_vectors(&args.file, Vectors::parse)?;
    let report = Report::of(&vectors, args.check);
    let agreement = report.check.as_ref().map(|verdict| &verdict.agreement);
    report::print(&report, agreement, args.format, screen, |screen| {
        let Some(verdict) = &report.check else {
            return screen.line(values(&report).trim_end());
        };
        for case in &report.cases {
            compared(case, screen);
        }
        screen.line(&report::in_words(&verdict.agreement, &tolerated(verdict)));
    })
}

/// The values at the end of each case, as a table.
fn values(report: &Report<'_>) -> String {
    let columns = ["section", "case", "player", "rating", "rd", "vol", "flags"];
    let mut table = Table::new(columns.to_vec());
    for case in &report.cases {
        let named = || vec![case.section.to_owned(), visible(case.id)];
        for row in case.rows() {
            let [player, rest @ ..] = row;
            let mut cells = named();
            cells.push(visible(&player));
            cells.extend(rest);
            table.push(cells);
        }
        if let Some(fault) = &case.fault {
            let mut cells = named();
            cells.extend([visible(fault), String::new(), String::new(), String::new()]);
            cells.push(String::new());
            table.push(cells);
        }
    }
    table.markdown()
}

/// Says of a case what is not as the file expects, and nothing where all is.
fn compared(case: &CaseReport<'_>, screen: &mut Screen<'_>) {
    let place = report::place(case.section, case.id);
    report::say_whether_compared(&place, case.compared, screen);
    if let Some(fault) = &case.fault {
        screen.line(&format!("{place}: {}", visible(fault)));
    }
    for difference in case.differences.iter().flatten() {
        screen.line(&format!("{place}: {}", apart(difference)));
    }
}

fn apart(difference: &Difference) -> String {
    let Difference {
        field,
        expected,
        found,
        tolerance,
    } = difference;
    let field = visible(field);
    match found {
        None => format!("{field}: expected {expected:?}, found no value"),
        Some(found) => format!(
            "{field}: expected {expected:?}, found {found:?}, which is {:.2e} away; {tolerance:e} is tolerated",
            (found - expected).abs()
        ),
    }
}

fn tolerated(verdict: &Verdict) -> String {
    let [rating, rd, vol] = verdict.tolerated();
    let origin = if verdict.is_tolerance_of_file() {
        "as the file recommends"
    } else {
        "our default"
    };
    format!("{rating:e} in rating, {rd:e} in rd, {vol:e} in vol, {origin}")
}
