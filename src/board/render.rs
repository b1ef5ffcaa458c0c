use serde_json::json;

use crate::board::{Accounting, Format, Row, Table};
use crate::event::EvidenceStatus;
use crate::measure::{NotFinite, decimal};
use crate::projection::{CohortCounts, Source, Summand, Tally};

/// A placement board: its rows, and what a reader must know of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The cohort.
    pub cohort: String,
    /// Counts of its raw units.
    pub counts: CohortCounts,
    /// The status of the evidence.
    pub evidence_status: EvidenceStatus,
    /// Whether no registered cell is open. Until then nobody is ranked.
    pub is_complete: bool,
    /// The name of the protocol.
    pub protocol: String,
    /// One row a system with games, the highest rating first.
    pub rows: Vec<Row>,
    /// What it was computed from.
    pub source: Source,
    /// Systems of the cohort without a game that has a result.
    pub without_games: Vec<String>,
    /// Systems that withdrew, whose games count nowhere.
    pub withdrawn: Vec<String>,
    /// Whose placement on a ladder the cohort is, and of which era; nothing where
    /// it is a round robin.
    pub newcomer: Option<(String, String)>,
}

/// What the scale is.
const SCALE: &str =
    "Glicko-2, all games as one rating period from equal starts; the interval is rating +- 1.96 RD";

/// What the numbers do not say.
const LIMITS: &str = "These ratings compare the systems of this cohort under this protocol. They are no FIDE, Lichess or Chess.com ratings. Glicko-2 gives every record a finite rating, a perfect score too.";

/// Returns the board as bytes that end in a newline.
///
/// # Errors
///
/// When a rating is no finite number, which is never printed.
pub fn render(board: &Board, format: Format) -> Result<Vec<u8>, NotFinite> {
    match format {
        Format::Text => text(board).map(String::into_bytes),
        Format::Json => Ok(json(board, &figures(board)?)),
        Format::Csv => figures(board).map(|table| table.csv()),
        Format::Markdown => markdown(board, Accounting::in_words).map(String::into_bytes),
    }
}

/// Returns the board as its first releases have it: without estimated costs and
/// the state of the accounting. Released files are made again, byte for byte.
///
/// # Errors
///
/// When a rating is no finite number, which is never printed.
pub fn render_first(board: &Board, format: Format) -> Result<Vec<u8>, NotFinite> {
    match format {
        Format::Text => text(board).map(String::into_bytes),
        Format::Json => Ok(json(board, &figures_of(board.rows.iter())?)),
        Format::Csv => figures_of(board.rows.iter()).map(|table| table.csv()),
        Format::Markdown => markdown(board, ToString::to_string).map(String::into_bytes),
    }
}

impl Board {
    /// How far the cohort is, in words.
    pub fn standing(&self) -> String {
        let counts = &self.counts;
        let progress = format!(
            "{} of {} registered games have a result",
            counts.finished, counts.cells
        );
        if self.is_complete {
            progress
        } else {
            format!("{progress}; unranked until all have")
        }
    }

    /// The lines that stand above the table.
    pub fn heading(&self) -> Vec<String> {
        let (cohort, protocol) = (&self.cohort, &self.protocol);
        vec![
            match &self.newcomer {
                None => format!("Placement board of cohort {cohort}, protocol {protocol}"),
                Some((name, era)) => format!(
                    "Games of the newcomer {name} to era {era}: cohort {cohort}, protocol {protocol}"
                ),
            },
            format!(
                "Evidence: {}. {}.",
                self.evidence_status.as_str(),
                self.standing()
            ),
            format!(
                "From the first {} events of {}, root {}",
                self.source.size, self.source.origin, self.source.root
            ),
        ]
    }

