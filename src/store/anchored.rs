use rusqlite::Connection;
use rusqlite::types::Value;

use crate::board::{AnchoredBoard, BoardError, anchored_figures};
use crate::canonical::Integer;
use crate::event::{EventId, PositionMeasured};
use crate::projection::{Anchor, Projection, Schedule, Source};
use crate::store::draft::IndexError;
use crate::store::row::{insert, integer, known_count, known_integer, known_text, text};

/// Adds an anchor.
pub(crate) fn insert_anchor(
    connection: &Connection,
    anchor: &Anchor,
) -> Result<(), rusqlite::Error> {
    let registered = &anchor.registered;
    let row = vec![
        ("id", text(anchor.id)),
        ("ledger_index", integer(anchor.index)),
        ("system", text(registered.system)),
        ("rating", text(registered.rating)),
        ("basis", text(registered.basis.as_str())),
        ("fit", known_text(registered.fit)),
    ];
    insert(connection, "anchors", row)
}

/// Adds the anchors of a cohort.
pub(crate) fn insert_cohort_anchors(
    connection: &Connection,
    schedule: &Schedule,
) -> Result<(), rusqlite::Error> {
    for (position, seat) in schedule.committed.anchors.iter().enumerate() {
        let row = vec![
            ("schedule", text(schedule.id)),
            ("position", integer(position)),
            ("anchor", text(seat.anchor)),
            ("system", text(seat.system)),
        ];
        insert(connection, "cohort_anchors", row)?;
    }
    Ok(())
}

/// Adds the ratings of every cohort that is measured against anchors.
pub(crate) fn insert_anchored_standings(
    connection: &Connection,
    projection: &Projection,
    source: &Source,
) -> Result<(), IndexError> {
    for name in projection.schedules.cohort_names() {
        let board = match AnchoredBoard::of(projection, name.as_str(), source.clone()) {
            Ok(board) => board,
            // A cohort that is not measured against anchors has no such ratings.
            Err(
                BoardError::NoCohort { .. }
                | BoardError::NoScale { .. }
                | BoardError::Placement { .. },
            ) => continue,
        };
        if let Some(schedule) = projection.schedules.cohort(name.as_str()) {
            insert_board(connection, schedule, &board)?;
        }
    }
    Ok(())
}

/// The columns that are copied: what SQL cannot add up, and what does not hang
/// on moves and calls, which a projection may have forgotten.
const COPIED: [&str; 16] = [
    "rating_kind",
    "rating",
    "bound",
    "no_fit",
    "interval_low",
    "interval_high",
    "interval_basis",
    "profile_low",
    "profile_high",
    "draw_rate",
    "color_effect",
    "without_forfeits_kind",
    "without_forfeits",
    "without_forfeits_low",
    "without_forfeits_high",
    "promotion",
];

fn insert_board(
    connection: &Connection,
    schedule: &Schedule,
    board: &AnchoredBoard,
) -> Result<(), IndexError> {
    let table = anchored_figures(board)?;
    for (position, cells) in table.rows().iter().enumerate() {
        let figure = |wanted: &str| -> Value {
            let column = table.columns().iter().position(|name| *name == wanted);
            let cell = column.and_then(|column| cells.get(column));
            // An empty cell of a board is a figure that there is not.
            known_text(cell.filter(|cell| !cell.is_empty()))
        };
        let mut row = vec![
            ("schedule", text(schedule.id)),
            ("position", integer(position)),
            ("system", figure("system_id")),
            ("scale", text(&board.scale.name)),
            (
                "is_primary_scale",
                integer(i64::from(board.scale.is_primary)),
            ),
        ];
        row.extend(COPIED.map(|column| (column, figure(column))));
        insert(connection, "anchored_standings", row)?;
    }
    Ok(())
}

/// Adds what an engine measured of a position.
pub(crate) fn insert_measurement(
    connection: &Connection,
    index: u64,
    id: EventId,
    measured: &PositionMeasured,
) -> Result<(), rusqlite::Error> {
    let line = measured.lines.first();
    let wdl = line.and_then(|line| line.wdl);
    let row = vec![
        ("ledger_index", integer(index)),
        ("id", text(id)),
        ("game", known_text(measured.game)),
        ("ply", known_integer(measured.ply.map(|ply| ply.0))),
        ("analyst", text(measured.analyst)),
        ("fen", text(&measured.fen)),
        ("variant", text(measured.variant)),
        ("best", known_text(measured.best)),
        (
            "score_cp",
            known_integer(line.and_then(|line| line.cp).map(Integer::get)),
        ),
        (
            "score_mate",
            known_integer(line.and_then(|line| line.mate).map(Integer::get)),
        ),
        ("wdl_win", known_integer(wdl.map(|wdl| wdl.win))),
        ("wdl_draw", known_integer(wdl.map(|wdl| wdl.draw))),
        ("wdl_loss", known_integer(wdl.map(|wdl| wdl.loss))),
        ("nodes", known_count(measured.nodes)),
    ];
    insert(connection, "position_measurements", row)
}
