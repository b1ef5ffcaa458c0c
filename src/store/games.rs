use rusqlite::Connection;

use crate::chess::{Color, Fen};
use crate::event::{Billing, EventId, MoveAccepted, MoveRejected, Opening};
use crate::measure::decimal;
use crate::projection::{Game, GameState, Projection};
use crate::store::dangling::Dangling;
use crate::store::draft::IndexError;
use crate::store::resources;
use crate::store::row::{
    Insert, Row, borrowed, insert, integer, known_count, known_integer, known_text, number, text,
};

/// Adds a game with its seats.
pub(crate) fn insert_game(
    connection: &Connection,
    projection: &Projection,
    game: &Game,
    final_fen: Option<&Fen>,
) -> Result<(), IndexError> {
    let started = &game.started;
    let cell = game.cell();
    let opening = started.opening.as_ref();
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
        ("opening_moves", known_text(opening.map(moves_of))),
        ("started_at", text(game.started_at)),
        ("accepted", integer(game.accepted)),
        ("rejected", integer(game.rejected_answers())),
        ("final_fen", known_text(final_fen)),
        ("era", known_text(game.era)),
        ("draw", known_text(started.draw)),
        ("billing", known_text(started.billing.map(Billing::as_str))),
        ("is_excluded", integer(i64::from(game.is_excluded))),
    ];
    row.extend(end(game));
    insert(connection, "games", row)?;
    insert_seats(connection, projection, game)?;
    insert_starts(connection, game)
}

/// The moves of an opening, with spaces between.
pub(crate) fn moves_of(opening: &Opening) -> String {
    let moves: Vec<_> = opening.moves.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

/// Adds where the players stood when a game of an era was started.
fn insert_starts(connection: &Connection, game: &Game) -> Result<(), IndexError> {
    let Some(start) = &game.at_start else {
        return Ok(());
    };
    for color in [Color::White, Color::Black] {
        let stood = start.get(color);
        let rating = stood.rating.map(|rating| decimal(rating, 6)).transpose()?;
        let row = vec![
            ("game", text(game.id)),
            ("color", text(color)),
            ("rank", known_integer(stood.rank)),
            ("rating", known_text(rating)),
        ];
        insert(connection, "starts", row)?;
    }
    Ok(())
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

fn insert_seats(
    connection: &Connection,
    projection: &Projection,
    game: &Game,
) -> Result<(), rusqlite::Error> {
    for (color, seat) in game.seats() {
        let person = projection.people.person(seat).map(|person| person.id);
        // Whoever is no person is meant to be a system, registered or not.
        let system = person.is_none().then_some(seat);
        let half_points = game.result().map(|result| result.half_points(color));
        let mut row = vec![
            ("game", text(game.id)),
            ("color", text(color)),
            ("system", known_text(system)),
            ("person", known_text(person)),
            ("half_points", known_integer(half_points)),
            ("accepted", integer(game.moves_of(color))),
            ("rejected", integer(*game.rejections.get(color))),
        ];
        row.extend(resources::columns(game.resources.get(color)));
        insert(connection, "seats", row)?;
    }
    Ok(())
}

/// Adds an accepted move of a game that stands just before it.
pub(crate) fn insert_ply(
    plies: &mut Insert<'_>,
    projection: &Projection,
    event: EventId,
    accepted: &MoveAccepted,
    dangling: &mut Dangling,
) -> Result<(), rusqlite::Error> {
    let Some(game) = projection.games.game(&accepted.game) else {
        // A dangling reference, which `verify` names.
        return Ok(());
    };
    let call = call_of(projection, "plies", accepted.call.as_ref(), dangling);
    let san = game.board().and_then(|board| board.san_of(accepted.uci));
    let event = event.digest().hex();
    plies.row(&[&[
        ("ledger_index", number(Some(projection.size))),
        ("game", number(Some(game.index))),
        ("ply", number(Some(game.next_ply().0))),
        ("color", borrowed(game.to_move().as_str())),
        ("uci", borrowed(accepted.uci.as_str())),
        ("san", borrowed(san.as_deref())),
        ("event", borrowed(event.as_str())),
        ("call", number(call)),
    ]])
}

/// Adds a rejected answer of a game that stands just before it.
pub(crate) fn insert_rejected(
    connection: &Connection,
    projection: &Projection,
    event: EventId,
    rejected: &MoveRejected,
    dangling: &mut Dangling,
) -> Result<(), rusqlite::Error> {
    let game = projection.games.game(&rejected.game);
    let Some((game, board)) = game.and_then(|game| Some((game, game.board()?))) else {
        return Ok(());
    };
    let table = "rejected_answers";
    let call = call_of(projection, table, rejected.call.as_ref(), dangling);
    let row = vec![
        ("ledger_index", integer(projection.size)),
        ("game", integer(game.index)),
        ("ply", integer(rejected.ply.0)),
        ("attempt", integer(rejected.attempt.get())),
        ("color", text(board.side_to_move())),
        ("class", text(rejected.class.as_str())),
        ("extracted", text(&rejected.extracted)),
        ("event", text(event)),
        ("call", known_integer(call)),
    ];
    insert(connection, table, row)
}

/// The position of the call of an answer.
fn call_of(
    projection: &Projection,
    table: &'static str,
    answer: Option<&EventId>,
    dangling: &mut Dangling,
) -> Option<u64> {
    let call = projection.calls.answered_by(answer?);
    dangling.note(call.is_none(), table, "calls");
    Some(call?.index)
}
