use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::run::Ground;
use crate::cli::run::deck::Deck;
use crate::cli::run::teller::Teller;
use crate::cli::screen::{Screen, counted};
use crate::event::By;
use crate::run::{AskingOutcome, AskingTold, Record, RunError};

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

/// Asks what is left and tells of it. `run` registers and asks, with the name of this
/// program, until it is told to stop, and tells what becomes of each question.
pub(crate) fn ask<'a, R>(
    (ground, deck): (Ground<'a>, &'a Deck),
    by: &By,
    words: &Words,
    screen: &mut Screen<'_>,
    run: R,
) -> Result<Exit, CliError>
where
    R: FnOnce(
        Record<'a>,
        &str,
        (&dyn Fn() -> bool, &mut dyn FnMut(AskingTold)),
    ) -> Result<AskingOutcome, RunError>,
{
    let (record, interrupt) = ground.record(deck.clock(), by)?;
    let record = record.sealing_with(deck.keys());
    let mut teller = Teller::new(screen, words.board);
    let stop = || interrupt.is_asked() || deck.tape.is_faulty();
    let mut tell = |told| teller.tell_answer(&told);
    let outcome = run(record, &deck.program(), (&stop, &mut tell));
    teller.finish();
    deck.end(screen)?;
    Ok(end(&outcome?, words, screen))
}

/// Says how a run of questions ended.
fn end(outcome: &AskingOutcome, words: &Words, screen: &mut Screen<'_>) -> Exit {
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
