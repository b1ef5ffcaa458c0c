//! What became of sources, for people and programs.

use serde_json::{Value, json};

use crate::cli::error::CliError;
use crate::cli::import::claims::Judged;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted, hint};
use crate::digest::Root;
use crate::event::{EventId, ImportStarted};
use crate::import::{FigureVerdict, JudgedFigure, SourceFindings, Tally};

/// What became of one source.
pub(crate) struct SourceReport {
    /// `imported`, `resumed` or `known`.
    pub(crate) how: &'static str,
    pub(crate) started: ImportStarted,
    pub(crate) import: EventId,
    /// Of the whole source.
    pub(crate) tally: Tally,
    /// Of what was read now.
    pub(crate) findings: SourceFindings,
}

impl SourceReport {
    /// Says it of all of them. Without a ledger that was written, lines of events
    /// stand on standard output, and the report goes beside them.
    pub(crate) fn say(
        reports: &[Self],
        judged: Option<&Judged>,
        written: Option<(u64, Root)>,
        format: ReportFormat,
        screen: &mut Screen<'_>,
    ) -> Result<(), CliError> {
        let Some((size, root)) = written else {
            for report in reports {
                hint(&report.in_words());
            }
            return Ok(());
        };
        if format == ReportFormat::Json {
            let sources: Vec<_> = reports.iter().map(Self::document).collect();
            let figures =
                judged.map(|judged| judged.figures.iter().map(figure).collect::<Vec<_>>());
            let mut document = json!({
                "root": root.to_string(),
                "size": size,
                "sources": sources,
            });
            if let Some(figures) = figures {
                document["claims"] = figures.into();
            }
            return screen.document(&document);
        }
        for report in reports {
            screen.line(&report.in_words());
            screen.findings(&report.findings.shown);
            let shown = u64::try_from(report.findings.shown.len()).unwrap_or(u64::MAX);
            if shown < report.findings.count {
                screen.line(&format!(
                    "{} in all, each with its game in the ledger",
                    counted(report.findings.count, "finding")
                ));
            }
        }
        if let Some(judged) = judged {
            for figure in &judged.figures {
                screen.line(&figure.to_string());
            }
            screen.findings(&judged.findings);
        }
        screen.line(&format!(
            "the ledger has {}, root {root}",
            counted(size, "event")
        ));
        Ok(())
    }

    fn in_words(&self) -> String {
        let tally = &self.tally;
        let how = match self.how {
            "known" => "is there already",
            "resumed" => "was imported to its end",
            _ => "was imported",
        };
        format!(
            "{} {how}: {}, {}; {} skipped, {} contradicted, {} with other faults",
            self.started.name,
            counted(tally.games, "game"),
            if tally.plies == 1 {
                "1 ply".to_owned()
            } else {
                format!("{} plies", tally.plies)
            },
            tally.skipped,
            tally.contradicted,
            tally.faulty,
        )
    }

    fn document(&self) -> Value {
        let tally = &self.tally;
        json!({
            "calls": tally.calls,
            "bytes": self.started.bytes,
            "contradicted": tally.contradicted,
            "faulty": tally.faulty,
            "findings": self.findings.shown,
            "findings_count": self.findings.count,
            "format": self.started.format,
            "games": tally.games,
            "how": self.how,
            "import": self.import.to_string(),
            "name": self.started.name,
            "plies": tally.plies,
            "sha256": self.started.sha256.to_string(),
            "skipped": tally.skipped,
            "version": self.started.version,
        })
    }
}

/// A judged figure as a document.
fn figure(judged: &JudgedFigure) -> Value {
    let mut document = json!({
        "claimed": judged.claimed,
        "figure": judged.figure.as_str(),
        "line": judged.line,
        "name": judged.name,
    });
    let (verdict, said) = match &judged.verdict {
        FigureVerdict::Follows => ("follows", json!({})),
        FigureVerdict::Differs { follows, by, trap } => (
            "differs",
            json!({"by": by, "follows": follows, "trap": trap}),
        ),
        FigureVerdict::Underived(missing) => ("underived", json!({"missing": missing})),
    };
    document["verdict"] = verdict.into();
    if let (Some(document), Value::Object(said)) = (document.as_object_mut(), said) {
        document.extend(said.into_iter().filter(|(_, value)| !value.is_null()));
    }
    document
}
