use serde_json::json;

use crate::board::{Format, Table};
use crate::cli::board::parse_format;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::event::{CorrectionChange, EventId};
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
            let csv = table(&projection, str::to_owned).csv();
            screen.line(String::from_utf8_lossy(&csv).trim_end());
        }
        Format::Markdown => screen.line(table(&projection, visible).markdown().trim_end()),
        Format::Text => list(&projection, args.findings, screen),
        Format::Json => {
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

/// One row a correction.
fn table(projection: &Projection, shown: impl Fn(&str) -> String) -> Table {
    let mut table = Table::new(vec![
        "id",
        "index",
        "at",
        "by",
        "change",
        "is_in_effect",
        "targets",
        "values",
        "reason",
        "evidence",
        "reversed_by",
    ]);
    let ids = |ids: &[EventId]| {
        let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
        ids.join(" ")
    };
    for correction in projection.corrections.iter() {
        let recorded = &correction.recorded;
        let values = recorded.values.iter();
        let values: Vec<_> = values
            .map(|value| format!("{}={}", value.name, value.value))
            .collect();
        table.push(vec![
            correction.id.to_string(),
            correction.index.to_string(),
            correction.at.to_string(),
            correction.by.to_string(),
            recorded.change.as_str().to_owned(),
            correction.is_in_effect.to_string(),
            ids(&recorded.targets),
            shown(&values.join(" ")),
            shown(&recorded.reason),
            shown(&recorded.evidence),
            ids(&correction.reversed_by),
        ]);
    }
    table
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
