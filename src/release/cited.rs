//! The numbers of claims, held against the tables that they name.

use std::collections::BTreeMap;

use crate::board::Table;
use crate::event::{ClaimFigure, GeneratorRef};
use crate::projection::{Projection, Source};
use crate::release::{CLAIMS, generate};

/// The tables that claims name, each made once, from one prefix.
pub struct Figures<'a> {
    projection: &'a Projection,
    source: &'a Source,
    made: BTreeMap<GeneratorRef, Result<Table, String>>,
}

/// What the table of a figure says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The cell prints this.
    Value(String),
    /// There is no such table, row or column: why, in words.
    Nothing(String),
}

impl<'a> Figures<'a> {
    /// The tables of this prefix.
    pub const fn new(projection: &'a Projection, source: &'a Source) -> Self {
        Self {
            projection,
            source,
            made: BTreeMap::new(),
        }
    }

    /// What stands where a figure says that its number stands.
    pub fn find(&mut self, figure: &ClaimFigure) -> Found {
        let table = match self.table(&figure.generator) {
            Ok(table) => table,
            Err(why) => return Found::Nothing(why.clone()),
        };
        let place = |name: &str| table.columns().iter().position(|column| column == name);
        let Some(column) = place(&figure.column) else {
            return Found::Nothing(format!(
                "no column {} in {}: {}",
                figure.column,
                figure.generator.name,
                table.columns().join(", ")
            ));
        };
        let mut keys = Vec::new();
        for key in &figure.row {
            match place(&key.name) {
                Some(at) => keys.push((at, &key.value)),
                None => {
                    return Found::Nothing(format!(
                        "no column {} in {}: {}",
                        key.name,
                        figure.generator.name,
                        table.columns().join(", ")
                    ));
                }
            }
        }
        let is_meant =
            |row: &&Vec<String>| keys.iter().all(|(at, value)| row.get(*at) == Some(value));
        let rows: Vec<_> = table.rows().iter().filter(is_meant).collect();
        match rows.as_slice() {
            [row] => Found::Value(row.get(column).cloned().unwrap_or_default()),
            rows => Found::Nothing(format!(
                "{} rows of {} in which {}",
                rows.len(),
                figure.generator.name,
                row_in_words(figure)
            )),
        }
    }

    /// What is wrong with the number of a figure: what the table says instead;
    /// nothing where it says the same.
    pub fn differing(&mut self, figure: &ClaimFigure) -> Option<Found> {
        let found = self.find(figure);
        let is_same = matches!(&found, Found::Value(value) if *value == figure.value);
        (!is_same).then_some(found)
    }

    fn table(&mut self, generator: &GeneratorRef) -> &Result<Table, String> {
        let (projection, source) = (self.projection, self.source);
        let made = self.made.entry(generator.clone());
        made.or_insert_with(|| {
            if generator.name.as_str() == CLAIMS {
                // It would stand on itself.
                return Err("the table of claims is no evidence for a claim".to_owned());
            }
            if generator.argument("format") != Some("csv") {
                return Err(format!("{} is not asked for as csv", generator.name));
            }
            let bytes =
                generate(generator, projection, source).map_err(|error| error.to_string())?;
            Table::read_csv(&bytes).ok_or_else(|| format!("{} gives no table", generator.name))
        })
    }
}

impl Found {
    /// For people: what is there.
    pub fn in_words(&self) -> String {
        match self {
            Self::Value(value) if value.is_empty() => "an empty cell".to_owned(),
            Self::Value(value) => value.clone(),
            Self::Nothing(why) => why.clone(),
        }
    }
}

/// What picks the row of a figure, in words.
fn row_in_words(figure: &ClaimFigure) -> String {
    let keys = figure.row.iter();
    let keys: Vec<_> = keys
        .map(|key| format!("{}={}", key.name, key.value))
        .collect();
    keys.join(", ")
}

/// Where a figure stands, in words: its table, its row and its column.
pub fn figure_in_words(figure: &ClaimFigure) -> String {
    let generator = &figure.generator;
    let arguments = generator.arguments.iter();
    let arguments: Vec<_> = arguments
        .filter(|argument| argument.name != "format")
        .map(|argument| format!(" {}", argument.value))
        .collect();
    format!(
        "{}@{}{}: {}, {}",
        generator.name,
        generator.version,
        arguments.concat(),
        row_in_words(figure),
        figure.column
    )
}
