//! Every figure of a board of puzzles: the columns of its CSV, the keys of its
//! JSON.

use std::borrow::Cow;

use crate::board::Table;
use crate::board::page::ratio;
use crate::board::puzzles::{PuzzleBoard, PuzzleRow, PuzzleScore};
use crate::event::ReplyForm;
use crate::measure::{NotFinite, decimal};
use crate::projection::{Summand, Tally};

/// Columns with their values, of one row.
#[derive(Default)]
struct Figures(Vec<(Cow<'static, str>, String)>);

/// Returns the board's whole table. What is unknown is empty.
///
/// # Errors
///
/// When a figure is no finite number.
pub fn puzzle_figures(board: &PuzzleBoard) -> Result<Table, NotFinite> {
    let rows = board.rows.iter().map(|row| figures(board, row));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let columns: Vec<Cow<'static, str>> = rows.first().map_or_else(
        || vec!["system".into()],
        |Figures(row)| row.iter().map(|(column, _)| column.clone()).collect(),
    );
    let mut table = Table::new(columns);
    for Figures(row) in rows {
        table.push(row.into_iter().map(|(_, cell)| cell).collect());
    }
    Ok(table)
}

fn figures(board: &PuzzleBoard, row: &PuzzleRow) -> Result<Figures, NotFinite> {
    let mut figures = Figures::default();
    figures.push("system", &row.system.name);
    figures.push("system_id", &row.system.id);
    figures.known("rank", row.rank);
    figures.push("standing", &row.standing(board.is_partial()));
    figures.push("solved", &row.score.solved);
    figures.push("answered", &row.score.of);
    figures.push("puzzles", &row.puzzles);
    let share = ratio(row.score.solved.into(), row.score.of.into(), 100, 4);
    figures.known("solved_percent", share);
    let interval = row.score.interval();
    let end = |end: Option<f64>| end.map(|end| decimal(100.0 * end, 4)).transpose();
    figures.known("interval_low_percent", end(interval.map(|one| one.low))?);
    figures.known("interval_high_percent", end(interval.map(|one| one.high))?);
    figures.push("any_mate", &row.score.any_mate);
    figures.push("provider_failures", &row.provider_failures);
    figures.push("excluded", &row.excluded);
    for tactic in board.tactics() {
        let score = board.score_in(row, |cell| cell.tactic == tactic);
        figures.score(tactic.as_str(), score);
    }
    for band in board.bands() {
        let score = board.score_in(row, |cell| cell.band == band);
        figures.score(&band.replace('-', "_"), score);
    }
    for (cell, score) in board.cells.iter().zip(&row.cells) {
        let name = format!("{}_{}", cell.tactic, cell.band.replace('-', "_"));
        figures.score(&name, *score);
    }
    for (name, score) in ["1_ply", "3_plies"].into_iter().zip(row.plies) {
        figures.score(name, score);
    }
    for (form, count) in ReplyForm::ALL.into_iter().zip(row.forms) {
        figures.push(form.as_str(), &count.replies);
        figures.push(format!("{}_solved", form.as_str()), &count.solved);
    }
    figures.resources(row);
    figures.push("white_to_move", &row.coverage.white);
    figures.push("black_to_move", &row.coverage.black);
    figures.push("assistance", &row.system.assistance);
    figures.push("evidence_status", &board.evidence_status().as_str());
    figures.push("dataset", &board.dataset.registered.name);
    figures.push("dataset_sha256", &board.dataset.registered.digest());
    figures.push("protocol", &board.protocol);
    Ok(figures)
}

impl Figures {
    fn push(&mut self, column: impl Into<Cow<'static, str>>, value: &impl ToString) {
        self.0.push((column.into(), value.to_string()));
    }

    fn known(&mut self, column: &'static str, value: Option<impl ToString>) {
        let text = value.map_or_else(String::new, |value| value.to_string());
        self.0.push((column.into(), text));
    }

    fn score(&mut self, name: &str, score: PuzzleScore) {
        self.push(format!("solved_{name}"), &score.solved);
        self.push(format!("answered_{name}"), &score.of);
    }

    fn tally<T: Summand + ToString>(&mut self, columns: [&'static str; 2], tally: &Tally<T>) {
        self.known(columns[0], tally.known());
        self.push(columns[1], &format!("{}/{}", tally.reported, tally.base));
    }

    fn resources(&mut self, row: &PuzzleRow) {
        let resources = &row.resources;
        let columns = ["prompt_tokens", "prompt_tokens_of"];
        self.tally(columns, &resources.prompt_tokens);
        let columns = ["completion_tokens", "completion_tokens_of"];
        self.tally(columns, &resources.completion_tokens);
        let columns = ["reasoning_tokens", "reasoning_tokens_of"];
        self.tally(columns, &resources.reasoning_tokens);
        self.tally(["cost_usd", "cost_usd_of"], &resources.cost_usd);
        let columns = ["estimated_usd", "estimated_usd_of"];
        self.tally(columns, &resources.estimated_usd);
    }
}
