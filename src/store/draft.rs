use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode};
use tempfile::NamedTempFile;

use crate::chess::{self, Fen};
use crate::event::{Event, EventId, GameAborted, GameFinished, Verified, What};
use crate::finding::Finding;
use crate::measure::NotFinite;
use crate::projection::{Game, LateCost, Projection, Source};
use crate::store::dangling::Dangling;
use crate::store::row::{insert, integer, known_text, text};
use crate::store::{calls, cohorts, corrections, eras, games, money, people, snapshot, systems};

/// The version of the tables and views. It is raised when one of them changes
/// its meaning, loses a column or gets another name.
const FORMAT: u32 = 3;

const SCHEMA: &str = include_str!("schema.sql");

/// What finds a call by its id while late costs are written, and is worth its
/// making only where there are some.
const CALLS_BY_ID: &str = "CREATE INDEX calls_by_id ON calls (id)";

/// Made once the rows are there, which is quicker than keeping them up.
const ACCESS: &str = "
    CREATE UNIQUE INDEX plies_by_game ON plies (game, ply);
    CREATE INDEX games_by_cell ON games (schedule, cell_index);
    CREATE INDEX seats_by_system ON seats (system);
    CREATE INDEX rejected_answers_by_game ON rejected_answers (game, ply, attempt);
";

/// An index that is being written, beside the one that stands.
///
/// Dropped before [`Draft::finish`] it leaves nothing behind.
pub struct Draft {
    connection: Connection,
    file: NamedTempFile,
    target: PathBuf,
    /// Where games that have ended stood then.
    final_fens: BTreeMap<EventId, Fen>,
    late_costs: Vec<LateCost>,
    /// Calls, plies and answers that name what stands nowhere before them.
    dangling: Dangling,
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
            final_fens: BTreeMap::new(),
            late_costs: Vec::new(),
            dangling: Dangling::default(),
        })
    }

    /// Applies the next event to the projection of those before it, and adds
    /// the rows that it makes.
    ///
    /// Moves and calls go to disk as they come: not all of them would fit in
    /// memory, and the projection may forget them.
    ///
    /// # Errors
    ///
    /// What `SQLite` says.
    pub fn take(
        &mut self,
        projection: &mut Projection,
        event: &Verified<Event>,
    ) -> Result<(), IndexError> {
        let (connection, dangling) = (&self.connection, &mut self.dangling);
        let named = (event.id(), event.at);
        match &event.what {
            What::MoveAccepted(accepted) => {
                games::insert_ply(connection, projection, event.id(), accepted, dangling)?;
            }
            What::MoveRejected(rejected) => {
                games::insert_rejected(connection, projection, event.id(), rejected, dangling)?;
            }
            What::GameFinished(GameFinished { game, .. })
            | What::GameAborted(GameAborted { game, .. }) => {
                let board = projection.games.game(game).and_then(Game::board);
                if let Some(board) = board {
                    self.final_fens.insert(*game, board.fen());
                }
            }
            What::CallAnswered(answered) => {
                calls::insert_answered(connection, projection, named, answered, dangling)?;
            }
            What::CallFailed(failed) => {
                calls::insert_failed(connection, projection, named, failed, dangling)?;
            }
            _ => {}
        }
        projection.apply(event);
        self.late_costs.extend(projection.costs.late());
        Ok(())
    }

    /// Adds everything else, and puts the index in its place.
    ///
    /// # Errors
    ///
    /// What the system or `SQLite` says, or that events dangle.
    pub fn finish(
        mut self,
        projection: &Projection,
        source: &Source,
    ) -> Result<Indexed, IndexError> {
        self.fill(projection, source)?;
        self.connection.execute_batch(ACCESS)?;
        self.connection.execute_batch("COMMIT")?;
        self.check_references()?;
        let indexed = Indexed {
            games: self.count("games")?,
            plies: self.count("plies")?,
            calls: self.count("calls")?,
        };
        let Self {
            connection,
            file,
            target,
            ..
        } = self;
        connection.close().map_err(|(_, error)| error)?;
        replace(file, &target).map_err(io_error(&target))?;
        Ok(indexed)
    }

    fn fill(&mut self, projection: &Projection, source: &Source) -> Result<(), IndexError> {
        let connection = &self.connection;
        for (name, value) in [
            ("format", text(FORMAT)),
            ("origin", text(&source.origin)),
            ("root", text(source.root)),
            ("size", text(source.size)),
        ] {
            insert(
                connection,
                "meta",
                vec![("name", text(name)), ("value", value)],
            )?;
        }
        for protocol in projection.systems.protocols() {
            systems::insert_protocol(connection, protocol)?;
        }
        for system in projection.systems.systems() {
            let identity = projection.payer_of(&system.id);
            systems::insert_system(connection, system, identity)?;
        }
        for schedule in projection.schedules.iter() {
            cohorts::insert_cohort(connection, projection, schedule)?;
        }
        for game in projection.games.iter() {
            let board = game.board().map(chess::Game::fen);
            let fen = self.final_fens.get(&game.id).or(board.as_ref());
            games::insert_game(connection, projection, game, fen)?;
        }
        calls::insert_in_flight(connection, projection, &mut self.dangling)?;
        if !self.late_costs.is_empty() {
            connection.execute_batch(CALLS_BY_ID)?;
            for cost in &self.late_costs {
                calls::set_late_cost(connection, cost)?;
            }
            connection.execute_batch("DROP INDEX calls_by_id")?;
        }
        cohorts::insert_standings(connection, projection, source)?;
        eras::insert_identities(connection, projection)?;
        for era in projection.eras.iter() {
            eras::insert_era(connection, projection, era)?;
        }
        for person in projection.people.iter() {
            people::insert_person(connection, person)?;
        }
        money::insert_money(connection, &projection.costs)?;
        corrections::insert_corrections(connection, &projection.corrections)?;
        snapshot::insert(connection, projection, source)?;
        for (position, finding) in projection.findings.iter().enumerate() {
            insert_finding(connection, position, finding)?;
        }
        Ok(())
    }

    /// Looks whether every row that a row names is there. What calls and answers
    /// name was looked up when they were added.
    fn check_references(&self) -> Result<(), IndexError> {
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table'";
        let mut tables = self.connection.prepare(tables)?;
        let tables = tables.query_map([], |row| row.get::<_, String>(0))?;
        let Dangling { mut rows, first } = self.dangling;
        let mut first = first.map(|(table, parent)| (table.to_owned(), parent.to_owned()));
        for table in tables {
            let table = table?;
            if ["calls", "plies", "rejected_answers"].contains(&table.as_str()) {
                continue;
            }
            let check = format!("PRAGMA foreign_key_check({table})");
            let mut check = self.connection.prepare(&check)?;
            let names = check.query_map([], |row| Ok((row.get(0)?, row.get(2)?)))?;
            for names in names {
                rows += 1;
                first.get_or_insert(names?);
            }
        }
        match first {
            None => Ok(()),
            Some((table, parent)) => Err(IndexError::Dangling {
                rows,
                table,
                parent,
            }),
        }
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

fn insert_finding(
    connection: &Connection,
    position: usize,
    finding: &Finding,
) -> Result<(), rusqlite::Error> {
    let row = vec![
        ("position", integer(position)),
        ("code", text(finding.code)),
        ("severity", text(finding.severity())),
        ("event", known_text(finding.place.event)),
        ("expected", text(&finding.expected)),
        ("found", text(&finding.found)),
        ("remedy", text(&finding.remedy)),
    ];
    insert(connection, "findings", row)
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