    /// The lines that stand below the table.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!("Scale: {SCALE}."), LIMITS.to_owned()];
        if let Some((name, era)) = &self.newcomer {
            notes.push(format!(
                "This is no pool: {name} met those who were ranked when it was admitted, and they did not meet one another here. Ratings and ranks of the ladder: scoresheet board ladder {era}."
            ));
        }
        if !self.withdrawn.is_empty() {
            notes.push(format!(
                "Withdrawn, their games in no calculation: {}.",
                self.withdrawn.join(", ")
            ));
        }
        if !self.without_games.is_empty() {
            notes.push(format!(
                "Without a game that has a result: {}.",
                self.without_games.join(", ")
            ));
        }
        let counts = &self.counts;
        notes.push(format!(
            "{} aborted games (no result, not rated), {} forfeits, {} censored by the ply limit, {} rejected answers.",
            counts.aborted, counts.forfeits, counts.censored, counts.rejected
        ));
        if counts.excluded != 0 {
            notes.push(format!(
                "Excluded by correction: {}. They have a result, stay in every record, and count in no figure above; see scoresheet corrections.",
                counts.excluded
            ));
        }
        notes
    }
}

/// The short table of these rows, for people.
pub(crate) fn overview_of<'a>(
    rows: impl Iterator<Item = &'a Row>,
    accounting: fn(&Accounting) -> String,
) -> Result<Table, NotFinite> {
    let mut table = Table::new(vec![
        "#",
        "System",
        "Rating",
        "95 % interval",
        "n",
        "W-D-L",
        "Censored",
        "Coverage",
        "Assistance",
        "Evidence",
        "Accounting",
    ]);
    for row in rows {
        let estimate = row.estimate();
        table.push(vec![
            rank(row),
            row.system().name.clone(),
            decimal(estimate.rating.rating, 0)?,
            format!(
                "{} to {}",
                decimal(estimate.interval.low, 0)?,
                decimal(estimate.interval.high, 0)?
            ),
            row.sample().games().to_string(),
            row.sample().wdl().to_string(),
            row.conduct().censored.to_string(),
            row.coverage().to_string(),
            row.system().assistance.to_string(),
            row.evidence_status().as_str().to_owned(),
            accounting(row.accounting()),
        ]);
    }
    Ok(table)
}

fn rank(row: &Row) -> String {
    row.estimate()
        .rank
        .map_or_else(|| "unranked".to_owned(), |rank| rank.to_string())
}

fn text(board: &Board) -> Result<String, NotFinite> {
    let table = overview_of(board.rows.iter(), Accounting::in_words)?.markdown();
    let [heading, notes] = [board.heading(), board.notes()].map(|lines| lines.join("\n"));
    Ok(format!("{heading}\n\n{table}\n{notes}\n"))
}

fn markdown(board: &Board, accounting: fn(&Accounting) -> String) -> Result<String, NotFinite> {
    let heading = board.heading();
    let table = overview_of(board.rows.iter(), accounting)?.markdown();
    let (title, rest) = heading
        .split_first()
        .map_or(("", &[][..]), |(title, rest)| (title.as_str(), rest));
    let notes = board.notes().join("\n\n");
    Ok(format!(
        "# {title}\n\n{}\n\n{table}\n{notes}\n",
        rest.join("\n\n")
    ))
}

/// A tally's sum, or nothing where nobody reported.
fn known<T: Summand + ToString>(tally: &Tally<T>) -> String {
    tally
        .known()
        .map_or_else(String::new, |sum| sum.to_string())
}

/// How one figure of a row is read off.
type Cell = fn(&Row) -> Result<String, NotFinite>;

