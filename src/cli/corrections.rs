use serde_json::json;

use crate::board::{Format, correction_document, correction_figures};
use crate::cli::board::parse_format;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::event::CorrectionChange;
use crate::finding::visible;
use crate::ledger::Disk;
use crate::projection::{AnsweredFinding, Correction, Projection};
use crate::secret::Scanner;

/// List the corrections: what they change, why, and whether they count.
///
/// A correction counts from its event on, until another one reverses it. What
/// was right before it is shown with --at.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also print the findings that corrections answer: in text and JSON.
    #[arg(long)]
    findings: bool,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (projection, source) = args.reading.project(disk)?;
    if args.findings && matches!(args.format, Format::Csv | Format::Markdown) {
        return Err(CliError::Input(
            "--findings goes with --format text or json: findings are no rows of the table of corrections"
                .to_owned(),
        ));
    }
    match args.format {
        Format::Csv => {
            let csv = correction_figures(&projection, str::to_owned).csv();
            screen.line(String::from_utf8_lossy(&csv).trim_end());
        }
        Format::Markdown => screen.line(
            correction_figures(&projection, visible)
                .markdown()
                .trim_end(),
        ),
        Format::Text => list(&projection, args.findings, screen),
        Format::Json => {
            let mut report = correction_document(&projection, &source);
            if args.findings {
                report["answered"] = projection.answered.iter().map(answered_json).collect();
            }
            screen.line(&format!("{report:#}"));
        }
    }
    Ok(Exit::Clean)
}

fn list(projection: &Projection, with_findings: bool, screen: &mut Screen<'_>) {
    for correction in projection.corrections.iter() {
        screen.line(&visible(&in_words(correction)));
        let recorded = &correction.recorded;
        for target in &recorded.targets {
            screen.line(&format!("  target    {target}"));
        }
        for value in &recorded.values {
            screen.line(&visible(&format!(
                "  value     {} = {}",
                value.name, value.value
            )));
        }
        screen.line(&format!("  evidence  {}", visible(&recorded.evidence)));
    }
    if projection.corrections.iter().next().is_none() {
        screen.line(&format!("no correction before event {}", projection.size));
    }
    for answered in projection.answered.iter().filter(|_| with_findings) {
        screen.line(&format!("answered by {}:", answered.correction));
        screen.line(&answered.finding.to_string());
    }
}

/// Says on one line what a correction does, and whether it counts.
pub(crate) fn in_words(correction: &Correction) -> String {
    let change = match correction.recorded.change {
        CorrectionChange::Annotate => "annotated",
        CorrectionChange::Exclude => "excluded",
        CorrectionChange::Supersede => "superseded",
        CorrectionChange::Reverse => "reversed",
    };
    let counts = if correction.is_in_effect {
        ""
    } else {
        " (reversed, counts no more)"
    };
    format!(
        "{change} by correction {} of {}, event {}{counts}: {}",
        correction.id, correction.at, correction.index, correction.recorded.reason
    )
}

/// Returns an answered finding for programs.
pub(crate) fn answered_json(answered: &AnsweredFinding) -> serde_json::Value {
    json!({
        "correction": answered.correction,
        "finding": Scanner::shared().redacted_finding(answered.finding.clone()),
    })
}
