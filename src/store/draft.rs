use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode};
use tempfile::NamedTempFile;

use crate::measure::NotFinite;
use crate::store::filling::Filling;

const SCHEMA: &str = include_str!("schema.sql");

/// An index that is being written, beside the one that stands.
///
/// Dropped before [`Draft::finish`] it leaves nothing behind.
pub struct Draft {
    connection: Connection,
    file: NamedTempFile,
    target: PathBuf,
}

/// What a finished index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// Games, of any state.
    pub games: u64,
    /// Accepted moves.
    pub plies: u64,
    /// Calls, of any state.
    pub calls: u64,
}

/// Why there is no new index. The old one stands as it was.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The system says no.
    #[error("cannot write the index {}: {source}", target.display())]
    Io {
        /// The index.
        target: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// `SQLite` says no.
    #[error("cannot write the index: {0}")]
    Sqlite(rusqlite::Error),
    /// Two rows claim one key.
    #[error(
        "the evidence does not fit the tables of the index ({0}): a line stands in the ledger twice, and `scoresheet verify` names it"
    )]
    Twice(rusqlite::Error),
    /// A row names another that is not there.
    #[error(
        "{rows} rows of the index name rows that are not there, the first a row of `{table}` that names one of `{parent}`: events of this ledger dangle, and `scoresheet verify` names them"
    )]
    Dangling {
        /// The number of such rows.
        rows: usize,
        /// The table of the first one.
        table: String,
        /// The table that should have what it names.
        parent: String,
    },
    /// A rating is no finite number.
    #[error("a rating cannot be printed: {0}")]
    Rating(#[from] NotFinite),
    /// A board has no figures.
    #[error("the board of cohort {cohort} cannot be printed: {reason}")]
    Board {
        /// The cohort.
        cohort: String,
        /// Why.
        reason: String,
    },
}

impl IndexError {
    /// Whether the events are at fault, and not the way to the index.
    pub const fn is_of_evidence(&self) -> bool {
        match self {
            Self::Twice(_) | Self::Dangling { .. } | Self::Rating(_) | Self::Board { .. } => true,
            Self::Io { .. } | Self::Sqlite(_) => false,
        }
    }
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) {
            Self::Twice(error)
        } else {
            Self::Sqlite(error)
        }
    }
}

impl Draft {
    /// Begins an index that will stand in this file.
    ///
    /// # Errors
    ///
    /// What the system or `SQLite` says.
    pub fn begin(target: &Path) -> Result<Self, IndexError> {
        let folder = folder_of(target);
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let file = tempfile::Builder::new()
            .prefix(&format!("{name}-making-"))
            .permissions(fs::Permissions::from_mode(0o644))
            .tempfile_in(folder)
            .map_err(io_error(target))?;
        let connection = Connection::open(file.path())?;
        connection.set_prepared_statement_cache_capacity(64);
        // A draft that breaks off is thrown away, so nothing has to be undone,
        // and the references are checked once at the end.
        connection.execute_batch(
            "PRAGMA page_size = 16384; PRAGMA cache_size = -131072;
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;",
        )?;
        connection.execute_batch(SCHEMA)?;
        connection.execute_batch("BEGIN")?;
        Ok(Self {
            connection,
            file,
            target: target.to_owned(),
        })
    }

    /// Begins to fill it.
    pub fn filling(&self) -> Filling<'_> {
        Filling::new(&self.connection)
    }

    /// Puts the index, filled, in its place.
    ///
    /// # Errors
    ///
    /// What the system or `SQLite` says.
    pub fn finish(self) -> Result<Indexed, IndexError> {
        let indexed = Indexed {
            games: self.count("games")?,
            plies: self.count("plies")?,
            calls: self.count("calls")?,
        };
        let Self {
            connection,
            file,
            target,
        } = self;
        connection.close().map_err(|(_, error)| error)?;
        replace(file, &target).map_err(io_error(&target))?;
        Ok(indexed)
    }

    fn count(&self, table: &str) -> Result<u64, IndexError> {
        let rows: i64 =
            self.connection
                .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                    row.get(0)
                })?;
        Ok(u64::try_from(rows).unwrap_or_default())
    }
}

/// Puts a whole file in the place of the one that stands there.
fn replace(file: NamedTempFile, target: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    // What somebody's SQLite left beside the old file would be taken for a
    // part of the new one.
    for suffix in ["-journal", "-wal", "-shm"] {
        let mut left = target.as_os_str().to_owned();
        left.push(suffix);
        match fs::remove_file(&left) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    file.persist(target)?;
    File::open(folder_of(target))?.sync_all()
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn io_error(target: &Path) -> impl FnOnce(io::Error) -> IndexError {
    let target = target.to_owned();
    move |source| IndexError::Io { target, source }
}
