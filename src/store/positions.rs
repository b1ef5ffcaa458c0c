use rusqlite::Connection;

use crate::chess::RejectionClass;
use crate::projection::{PositionList, PositionRun, Projection};
use crate::store::draft::IndexError;
use crate::store::row::{insert, integer, known_text, text};

/// Adds lists with their positions, and what was answered to them.
pub(crate) fn insert_positions(
    connection: &Connection,
    projection: &Projection,
) -> Result<(), IndexError> {
    for list in projection.positions.lists() {
        insert_list(connection, list)?;
        for run in projection.positions.runs(&list.id) {
            insert_run(connection, projection, run)?;
        }
    }
    Ok(())
}

fn insert_list(connection: &Connection, list: &PositionList) -> Result<(), IndexError> {
    let registered = &list.registered;
    let row = vec![
        ("id", text(list.id)),
        ("ledger_index", integer(list.index)),
        ("name", text(&registered.name)),
        ("sha256", text(registered.digest())),
        ("source_sha256", text(registered.source_sha256)),
        ("positions", integer(registered.positions.len())),
    ];
    insert(connection, "position_lists", row)?;
    for (place, listed) in registered.positions.iter().enumerate() {
        let row = vec![
            ("dataset", text(list.id)),
            ("place", integer(place)),
            ("position", text(&listed.id)),
            ("fen", text(&listed.fen)),
        ];
        insert(connection, "listed_positions", row)?;
    }
    Ok(())
}

fn insert_run(
    connection: &Connection,
    projection: &Projection,
    run: &PositionRun,
) -> Result<(), IndexError> {
    for answer in run.answers() {
        let answered = &answer.answered;
        let counts = !projection.corrections.is_excluded(&answer.id);
        let row = vec![
            ("id", text(answer.id)),
            ("ledger_index", integer(answer.index)),
            ("dataset", text(answered.dataset)),
            ("position", text(&answered.position)),
            ("protocol", text(answered.protocol)),
            ("condition", text(&answered.condition)),
            ("system", text(answered.system)),
            ("call", known_text(answer.call)),
            ("uci", known_text(answered.uci)),
            (
                "class",
                known_text(answered.class.map(RejectionClass::as_str)),
            ),
            ("extracted", known_text(answered.extracted.as_ref())),
            ("is_contradicted", integer(u8::from(answer.is_contradicted))),
            ("counts", integer(u8::from(counts))),
        ];
        insert(connection, "cell_answers", row)?;
    }
    Ok(())
}
