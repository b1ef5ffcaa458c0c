use serde_json::{Value, json};

use crate::board::page::{Page, ratio};
use crate::board::positions::{PositionBoard, PositionRow};
use crate::board::{Format, Table};
use crate::chess::RejectionClass;
use crate::measure::{NotFinite, decimal};
use crate::projection::{Summand, Tally};

const ANSWERED: &str = "Answered: a reply came that is a legal move, or the last answer that the protocol allows was rejected. No reply: the request failed, also when sent again; a provider failure, which is no answer and says nothing of moves.";

const RESOURCES: &str = "Tokens are those of the calls behind the answers that count, rejected ones included. In brackets: so many of so many answered calls say it. n/a: none says it, which is not zero.";

const LIMITS: &str = "A legal move is not a good one: nothing here says how good a move is, how a system would play a game, or what a condition causes. Nothing is ranked.";

/// Returns the board as bytes that end in a newline.
///
/// # Errors
///
/// When a figure is no finite number, which is never printed.
pub fn render_positions(board: &PositionBoard, format: Format) -> Result<Vec<u8>, NotFinite> {
    let page = || Page {
        heading: board.heading(),
        tables: board.tables(),
        notes: board.notes(),
    };
    Ok(match format {
        Format::Text => page().text().into_bytes(),
        Format::Markdown => page().markdown().into_bytes(),
        Format::Csv => position_figures(board)?.csv(),
        Format::Json => board.json()?.into_bytes(),
    })
}

/// Returns the board's whole table. What is unknown is empty.
///
/// # Errors
///
/// When a figure is no finite number.
pub fn position_figures(board: &PositionBoard) -> Result<Table, NotFinite> {
    let first = [
        "system",
        "system_id",
        "positions",
        "done",
        "answered",
        "legal",
    ];
    let classes = RejectionClass::ALL.iter();
    let classes = classes.map(|class| format!("rejected_{}", class.as_str()));
    let last = [
        "rejected",
        "rejected_earlier",
        "no_reply",
        "contradicted",
        "excluded",
        "prompt_tokens",
        "prompt_tokens_of",
        "completion_tokens",
        "completion_tokens_of",
        "reasoning_tokens",
        "reasoning_tokens_of",
        "cost_usd",
        "cost_usd_of",
        "estimated_usd",
        "estimated_usd_of",
        "legal_percent",
        "interval_low_percent",
        "interval_high_percent",
        "white_to_move",
        "black_to_move",
        "assistance",
        "evidence_status",
        "dataset",
        "dataset_sha256",
        "protocol",
        "condition",
    ];
    let [first, last] = [&first[..], &last[..]].map(|all| all.iter().map(|one| (*one).to_owned()));
    let mut table = Table::new(first.chain(classes).chain(last).collect());
    for row in &board.rows {
        table.push(row_figures(board, row)?);
    }
    Ok(table)
}

/// Every figure of a row, in the order of the columns.
fn row_figures(board: &PositionBoard, row: &PositionRow) -> Result<Vec<String>, NotFinite> {
    let mut cells = vec![
        row.system.name.clone(),
        row.system.id.to_string(),
        row.positions.to_string(),
        row.done.to_string(),
        row.answered().to_string(),
        row.legal.to_string(),
    ];
    cells.extend(row.rejected.iter().map(ToString::to_string));
    let counts = [
        row.rejected(),
        row.earlier,
        row.no_reply,
        row.contradicted,
        row.excluded,
    ];
    cells.extend(counts.map(|count| count.to_string()));
    for tally in row.tokens() {
        cells.extend(known(tally));
    }
    cells.extend(known(&row.resources.cost_usd));
    cells.extend(known(&row.resources.estimated_usd));
    cells.push(ratio(row.legal, row.answered(), 100, 4).unwrap_or_default());
    let interval = row.interval();
    for end in [interval.map(|one| one.low), interval.map(|one| one.high)] {
        let end = end.map(|end| decimal(100.0 * end, 4)).transpose()?;
        cells.push(end.unwrap_or_default());
    }
    cells.push(row.coverage.white.to_string());
    cells.push(row.coverage.black.to_string());
    cells.push(row.system.assistance.to_string());
    cells.push("pilot".to_owned());
    cells.push(board.list.registered.name.to_string());
    cells.push(board.list.registered.digest().to_string());
    cells.push(board.protocol.clone());
    cells.push(board.condition.clone());
    Ok(cells)
}

/// A sum, and how much of its base it covers.
fn known<T: Summand + ToString>(tally: &Tally<T>) -> [String; 2] {
    let sum = tally.known();
    [
        sum.map_or_else(String::new, |sum| sum.to_string()),
        format!("{}/{}", tally.reported, tally.base),
    ]
}

impl PositionRow {
    const fn tokens(&self) -> [&Tally<u64>; 3] {
        [
            &self.resources.prompt_tokens,
            &self.resources.completion_tokens,
            &self.resources.reasoning_tokens,
        ]
    }
}

