use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Integer};
use crate::chess::{Fen, Ply, Position, Score, UciMove, Variant};
use crate::event::{EventId, MeasuredLine, PositionMeasured, Wdl};
use crate::finding::visible;
use crate::run::uci::answer::Heard;
use crate::run::uci::{Answer, Variation};

/// What an engine says of a position, held against the rules of chess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    /// The move that it chose, a legal one. `None` where there is no legal move.
    pub best: Option<UciMove>,
    /// The last exact report on each line of play, best first: at least one where
    /// there is a legal move.
    pub lines: Vec<AnalysisLine>,
    /// Positions searched in all, as last reported.
    pub nodes: Option<u64>,
    /// Milliseconds that the search took.
    pub elapsed_ms: u64,
}

/// One line of play. Its first move is legal, and so is every move behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisLine {
    /// The nominal depth of the search in plies, when reported.
    pub depth: Option<u32>,
    /// Positions searched when the line was reported.
    pub nodes: Option<u64>,
    /// The exact score, from the view of the side to move.
    pub score: Score,
    /// Chances of win, draw and loss of the side to move in per mille, 1000
    /// together, when reported.
    pub wdl: Option<[u32; 3]>,
    /// The moves, up to the first that is not legal.
    pub pv: Vec<UciMove>,
}

/// Why an answer is no analysis of the position that was asked about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisFault {
    /// The lines end before the engine has answered.
    #[error("the engine gave no answer on {fen}")]
    Unanswered {
        /// The position.
        fen: Fen,
    },
    /// It names a move that is not legal: it answers for another position.
    #[error("the engine answered {found} on {fen}, where that is no legal move")]
    Illegal {
        /// The move in its spelling.
        found: String,
        /// The position.
        fen: Fen,
    },
    /// It names no move where there is one.
    #[error("the engine found no move on {fen}, where there is one")]
    NoMove {
        /// The position.
        fen: Fen,
    },
    /// It gave no exact score; one that is only a bound is none.
    #[error("the engine gave no exact score of its best line on {fen}; give it more nodes")]
    NoScore {
        /// The position.
        fen: Fen,
    },
    /// The score of a position without a move is not the one that the rules give.
    #[error("the engine scored {found} on {fen}, where the side to move {end}")]
    Contradicted {
        /// The score.
        found: Score,
        /// What has happened to the side to move.
        end: &'static str,
        /// The position.
        fen: Fen,
    },
    /// The line of a mate goes on to where it would stand, and does not mate.
    #[error("the engine scored {found} on {fen}, and the line that it shows does not mate")]
    NoMate {
        /// The score.
        found: Score,
        /// The position.
        fen: Fen,
    },
    /// The chances are not 1000 per mille together.
    #[error("the engine gave chances of {total} per mille together on {fen}")]
    Chances {
        /// Their sum.
        total: u32,
        /// The position.
        fen: Fen,
    },
}

