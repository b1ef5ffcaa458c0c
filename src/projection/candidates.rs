use crate::chess::{Fen, Position, UciMove};
use crate::digest::Digest;
use crate::event::PositionMeasured;

/// The moves that an engine thinks best, as a player is shown them: without
/// order, rank or score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    ranked: Vec<UciMove>,
    shown: Vec<UciMove>,
}

/// What the order in which candidates are shown is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presentation<'a> {
    /// The experiment: the cohort, or the schedule.
    pub experiment: &'a str,
    /// The condition, such as `top-3`.
    pub condition: &'a str,
    /// The repetition, from 0.
    pub repetition: u64,
    /// The digest of the prompts.
    pub prompt: Digest,
}

/// A record of an engine cannot serve as candidates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CandidatesError {
    /// A move of the record is not legal.
    #[error("candidates for `{fen}`: `{uci}`, rank {rank}, is no legal move there; analyze again")]
    Illegal {
        /// The position.
        fen: Fen,
        /// The move.
        uci: UciMove,
        /// Its rank, from 1.
        rank: usize,
    },
    /// A move stands twice in the record.
    #[error(
        "candidates for `{fen}`: `{uci}` stands there twice, the second time as rank {rank}; analyze again"
    )]
    Twice {
        /// The position.
        fen: Fen,
        /// The move.
        uci: UciMove,
        /// Its second rank, from 1.
        rank: usize,
    },
    /// There are not as many moves as are to be shown.
    #[error(
        "candidates for `{fen}`: {expected} moves are to be shown and {found} are there; analyze with that many lines"
    )]
    Width {
        /// The position.
        fen: Fen,
        /// How many are to be shown.
        expected: usize,
        /// How many there are.
        found: usize,
    },
}

impl Candidates {
    /// Returns the first `width` moves of a record that lists moves best first,
    /// or all legal moves where there are fewer; in the order in which they are
    /// shown.
    ///
    /// Every narrower set from the same record is a part of every wider one.
    pub fn of(
        position: &Position,
        record: &[UciMove],
        width: usize,
        presentation: &Presentation<'_>,
    ) -> Result<Self, CandidatesError> {
        let fen = position.fen();
        for (index, uci) in record.iter().enumerate() {
            let (fen, uci, rank) = (fen.clone(), *uci, index + 1);
            if !position.is_legal(uci) {
                return Err(CandidatesError::Illegal { fen, uci, rank });
            }
            if record[..index].contains(&uci) {
                return Err(CandidatesError::Twice { fen, uci, rank });
            }
        }
        let expected = width.min(position.legal_moves().len());
        let Some(ranked) = record.get(..expected) else {
            let found = record.len();
            return Err(CandidatesError::Width {
                fen,
                expected,
                found,
            });
        };
        let mut shown = ranked.to_vec();
        shown.sort_by_key(|uci| presentation.place(&fen, *uci));
        Ok(Self {
            ranked: ranked.to_vec(),
            shown,
        })
    }

    /// Returns the moves that an analysis thinks best, best first: the first move of
    /// each of its lines, up to a line that has none. Where a search was cut off
    /// between two depths, two lines may begin with one move; it counts once, where
    /// it stands first.
    pub fn record(measured: &PositionMeasured) -> Vec<UciMove> {
        let lines = measured.lines.iter();
        let firsts = lines.map_while(|line| line.pv.first().copied());
        firsts.fold(Vec::new(), |mut record, uci| {
            if !record.contains(&uci) {
                record.push(uci);
            }
            record
        })
    }

    /// The moves, best first. No player sees this order.
    pub fn ranked(&self) -> &[UciMove] {
        &self.ranked
    }

    /// The moves in the order in which they are shown.
    pub fn shown(&self) -> &[UciMove] {
        &self.shown
    }
}

