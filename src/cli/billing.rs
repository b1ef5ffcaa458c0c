use crate::canonical::{Day, Money, Total};
use crate::cli::costs::parse_day;
use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::cli::writing::{WritingArgs, parse_money, parse_words};
use crate::event::{BillingCorrected, CostPart, Name};
use crate::ledger::Disk;
use crate::projection::Projection;

/// Correct recorded costs by what a bill says.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Append a `billing.corrected`: only the difference to what is recorded
    /// counts, on the day of the event.
    ///
    /// What is recorded is worked out from the ledger: reported, looked-up and
    /// estimated costs and earlier corrections. A charge that is looked up
    /// later counts beside the correction, so look up first.
    Correct(CorrectArgs),
}

#[derive(Debug, clap::Args)]
struct CorrectArgs {
    /// Which part of the costs the bill is about.
    #[arg(long, value_enum)]
    part: Part,

    /// The system that the bill is about, by name; its identity is meant, with
    /// every system that is the same model and thinking setup [default: all].
    #[arg(long, value_name = "NAME")]
    system: Option<Name>,

    /// The first UTC day of the bill [default: from the beginning].
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    from: Option<Day>,

    /// The last UTC day of the bill [default: up to now].
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    until: Option<Day>,

    /// The total that the bill says, in US dollars.
    #[arg(long, value_name = "USD", value_parser = parse_money, allow_hyphen_values = true)]
    total: Money,

    /// The bill, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    note: String,

    #[command(flatten)]
    writing: WritingArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Part {
    Placement,
    Continuous,
    Human,
    Operating,
}

impl From<Part> for CostPart {
    fn from(part: Part) -> Self {
        match part {
            Part::Placement => Self::Placement,
            Part::Continuous => Self::Continuous,
            Part::Human => Self::Human,
            Part::Operating => Self::Operating,
        }
    }
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Command::Correct(args) = &args.command;
    // The lock is held from reading to writing: the recorded total is about the
    // events right before its own event.
    let mut desk = Desk::open(&args.writing, disk)?;
    let corrected = draft(args, desk.projection())?;
    let [bill, recorded] = [corrected.corrected_usd, corrected.recorded_usd];
    desk.say(corrected)?;
    if desk.commit(screen)? {
        screen.line(&format!(
            "recorded {recorded} USD, the bill says {bill} USD: {} USD count",
            Total::from(bill) - Total::from(recorded)
        ));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

/// What the bill changes, as the ledger stands.
fn draft(args: &CorrectArgs, projection: &Projection) -> Result<BillingCorrected, CliError> {
    let system = match &args.system {
        None => None,
        Some(name) => Some(projection.systems.system_named(name).ok_or_else(|| {
            CliError::Input(format!("no system is registered under the name {name}"))
        })?),
    };
    let mut corrected = BillingCorrected {
        corrected_usd: args.total,
        from: args.from,
        note: args.note.clone(),
        part: args.part.into(),
        recorded_usd: Money::ZERO,
        system: system.map(|system| system.id),
        until: args.until,
    };
    let recorded = projection.costs.recorded(&projection.billed(&corrected));
    corrected.recorded_usd = recorded.money().ok_or_else(|| {
        CliError::Input(format!(
            "{recorded} USD are recorded, more than an event can say; correct fewer days at a time"
        ))
    })?;
    Ok(corrected)
}
