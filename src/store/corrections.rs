use rusqlite::Connection;

use crate::projection::Corrections;
use crate::store::row::{insert, integer, text};

/// Adds what corrections say, and of which events.
pub(crate) fn insert_corrections(
    connection: &Connection,
    corrections: &Corrections,
) -> Result<(), rusqlite::Error> {
    for correction in corrections.iter() {
        let recorded = &correction.recorded;
        let row = vec![
            ("id", text(correction.id)),
            ("ledger_index", integer(correction.index)),
            ("at", text(correction.at)),
            ("recorded_by", text(&correction.by)),
            ("change", text(recorded.change.as_str())),
            ("reason", text(&recorded.reason)),
            ("evidence", text(&recorded.evidence)),
            ("is_in_effect", integer(i64::from(correction.is_in_effect))),
        ];
        insert(connection, "corrections", row)?;
        for (position, target) in recorded.targets.iter().enumerate() {
            let row = vec![
                ("correction", text(correction.id)),
                ("position", integer(position)),
                ("target", text(target)),
            ];
            insert(connection, "correction_targets", row)?;
        }
    }
    Ok(())
}
