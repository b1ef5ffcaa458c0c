use serde_json::json;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::{ReadingArgs, ReportFormat};
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
    /// Also print the findings that corrections answer.
    #[arg(long)]
    findings: bool,

    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (projection, source) = args.reading.project(disk)?;
    match args.format {
        ReportFormat::Text => list(&projection, args.findings, screen),
        ReportFormat::Json => {
            let corrections = projection.corrections.iter().map(json);
            let mut report = json!({
                "corrections": corrections.collect::<Vec<_>>(),
                "origin": source.origin.as_str(),
                "root": source.root.to_string(),
                "size": source.size,
                "v": 1,
            });
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

/// Returns a correction for programs.
pub(crate) fn json(correction: &Correction) -> serde_json::Value {
    json!({
        "at": correction.at,
        "by": correction.by,
        "id": correction.id,
        "index": correction.index,
        "is_in_effect": correction.is_in_effect,
        "reversed_by": correction.reversed_by,
        "what": correction.recorded,
    })
}

/// Returns an answered finding for programs.
pub(crate) fn answered_json(answered: &AnsweredFinding) -> serde_json::Value {
    json!({
        "correction": answered.correction,
        "finding": Scanner::shared().redacted_finding(answered.finding.clone()),
    })
}
