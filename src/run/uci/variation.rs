use std::str::SplitAsciiWhitespace;

use crate::chess::Score;

/// The largest integer that an event can carry: 2^53 - 1.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// The highest rank that is kept: the maximum of Stockfish's `MultiPV`.
const MAX_RANK: u32 = 500;

/// How many moves of a variation are kept.
const MAX_MOVES: usize = 256;

/// One line of play with its exact score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Its place among the lines of the search, 1 for the best (`multipv`).
    pub rank: u32,
    /// The nominal depth of the search in plies, when reported.
    pub depth: Option<u32>,
    /// Positions searched when the line was reported.
    pub nodes: Option<u64>,
    /// The score, from the view of the side to move. Stockfish from 15.1 on means
    /// by 100 centipawns an even chance to win, not a pawn. Under a limited strength the move that is played need not be
    /// the first of any line, and then no score here is its score.
    pub score: Score,
    /// Chances of win, draw and loss of the side to move in per mille, when
    /// reported.
    pub wdl: Option<[u32; 3]>,
    /// The moves in UCI notation, as far as the engine gave them (`pv`).
    pub moves: Vec<String>,
}

/// What one `info` line says that is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Info {
    /// Positions searched so far.
    pub(crate) nodes: Option<u64>,
    /// The line of play, unless there is none or its score is only a bound.
    pub(crate) variation: Option<Variation>,
}

impl Info {
    /// Returns what the line says, or `None` when it is no `info` line or one
    /// of the numbers in it is none. A garbled line says nothing: half of it
    /// may belong to another.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Self::default();
        let (mut rank, mut depth, mut score, mut wdl) = (1, None, None, None);
        let mut is_exact = true;
        let mut moves = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = Some(small(&mut words, u32::MAX)?),
                "multipv" => rank = small(&mut words, MAX_RANK)?,
                "nodes" => info.nodes = Some(natural(&mut words)?),
                "score" => score = Some(read_score(&mut words)?),
                "lowerbound" | "upperbound" => is_exact = false,
                "wdl" => {
                    let mut next = || small(&mut words, 1000);
                    wdl = Some([next()?, next()?, next()?]);
                }
                "pv" => {
                    let played = words.by_ref().take_while(|word| is_move_like(word));
                    moves.extend(played.take(MAX_MOVES).map(str::to_owned));
                    break;
                }
                // Free text, or moves: no more fields.
                "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        info.variation = score.filter(|_| is_exact).map(|score| Variation {
            rank,
            depth,
            nodes: info.nodes,
            score,
            wdl,
            moves,
        });
        Some(info)
    }
}

fn read_score(words: &mut SplitAsciiWhitespace<'_>) -> Option<Score> {
    let kind = words.next()?;
    let number = words.next()?.parse().ok()?;
    match kind {
        "cp" => Some(Score::Centipawns(number)),
        "mate" => Some(Score::Mate(number)),
        _ => None,
    }
}

fn natural(words: &mut SplitAsciiWhitespace<'_>) -> Option<u64> {
    let number = words.next()?.parse().ok()?;
    (number <= MAX_INTEGER).then_some(number)
}

fn small(words: &mut SplitAsciiWhitespace<'_>, max: u32) -> Option<u32> {
    let number = words.next()?.parse().ok()?;
    (number <= max).then_some(number)
}

/// Whether the word has the shape of a UCI move, castling and promotion
/// included. Legality is the caller's.
fn is_move_like(word: &str) -> bool {
    matches!(word.len(), 4 | 5) && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_line_is_read_field_by_field() {
        let line = "info depth 8 seldepth 9 multipv 2 score cp -31 wdl 12 930 58 nodes 5017 \
                    nps 418083 hashfull 1 tbhits 0 time 12 pv e7e5 g1f3";
        let info = Info::parse(line).expect("an info line");
        assert_eq!(info.nodes, Some(5017));
        let expected = Variation {
            rank: 2,
            depth: Some(8),
            nodes: Some(5017),
            score: Score::Centipawns(-31),
            wdl: Some([12, 930, 58]),
            moves: vec!["e7e5".to_owned(), "g1f3".to_owned()],
        };
        assert_eq!(info.variation, Some(expected));
    }

    #[test]
    fn a_bound_gives_nodes_and_no_score_wherever_the_word_stands() {
        for line in [
            "info depth 9 score cp 20 lowerbound nodes 7",
            "info depth 9 score cp 20 wdl 31 946 23 upperbound nodes 7 pv e2e4",
        ] {
            let info = Info::parse(line).expect("an info line");
            assert_eq!((info.nodes, info.variation), (Some(7), None), "{line}");
        }
    }

    #[test]
    fn free_text_is_not_read_as_fields() {
        let info = Info::parse("info nodes 3 string nodes 900 score cp 1").expect("an info line");
        assert_eq!((info.nodes, info.variation), (Some(3), None));
    }

    #[test]
    fn garbled_lines_say_nothing() {
        for line in [
            "infonodes 3",
            "info depth",
            "info depth x nodes 3",
            "info score cp",
            "info score cp 2147483648",
            "info score cp 1e3",
            "info score tb 3",
            "info wdl 1 2",
            "info wdl 1001 0 0",
            "info nodes -1",
            "info nodes 9007199254740992",
            "info multipv 501 score cp 1",
        ] {
            assert_eq!(Info::parse(line), None, "{line}");
        }
    }
}
