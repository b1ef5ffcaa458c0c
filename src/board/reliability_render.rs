use crate::board::document::table_document;
use crate::board::page::{Page, ratio};
use crate::board::{Format, ReliabilityBoard, Table};
use crate::chess::RejectionClass;
use crate::event::CallFailure;
use crate::measure::{NotFinite, decimal};

const TROUBLE: &str = "Three kinds of trouble, never merged. A provider failure is a call without an answer: no chess result, counted here and nowhere else. A rejected answer is an interface failure; where the protocol's last attempt is one, the game is a forfeit. A legal move, good or bad, is neither.";

const SETS: &str = "A row is one system in one set: a cohort, the drawn games of an era, or a dataset. Sets are never added up. Excluded and aborted games stay in it. Games with people are in none.";

const INTERVAL: &str = "Intervals: 95 %, Wilson, of the share of rejected answers. Answers of one game are not independent, so that they are too narrow.";

const CALLS: &str = "Calls for puzzles and positions are counted by dataset and system, over all protocols and conditions; their failures have no class here. Empty is unknown, which is not zero.";

/// Returns the board as bytes that end in a newline.
///
/// # Errors
///
/// When a figure is no finite number, which is never printed.
pub fn render_reliability(board: &ReliabilityBoard, format: Format) -> Result<Vec<u8>, NotFinite> {
    Ok(match format {
        Format::Text => board.page()?.text().into_bytes(),
        Format::Markdown => board.page()?.markdown().into_bytes(),
        Format::Csv => reliability_figures(board)?.csv(),
        Format::Json => {
            let cohort = board.cohort.as_deref().map(|cohort| ("cohort", cohort));
            let about: Vec<_> = cohort.into_iter().collect();
            table_document(
                "reliability",
                &about,
                &reliability_figures(board)?,
                &board.source,
            )
        }
    })
}

/// Returns the board's whole table. What is unknown is empty.
///
/// # Errors
///
/// When a figure is no finite number.
pub fn reliability_figures(board: &ReliabilityBoard) -> Result<Table, NotFinite> {
    let begin = [
        "task",
        "set",
        "system",
        "system_id",
        "protocol",
        "units",
        "units_without_outcome",
    ];
    let calls = ["calls_sent", "calls_answered", "calls_failed"];
    let failures = CallFailure::ALL.map(|class| format!("failed_{}", class.as_str()));
    let answers = ["answers_accepted", "answers_rejected"];
    let classes = RejectionClass::ALL.iter();
    let classes = classes.map(|class| format!("rejected_{}", class.as_str()));
    let end = [
        "rejected_percent",
        "interval_low_percent",
        "interval_high_percent",
        "forfeits",
        "white",
        "black",
        "openings",
        "assistance",
        "evidence_status",
    ];
    let own =
        |names: &[&str]| -> Vec<String> { names.iter().map(|one| (*one).to_owned()).collect() };
    let mut columns = own(&begin);
    columns.extend(own(&calls));
    columns.extend(failures);
    columns.extend(own(&answers));
    columns.extend(classes);
    columns.extend(own(&end));
    let mut table = Table::new(columns);
    for row in &board.rows {
        let mut cells = vec![
            row.task.as_str().to_owned(),
            row.set.clone(),
            row.system.name.clone(),
            row.system.id.to_string(),
            row.protocol.clone(),
            row.units.to_string(),
            row.without_outcome.to_string(),
        ];
        let calls = &row.calls;
        cells.extend([calls.sent, calls.answered, calls.failed].map(|count| count.to_string()));
        cells.extend(counts(calls.classes.as_ref(), CallFailure::ALL.len()));
        cells.extend([row.accepted, row.rejected].map(|count| count.to_string()));
        cells.extend(counts(row.classes.as_ref(), RejectionClass::ALL.len()));
        cells.push(ratio(row.rejected, row.judged(), 100, 4).unwrap_or_default());
        let interval = row.interval();
        for end in [interval.map(|one| one.low), interval.map(|one| one.high)] {
            let end = end.map(|end| decimal(100.0 * end, 4)).transpose()?;
            cells.push(end.unwrap_or_default());
        }
        let coverage = &row.coverage;
        cells.extend([
            row.forfeits.to_string(),
            coverage.white.to_string(),
            coverage.black.to_string(),
            coverage.openings.to_string(),
            row.system.assistance.to_string(),
            row.evidence_status.as_str().to_owned(),
        ]);
        table.push(cells);
    }
    Ok(table)
}

fn counts(counts: Option<&Vec<u64>>, length: usize) -> Vec<String> {
    match counts {
        Some(counts) => counts.iter().map(ToString::to_string).collect(),
        None => vec![String::new(); length],
    }
}

impl ReliabilityBoard {
    fn heading(&self) -> Vec<String> {
        let of = match &self.cohort {
            Some(cohort) => format!("cohort {cohort}"),
            None => "everything that was asked".to_owned(),
        };
        let source = &self.source;
        vec![
            format!("Reliability: {of}"),
            format!(
                "From the first {} events of {}, root {}",
                source.size, source.origin, source.root
            ),
        ]
    }

    fn page(&self) -> Result<Page, NotFinite> {
        let notes = [TROUBLE, SETS, INTERVAL, CALLS].map(str::to_owned);
        Ok(Page {
            heading: self.heading(),
            tables: vec![("Answers and failures", self.overview()?)],
            notes: notes.into(),
        })
    }

    /// The short table, for people.
    fn overview(&self) -> Result<Table, NotFinite> {
        let mut table = Table::new(vec![
            "System",
            "Set",
            "n",
            "Calls failed",
            "Answers rejected",
            "95 % interval",
            "Forfeits",
            "Without outcome",
            "Coverage",
            "Assistance",
            "Evidence",
        ]);
        for row in &self.rows {
            let share = ratio(row.rejected, row.judged(), 100, 1);
            let interval = match row.interval() {
                None => "n/a".to_owned(),
                Some(interval) => {
                    let ends = [interval.low, interval.high].map(|end| decimal(100.0 * end, 1));
                    let [low, high] = ends;
                    format!("{} to {} %", low?, high?)
                }
            };
            table.push(vec![
                row.system.name.clone(),
                format!("{} ({})", row.set, row.task.as_str()),
                row.units.to_string(),
                format!("{} of {}", row.calls.failed, row.calls.sent),
                share.map_or_else(
                    || "n/a".to_owned(),
                    |share| format!("{share} % ({} of {})", row.rejected, row.judged()),
                ),
                interval,
                row.forfeits.to_string(),
                row.without_outcome.to_string(),
                row.coverage.to_string(),
                row.system.assistance.to_string(),
                row.evidence_status.as_str().to_owned(),
            ]);
        }
        Ok(table)
    }
}
