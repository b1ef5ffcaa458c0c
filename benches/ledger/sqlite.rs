use std::path::Path;

use rusqlite::Connection;
use scoresheet::event::{Event, EventId, Verified};

/// Events as rows with a position and a unique id, each batch durable.
pub(crate) struct Table {
    database: Connection,
}

impl Table {
    pub(crate) fn new(folder: &Path) -> Self {
        let database = Connection::open(folder.join("events.sqlite")).unwrap();
        database
            .execute_batch(
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
                 CREATE TABLE event(
                     position INTEGER PRIMARY KEY, id BLOB UNIQUE NOT NULL, line TEXT NOT NULL
                 );",
            )
            .unwrap();
        Self { database }
    }

    pub(crate) fn insert<'a>(&mut self, batch: impl IntoIterator<Item = &'a Verified<Event>>) {
        let transaction = self.database.transaction().unwrap();
        {
            let mut insert = transaction
                .prepare_cached("INSERT INTO event(id, line) VALUES (?1, ?2)")
                .unwrap();
            for line in batch {
                let id = EventId::of(line.line().as_bytes());
                insert
                    .execute((id.digest().as_bytes(), line.line()))
                    .unwrap();
            }
        }
        transaction.commit().unwrap();
    }
}
