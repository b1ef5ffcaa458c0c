use crate::cli::exit::Exit;
use crate::cli::screen::{Screen, counted};
use crate::run::AskingOutcome;

/// How a run of questions is spoken of.
pub(crate) struct Words {
    /// What was asked.
    pub(crate) dataset: String,
    /// One of it.
    pub(crate) noun: &'static str,
    /// That nothing is left.
    pub(crate) finished: &'static str,
    /// That requests failed.
    pub(crate) failing: &'static str,
    /// The board that shows it.
    pub(crate) board: &'static str,
}

/// Says how a run of questions ended.
pub(crate) fn end(outcome: &AskingOutcome, words: &Words, screen: &mut Screen<'_>) -> Exit {
    let left = |left: usize| counted(left, words.noun);
    let (text, exit) = match outcome {
        AskingOutcome::Finished => (words.finished.to_owned(), Exit::Clean),
        AskingOutcome::Interrupted(number) => (
            format!("told to stop, {} left; run again to go on", left(*number)),
            Exit::Failed,
        ),
        AskingOutcome::Failing(number) => (
            format!(
                "{}, {} left; run again once the server is mended",
                words.failing,
                left(*number)
            ),
            Exit::Blocked,
        ),
        AskingOutcome::Spent(what, number) => (
            format!(
                "the budget is spent ({what}), {} left; run again with more in [budget]",
                left(*number)
            ),
            Exit::Clean,
        ),
    };
    let (dataset, board) = (&words.dataset, words.board);
    screen.line(&format!("{dataset}: {text}; see scoresheet board {board}"));
    exit
}
