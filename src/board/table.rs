use std::fmt;
use std::str::FromStr;

/// Columns and cells, as texts: the one form from which every rendering is made,
/// so that the table on a screen and its CSV cannot differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    columns: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table without rows.
    pub const fn new(columns: Vec<&'static str>) -> Self {
        Self {
            columns,
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
        self.columns.extend(columns);
        for (row, more) in self.rows.iter_mut().zip(cells) {
            row.extend(more);
        }
        self
    }

    /// The headings.
    pub fn columns(&self) -> &[&'static str] {
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
                .map(|(column, cell)| ((*column).to_owned(), cell.as_str().into()))
                .collect()
        })
        .collect()
    }

    /// Returns RFC 4180 CSV with a heading and newlines for line ends.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::Any(b'\n'))
            .from_writer(Vec::new());
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(String::as_str).collect());
        for record in std::iter::once(self.columns.clone()).chain(rows) {
            // Writing to memory does not fail, and every record has one length.
            drop(writer.write_record(record));
        }
        writer.into_inner().unwrap_or_default()
    }

    /// Returns a GitHub-flavored Markdown table with aligned columns.
    pub fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|");
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let cells = self
                    .rows
                    .iter()
                    .map(|row| cell(&row[column]).chars().count());
                cells
                    .chain([self.columns[column].chars().count(), 3])
                    .max()
                    .unwrap_or(3)
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = String>| {
            let padded: Vec<_> = cells
                .zip(&widths)
                .map(|(text, width)| format!("{text:<width$}"))
                .collect();
            format!("| {} |\n", padded.join(" | "))
        };
        let mut text = line(&mut self.columns.iter().map(|column| cell(column)));
        text += &line(&mut widths.iter().map(|width| "-".repeat(*width)));
        for row in &self.rows {
            text += &line(&mut row.iter().map(|text| cell(text)));
        }
        text
    }
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
