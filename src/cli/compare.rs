use crate::board::{Comparison, Format, render_comparison};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::{ReadingArgs, ReportFormat};
use crate::cli::screen::Screen;
use crate::event::Name;
use crate::ledger::Disk;
use crate::measure::Sprt;
use crate::projection::Projection;

/// Compare two systems of a cohort.
///
/// By their games against one another; in a cohort with anchors, where they never
/// meet, by their cells against the same anchor from the same start with the same
/// color. Prints W-D-L, counts of pairs, the likelihood of superiority, a
/// sequential test and the performance against each anchor, and says what they
/// do and do not say.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The system from whose side figures are.
    first: String,

    /// The other one.
    second: String,

    /// The cohort [default: the only one that both play in].
    #[arg(long)]
    cohort: Option<String>,

    /// Elo of the null hypothesis.
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    elo0: f64,

    /// Elo of the alternative.
    #[arg(long, default_value_t = 20.0, allow_hyphen_values = true)]
    elo1: f64,

    /// How often the alternative may be accepted where the null hypothesis holds.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,

    /// How often the null hypothesis may be accepted where the alternative holds.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,

    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// The widest hypotheses: farther out no score could be told from all or nothing.
const ELO_MAX: f64 = 2000.0;

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let sprt = sprt(args)?;
    let (projection, source) = args.reading.project_from_snapshot(disk)?;
    let cohort = match &args.cohort {
        Some(cohort) => cohort.clone(),
        None => only_cohort(&projection, [&args.first, &args.second])?,
    };
    let names = [args.first.as_str(), args.second.as_str()];
    let comparison = Comparison::of(&projection, &cohort, names, sprt, source)
        .map_err(|error| CliError::Input(error.to_string()))?;
    let format = match args.format {
        ReportFormat::Text => Format::Text,
        ReportFormat::Json => Format::Json,
    };
    screen.data(&render_comparison(&comparison, format)?);
    Ok(Exit::Clean)
}

fn sprt(args: &Args) -> Result<Sprt, CliError> {
    let is_chance = |chance: f64| 0.0 < chance && chance < 0.5;
    let are_apart = args.elo0 < args.elo1 && args.elo0.abs().max(args.elo1.abs()) <= ELO_MAX;
    if !are_apart {
        return Err(CliError::Input(format!(
            "expected --elo0 below --elo1, both within {ELO_MAX} of 0, found {} and {}",
            args.elo0, args.elo1
        )));
    }
    if !is_chance(args.alpha) || !is_chance(args.beta) {
        return Err(CliError::Input(format!(
            "expected --alpha and --beta between 0 and 0.5, found {} and {}",
            args.alpha, args.beta
        )));
    }
    Ok(Sprt {
        elo0: args.elo0,
        elo1: args.elo1,
        alpha: args.alpha,
        beta: args.beta,
    })
}

/// The only cohort in which systems of both names play.
fn only_cohort(projection: &Projection, wanted: [&String; 2]) -> Result<String, CliError> {
    let names = projection.schedules.cohort_names();
    let has_both = |name: &&Name| {
        let schedule = projection.schedules.cohort(name.as_str());
        let systems = schedule.map(|one| &one.committed.systems);
        wanted.iter().all(|wanted| {
            let mut systems = systems.into_iter().flatten();
            systems.any(|id| projection.name_of(id) == **wanted)
        })
    };
    let names: Vec<_> = names.filter(has_both).map(Name::as_str).collect();
    match names.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => Err(CliError::Input(format!(
            "no cohort in which both {} and {} play; there is: {}",
            wanted[0],
            wanted[1],
            projection.schedules.cohorts_in_words()
        ))),
        names => Err(CliError::Input(format!(
            "name one of the cohorts with --cohort: {}",
            names.join(", ")
        ))),
    }
}
