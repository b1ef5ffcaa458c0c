use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// Columns and cells, as texts: the one form from which every rendering is made,
/// so that the table on a screen and its CSV cannot differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    columns: Vec<Cow<'static, str>>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table without rows.
    pub fn new(columns: Vec<impl Into<Cow<'static, str>>>) -> Self {
        Self {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row of as many cells as there are columns.
    ///
    /// # Panics
    ///
    /// When it has another number of cells.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.columns.len(), "one cell a column");
        self.rows.push(row);
    }

    /// Returns the table with more columns on its right, a list of cells a row.
    pub(crate) fn beside(mut self, columns: &[&'static str], cells: Vec<Vec<String>>) -> Self {
        self.columns
            .extend(columns.iter().map(|column| Cow::from(*column)));
        for (row, more) in self.rows.iter_mut().zip(cells) {
            row.extend(more);
        }
        self
    }

    /// The headings.
    pub fn columns(&self) -> &[Cow<'static, str>] {
        &self.columns
    }

    /// The cells.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Returns the rows as JSON objects; a cell without text is left out.
    pub fn objects(&self) -> Vec<serde_json::Map<String, serde_json::Value>> {
        let rows = self.rows.iter();
        rows.map(|row| {
            let cells = self.columns.iter().zip(row);
            // What is not known is left out: an empty text would be a value.
            let known = cells.filter(|(_, cell)| !cell.is_empty());
            known
                .map(|(column, cell)| (column.to_string(), cell.as_str().into()))
                .collect()
        })
        .collect()
    }

    /// Returns RFC 4180 CSV with a heading and newlines for line ends.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::Any(b'\n'))
            .from_writer(Vec::new());
        // Writing to memory does not fail, and every record has one length.
        drop(writer.write_record(self.columns.iter().map(Cow::as_ref)));
        for row in &self.rows {
            drop(writer.write_record(row));
        }
        writer.into_inner().unwrap_or_default()
    }

    /// Reads a table back from its CSV; nothing where it is none.
    pub fn read_csv(bytes: &[u8]) -> Option<Self> {
        let mut reader = csv::Reader::from_reader(bytes);
        let columns = reader.headers().ok()?.iter().map(str::to_owned);
        let mut table = Self::new(columns.collect());
        for row in reader.records() {
            // Rows of another length are an error of the reader.
            table.push(row.ok()?.iter().map(str::to_owned).collect());
        }
        Some(table)
    }

    /// Returns a GitHub-flavored Markdown table with aligned columns.
    pub fn markdown(&self) -> String {
        let columns: Vec<_> = (0..self.columns.len()).collect();
        self.markdown_of(&columns)
    }

    /// Returns the same as several tables, none of them wider than so many
    /// characters where that is possible. Each begins with the first column.
    pub fn markdown_within(&self, width: usize) -> Vec<String> {
        let widths: Vec<_> = (0..self.columns.len())
            .map(|column| self.width_of(column))
            .collect();
        let Some((first, others)) = widths.split_first() else {
            return Vec::new();
        };
        let begin = first + 4;
        let (mut blocks, mut block, mut taken) = (Vec::new(), vec![0], begin);
        for (column, other) in (1..).zip(others) {
            if width < taken + other + 3 && 1 < block.len() {
                blocks.push(self.markdown_of(&block));
                (block, taken) = (vec![0], begin);
            }
            block.push(column);
            taken += other + 3;
        }
        blocks.push(self.markdown_of(&block));
        blocks
    }

    fn width_of(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let cells = cells.map(|text| escaped(text).chars().count());
        let heading = self.columns.get(column);
        let heading = heading.map_or(0, |heading| escaped(heading).chars().count());
        cells.chain([heading, 3]).max().unwrap_or(3)
    }

    fn markdown_of(&self, columns: &[usize]) -> String {
        let widths: Vec<_> = columns
            .iter()
            .map(|column| self.width_of(*column))
            .collect();
        let line = |cells: &mut dyn Iterator<Item = String>| {
            let padded: Vec<_> = cells
                .zip(&widths)
                .map(|(text, width)| format!("{text:<width$}"))
                .collect();
            format!("| {} |\n", padded.join(" | "))
        };
        let headings = columns
            .iter()
            .filter_map(|column| self.columns.get(*column));
        let mut text = line(&mut headings.map(|heading| escaped(heading)));
        text += &line(&mut widths.iter().map(|width| "-".repeat(*width)));
        for row in &self.rows {
            let cells = columns.iter().filter_map(|column| row.get(*column));
            text += &line(&mut cells.map(|cell| escaped(cell)));
        }
        text
    }
}

/// What a cell of a Markdown table says.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|")
}

/// How a board is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// For a terminal.
    Text,
    /// With every figure and its unit.
    Json,
    /// With every figure.
    Csv,
    /// For a page.
    Markdown,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Text, Self::Json, Self::Csv, Self::Markdown];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of text, json, csv and markdown")]
pub struct ParseFormatError;

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, ParseFormatError> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == text)
            .ok_or(ParseFormatError)
    }
}
