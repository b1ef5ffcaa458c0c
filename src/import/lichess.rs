//! The puzzle database of Lichess: CSV with a heading, one puzzle a line.

use std::fmt;
use std::io::{self, Read};

use csv::{ReaderBuilder, StringRecord};

use crate::chess::{Fen, UciMove, Variant};
use crate::digest::Digest;
use crate::event::{DatasetPuzzle, PUZZLE_ID_IN_WORDS, PUZZLE_PLIES_MAX, is_puzzle_id};
use crate::finding::visible;
use crate::import::hashed::Hashed;
use crate::import::{Draw, Drawn, Recipe};

/// A line that is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The line of the unpacked file, counted from 1; the heading is the first.
    pub line: u64,
    /// What is wrong, in words.
    pub fault: String,
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

/// The faults of a file: the first ones, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The first ones.
    pub shown: Vec<LineFault>,
    /// All of them, counted.
    pub count: u64,
}

/// So many faults are shown.
const FAULTS_SHOWN: usize = 20;

impl Faults {
    fn push(&mut self, line: u64, fault: String) {
        self.count += 1;
        if self.shown.len() < FAULTS_SHOWN {
            self.shown.push(LineFault { line, fault });
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.shown.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))?;
        let shown = u64::try_from(lines.len()).unwrap_or(u64::MAX);
        match self.count.saturating_sub(shown) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

/// Why nothing was drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The file cannot be read, or not be unpacked.
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    /// The heading lacks columns.
    #[error(
        "its first line names no column {0}; the puzzle database of Lichess has PuzzleId, FEN, Moves, Rating and Themes"
    )]
    Columns(String),
    /// A puzzle that could be drawn stands in the file twice.
    #[error("puzzle {0} stands in the file twice, and says two things; nothing was drawn")]
    Twice(String),
    /// Lines are no puzzles.
    #[error("lines that are no puzzles, so nothing was drawn:\n{0}")]
    Lines(Faults),
}

/// Draws puzzles from the unpacked file, line by line. Returns with them the
/// SHA-256 of the file.
///
/// # Errors
///
/// What is wrong with the file.
pub fn draw_puzzles(file: impl Read, recipe: Recipe) -> Result<(Drawn, Digest), DrawError> {
    let mut reader = ReaderBuilder::new()
        .flexible(true)
        .from_reader(Hashed::of(file));
    let columns = Columns::of(reader.headers().map_err(of_csv)?)?;
    let mut draw = Draw::new(recipe);
    let mut faults = Faults::default();
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let line = record.position().map_or(line, csv::Position::line);
                if let Err(fault) = columns.take(&record, &mut draw) {
                    faults.push(line, fault);
                }
            }
            Err(error) => match error.into_kind() {
                csv::ErrorKind::Io(error) => return Err(error.into()),
                csv::ErrorKind::Utf8 { pos, .. } => {
                    let line = pos.map_or(line, |pos| pos.line());
                    faults.push(line, "expected UTF-8, found other bytes".to_owned());
                }
                _ => faults.push(line, "expected a line of CSV, found none".to_owned()),
            },
        }
    }
    let drawn = draw.finish();
    if faults.count != 0 {
        return Err(DrawError::Lines(faults));
    }
    if let Some(id) = drawn.ambiguous.first() {
        return Err(DrawError::Twice(id.clone()));
    }
    Ok((drawn, reader.into_inner().finish().0))
}

fn of_csv(error: csv::Error) -> DrawError {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        _ => io::Error::new(io::ErrorKind::InvalidData, text).into(),
    }
}

/// Where the columns stand that count; others are passed over.
struct Columns {
    id: usize,
    fen: usize,
    moves: usize,
    rating: usize,
    themes: usize,
}

impl Columns {
    fn of(heading: &StringRecord) -> Result<Self, DrawError> {
        let place = |name: &str| {
            let mut names = heading.iter().enumerate();
            let found = names.find(|(_, found)| found.trim_start_matches('\u{feff}') == name);
            let found = found.map(|(place, _)| place);
            found.ok_or_else(|| DrawError::Columns(name.to_owned()))
        };
        Ok(Self {
            id: place("PuzzleId")?,
            fen: place("FEN")?,
            moves: place("Moves")?,
            rating: place("Rating")?,
            themes: place("Themes")?,
        })
    }

    /// Takes a line into the draw, or says what is wrong with it.
    fn take(&self, record: &StringRecord, draw: &mut Draw) -> Result<(), String> {
        let cell = |place: usize, name: &str| {
            let cell = record.get(place);
            cell.ok_or_else(|| format!("expected a column {name}, found a shorter line"))
        };
        let id = cell(self.id, "PuzzleId")?;
        if !is_puzzle_id(id) {
            let found = found(id);
            return Err(format!("PuzzleId: expected {PUZZLE_ID_IN_WORDS}, {found}"));
        }
        let rating = cell(self.rating, "Rating")?;
        let number = rating.parse::<u32>();
        let rating = number.map_err(|_| format!("expected a whole Rating, {}", found(rating)))?;
        let fen = cell(self.fen, "FEN")?;
        let fen: Fen = fen.parse().map_err(|error| format!("FEN: {error}"))?;
        let moves = moves(cell(self.moves, "Moves")?)?;
        let themes = cell(self.themes, "Themes")?;
        // What is too long, or of no cell, needs no board.
        if PUZZLE_PLIES_MAX < moves.len() - 1 || !draw.recipe().wants(themes, rating) {
            return Ok(());
        }
        let puzzle = puzzle(id, &fen, &moves, rating)?;
        draw.take(themes, &puzzle);
        Ok(())
    }
}

fn found(text: &str) -> String {
    const SHOWN: usize = 40;
    let cut: String = text.chars().take(SHOWN).collect();
    let more = if cut.len() < text.len() { "..." } else { "" };
    format!("found `{}{more}`", visible(&cut))
}

/// The opponent's move, then the solution: an even number of moves.
fn moves(text: &str) -> Result<Vec<UciMove>, String> {
    let words = text.split_ascii_whitespace();
    let moves: Result<Vec<UciMove>, _> = words.map(str::parse).collect();
    let moves = moves.map_err(|error| format!("Moves: {error}"))?;
    if moves.is_empty() || !moves.len().is_multiple_of(2) {
        return Err(format!(
            "expected Moves to be the opponent's move and a solution of an odd number of plies, found {} moves",
            moves.len()
        ));
    }
    Ok(moves)
}

/// The puzzle as it is asked: after the opponent's first move.
fn puzzle(id: &str, fen: &Fen, moves: &[UciMove], rating: u32) -> Result<DatasetPuzzle, String> {
    let position = fen.position(Variant::Standard);
    let position = position.map_err(|error| format!("FEN: {error}"))?;
    let (first, line) = moves.split_at(1);
    let asked = position.after(first);
    let asked = asked.map_err(|error| format!("Moves: {error}"))?;
    asked
        .after(line)
        .map_err(|error| format!("Moves: {error}"))?;
    Ok(DatasetPuzzle {
        fen: asked.fen(),
        id: id.to_owned(),
        line: line.to_vec(),
        rating,
    })
}
