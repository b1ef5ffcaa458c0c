//! Puzzles: how they are drawn, how answers are judged, and their board.

mod board;
mod draw;
mod registered;

use std::fmt::Write as _;

use scoresheet::event::{DatasetRegistered, ProtocolPublished, Tactic};
use scoresheet::import::Band;
use scoresheet::run::ModelProtocol;
use scoresheet::run::prompts::PuzzlePrompt;
use serde_json::json;

use crate::story::body;

/// A dataset of one puzzle, with this name.
pub(crate) fn dataset(name: &str, seed: &str) -> DatasetRegistered {
    body(json!({
        "cells": [{
            "below": 1200, "candidates": 1, "from": 800, "tactic": "mateIn1",
            "puzzles": [{
                "fen": "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 1 2", "id": "aB3xZ",
                "line": ["e1e8"], "rating": 812,
            }],
        }],
        "name": name, "per_cell": 1, "seed": seed, "source_sha256": "0".repeat(64),
    }))
}

/// The protocol of puzzles, with our own prompts.
pub(crate) fn protocol() -> ProtocolPublished {
    let name = "puzzles".parse().unwrap();
    ModelProtocol::puzzles(name, &PuzzlePrompt::default()).published
}

/// One line of a puzzle database of our own making.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) rating: u32,
    pub(crate) themes: String,
    /// Which of the three positions.
    pub(crate) sort: usize,
}

/// Positions before the opponent's move, with that move and the solution: a mate on
/// the last rank, a mate of two rooks, and a knight that wins a rook.
const SORTS: [[&str; 2]; 4] = [
    ["7k/5ppp/8/8/8/8/5PPP/R3R1K1 b - - 0 1", "h8g8 e1e8"],
    ["6k1/8/8/8/8/8/R7/1R4K1 b - - 0 1", "g8h8 a2a7 h8g8 b1b8"],
    ["r4k2/8/8/1N6/8/8/8/4K3 b - - 0 1", "f8e8 b5c7 e8d8 c7a8"],
    // Five plies of solution are too many.
    [
        "6k1/8/8/8/8/8/R7/1R4K1 b - - 0 1",
        "g8h8 a2a7 h8g8 g1g2 g8h8 b1b8",
    ],
];

impl Line {
    fn sort_of(tactic: Tactic) -> usize {
        match tactic {
            Tactic::MateIn1 => 0,
            Tactic::MateIn2 => 1,
            Tactic::Fork | Tactic::Pin | Tactic::HangingPiece => 2,
        }
    }

    pub(crate) fn csv(&self) -> String {
        let [fen, moves] = SORTS[self.sort];
        let Self {
            id, rating, themes, ..
        } = self;
        format!("{id},{fen},{moves},{rating},80,90,100,{themes},https://lichess.org/x,")
    }
}

pub(crate) const HEADING: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

/// A puzzle database as a file.
pub(crate) fn file(lines: &[Line]) -> String {
    let mut text = format!("{HEADING}\n");
    for line in lines {
        writeln!(text, "{}", line.csv()).unwrap();
    }
    text
}

/// So many puzzles for every cell of the published benchmark.
pub(crate) fn full(per_cell: u32) -> Vec<Line> {
    let mut lines = Vec::new();
    for tactic in Tactic::ALL {
        for band in Band::PUBLISHED {
            for number in 0..per_cell {
                lines.push(Line {
                    id: format!("{tactic}{}n{number}", band.from),
                    rating: band.from + number,
                    themes: format!("middlegame {tactic} short"),
                    sort: Line::sort_of(tactic),
                });
            }
        }
    }
    lines
}
