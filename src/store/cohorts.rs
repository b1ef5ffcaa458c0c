use rusqlite::Connection;

use crate::board::{Board, BoardError, figures, placement};
use crate::projection::{Cohort, Projection, Schedule, Source};
use crate::store::draft::IndexError;
use crate::store::games::moves_of;
use crate::store::row::{figure, insert, integer, known_text, text, word};

/// Adds a cohort with its systems and cells.
pub(crate) fn insert_cohort(
    connection: &Connection,
    projection: &Projection,
    schedule: &Schedule,
) -> Result<(), rusqlite::Error> {
    let committed = &schedule.committed;
    let cohort = Cohort::of(schedule, &projection.games);
    let counts = cohort.counts();
    let promise = schedule.preregistration.as_ref();
    let row = vec![
        ("schedule", text(schedule.id)),
        ("name", text(&committed.cohort)),
        ("protocol", text(committed.protocol)),
        ("preregistration", known_text(committed.preregistration)),
        ("rule", word(&committed.rule)),
        ("era", known_text(committed.era)),
        ("run_file", known_text(committed.run_file)),
        (
            "evidence_status_claimed",
            known_text(promise.map(|promise| promise.evidence_status.as_str())),
        ),
        ("evidence_status", text(cohort.evidence_status().as_str())),
        ("is_terminal", integer(i64::from(cohort.is_terminal()))),
        ("cells", integer(counts.cells)),
        ("finished", integer(counts.finished)),
        ("aborted", integer(counts.aborted)),
        ("playing", integer(counts.playing)),
        ("accepted", integer(counts.accepted)),
        ("rejected", integer(counts.rejected)),
        ("forfeits", integer(counts.forfeits)),
        ("censored", integer(counts.censored)),
    ];
    insert(connection, "cohorts", row)?;
    for (position, system) in committed.systems.iter().enumerate() {
        let row = vec![
            ("schedule", text(schedule.id)),
            ("position", integer(position)),
            ("system", text(system)),
            (
                "is_withdrawn",
                integer(i64::from(schedule.withdrawn.contains(system))),
            ),
        ];
        insert(connection, "cohort_systems", row)?;
    }
    for (index, (cell, result)) in schedule.cells.iter().zip(&cohort.results).enumerate() {
        let opening = cell.opening.as_ref();
        let row = vec![
            ("schedule", text(schedule.id)),
            ("cell_index", integer(index)),
            ("white", text(cell.seats.white)),
            ("black", text(cell.seats.black)),
            ("fen", text(&cell.start.fen)),
            ("variant", text(cell.start.variant)),
            ("opening", known_text(opening.map(|one| &one.name))),
            ("opening_moves", known_text(opening.map(moves_of))),
            ("result_game", known_text(result.map(|game| game.id))),
            (
                "is_released",
                integer(i64::from(schedule.released.contains(&index))),
            ),
            ("is_settled", integer(i64::from(schedule.is_settled(index)))),
        ];
        insert(connection, "cells", row)?;
    }
    Ok(())
}

/// Adds the placement standings of every cohort whose protocol rates.
pub(crate) fn insert_standings(
    connection: &Connection,
    projection: &Projection,
    source: &Source,
) -> Result<(), IndexError> {
    for name in projection.schedules.cohort_names() {
        let board = match placement(projection, name.as_str(), source.clone()) {
            Ok(board) => board,
            // A cohort without ratings has no standings.
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

/// Copies those figures of a board that SQL cannot add up, as they are printed.
fn insert_board(
    connection: &Connection,
    schedule: &Schedule,
    board: &Board,
) -> Result<(), IndexError> {
    let table = figures(board).map_err(|error| IndexError::Board {
        cohort: board.cohort.clone(),
        reason: error.to_string(),
    })?;
    for (position, cells) in table.rows().iter().enumerate() {
        let figure = |wanted: &str| figure(&table, cells, wanted);
        let row = vec![
            ("schedule", text(schedule.id)),
            ("position", integer(position)),
            ("system", figure("system_id")),
            ("rank", figure("rank")),
            ("rating", figure("rating")),
            ("deviation", figure("deviation")),
            ("volatility", figure("volatility")),
            ("interval_low", figure("interval_low")),
            ("interval_high", figure("interval_high")),
            ("cost_usd", figure("cost_usd_reported")),
            ("estimated_usd", figure("cost_usd_estimated")),
            ("estimated_of", figure("cost_estimated_of")),
            ("cost_state", figure("cost_state")),
        ];
        insert(connection, "standings", row)?;
    }
    Ok(())
}
