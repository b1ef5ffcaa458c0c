use crate::cli::correct::target::{Target, named};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::fold;
use crate::cli::screen::Screen;
use crate::cli::writing::{WritingArgs, parse_words, say_size};
use crate::event::{DeviationRecorded, EventId};
use crate::ledger::{Disk, Prefix};

/// Record that something was done otherwise than was said, for all to see.
///
/// Appends one `deviation.recorded`. It changes no figure: an affected game is
/// excluded, where it must be, with `scoresheet correct`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What it departs from: a cohort, or the id of a protocol, preregistration or
    /// schedule, or its first digits.
    #[arg(long, value_name = "COHORT|EVENT")]
    from: String,

    /// What differed, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    differed: String,

    /// Why, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    reason: String,

    /// An event that it touches: its id or the first digits; may be given more
    /// than once.
    #[arg(long, value_name = "EVENT")]
    affected: Vec<Target>,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let deviation = DeviationRecorded {
        affected: named(&args.affected, disk)?,
        departs_from: departed(&args.from, disk)?,
        differed: args.differed.clone(),
        reason: args.reason.clone(),
    };
    if let Some(receipt) = args.writing.append(disk, &[deviation.into()], screen)? {
        screen.line("recorded a deviation");
        say_size(&receipt, screen);
    }
    Ok(Exit::Clean)
}

/// A cohort goes by its schedule.
fn departed(text: &str, disk: &Disk) -> Result<EventId, CliError> {
    let prefix = Prefix::open(disk)?;
    let (projection, _) = fold(&prefix, prefix.size())?;
    if let Some(schedule) = projection.schedules.cohort(text) {
        return Ok(schedule.id);
    }
    let target = text.parse::<Target>().map_err(|error| {
        CliError::Input(format!(
            "--from: there is no cohort of this name ({}), and no such event: {error}",
            projection.schedules.cohorts_in_words()
        ))
    })?;
    let found = named(std::slice::from_ref(&target), disk)?.into_iter();
    let found = found.last();
    found.ok_or_else(|| CliError::Input("--from names no event".to_owned()))
}