impl Presentation<'_> {
    /// Returns what candidates are ordered by: SHA-256 of one line,
    /// `scoresheet presentation v1|experiment|fen|condition|repetition|prompt|move`.
    pub fn place(&self, fen: &Fen, uci: UciMove) -> Digest {
        let Self {
            experiment,
            condition,
            repetition,
            prompt,
        } = self;
        let line = format!(
            "scoresheet presentation v1|{experiment}|{fen}|{condition}|{repetition}|{prompt}|{uci}\n"
        );
        Digest::of(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::chess::Variant;

    fn start() -> Position {
        Fen::standard_start().position(Variant::Standard).unwrap()
    }

    fn moves(text: &str) -> Vec<UciMove> {
        text.split(' ').map(|uci| uci.parse().unwrap()).collect()
    }

    fn presentation(repetition: u64) -> Presentation<'static> {
        Presentation {
            experiment: "pilot-1",
            condition: "oracle",
            repetition,
            prompt: Digest::of(b"prompt"),
        }
    }

    #[test]
    fn sets_are_nested_and_their_order_is_that_of_the_label() {
        let record = moves("e2e4 d2d4 g1f3 c2c4 g2g3");
        let of = |width| Candidates::of(&start(), &record, width, &presentation(0)).unwrap();
        for width in 0..=5 {
            assert_eq!(of(width).ranked(), &record[..width]);
            let mut shown = of(width).shown().to_vec();
            let digest = |uci: &UciMove| {
                let prompt = Digest::of(b"prompt");
                let start = Fen::standard_start();
                let line =
                    format!("scoresheet presentation v1|pilot-1|{start}|oracle|0|{prompt}|{uci}\n");
                Digest::of(line.as_bytes())
            };
            assert!(shown.is_sorted_by_key(digest));
            shown.sort_unstable();
            let mut ranked = record[..width].to_vec();
            ranked.sort_unstable();
            assert_eq!(shown, ranked);
        }
    }

    #[test]
    fn a_record_is_the_first_moves_of_the_lines_each_once_and_has_no_gap() {
        let measured: PositionMeasured = serde_json::from_value(serde_json::json!({
            "analyst": crate::event::EventId::of(b"analyst"), "best": "e2e4",
            "fen": Fen::standard_start(), "variant": "standard",
            "lines": [
                {"cp": 30, "pv": ["e2e4", "e7e5"]}, {"cp": 28, "pv": ["d2d4"]},
                {"cp": 25, "pv": ["e2e4"]}, {"cp": 24, "pv": ["g1f3"]},
                {"cp": 20, "pv": []}, {"cp": 10, "pv": ["c2c4"]},
            ],
        }))
        .unwrap();
        assert_eq!(Candidates::record(&measured), moves("e2e4 d2d4 g1f3"));
    }

    #[test]
    fn every_order_comes_about_as_often() {
        let record = moves("e2e4 d2d4 g1f3");
        let mut seen = BTreeMap::new();
        for repetition in 0..6000 {
            let of = Candidates::of(&start(), &record, 3, &presentation(repetition));
            *seen.entry(of.unwrap().shown().to_vec()).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(
            seen.values().all(|count| (850..1150).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn a_record_that_does_not_fit_is_refused_in_words() {
        let refused = |record: &str, width| {
            let of = Candidates::of(&start(), &moves(record), width, &presentation(0));
            of.unwrap_err().to_string()
        };
        let fen = Fen::standard_start();
        assert_eq!(
            refused("e2e4 e2e5", 1),
            format!(
                "candidates for `{fen}`: `e2e5`, rank 2, is no legal move there; analyze again"
            )
        );
        assert!(refused("e2e4 d2d4 e2e4", 1).contains("`e2e4` stands there twice"));
        assert!(refused("e2e4", 2).contains("2 moves are to be shown and 1 are there"));
        // Where there are fewer legal moves, all of them are enough.
        let fen: Fen = "7k/8/8/8/8/8/8/K7 b - - 0 1".parse().unwrap();
        let corner = fen.position(Variant::Standard).unwrap();
        let all = corner.legal_moves();
        assert!(Candidates::of(&corner, &all, 10, &presentation(0)).is_ok());
        assert!(Candidates::of(&corner, &all[1..], 10, &presentation(0)).is_err());
    }
}