/// Every figure of a row: the columns of the CSV and the keys of the JSON.
#[rustfmt::skip]
const COLUMNS: &[(&str, Cell)] = &[
    ("rank", |row| Ok(row.estimate().rank.map_or_else(String::new, |rank| rank.to_string()))),
    ("system", |row| Ok(row.system().name.clone())),
    ("system_id", |row| Ok(row.system().id.to_string())),
    ("rating", |row| decimal(row.estimate().rating.rating, 6)),
    ("deviation", |row| decimal(row.estimate().rating.deviation, 6)),
    ("volatility", |row| decimal(row.estimate().rating.volatility, 9)),
    ("interval_low", |row| decimal(row.estimate().interval.low, 6)),
    ("interval_high", |row| decimal(row.estimate().interval.high, 6)),
    ("games", |row| Ok(row.sample().games().to_string())),
    ("wins", |row| Ok(row.sample().wdl().wins.to_string())),
    ("draws", |row| Ok(row.sample().wdl().draws.to_string())),
    ("losses", |row| Ok(row.sample().wdl().losses.to_string())),
    ("points", |row| Ok(row.sample().points())),
    ("white_games", |row| Ok(row.coverage().white.to_string())),
    ("black_games", |row| Ok(row.coverage().black.to_string())),
    ("openings", |row| Ok(row.coverage().openings.to_string())),
    ("censored", |row| Ok(row.conduct().censored.to_string())),
    ("forfeits", |row| Ok(row.conduct().forfeits.to_string())),
    ("rejected", |row| Ok(row.conduct().rejected.to_string())),
    ("judged", |row| Ok(row.conduct().judged.to_string())),
    ("assistance", |row| Ok(row.system().assistance.to_string())),
    ("evidence_status", |row| Ok(row.evidence_status().as_str().to_owned())),
    ("aborted_games", |row| Ok(row.accounting().aborted().to_string())),
    ("calls_answered", |row| Ok(row.accounting().resources().answered.to_string())),
    ("calls_failed", |row| Ok(row.accounting().resources().failures().to_string())),
    ("nodes", |row| Ok(known(&row.accounting().resources().nodes))),
    ("nodes_reported_of", |row| Ok(share(&row.accounting().resources().nodes))),
    ("time_ms", |row| Ok(known(&row.accounting().resources().time_ms))),
    ("time_reported_of", |row| Ok(share(&row.accounting().resources().time_ms))),
    ("completion_tokens", |row| Ok(known(&row.accounting().resources().completion_tokens))),
    ("completion_tokens_reported_of", |row| Ok(share(&row.accounting().resources().completion_tokens))),
    ("cost_usd_reported", |row| Ok(known(&row.accounting().resources().cost_usd))),
    ("cost_reported_of", |row| Ok(share(&row.accounting().resources().cost_usd))),
];

/// Returns the board's whole table: every figure that its CSV holds.
///
/// # Errors
///
/// When a rating is no finite number.
pub fn figures(board: &Board) -> Result<Table, NotFinite> {
    let more = board.rows.iter().map(|row| {
        let accounting = row.accounting();
        let estimated = &accounting.resources().estimated_usd;
        let state = accounting.cost_state().as_str().to_owned();
        vec![known(estimated), share(estimated), state]
    });
    let table = figures_of(board.rows.iter())?;
    let columns = ["cost_usd_estimated", "cost_estimated_of", "cost_state"];
    Ok(table.beside(&columns, more.collect()))
}

/// The whole table of these rows.
pub(crate) fn figures_of<'a>(rows: impl Iterator<Item = &'a Row>) -> Result<Table, NotFinite> {
    let mut table = Table::new(COLUMNS.iter().map(|(column, _)| *column).collect());
    for row in rows {
        table.push(
            COLUMNS
                .iter()
                .map(|(_, cell)| cell(row))
                .collect::<Result<_, _>>()?,
        );
    }
    Ok(table)
}

fn share<T: Summand>(tally: &Tally<T>) -> String {
    format!("{}/{}", tally.reported, tally.base)
}

fn json(board: &Board, table: &Table) -> Vec<u8> {
    let rows = table.objects();
    let mut document = json!({
        "board": "placement",
        "cohort": board.cohort,
        "evidence_status": board.evidence_status.as_str(),
        "is_complete": board.is_complete,
        "limits": LIMITS,
        "origin": board.source.origin.as_str(),
        "protocol": board.protocol,
        "root": board.source.root.to_string(),
        "rows": rows,
        "scale": SCALE,
        "size": board.source.size,
        "standing": board.standing(),
        "v": 1,
        "without_games": board.without_games,
    });
    if !board.withdrawn.is_empty() {
        document["withdrawn"] = json!(board.withdrawn);
    }
    if let Some((name, era)) = &board.newcomer {
        document["newcomer"] = json!({ "era": era, "system": name });
    }
    if board.counts.excluded != 0 {
        document["excluded_by_correction"] = board.counts.excluded.into();
    }
    // A document of texts and small integers is always JSON.
    let mut text = format!("{document:#}");
    text.push('\n');
    text.into_bytes()
}
