use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::chess::{self, Fen};
use crate::event::{Event, EventId, GameAborted, GameFinished, Verified, What};
use crate::finding::Finding;
use crate::projection::{Game, LateCost, Projection, Source};
use crate::store::calls::{self, CallRows};
use crate::store::dangling::Dangling;
use crate::store::draft::IndexError;
use crate::store::row::{Insert, insert, integer, known_text, text};
use crate::store::{
    anchored, cohorts, corrections, eras, games, money, people, positions, puzzles, snapshot,
    systems,
};

/// The version of the tables and views. It is raised when one of them changes
/// its meaning, loses a column or gets another name.
const FORMAT: u32 = 4;

/// What finds a call by its id while late costs are written, and is worth its
/// making only where there are some.
const CALLS_BY_ID: &str = "CREATE INDEX calls_by_id ON calls (id)";

/// The tables that grow with the moves: see [`Dangling`].
const LOOKED_UP: [&str; 4] = [
    "calls",
    "plies",
    "rejected_answers",
    "position_measurements",
];

/// Made once the rows are there, which is quicker than keeping them up.
const ACCESS: &str = "
    CREATE UNIQUE INDEX plies_by_game ON plies (game, ply);
    CREATE INDEX games_by_cell ON games (schedule, cell_index);
    CREATE INDEX seats_by_system ON seats (system);
    CREATE INDEX rejected_answers_by_game ON rejected_answers (game, ply, attempt);
";

/// The rows of an index that is being written, as the ledger is read.
pub struct Filling<'a> {
    connection: &'a Connection,
    calls: CallRows<'a>,
    plies: Insert<'a>,
    measurements: Insert<'a>,
    /// Where games that have ended stood then.
    final_fens: BTreeMap<EventId, Fen>,
    late_costs: Vec<LateCost>,
    /// Calls, plies and answers that name what stands nowhere before them.
    dangling: Dangling,
}

impl<'a> Filling<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self {
            connection,
            calls: CallRows::new(connection),
            plies: Insert::new(connection, "plies"),
            measurements: Insert::new(connection, "position_measurements"),
            final_fens: BTreeMap::new(),
            late_costs: Vec::new(),
            dangling: Dangling::default(),
        }
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
        let (connection, dangling) = (self.connection, &mut self.dangling);
        let named = (event.id(), event.at);
        match &event.what {
            What::MoveAccepted(accepted) => {
                let plies = &mut self.plies;
                games::insert_ply(plies, projection, event.id(), accepted, dangling)?;
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
                let calls = &mut self.calls;
                calls.insert_answered(projection, named, answered, dangling)?;
            }
            What::CallFailed(failed) => {
                let calls = &mut self.calls;
                calls.insert_failed(projection, named, failed, dangling)?;
            }
            What::PositionMeasured(measured) => {
                let rows = &mut self.measurements;
                anchored::insert_measurement(rows, projection, event.id(), measured, dangling)?;
            }
            What::TablebaseProbed(probed) => {
                anchored::insert_probe(connection, projection.size, event.id(), probed)?;
            }
            _ => {}
        }
        projection.apply(event);
        self.late_costs.extend(projection.costs.late());
        Ok(())
    }

    /// Adds everything else, and looks whether what the rows name is there.
    ///
    /// # Errors
    ///
    /// What `SQLite` says, or that events dangle.
    pub fn finish(mut self, projection: &Projection, source: &Source) -> Result<(), IndexError> {
        self.fill(projection, source)?;
        self.connection.execute_batch(ACCESS)?;
        self.connection.execute_batch("COMMIT")?;
        self.check_references()
    }

    fn fill(&mut self, projection: &Projection, source: &Source) -> Result<(), IndexError> {
        let connection = self.connection;
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
        for anchor in projection.anchors.iter() {
            anchored::insert_anchor(connection, anchor)?;
        }
        for schedule in projection.schedules.iter() {
            cohorts::insert_cohort(connection, projection, schedule)?;
            anchored::insert_cohort_anchors(connection, schedule)?;
        }
        for game in projection.games.iter() {
            let board = game.board().map(chess::Game::fen);
            let fen = self.final_fens.get(&game.id).or(board.as_ref());
            games::insert_game(connection, projection, game, fen)?;
        }
        self.calls
            .insert_in_flight(projection, &mut self.dangling)?;
        if !self.late_costs.is_empty() {
            connection.execute_batch(CALLS_BY_ID)?;
            for cost in &self.late_costs {
                calls::set_late_cost(connection, cost)?;
            }
            connection.execute_batch("DROP INDEX calls_by_id")?;
        }
        cohorts::insert_standings(connection, projection, source)?;
        anchored::insert_anchored_standings(connection, projection, source)?;
        eras::insert_identities(connection, projection)?;
        for era in projection.eras.iter() {
            eras::insert_era(connection, projection, era)?;
        }
        for person in projection.people.iter() {
            people::insert_person(connection, person)?;
        }
        puzzles::insert_puzzles(connection, projection)?;
        positions::insert_positions(connection, projection)?;
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
            if LOOKED_UP.contains(&table.as_str()) {
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
