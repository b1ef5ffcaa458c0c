//! Figures: pictures of frozen tables, as SVG text.
//!
//! A figure has two formats. `csv` is the table that it is drawn from, and `svg`
//! is drawn from the cells of that very table; it names the digest of the table.
//! Coordinates are integers or have one digit: same table, same bytes.

mod costs;
mod drawing;
mod fixed;
mod ratings;
mod reliability;
mod sheet;

use crate::board::Table;
use crate::release::GenerateError;
use crate::release::asked::Asked;

pub(crate) use costs::costs;
pub(crate) use ratings::ratings;
pub(crate) use reliability::reliability;

/// A picture of a table.
struct Figure {
    /// What it is, in a few words.
    title: String,
    /// What it follows from, and what its marks are, a line each.
    heading: Vec<String>,
    /// What it does not say.
    notes: Vec<String>,
    /// What it is drawn from.
    table: Table,
    /// Draws the table below the heading, and says it in words.
    draw: fn(&mut sheet::Sheet, &Table) -> Vec<String>,
}

impl Figure {
    /// The bytes of this format.
    fn written(self, asked: &Asked<'_>) -> Vec<u8> {
        match asked.format_name() {
            "svg" => sheet::Sheet::of(&self),
            _ => self.table.csv(),
        }
    }
}

/// The prefix that a figure follows from, as a line of its heading.
fn prefix_in_words(asked: &Asked<'_>) -> String {
    let source = asked.source;
    format!(
        "From the first {} events of {}, root {}",
        source.size, source.origin, source.root
    )
}

/// What making a figure gives.
type Made = Result<Vec<u8>, GenerateError>;

/// The text in this column of a row; none where there is no such column.
fn cell<'a>(table: &'a Table, row: &'a [String], column: &str) -> &'a str {
    let place = table.columns().iter().position(|one| one == column);
    let cell = place.and_then(|place| row.get(place));
    cell.map_or("", String::as_str)
}
