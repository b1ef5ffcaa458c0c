use crate::cli::desk::Desk;
use crate::cli::era::find;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::{Screen, counted};
use crate::cli::system;
use crate::cli::writing::WritingArgs;
use crate::event::Name;
use crate::ledger::Disk;

/// Admit a newcomer to a ladder: it plays everyone who is ranked now, once with
/// each color, before the ladder draws again.
///
/// Appends `schedule.committed` with the pool in the order of rank positions,
/// each by its newest registration.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The newcomer: a registered system whose identity is not on the ladder.
    newcomer: Name,

    /// The era [default: the one that goes on].
    era: Option<String>,

    /// The name of the cohort that its placement games are, unique in the ledger.
    #[arg(long, value_name = "NAME")]
    cohort: Name,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let projection = desk.projection();
    let era = find(projection, args.era.as_deref())?;
    let (newcomer, _) = system::find(projection, &args.newcomer)?;
    let newest = |systems: &[crate::event::EventId]| systems.last().copied();
    let admission = projection.admission(era, newcomer, args.cohort.clone(), newest);
    let admission = admission.map_err(|why| {
        CliError::Input(format!(
            "{} cannot be admitted to era {}: {why}",
            args.newcomer, era.started.name
        ))
    })?;
    let opponents = admission.systems.len().saturating_sub(1);
    desk.say(admission)?;
    if desk.commit(screen)? {
        screen.line(&format!(
            "admitted {} as {}: {} against {}",
            args.newcomer,
            args.cohort,
            counted(2 * opponents, "game"),
            counted(opponents, "opponent")
        ));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}
