use serde_json::{Value, json};

use crate::board::Format;
use crate::board::page::{markdown_page, text_page};
use crate::board::puzzles::{PuzzleBoard, puzzle_figures};
use crate::measure::NotFinite;

/// What solved means.
const SOLVED: &str = "Solved: the line of the reply is the published one, move for move, forced replies included. One request a puzzle, one try. A blank reply or a failed request is wrong; a failed request stays a provider failure, counted beside.";

const ANY_MATE: &str = "Any mate is another reading, beside it and never in its place: Lichess takes any move of the solver that mates, and about one final mate in twenty has another one.";

const INTERVAL: &str = "Intervals: 95 %, Wilson, of the share solved among the puzzles answered. They are about puzzles drawn like these, not about this set, which is the same for everyone.";

const FORMATS: &str = "Reply formats: used as is, extracted from other text, converted from SAN, or wrong where no line could be read. No reply: the request failed.";

const RESOURCES: &str = "Tokens and dollars are those of the calls behind the answers that count. In brackets: so many of so many calls say it. n/a: none says it, which is not zero. Estimated is what tokens cost at a saved price where no charge is reported; the two are never added.";

const LIMITS: &str = "Solving puzzles of Lichess says nothing of strength in games. The puzzles and their solutions are public, and may stand in what a model was trained on.";

/// Returns the board as bytes that end in a newline.
///
/// # Errors
///
/// When a figure is no finite number, which is never printed.
pub fn render_puzzles(board: &PuzzleBoard, format: Format) -> Result<Vec<u8>, NotFinite> {
    let (heading, notes) = (board.heading(), board.notes());
    match format {
        Format::Text => Ok(text_page(&heading, &board.tables()?, &notes).into_bytes()),
        Format::Markdown => Ok(markdown_page(&heading, &board.tables()?, &notes).into_bytes()),
        Format::Csv => Ok(puzzle_figures(board)?.csv()),
        Format::Json => board.json().map(String::into_bytes),
    }
}

impl PuzzleBoard {
    fn heading(&self) -> Vec<String> {
        let registered = &self.dataset.registered;
        let kind = if self.is_partial() { "Partial" } else { "Full" };
        vec![
            format!(
                "Puzzle board of dataset {}, protocol {}",
                registered.name, self.protocol
            ),
            format!(
                "{kind} sample: {} puzzles of {} wanted, drawn by the seed `{}`.",
                self.puzzles(),
                self.cells.iter().map(|cell| cell.wanted).sum::<u64>(),
                registered.seed
            ),
            format!("Dataset digest: sha256 {}.", registered.digest()),
            format!("Drawn from: sha256 {}.", registered.source_sha256),
            format!(
                "Evidence: {}. No preregistration names a dataset.",
                self.evidence_status().as_str()
            ),
            format!(
                "From the first {} events of {}, root {}",
                self.source.size, self.source.origin, self.source.root
            ),
        ]
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.is_partial() {
            let cells = self.cells.iter().filter(|cell| cell.puzzles < cell.wanted);
            let short: Vec<_> = cells
                .map(|cell| {
                    format!(
                        "{} in {} ({} of {})",
                        cell.tactic.in_words(),
                        cell.band,
                        cell.puzzles,
                        cell.wanted
                    )
                })
                .collect();
            notes.push(format!(
                "This sample is partial: solved / n is no score out of a full one, is never ranked, and is not compared with one. Short cells: {}.",
                short.join(", ")
            ));
        }
        let unfinished = self.rows.iter().filter(|row| !row.is_complete());
        let unfinished: Vec<_> = unfinished.map(|row| row.system.name.as_str()).collect();
        if !unfinished.is_empty() {
            notes.push(format!(
                "Unfinished, and so not ranked: {}. n is what they answered so far.",
                unfinished.join(", ")
            ));
        }
        let excluded: u64 = self.rows.iter().map(|row| row.excluded).sum();
        if excluded != 0 {
            notes.push(format!(
                "Answers excluded by correction: {excluded}; see scoresheet corrections."
            ));
        }
        for note in [SOLVED, ANY_MATE, INTERVAL, FORMATS, RESOURCES, LIMITS] {
            notes.push(note.to_owned());
        }
        notes
    }

    fn json(&self) -> Result<String, NotFinite> {
        let rows: Vec<_> = puzzle_figures(self)?
            .objects()
            .into_iter()
            .map(Value::Object)
            .collect();
        let registered = &self.dataset.registered;
        let cells = self.cells.iter().map(|cell| {
            json!({
                "band": cell.band, "plies": cell.plies, "puzzles": cell.puzzles,
                "tactic": cell.tactic.as_str(), "wanted": cell.wanted,
            })
        });
        let document = json!({
            "board": "puzzles",
            "cells": cells.collect::<Vec<_>>(),
            "dataset": registered.name.as_str(),
            "dataset_id": self.dataset.id.to_string(),
            "dataset_sha256": registered.digest().to_string(),
            "evidence_status": self.evidence_status().as_str(),
            "is_partial": self.is_partial(),
            "notes": self.notes(),
            "origin": self.source.origin.as_str(),
            "protocol": self.protocol,
            "puzzles": self.puzzles(),
            "root": self.source.root.to_string(),
            "rows": rows,
            "seed": registered.seed,
            "size": self.source.size,
            "source_sha256": registered.source_sha256.to_string(),
            "v": 1,
        });
        // A document of texts and small integers is always JSON.
        Ok(format!("{document:#}\n"))
    }
}
