use rusqlite::Connection;

use crate::projection::{Game, GameState, Projection};
use crate::store::resources;
use crate::store::row::{Row, insert, integer, known_count, known_integer, known_text, text};

/// Adds a game with its seats, its moves and its rejected answers.
pub(crate) fn insert_game(
    connection: &Connection,
    projection: &Projection,
    game: &Game,
) -> Result<(), rusqlite::Error> {
    let moves = projection.move_list(game);
    let started = &game.started;
    let cell = game.cell();
    let opening = started.opening.as_ref();
    let opening_moves = opening.map(|opening| {
        let moves: Vec<_> = opening.moves.iter().map(ToString::to_string).collect();
        moves.join(" ")
    });
    let mut row = vec![
        ("id", text(game.id)),
        ("ledger_index", integer(game.index)),
        ("schedule", known_text(cell.map(|cell| cell.schedule))),
        ("cell_index", known_count(cell.map(|cell| cell.index))),
        ("protocol", text(started.protocol)),
        ("stage", text(started.stage.as_str())),
        ("white", text(started.seats.white)),
        ("black", text(started.seats.black)),
        ("fen", text(&started.start.fen)),
        ("variant", text(started.start.variant)),
        ("opening", known_text(opening.map(|opening| &opening.name))),
        ("opening_moves", known_text(opening_moves)),
        ("started_at", text(game.started_at)),
        ("accepted", integer(game.moves.len())),
        ("rejected", integer(game.rejected.len())),
        ("final_fen", known_text(moves.final_fen())),
    ];
    row.extend(end(game));
    insert(connection, "games", row)?;
    insert_seats(connection, game)?;
    for listed in &moves.moves {
        let Some(played) = listed.played else {
            continue;
        };
        // An answer to no call stands for itself, so that it is seen to dangle.
        let answer = played.call.as_ref();
        let call = answer.map(|id| projection.calls.sent_of(id).unwrap_or(id));
        let row = vec![
            ("game", text(game.id)),
            ("ply", integer(listed.ply.0)),
            ("color", text(listed.color)),
            ("uci", text(listed.uci)),
            ("san", known_text(listed.san.as_deref())),
            ("event", text(played.id)),
            ("call", known_text(call)),
        ];
        insert(connection, "plies", row)?;
    }
    insert_rejected(connection, projection, game)
}

/// The columns that say how a game ended, where it did.
fn end(game: &Game) -> Row {
    match game.state {
        GameState::Playing => vec![("state", text("playing"))],
        GameState::Finished {
            id,
            at,
            result,
            termination,
        } => vec![
            ("state", text("finished")),
            ("ended_at", text(at)),
            ("end_event", text(id)),
            ("result", text(result)),
            ("termination", text(termination)),
            ("is_censored", integer(i64::from(termination.is_censored()))),
            ("is_forfeit", integer(i64::from(termination.is_forfeit()))),
        ],
        GameState::Aborted { id, at, cause } => vec![
            ("state", text("aborted")),
            ("ended_at", text(at)),
            ("end_event", text(id)),
            ("abort_cause", text(cause.as_str())),
        ],
    }
}

fn insert_seats(connection: &Connection, game: &Game) -> Result<(), rusqlite::Error> {
    for (color, system) in game.seats() {
        let half_points = game.result().map(|result| result.half_points(color));
        let rejected = game.rejected.iter().filter(|answer| answer.color == color);
        let mut row = vec![
            ("game", text(game.id)),
            ("color", text(color)),
            ("system", text(system)),
            ("half_points", known_integer(half_points)),
            ("accepted", integer(game.moves_of(color))),
            ("rejected", integer(rejected.count())),
        ];
        row.extend(resources::columns(game.resources.get(color)));
        insert(connection, "seats", row)?;
    }
    Ok(())
}

fn insert_rejected(
    connection: &Connection,
    projection: &Projection,
    game: &Game,
) -> Result<(), rusqlite::Error> {
    for answer in &game.rejected {
        let from = answer.call.as_ref();
        let call = from.map(|id| projection.calls.sent_of(id).unwrap_or(id));
        let row = vec![
            ("event", text(answer.id)),
            ("game", text(game.id)),
            ("ply", integer(answer.ply.0)),
            ("attempt", integer(answer.attempt)),
            ("color", text(answer.color)),
            ("class", text(answer.class.as_str())),
            ("extracted", text(&answer.extracted)),
            ("call", known_text(call)),
        ];
        insert(connection, "rejected_answers", row)?;
    }
    Ok(())
}
