use rusqlite::Connection;

use crate::measure::decimal;
use crate::projection::Person;
use crate::store::draft::IndexError;
use crate::store::row::{insert, integer, text};

/// Adds a person with what each of their games did to their Elo.
pub(crate) fn insert_person(connection: &Connection, person: &Person) -> Result<(), IndexError> {
    let row = vec![
        ("id", text(person.id)),
        ("ledger_index", integer(person.index)),
        ("issuer", text(&person.registered.issuer)),
        ("video", text(person.video.as_str())),
        ("elo", text(decimal(person.elo, 6)?)),
    ];
    insert(connection, "people", row)?;
    for (position, played) in person.games.iter().enumerate() {
        let row = vec![
            ("person", text(person.id)),
            ("position", integer(position)),
            ("game", text(played.game)),
            ("color", text(played.color)),
            ("opponent_rating", text(decimal(played.opponent, 6)?)),
            ("elo_before", text(decimal(played.before, 6)?)),
            ("elo_after", text(decimal(played.after, 6)?)),
        ];
        insert(connection, "human_games", row)?;
    }
    Ok(())
}