impl PositionBoard {
    fn heading(&self) -> Vec<String> {
        let registered = &self.list.registered;
        vec![
            format!(
                "Position board of list {}, protocol {}, condition {}",
                registered.name, self.protocol, self.condition
            ),
            format!(
                "Positions: {}. List digest: sha256 {}.",
                registered.positions.len(),
                registered.digest()
            ),
            format!("Taken from: sha256 {}.", registered.source_sha256),
            "Evidence: pilot. No preregistration names a list.".to_owned(),
            format!(
                "From the first {} events of {}, root {}",
                self.source.size, self.source.origin, self.source.root
            ),
        ]
    }

    fn tables(&self) -> Vec<(&'static str, Table)> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        vec![("Answers", self.answers()), ("Tokens", self.tokens())]
    }

    /// Only classes that somebody has are columns.
    fn answers(&self) -> Table {
        let is_there = |place: usize| {
            let counts = self.rows.iter().filter_map(|row| row.rejected.get(place));
            counts.sum::<u64>() != 0
        };
        let classes = RejectionClass::ALL.iter().enumerate();
        let classes: Vec<_> = classes.filter(|(place, _)| is_there(*place)).collect();
        let columns = ["System", "Assistance", "Answered", "Legal", "Rejected"];
        let columns = columns.map(str::to_owned).into_iter();
        let of_classes = classes
            .iter()
            .map(|(_, class)| class.as_str().replace('_', " "));
        let last = ["Rejected before", "No reply"].map(str::to_owned);
        let mut table = Table::new(columns.chain(of_classes).chain(last).collect());
        for row in &self.rows {
            let mut cells = vec![
                row.system.name.clone(),
                row.system.assistance.to_string(),
                format!("{} of {}", row.answered(), row.positions),
                row.legal.to_string(),
                row.rejected().to_string(),
            ];
            let counts = classes
                .iter()
                .filter_map(|(place, _)| row.rejected.get(*place));
            cells.extend(counts.map(ToString::to_string));
            cells.push(row.earlier.to_string());
            cells.push(row.no_reply.to_string());
            table.push(cells);
        }
        table
    }

    fn tokens(&self) -> Table {
        let columns = ["System", "Prompt", "Completion", "Of it reasoning"];
        let mut table = Table::new(columns.to_vec());
        for row in &self.rows {
            let known = |tally: &Tally<u64>| match tally.known() {
                None => "n/a".to_owned(),
                Some(sum) => format!("{sum} ({}/{})", tally.reported, tally.base),
            };
            let mut cells = vec![row.system.name.clone()];
            cells.extend(row.tokens().map(known));
            table.push(cells);
        }
        table
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let unfinished = self.rows.iter().filter(|row| row.done < row.positions);
        let unfinished: Vec<_> = unfinished.map(|row| row.system.name.as_str()).collect();
        if !unfinished.is_empty() {
            notes.push(format!("Unfinished: {}.", unfinished.join(", ")));
        }
        let sum = |figure: fn(&PositionRow) -> u64| self.rows.iter().map(figure).sum::<u64>();
        let contradicted = sum(|row| row.contradicted);
        if contradicted != 0 {
            notes.push(format!(
                "Answers that contradict the evidence, and are neither legal nor rejected: {contradicted}; see scoresheet verify."
            ));
        }
        let excluded = sum(|row| row.excluded);
        if excluded != 0 {
            notes.push(format!(
                "Answers excluded by correction: {excluded}; see scoresheet corrections."
            ));
        }
        if let Some(attempts) = self.attempts.filter(|attempts| 1 < *attempts) {
            notes.push(format!(
                "A position has up to {attempts} answers. Rejected before: answers that another one followed, or may."
            ));
        }
        notes.extend([ANSWERED, RESOURCES, LIMITS].map(str::to_owned));
        notes
    }

    fn json(&self) -> Result<String, NotFinite> {
        let rows = position_figures(self)?.objects();
        let rows: Vec<_> = rows.into_iter().map(Value::Object).collect();
        let registered = &self.list.registered;
        let document = json!({
            "attempts": self.attempts,
            "board": "positions",
            "condition": self.condition,
            "dataset": registered.name.as_str(),
            "dataset_id": self.list.id.to_string(),
            "dataset_sha256": registered.digest().to_string(),
            "evidence_status": "pilot",
            "notes": self.notes(),
            "origin": self.source.origin.as_str(),
            "positions": registered.positions.len(),
            "protocol": self.protocol,
            "root": self.source.root.to_string(),
            "rows": rows,
            "size": self.source.size,
            "source_sha256": registered.source_sha256.to_string(),
            "v": 1,
        });
        // A document of texts and small integers is always JSON.
        Ok(format!("{document:#}\n"))
    }
}
