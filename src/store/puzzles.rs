use rusqlite::Connection;

use crate::event::ReplyForm;
use crate::projection::{Dataset, Projection, PuzzleRun};
use crate::store::draft::IndexError;
use crate::store::row::{in_words, insert, integer, known_text, text};

/// Adds datasets with their puzzles, and what was answered to them.
pub(crate) fn insert_puzzles(
    connection: &Connection,
    projection: &Projection,
) -> Result<(), IndexError> {
    for dataset in projection.puzzles.datasets() {
        insert_dataset(connection, dataset)?;
        for run in projection.puzzles.runs(&dataset.id) {
            insert_run(connection, projection, run)?;
        }
    }
    Ok(())
}

fn insert_dataset(connection: &Connection, dataset: &Dataset) -> Result<(), IndexError> {
    let registered = &dataset.registered;
    let row = vec![
        ("id", text(dataset.id)),
        ("ledger_index", integer(dataset.index)),
        ("name", text(&registered.name)),
        ("sha256", text(registered.digest())),
        ("source_sha256", text(registered.source_sha256)),
        ("seed", text(&registered.seed)),
        ("per_cell", integer(registered.per_cell.get())),
        ("puzzles", integer(registered.puzzles().count())),
        ("is_partial", integer(u8::from(registered.is_partial()))),
    ];
    insert(connection, "datasets", row)?;
    for (position, (cell, puzzle)) in registered.puzzles().enumerate() {
        let row = vec![
            ("dataset", text(dataset.id)),
            ("position", integer(position)),
            ("puzzle", text(&puzzle.id)),
            ("tactic", text(cell.tactic)),
            ("band", text(cell.band())),
            ("rating", integer(puzzle.rating)),
            ("fen", text(&puzzle.fen)),
            ("solution", text(in_words(&puzzle.line))),
        ];
        insert(connection, "dataset_puzzles", row)?;
    }
    Ok(())
}

fn insert_run(
    connection: &Connection,
    projection: &Projection,
    run: &PuzzleRun,
) -> Result<(), IndexError> {
    for attempt in run.attempts() {
        let answered = &attempt.answered;
        let counting = run.counting(&answered.puzzle, &projection.corrections);
        let counts = counting.is_some_and(|counting| counting.id == attempt.id);
        let has_line = !answered.line.is_empty();
        let row = vec![
            ("id", text(attempt.id)),
            ("ledger_index", integer(attempt.index)),
            ("dataset", text(run.dataset)),
            ("puzzle", text(&answered.puzzle)),
            ("protocol", text(run.protocol)),
            ("system", text(run.system)),
            ("call", known_text(attempt.call)),
            ("form", known_text(answered.form.map(ReplyForm::as_str))),
            (
                "line",
                known_text(has_line.then(|| in_words(&answered.line))),
            ),
            ("is_solved", integer(u8::from(attempt.solving.is_exact))),
            (
                "is_any_mate",
                integer(u8::from(attempt.solving.is_any_mate)),
            ),
            ("counts", integer(u8::from(counts))),
        ];
        insert(connection, "puzzle_answers", row)?;
    }
    Ok(())
}
