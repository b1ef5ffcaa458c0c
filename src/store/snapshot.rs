use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};

use crate::digest::{Digest, Root};
use crate::event::Origin;
use crate::projection::{Projection, Source};

/// The version of what is stored, and of the program that makes sense of it: a
/// fold that changed its mind must not go on from what it thought before.
const FORMAT: &str = concat!("6, scoresheet ", env!("CARGO_PKG_VERSION"));

/// A projection that an index stores, so that the next fold need not begin with
/// the first event. It is a cache like the rest of the index: whatever is wrong
/// with it, a fold from nothing says the same.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The ledger.
    pub origin: Origin,
    /// How many events the projection follows from.
    pub size: u64,
    /// The root over them.
    pub root: Root,
    text: String,
}

/// SQLite takes no text of a billion bytes; a longer one is not stored.
const TEXT_MAX: usize = 900_000_000;

/// Stores a projection, where it can be read back as it is.
///
/// One with findings is not stored, nor one that does not know every call that
/// an event spoke of: what follows from those, only a fold from nothing tells.
pub(crate) fn insert(
    connection: &Connection,
    projection: &Projection,
    source: &Source,
) -> Result<(), rusqlite::Error> {
    if !projection.is_forgetful()
        || !projection.knows_every_call()
        || !projection.findings.is_empty()
        || !projection.answered.is_empty()
    {
        return Ok(());
    }
    let Ok(text) = serde_json::to_string(projection) else {
        return Ok(());
    };
    if TEXT_MAX < text.len() {
        return Ok(());
    }
    let again = serde_json::from_str(&text);
    if again.ok().as_ref() != Some(projection) {
        return Ok(());
    }
    connection
        .prepare("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?, ?)")?
        .execute(params![
            FORMAT,
            source.origin.to_string(),
            i64::try_from(source.size).unwrap_or(i64::MAX),
            source.root.to_string(),
            Digest::of(text.as_bytes()).to_string(),
            text,
        ])
        .map(drop)
}

impl Snapshot {
    /// Reads the snapshot of the index in this file; nothing where there is no
    /// index, or none in it that this program would go on from.
    ///
    /// # Errors
    ///
    /// Why it cannot be used, in words.
    pub fn read(index: &Path) -> Result<Option<Self>, String> {
        match index.symlink_metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Ok(_) | Err(_) => {}
        }
        let row = select(index).map_err(|error| error.to_string())?;
        let Some([origin, size, root, sha256, text]) = row else {
            return Ok(None);
        };
        if Digest::of(text.as_bytes()).to_string() != sha256 {
            return Err("its snapshot was changed".to_owned());
        }
        match (origin.parse(), size.parse(), root.parse()) {
            (Ok(origin), Ok(size), Ok(root)) => Ok(Some(Self {
                origin,
                size,
                root,
                text,
            })),
            _ => Err("its snapshot makes no sense".to_owned()),
        }
    }

    /// Returns the projection.
    ///
    /// # Errors
    ///
    /// Why there is none, in words.
    pub fn projection(&self) -> Result<Projection, String> {
        let projection: Projection = serde_json::from_str(&self.text)
            .map_err(|error| format!("its snapshot makes no sense: {error}"))?;
        if projection.size == self.size && projection.is_forgetful() {
            Ok(projection)
        } else {
            Err("its snapshot is not of the size that it says".to_owned())
        }
    }
}

/// The row of this format, as texts.
fn select(index: &Path) -> Result<Option<[String; 5]>, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(index, flags)?;
    let has_table = "SELECT 1 FROM sqlite_schema WHERE name = 'snapshot' AND type = 'table'";
    let has_table = connection.query_row(has_table, [], |_| Ok(())).optional()?;
    if has_table.is_none() {
        return Ok(None);
    }
    connection
        .query_row(
            "SELECT origin, CAST(size AS TEXT), root, sha256, projection FROM snapshot
            WHERE format = ?",
            [FORMAT],
            |row| {
                Ok([
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                ])
            },
        )
        .optional()
}
