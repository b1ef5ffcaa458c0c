use rusqlite::Connection;

use crate::board::{AnchoredBoard, BoardError, anchored_figures};
use crate::canonical::Integer;
use crate::chess::UciMove;
use crate::event::{EventId, PositionMeasured, TablebaseProbed};
use crate::projection::{Anchor, Projection, Schedule, Source};
use crate::store::dangling::Dangling;
use crate::store::draft::IndexError;
use crate::store::row::{
    Insert, borrowed, figure, insert, integer, known_integer, known_text, number, text,
};

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
const COPIED: [&str; 18] = [
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
    "by_tables_kind",
    "by_tables",
    "promotion",
];

fn insert_board(
    connection: &Connection,
    schedule: &Schedule,
    board: &AnchoredBoard,
) -> Result<(), IndexError> {
    let table = anchored_figures(board)?;
    let rows = table.rows().iter().zip(&board.rows);
    for (position, (cells, one)) in rows.enumerate() {
        let figure = |wanted: &str| figure(&table, cells, wanted);
        let mut row = vec![
            ("schedule", text(schedule.id)),
            ("position", integer(position)),
            ("system", figure("system_id")),
            ("scale", text(&board.scale.name)),
            ("censored_in_tables", integer(one.row.estimate().in_tables)),
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
    measurements: &mut Insert<'_>,
    projection: &Projection,
    id: EventId,
    measured: &PositionMeasured,
    dangling: &mut Dangling,
) -> Result<(), rusqlite::Error> {
    const TABLE: &str = "position_measurements";
    let game = measured.game.map(|game| projection.games.game(&game));
    let analyst = projection.systems.system(&measured.analyst);
    dangling.note(game == Some(None), TABLE, "games");
    dangling.note(analyst.is_none(), TABLE, "systems");
    let (line, id) = (measured.lines.first(), id.digest().hex());
    let wdl = line.and_then(|line| line.wdl);
    let score = |part: Option<Integer>| number(part.map(Integer::get));
    measurements.row(&[&[
        ("ledger_index", number(Some(projection.size))),
        ("id", borrowed(id.as_str())),
        ("game", number(game.flatten().map(|game| game.index))),
        ("ply", number(measured.ply.map(|ply| ply.0))),
        // Where the analyst is not there, that is noted, and nothing is written.
        (
            "analyst",
            number(Some(analyst.map_or(0, |system| system.index))),
        ),
        ("fen", borrowed(measured.fen.as_str())),
        ("variant", borrowed(measured.variant.as_str())),
        (
            "best",
            borrowed(measured.best.as_ref().map(UciMove::as_str)),
        ),
        ("score_cp", score(line.and_then(|line| line.cp))),
        ("score_mate", score(line.and_then(|line| line.mate))),
        ("wdl_win", number(wdl.map(|wdl| wdl.win))),
        ("wdl_draw", number(wdl.map(|wdl| wdl.draw))),
        ("wdl_loss", number(wdl.map(|wdl| wdl.loss))),
        ("nodes", number(measured.nodes.map(u64::from))),
    ]])
}

/// Adds what endgame tables say of a position.
pub(crate) fn insert_probe(
    connection: &Connection,
    index: u64,
    id: EventId,
    probed: &TablebaseProbed,
) -> Result<(), rusqlite::Error> {
    let files: Vec<_> = probed.files.iter().map(|file| file.name.as_str()).collect();
    let row = vec![
        ("ledger_index", integer(index)),
        ("id", text(id)),
        ("fen", text(&probed.fen)),
        ("wdl", integer(probed.wdl.get())),
        ("dtz", known_integer(probed.dtz.map(Integer::get))),
        ("files", text(files.join(" "))),
    ];
    insert(connection, "tablebase_probes", row)
}
