//! Tables that others published, beside the games that they are said to be of.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::event::GameImported;
use crate::finding::{Code, Finding, Place, visible};
use crate::import::figure::{Amount, Figure};
use crate::import::json::document;
use crate::import::seat_tally::SeatTally;

/// A published table, and what the games give in its place.
#[derive(Clone, Debug)]
pub struct PublishedTable {
    file: String,
    rows: Vec<Row>,
    /// The rows of each name.
    by_name: BTreeMap<String, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Row {
    line: u64,
    name: String,
    figures: Vec<(Figure, Amount)>,
    tally: SeatTally,
}

/// A figure of a table, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedFigure {
    /// The line of the table, or the number of its row, from 1.
    pub line: u64,
    /// Whose figure it is.
    pub name: String,
    /// Which figure it is.
    pub figure: Figure,
    /// What the table says.
    pub claimed: String,
    /// What the games say to that.
    pub verdict: FigureVerdict,
}

/// What the games say to a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FigureVerdict {
    /// It follows.
    Follows,
    /// Another figure does.
    Differs {
        /// What follows.
        follows: String,
        /// By how much the table says more, below zero where it says less.
        by: String,
        /// What seems to have been done, where that is known.
        trap: Option<&'static str>,
    },
    /// Nothing follows: what is missing.
    Underived(&'static str),
}

/// Why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TableError(String);

/// The column that names the player, where nothing else is said.
const NAME: &str = "name";

impl PublishedTable {
    /// Reads a table: CSV with a heading, or a JSON list of objects. `columns`
    /// says which column has a figure, where it is not called like it.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words.
    pub fn read(
        bytes: &[u8],
        file: &str,
        columns: &[(String, String)],
    ) -> Result<Self, TableError> {
        for (field, _) in columns {
            if field != NAME && Figure::named(field).is_none() {
                return Err(TableError(format!(
                    "expected name or a figure ({}), found {}",
                    Figure::words(),
                    visible(field)
                )));
            }
        }
        let is_json = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
        let rows = if is_json {
            of_json(bytes)?
        } else {
            of_csv(bytes)?
        };
        let column = |field: &str| {
            let named = columns.iter().find(|(name, _)| name == field);
            named.map_or_else(|| field.to_owned(), |(_, column)| column.clone())
        };
        let mut table = Self {
            file: file.to_owned(),
            rows: Vec::new(),
            by_name: BTreeMap::new(),
        };
        let name_column = column(NAME);
        for (line, cells) in rows {
            let cell = |column: &str| {
                let cell = cells.iter().find(|(name, _)| name == column);
                cell.map(|(_, cell)| cell.trim())
                    .filter(|cell| !cell.is_empty())
            };
            // Blank lines and repeated headings say nothing.
            let Some(name) = cell(&name_column).filter(|name| *name != name_column) else {
                continue;
            };
            let figures = Figure::ALL.iter().filter_map(|figure| {
                let amount = Amount::of(cell(&column(figure.as_str()))?)?;
                Some((*figure, amount))
            });
            let row = Row {
                line,
                name: name.to_owned(),
                figures: figures.collect(),
                tally: SeatTally::default(),
            };
            let places = table.by_name.entry(row.name.clone()).or_default();
            places.push(table.rows.len());
            table.rows.push(row);
        }
        if table.rows.iter().all(|row| row.figures.is_empty()) {
            return Err(TableError(format!(
                "expected a column {name_column} and columns with figures ({}), found none",
                Figure::words()
            )));
        }
        Ok(table)
    }

    /// Takes in a game: it counts for every row whose name is that of a player or
    /// of a player's model.
    pub fn take(&mut self, game: &GameImported) {
        for (seat, is_white) in [(&game.white, true), (&game.black, false)] {
            let mut names: Vec<_> = [&seat.name, &seat.model].into_iter().flatten().collect();
            names.dedup();
            let places = names.into_iter().filter_map(|name| self.by_name.get(name));
            for place in places.flatten() {
                if let Some(row) = self.rows.get_mut(*place) {
                    row.tally.take(game, seat, is_white);
                }
            }
        }
    }

    /// Judges every figure, row by row.
    pub fn judge(&self) -> Vec<JudgedFigure> {
        let denominators: Vec<_> = self.rows.iter().map(|row| row.tally.games()).collect();
        let is_even = denominators
            .windows(2)
            .all(|pair| pair.first() == pair.last());
        let judged = self.rows.iter().flat_map(|row| {
            row.figures
                .iter()
                .map(move |(figure, amount)| JudgedFigure {
                    line: row.line,
                    name: row.name.clone(),
                    figure: *figure,
                    claimed: amount.to_string(),
                    verdict: row.tally.judge(*figure, *amount, is_even),
                })
        });
        judged.collect()
    }

    /// What differs, as findings.
    pub fn findings(&self, judged: &[JudgedFigure]) -> Vec<Finding> {
        let findings = judged.iter().filter_map(|one| {
            let FigureVerdict::Differs { follows, by, trap } = &one.verdict else {
                return None;
            };
            let trap = trap.map_or_else(String::new, |trap| format!(": {trap}"));
            let place = Place::file(&self.file).line(one.line);
            let expected = format!(
                "{} {follows} of {}, as the games give",
                one.figure, one.name
            );
            let found = format!("{}, a difference of {by}{trap}", one.claimed);
            Some(Finding::new(
                Code::ImportContradicted,
                place,
                expected,
                found,
            ))
        });
        findings.collect()
    }
}

impl fmt::Display for JudgedFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = visible(&self.name);
        write!(
            f,
            "line {}, {name}, {} {}: ",
            self.line, self.figure, self.claimed
        )?;
        match &self.verdict {
            FigureVerdict::Follows => f.write_str("follows"),
            FigureVerdict::Differs { follows, by, .. } => {
                write!(f, "differs by {by}; {follows} follows")
            }
            FigureVerdict::Underived(missing) => write!(f, "cannot be derived: {missing}"),
        }
    }
}

type Cells = Vec<(String, String)>;

fn of_csv(bytes: &[u8]) -> Result<Vec<(u64, Cells)>, TableError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let wrong = |error: csv::Error| TableError(error.to_string());
    let heading = reader.headers().map_err(wrong)?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells = heading.iter().zip(record.iter());
        let cells = cells.map(|(name, cell)| (name.trim().to_owned(), cell.to_owned()));
        rows.push((line, cells.collect()));
    }
    Ok(rows)
}

fn of_json(bytes: &[u8]) -> Result<Vec<(u64, Cells)>, TableError> {
    let list = document(bytes).map_err(TableError)?;
    let rows = list.as_array().into_iter().flatten();
    let cells = |row: &Value| {
        let members = row.as_object().into_iter().flatten();
        let cell = |(name, value): (&String, &Value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Null => String::new(),
                other => other.to_string(),
            };
            (name.clone(), text)
        };
        members.map(cell).collect()
    };
    Ok((1..).zip(rows.map(cells)).collect())
}
