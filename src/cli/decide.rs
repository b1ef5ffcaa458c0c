use crate::cli::correct::target::{Target, named};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::cli::writing::{WritingArgs, parse_words, say_size};
use crate::event::DecisionRecorded;
use crate::ledger::Disk;

/// Record a decision, for all to see.
///
/// Appends one `decision.recorded`. It changes no figure: what it decides on is
/// set right by commands of its own. It is part of the inconvenient record that
/// every release carries.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What was decided, in words; it is public.
    #[arg(value_name = "TEXT", value_parser = parse_words)]
    decision: String,

    /// Why, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    reason: String,

    /// An event that it is about: its id or the first digits; may be given more
    /// than once.
    #[arg(long, value_name = "EVENT")]
    about: Vec<Target>,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let decided = DecisionRecorded {
        about: named(&args.about, disk)?,
        decision: args.decision.clone(),
        reason: args.reason.clone(),
    };
    if let Some(receipt) = args.writing.append(disk, &[decided.into()], screen)? {
        screen.line("recorded a decision");
        say_size(&receipt, screen);
    }
    Ok(Exit::Clean)
}
