use crate::board::placement::label;
use crate::board::puzzles::PuzzleResources;
use crate::board::{Coverage, SystemLabel};
use crate::chess::RejectionClass;
use crate::measure::Interval;
use crate::projection::{CellAnswer, PositionList, PositionRun, Projection, is_settled};

/// One system on a board of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRow {
    /// Which system.
    pub system: SystemLabel,
    /// How many positions the list has.
    pub positions: u64,
    /// Positions that are done: by a move, by the last answer that was rejected, by a
    /// request that failed, or by what contradicts the evidence.
    pub done: u64,
    /// Of them those with a legal move.
    pub legal: u64,
    /// Of them those whose last answer was rejected, by class, in the order of
    /// [`RejectionClass::ALL`].
    pub rejected: Vec<u64>,
    /// Of them those whose request failed: provider failures, not answers.
    pub no_reply: u64,
    /// Of them those whose answer contradicts the evidence.
    pub contradicted: u64,
    /// Rejected answers that another attempt followed, or may.
    pub earlier: u64,
    /// Answers that corrections take out.
    pub excluded: u64,
    /// Which side is to move in the positions that are done.
    pub coverage: Coverage,
    /// What the calls took.
    pub resources: PuzzleResources,
}

impl PositionRow {
    pub(crate) fn of(
        projection: &Projection,
        list: &PositionList,
        run: &PositionRun,
        attempts: Option<u64>,
    ) -> Self {
        let corrections = &projection.corrections;
        let count = |number| u64::try_from(number).unwrap_or(u64::MAX);
        let excluded = run.answers();
        let excluded = excluded.filter(|answer| corrections.is_excluded(&answer.id));
        let mut row = Self {
            system: label(projection, &run.key.system),
            positions: count(list.registered.positions.len()),
            done: 0,
            legal: 0,
            rejected: vec![0; RejectionClass::ALL.len()],
            no_reply: 0,
            contradicted: 0,
            earlier: 0,
            excluded: count(excluded.count()),
            coverage: Coverage::default(),
            resources: PuzzleResources::default(),
        };
        for listed in &list.registered.positions {
            let answers: Vec<_> = run.counting(&listed.id, corrections).collect();
            for answer in &answers {
                let has_reply = answer.answered.uci.is_some() || answer.is_rejected();
                row.resources.take(projection, answer.call, has_reply);
            }
            let is_done = is_settled(answers.iter().copied(), attempts.unwrap_or(1));
            let settled = is_done.then(|| answers.last()).flatten();
            row.earlier += count(answers.len()) - u64::from(settled.is_some());
            if let Some(last) = settled {
                row.coverage.take_to_move(Some(listed.fen.as_str()));
                row.settle(last);
            }
        }
        row
    }

    fn settle(&mut self, last: &CellAnswer) {
        self.done += 1;
        if last.is_contradicted {
            self.contradicted += 1;
        } else if last.answered.uci.is_some() {
            self.legal += 1;
        } else if let Some(class) = last.answered.class {
            let mut classes = RejectionClass::ALL.iter().zip(&mut self.rejected);
            if let Some((_, count)) = classes.find(|(known, _)| **known == class) {
                *count += 1;
            }
        } else {
            self.no_reply += 1;
        }
    }

    /// Positions that a reply came to: done, and not for want of one.
    pub const fn answered(&self) -> u64 {
        self.done.saturating_sub(self.no_reply)
    }

    /// The 95 % interval of the share of legal moves among the positions answered
    /// (Wilson); nothing without one.
    pub fn interval(&self) -> Option<Interval> {
        let small = |count: u64| u32::try_from(count).ok();
        Interval::wilson_95(small(self.legal)?, small(self.answered())?)
    }

    /// Positions whose last answer was rejected, of any class.
    pub fn rejected(&self) -> u64 {
        self.rejected.iter().sum()
    }
}
