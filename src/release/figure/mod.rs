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

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of ratings of so many systems with the longest names.
    fn rated(systems: usize) -> Table {
        let columns: Vec<_> = ratings::COLUMNS
            .iter()
            .map(|(column, ..)| *column)
            .collect();
        let mut table = Table::new(columns.clone());
        for place in 0..systems {
            let name = format!("{}{place}", "wide-name-".repeat(6 * (place % 3)));
            let cells = columns.iter().map(|column| match (*column, place % 3) {
                ("system", _) => name.clone(),
                ("rating_kind", 0) => "estimate".to_owned(),
                ("rating", 0) => format!("{}.500000", 1400 + place),
                ("interval_low", 0) => "1200.000000".to_owned(),
                ("interval_high", 0) => "+inf".to_owned(),
                ("rating_kind", 1) => "at_least".to_owned(),
                ("rating_kind", 2) => "at_most".to_owned(),
                ("bound", 1 | 2) => "1600.250000".to_owned(),
                ("rating" | "bound" | "interval_low" | "interval_high", _) => String::new(),
                _ => "1000".to_owned(),
            });
            table.push(cells.collect());
        }
        table
    }

    fn attribute(element: &str, name: &str) -> f64 {
        let (_, rest) = element.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    }

    /// The boxes of all texts: left, top, right and bottom.
    fn boxes(svg: &str) -> Vec<([f64; 4], &str)> {
        let texts = svg.lines().filter(|line| line.starts_with("<text "));
        let boxed = texts.map(|element| {
            let (x, y) = (attribute(element, "x"), attribute(element, "y"));
            let is_small = element.contains("class=\"small\"");
            let size = if is_small { 11.0 } else { 13.0 };
            let text = element.split_once('>').unwrap().1;
            let text = text.strip_suffix("</text>").unwrap();
            let width = 0.62 * size * f64::from(u32::try_from(text.chars().count()).unwrap());
            let left = match () {
                () if element.contains("\"end\"") => x - width,
                () if element.contains("\"middle\"") => x - width / 2.0,
                () => x,
            };
            ([left, y - 0.8 * size, left + width, y + 0.2 * size], text)
        });
        boxed.collect()
    }

    #[test]
    fn no_text_of_a_figure_lies_on_another_or_beyond_its_edge() {
        for systems in [0, 1, 3, 12] {
            let table = rated(systems);
            let figure = Figure {
                title: "Ratings".to_owned(),
                heading: vec!["a heading of many words ".repeat(12)],
                notes: vec!["a note ".repeat(40)],
                table,
                draw: ratings::draw,
            };
            let svg = String::from_utf8(sheet::Sheet::of(&figure)).unwrap();
            let boxes = boxes(&svg);
            assert!(systems * 3 < boxes.len(), "{systems}");
            for (place, ([left, top, right, bottom], text)) in boxes.iter().enumerate() {
                assert!(0.0 <= *left && *right <= 900.0, "{text}");
                for ([l, t, r, b], other) in &boxes[place + 1..] {
                    let is_apart = right <= l || r <= left || bottom <= t || b <= top;
                    assert!(is_apart, "{text:?} and {other:?}");
                }
            }
            // A bound is an arrow and no dot.
            let count = |what: &str| svg.matches(what).count();
            assert_eq!(count("<circle"), systems.div_ceil(3), "{systems}");
            assert_eq!(count("<polygon"), systems, "{systems}");
            assert_eq!(count("<text"), count("</text>"));
        }
    }
}
