//! A published table beside the games that were imported with it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::cli::error::CliError;
use crate::cli::files::read_whole;
use crate::event::{EventId, What};
use crate::finding::Finding;
use crate::import::{JudgedFigure, PublishedTable};
use crate::ledger::{Disk, Prefix};

/// The table that is judged, and what its columns are called.
#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsArgs {
    /// A table that was published of these games, CSV with a heading or a JSON list
    /// of objects: each figure of it is held against the games, row by row. A row
    /// is known by its column `name`, a player or a model.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    claims: Option<PathBuf>,

    /// The column of the table that has a figure, where it is not called like it,
    /// such as `name=Player` or `wins=Won`.
    #[arg(long, value_name = "FIGURE=COLUMN", value_parser = parse_column, requires = "claims")]
    column: Vec<(String, String)>,
}

/// A table, judged.
pub(crate) struct Judged {
    pub(crate) figures: Vec<JudgedFigure>,
    pub(crate) findings: Vec<Finding>,
}

/// A published table is never longer.
const TABLE_BYTES_MAX: u64 = 1 << 24;

fn parse_column(text: &str) -> Result<(String, String), String> {
    let (figure, column) = text
        .split_once('=')
        .ok_or_else(|| "expected FIGURE=COLUMN, such as wins=Won".to_owned())?;
    Ok((figure.to_owned(), column.to_owned()))
}

impl ClaimsArgs {
    /// Reads the table, where there is one.
    pub(crate) fn read(&self) -> Result<Option<PublishedTable>, CliError> {
        let Some(path) = &self.claims else {
            return Ok(None);
        };
        let bytes = read_whole(path, "the table", TABLE_BYTES_MAX)?;
        let file = path.display().to_string();
        let table = PublishedTable::read(&bytes, &file, &self.column);
        let table = table.map_err(|error| CliError::Input(format!("{file}: {error}")))?;
        Ok(Some(table))
    }
}

impl Judged {
    /// Judges the table by the games of these sources, as the ledger has them.
    pub(crate) fn of(
        mut table: PublishedTable,
        imports: &BTreeSet<EventId>,
        disk: &Disk,
    ) -> Result<Self, CliError> {
        let prefix = Prefix::open(disk)?;
        prefix.read(prefix.size(), |_, event| {
            if let What::GameImported(game) = &event.what
                && imports.contains(&game.import)
            {
                table.take(game);
            }
        })?;
        let figures = table.judge();
        let findings = table.findings(&figures);
        Ok(Self { figures, findings })
    }
}
