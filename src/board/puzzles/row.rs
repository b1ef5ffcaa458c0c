use crate::board::placement::label;
use crate::board::{Coverage, SystemLabel};
use crate::canonical::{Count, Total};
use crate::event::{EventId, ReplyForm};
use crate::measure::Interval;
use crate::projection::{Dataset, Projection, PuzzleAttempt, PuzzleRun, Tally};

/// One system on a board of puzzles. There is none without an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleRow {
    /// Which system.
    pub system: SystemLabel,
    /// From 1. Absent: unranked.
    pub rank: Option<u64>,
    /// How many puzzles the dataset has.
    pub puzzles: u64,
    /// What was solved, of the answers that count.
    pub score: PuzzleScore,
    /// The same by cell, in the order of the dataset.
    pub cells: Vec<PuzzleScore>,
    /// The same for solutions of one ply, and for longer ones.
    pub plies: [PuzzleScore; 2],
    /// Replies by form, in the order of [`ReplyForm::ALL`].
    pub forms: [FormCount; 4],
    /// Requests that no reply came to. They count as wrong.
    pub provider_failures: u64,
    /// Answers that corrections take out.
    pub excluded: u64,
    /// Which side is to move in the puzzles that were answered.
    pub coverage: Coverage,
    /// What the calls took.
    pub resources: PuzzleResources,
}

/// Puzzles solved, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleScore {
    /// Solved: the exact line.
    pub solved: u32,
    /// Solved as Lichess has it: another mate counts too.
    pub any_mate: u32,
    /// Answered, provider failures included.
    pub of: u32,
}

/// Replies of one form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormCount {
    /// All of them.
    pub replies: u64,
    /// Those that solved their puzzle.
    pub solved: u64,
}

/// Tokens and US dollars of the calls behind the answers that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleResources {
    /// Prompt tokens, over answered calls.
    pub prompt_tokens: Tally<u64>,
    /// Completion tokens, reasoning included, over answered calls.
    pub completion_tokens: Tally<u64>,
    /// Tokens of reasoning, over answered calls.
    pub reasoning_tokens: Tally<u64>,
    /// US dollars that providers report, over answered and failed calls.
    pub cost_usd: Tally<Total>,
    /// US dollars at saved prices, over calls without a reported cost.
    pub estimated_usd: Tally<Total>,
}

impl PuzzleScore {
    fn take(&mut self, attempt: &PuzzleAttempt) {
        self.of += 1;
        self.solved += u32::from(attempt.solving.is_exact);
        self.any_mate += u32::from(attempt.solving.is_any_mate);
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.of += other.of;
        self.solved += other.solved;
        self.any_mate += other.any_mate;
    }

    /// The 95 % interval of the share that is solved (Wilson); nothing without
    /// an answer.
    pub fn interval(self) -> Option<Interval> {
        Interval::wilson_95(self.solved, self.of)
    }
}

impl PuzzleResources {
    /// Takes in a call, and whether a reply came.
    pub(crate) fn take(&mut self, projection: &Projection, call: Option<EventId>, has_reply: bool) {
        let ended = call.and_then(|call| projection.costs.ended(&call));
        let (figures, estimate) = ended.unwrap_or_default();
        if has_reply {
            let known = |count: Option<Count>| count.map(Count::get);
            self.prompt_tokens.take(known(figures.prompt));
            self.completion_tokens.take(known(figures.completion));
            self.reasoning_tokens.take(known(figures.reasoning));
        }
        self.cost_usd.take(figures.cost_usd.map(Total::from));
        if figures.cost_usd.is_none() {
            self.estimated_usd.take(estimate);
        }
    }
}

impl PuzzleRow {
    pub(crate) fn of(projection: &Projection, dataset: &Dataset, run: &PuzzleRun) -> Option<Self> {
        let corrections = &projection.corrections;
        let puzzles = dataset.registered.puzzles().count();
        let excluded = run.attempts();
        let excluded = excluded.filter(|attempt| corrections.is_excluded(&attempt.id));
        let mut row = Self {
            system: label(projection, &run.system),
            rank: None,
            puzzles: u64::try_from(puzzles).unwrap_or(u64::MAX),
            score: PuzzleScore::default(),
            cells: Vec::new(),
            plies: [PuzzleScore::default(); 2],
            forms: [FormCount::default(); 4],
            provider_failures: 0,
            excluded: u64::try_from(excluded.count()).unwrap_or(u64::MAX),
            coverage: Coverage::default(),
            resources: PuzzleResources::default(),
        };
        for cell in &dataset.registered.cells {
            let mut score = PuzzleScore::default();
            for puzzle in &cell.puzzles {
                let Some(attempt) = run.counting(&puzzle.id, corrections) else {
                    continue;
                };
                score.take(attempt);
                row.coverage.take_to_move(Some(puzzle.fen.as_str()));
                row.take(attempt, puzzle.line.len());
                let has_reply = attempt.answered.form.is_some();
                row.resources.take(projection, attempt.call, has_reply);
            }
            row.score.join(score);
            row.cells.push(score);
        }
        (row.score.of != 0).then_some(row)
    }

    fn take(&mut self, attempt: &PuzzleAttempt, plies: usize) {
        let [one, longer] = &mut self.plies;
        (if plies == 1 { one } else { longer }).take(attempt);
        let Some(form) = attempt.answered.form else {
            self.provider_failures += 1;
            return;
        };
        let mut forms = ReplyForm::ALL.into_iter().zip(&mut self.forms);
        if let Some((_, count)) = forms.find(|(known, _)| *known == form) {
            count.replies += 1;
            count.solved += u64::from(attempt.solving.is_exact);
        }
    }

    /// Whether every puzzle of the dataset has an answer that counts.
    pub fn is_complete(&self) -> bool {
        u64::from(self.score.of) == self.puzzles
    }
}