impl Analysis {
    /// Reads the lines that an engine wrote in one search, whatever bytes they are.
    ///
    /// # Errors
    ///
    /// As [`Analysis::of`], or when no line is an answer.
    pub fn read<'a>(
        lines: impl IntoIterator<Item = &'a [u8]>,
        position: &Position,
    ) -> Result<Self, AnalysisFault> {
        let mut heard = Heard::default();
        for line in lines {
            let line = String::from_utf8_lossy(line);
            if let Some(word) = heard.hear(&line).map(str::to_owned) {
                return Self::of(&heard.answer(&word, 0), position);
            }
        }
        let fen = position.fen();
        Err(AnalysisFault::Unanswered { fen })
    }

    /// Holds an answer against the position that was asked about.
    ///
    /// # Errors
    ///
    /// When the move or the first move of a line is not legal there, the best
    /// line has no exact score, a score or chances cannot be, or a line goes on to
    /// where its mate would stand and does not mate.
    pub fn of(answer: &Answer, position: &Position) -> Result<Self, AnalysisFault> {
        let fen = || position.fen();
        let legal = |found: &String| {
            let legal = found.parse().ok().filter(|uci| position.is_legal(*uci));
            legal.ok_or_else(|| AnalysisFault::Illegal {
                found: visible(found),
                fen: fen(),
            })
        };
        let best = answer.bestmove.as_ref().map(legal).transpose()?;
        let mut lines = Vec::new();
        for (rank, variation) in (1..).zip(&answer.variations) {
            // Behind a gap nobody knows which line comes next.
            if variation.rank != rank {
                break;
            }
            variation.moves.first().map(legal).transpose()?;
            lines.push(AnalysisLine::of(variation, position)?);
        }
        match (best, position.has_legal_move()) {
            (None, true) => return Err(AnalysisFault::NoMove { fen: fen() }),
            (Some(_), true) if lines.is_empty() => {
                return Err(AnalysisFault::NoScore { fen: fen() });
            }
            (Some(_), true) => check_mates(&lines, position)?,
            (_, false) => check_end(&lines, position)?,
        }
        Ok(Self {
            best,
            lines,
            nodes: answer.nodes,
            elapsed_ms: answer.elapsed_ms,
        })
    }

    /// Returns the event that says it: what this registered engine measured of
    /// the position, and in which game after which ply where it stood on a board.
    pub fn measured(
        &self,
        analyst: EventId,
        (fen, variant): (&Fen, Variant),
        on_board: Option<(EventId, Ply)>,
    ) -> PositionMeasured {
        let (game, ply) = on_board.unzip();
        PositionMeasured {
            analyst,
            best: self.best,
            fen: fen.clone(),
            game,
            lines: self.lines.iter().map(AnalysisLine::measured).collect(),
            nodes: self.nodes.map(Count::saturating),
            ply,
            time_ms: Some(Count::saturating(self.elapsed_ms)),
            variant,
        }
    }
}

impl AnalysisLine {
    fn of(variation: &Variation, position: &Position) -> Result<Self, AnalysisFault> {
        let total = variation.wdl.map_or(1000, |wdl| wdl.iter().sum());
        if total != 1000 {
            let fen = position.fen();
            return Err(AnalysisFault::Chances { total, fen });
        }
        let mut board = position.clone();
        let moves = variation.moves.iter();
        let legal = moves.map_while(|text| {
            let uci: UciMove = text.parse().ok()?;
            board.play(uci).ok().map(|()| uci)
        });
        Ok(Self {
            depth: variation.depth,
            nodes: variation.nodes,
            score: variation.score,
            wdl: variation.wdl,
            pv: legal.collect(),
        })
    }

    fn measured(&self) -> MeasuredLine {
        let (cp, mate) = in_event(self.score);
        MeasuredLine {
            cp,
            depth: self.depth.map(Count::from),
            mate,
            nodes: self.nodes.map(Count::saturating),
            pv: self.pv.clone(),
            wdl: self.wdl.map(|[win, draw, loss]| Wdl { draw, loss, win }),
        }
    }
}

/// A score as events write it: centipawns, or moves to mate.
pub(crate) fn in_event(score: Score) -> (Option<Integer>, Option<Integer>) {
    let integer = |number: i32| Integer::try_from(i64::from(number)).ok();
    match score {
        Score::Centipawns(centipawns) => (integer(centipawns), None),
        Score::Mate(moves) => (None, integer(moves)),
    }
}

/// Where a line goes on to the mate of its score, it must show that mate. Engines
/// cut lines short, and what is not shown contradicts nothing.
fn check_mates(lines: &[AnalysisLine], position: &Position) -> Result<(), AnalysisFault> {
    let is_wrong = |line: &&AnalysisLine| line.score.is_contradicted_by(&line.pv, position);
    match lines.iter().find(is_wrong) {
        Some(line) => Err(AnalysisFault::NoMate {
            found: line.score,
            fen: position.fen(),
        }),
        None => Ok(()),
    }
}

/// Whoever has no move is mated or stalemated, and an engine that says otherwise
/// looks at another position.
fn check_end(lines: &[AnalysisLine], position: &Position) -> Result<(), AnalysisFault> {
    let (score, end) = if position.is_check() {
        (Score::Mate(0), "is mated")
    } else {
        (Score::Centipawns(0), "is stalemated")
    };
    match lines.first() {
        Some(line) if line.score != score => Err(AnalysisFault::Contradicted {
            found: line.score,
            end,
            fen: position.fen(),
        }),
        Some(_) | None => Ok(()),
    }
}
