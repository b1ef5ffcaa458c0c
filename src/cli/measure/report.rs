//! How a computed file is printed: as a document, or for people.

use serde::Serialize;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted};
use crate::finding::visible;
use crate::measure::Agreement;

/// Prints a report, by default for people where it was compared and as a
/// document where it was not. It is clean unless something differs, or nothing
/// was compared though that was asked for.
pub(crate) fn print(
    report: &impl Serialize,
    agreement: Option<&Agreement>,
    format: Option<ReportFormat>,
    screen: &mut Screen<'_>,
    text: impl FnOnce(&mut Screen<'_>),
) -> Result<Exit, CliError> {
    let usual = if agreement.is_some() {
        ReportFormat::Text
    } else {
        ReportFormat::Json
    };
    match format.unwrap_or(usual) {
        ReportFormat::Json => screen.document(report)?,
        ReportFormat::Text => text(screen),
    }
    Ok(match agreement {
        Some(agreement) if !agreement.agrees() => Exit::Blocked,
        Some(_) | None => Exit::Clean,
    })
}

/// Which case is spoken of.
pub(crate) fn place(section: &str, id: &str) -> String {
    format!("{section} {}", visible(&format!("{id:?}")))
}

/// Says where the file expects nothing of a case.
pub(crate) fn say_whether_compared(place: &str, compared: Option<usize>, screen: &mut Screen<'_>) {
    if compared == Some(0) {
        screen.line(&format!("{place}: not compared, the file expects nothing"));
    }
}

/// What the comparison came to, and what was tolerated.
pub(crate) fn in_words(agreement: &Agreement, tolerated: &str) -> String {
    format!(
        "{}: {} compared, {} not, {} of {}; tolerated are {tolerated}",
        agreement.verdict,
        counted(agreement.cases_compared, "case"),
        agreement.cases_not_compared,
        counted(agreement.differences, "difference"),
        counted(agreement.figures_compared, "figure"),
    )
}
