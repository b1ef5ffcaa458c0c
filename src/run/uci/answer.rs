use std::collections::BTreeMap;

use crate::chess::Score;
use crate::run::uci::Variation;
use crate::run::uci::fault::quoted;
use crate::run::uci::variation::Info;

/// What an engine answered to one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move in UCI notation, not looked at: it may be illegal. `None` when
    /// the engine says that there is no move, which it also does after a mate.
    pub bestmove: Option<String>,
    /// Positions searched, as last reported; more than the limit asked for.
    pub nodes: Option<u64>,
    /// The last exact report on each line of play, best first. A later report
    /// that only bounds the score does not replace it.
    pub variations: Vec<Variation>,
    /// Milliseconds from the start of the search to the answer, by our clock.
    pub elapsed_ms: u64,
}

impl Answer {
    /// The line of play that the engine thinks best, when it gave one.
    pub fn best(&self) -> Option<&Variation> {
        self.variations.first().filter(|line| line.rank == 1)
    }

    /// The exact score of the best line, from the view of the side to move.
    pub fn score(&self) -> Option<Score> {
        self.best().map(|line| line.score)
    }

    /// The depth in plies at which the best line got its score.
    pub fn depth(&self) -> Option<u32> {
        self.best()?.depth
    }

    /// Chances of win, draw and loss of the side to move in per mille, on the
    /// best line.
    pub fn wdl(&self) -> Option<[u32; 3]> {
        self.best()?.wdl
    }
}

/// What was heard of a search so far.
#[derive(Default)]
pub(crate) struct Heard {
    nodes: Option<u64>,
    variations: BTreeMap<u32, Variation>,
}

impl Heard {
    /// Takes in a line. Returns the word behind `bestmove` once it comes, empty
    /// if there is none; any line that is neither that nor a whole `info` line
    /// is passed over.
    pub(crate) fn hear<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let mut words = line.split_ascii_whitespace();
        if words.next() == Some("bestmove") {
            return Some(words.next().unwrap_or_default());
        }
        if let Some(info) = Info::parse(line) {
            self.nodes = info.nodes.or(self.nodes);
            if let Some(variation) = info.variation {
                self.variations.insert(variation.rank, variation);
            }
        }
        None
    }

    /// Returns the answer that ends with this word.
    pub(crate) fn answer(self, word: &str, elapsed_ms: u64) -> Answer {
        Answer {
            bestmove: match word {
                "" | "(none)" | "0000" => None,
                word => Some(quoted(word)),
            },
            nodes: self.nodes,
            variations: self.variations.into_values().collect(),
            elapsed_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(lines: &[&str]) -> Option<Answer> {
        let mut heard = Heard::default();
        let word = lines.iter().find_map(|line| heard.hear(line))?;
        Some(heard.answer(word, 7))
    }

    #[test]
    fn the_last_exact_line_gives_the_score_and_the_last_line_the_nodes() {
        let answer = answer(&[
            "info depth 7 multipv 1 score cp 12 nodes 900 pv d2d4",
            "info depth 8 multipv 1 score cp 31 nodes 4000 pv e2e4 e7e5",
            "info depth 8 multipv 2 score cp 28 nodes 4500 pv d2d4",
            "info depth 9 multipv 1 score cp 50 lowerbound nodes 5017 pv e2e4",
            "bestmove e2e4 ponder e7e5",
        ])
        .expect("an answer");
        assert_eq!(answer.bestmove.as_deref(), Some("e2e4"));
        assert_eq!(answer.nodes, Some(5017));
        assert_eq!(answer.score(), Some(Score::Centipawns(31)));
        assert_eq!(answer.depth(), Some(8));
        assert_eq!(answer.variations.len(), 2);
    }

    #[test]
    fn saying_that_there_is_no_move_is_an_answer_without_one() {
        for line in ["bestmove (none)", "bestmove 0000", "bestmove"] {
            let answer = answer(&["info depth 0 score mate 0", line]).expect("an answer");
            assert_eq!(answer.bestmove, None);
            assert_eq!(answer.score(), Some(Score::Mate(0)));
        }
        assert_eq!(answer(&["bestmovee2e4", "info string bestmove e2e4"]), None);
    }

    #[test]
    fn a_second_line_alone_is_not_the_best() {
        let answer = answer(&["info multipv 2 score cp 28", "bestmove e2e4"]).expect("an answer");
        assert_eq!(answer.score(), None);
    }
}
