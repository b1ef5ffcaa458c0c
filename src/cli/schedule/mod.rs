//! What a ladder plays next, and how every game of it was chosen.

mod admit;
mod check;
mod next;

pub(crate) use next::in_words;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::ledger::Disk;

/// Choose the next game of a ladder, admit a newcomer, or check how every game
/// was chosen.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    Next(next::Args),
    Admit(admit::Args),
    Check(check::Args),
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.step {
        Step::Next(args) => next::run(args, disk, screen),
        Step::Admit(args) => admit::run(args, disk, screen),
        Step::Check(args) => check::run(args, disk, screen),
    }
}
