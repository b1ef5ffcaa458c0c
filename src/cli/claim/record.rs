use crate::canonical::Count;
use crate::cli::claim::figure::Stated;
use crate::cli::claim::find;
use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::cli::writing::{WritingArgs, parse_words};
use crate::event::{ClaimKind, ClaimRecorded, EndpointRef, EvidenceStatus, Name};
use crate::ledger::Disk;
use crate::projection::{Projection, Source};
use crate::release::{Figures, Found, figure_in_words};

/// Claim something of the evidence.
///
/// Appends one `claim.recorded`. Each number is held at once against the table
/// that it is said to stand in, as the ledger stands; another number is refused,
/// with the right one. A claim is never changed: another one supersedes it.
///
/// Exit codes: 0 it is written, or --dry-run shows it; 2 it is refused, or
/// something could not be looked at.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A short name.
    #[arg(value_name = "NAME")]
    name: Name,

    /// What sort of claim it is.
    #[arg(long, value_enum)]
    kind: Kind,

    /// The claim, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    statement: String,

    /// A cohort that it stands on; may be given more than once.
    #[arg(long, value_name = "COHORT")]
    cohort: Vec<Name>,

    /// A number, and where it stands: TABLE[/COHORT]: COLUMN=VALUE, ...,
    /// COLUMN=VALUE. The last column is the number's, those before it pick one
    /// row. May be given more than once.
    #[arg(long, value_name = "FIGURE")]
    figure: Vec<Stated>,

    /// The primary endpoint that it reports, from 0, of the preregistration of
    /// its first cohort.
    #[arg(long, value_name = "N")]
    endpoint: Option<u32>,

    /// The evidence status that it claims [default: the highest that its cohorts
    /// can bear].
    #[arg(long, value_enum)]
    status: Option<Status>,

    /// It says that something was looked for and not found.
    #[arg(long)]
    negative: bool,

    /// The claim in whose place it stands: its name, its id or the first digits.
    #[arg(long, value_name = "CLAIM")]
    supersedes: Option<String>,

    #[command(flatten)]
    writing: WritingArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kind {
    /// What complete systems did, in numbers.
    Observed,
    /// Why they did it.
    Interpretation,
    /// What could be built.
    Proposal,
}

impl From<Kind> for ClaimKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Observed => Self::ObservedSystemResult,
            Kind::Interpretation => Self::MechanisticInterpretation,
            Kind::Proposal => Self::ArchitectureProposal,
        }
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Status {
    Pilot,
    Provisional,
    Confirmatory,
}

impl From<Status> for EvidenceStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Pilot => Self::Pilot,
            Status::Provisional => Self::Provisional,
            Status::Confirmatory => Self::Confirmatory,
        }
    }
}

pub(super) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let claim = draft(args, desk.projection())?;
    check_figures(&claim, desk.projection(), desk.source())?;
    let id = desk.say(claim)?;
    if desk.commit(screen)? {
        screen.line(&format!("recorded claim {} {id}", args.name));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

/// The claim, as the ledger stands.
fn draft(args: &Args, projection: &Projection) -> Result<ClaimRecorded, CliError> {
    for cohort in &args.cohort {
        crate::board::cohort(projection, cohort.as_str())?;
    }
    let supersedes = match &args.supersedes {
        Some(text) => Some(find(projection, text)?.recorded.id),
        None => None,
    };
    let mut others = projection.record.claims.iter();
    let taken = others.find(|claim| {
        claim.said().name == args.name
            && claim.superseded_by.is_none()
            && Some(claim.recorded.id) != supersedes
    });
    if let Some(taken) = taken {
        return Err(CliError::Input(format!(
            "a claim is named {} already: {}; give this one another name, or --supersedes it",
            args.name, taken.recorded.id
        )));
    }
    let figures = args.figure.iter();
    let mut claim = ClaimRecorded {
        cohorts: args.cohort.clone(),
        endpoint: endpoint(args, projection)?,
        evidence_status: EvidenceStatus::Pilot,
        figures: figures
            .map(|stated| stated.figure(&args.cohort))
            .collect::<Result<_, _>>()?,
        is_negative: args.negative.then_some(true),
        kind: args.kind.into(),
        name: args.name.clone(),
        statement: args.statement.clone(),
        supersedes,
    };
    let bearable = projection.status_under(&claim);
    let bearable = bearable.unwrap_or(EvidenceStatus::Pilot);
    claim.evidence_status = args.status.map_or(bearable, EvidenceStatus::from);
    if bearable < claim.evidence_status {
        return Err(CliError::Input(format!(
            "its evidence bears {} and not {}; nothing was written",
            bearable.as_str(),
            claim.evidence_status.as_str()
        )));
    }
    Ok(claim)
}

/// The endpoint that is reported, with its words.
fn endpoint(args: &Args, projection: &Projection) -> Result<Option<EndpointRef>, CliError> {
    let Some(position) = args.endpoint else {
        return Ok(None);
    };
    let schedule = args.cohort.first();
    let schedule = schedule.and_then(|name| projection.schedules.cohort(name.as_str()));
    let promise = schedule.and_then(|schedule| {
        let id = schedule.committed.preregistration?;
        Some((id, schedule.preregistration.as_ref()?))
    });
    let Some((preregistration, promise)) = promise else {
        return Err(CliError::Input(
            "--endpoint goes with --cohort of a cohort that was preregistered".to_owned(),
        ));
    };
    let endpoints = &promise.primary_endpoints;
    let at = usize::try_from(position).unwrap_or(usize::MAX);
    let Some(text) = endpoints.get(at) else {
        let numbered = (0..).zip(endpoints);
        let numbered: Vec<_> = numbered
            .map(|(position, text): (u32, _)| format!("{position} {text}"))
            .collect();
        return Err(CliError::Input(format!(
            "there is no primary endpoint {position}; there is: {}",
            numbered.join("; ")
        )));
    };
    Ok(Some(EndpointRef {
        position: Count::from(position),
        preregistration,
        text: text.clone(),
    }))
}

/// Refuses a number that its table does not say, with the one that it says.
fn check_figures(
    claim: &ClaimRecorded,
    projection: &Projection,
    source: &Source,
) -> Result<(), CliError> {
    let mut figures = Figures::new(projection, source);
    let mut wrong = Vec::new();
    for figure in &claim.figures {
        let place = figure_in_words(figure);
        wrong.extend(figures.differing(figure).map(|found| match found {
            Found::Value(_) => format!("{place} is {}, not {}", found.in_words(), figure.value),
            Found::Nothing(why) => format!("{place} is not there: {why}"),
        }));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(CliError::Input(format!(
        "the tables say other than the claim, and nothing was written:\n{}",
        wrong.join("\n")
    )))
}
