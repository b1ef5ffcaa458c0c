use std::collections::BTreeSet;

use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::{WritingArgs, parse_words};
use crate::event::{
    EventId, Name, ScheduleRule, SystemPaused, SystemRestored, SystemResumed, SystemRetired,
    SystemWithdrawn, What,
};
use crate::ledger::Disk;
use crate::projection::{Cohort, Identity, Projection, Schedule, Status};

/// Say that a system pauses, leaves or comes back, or list all systems.
///
/// What is said holds for the identity: the model version and its thinking
/// setup, under whatever names it is registered.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    /// It keeps its rank position and plays no games: an outage, or a decision.
    Pause(ChangeArgs),
    /// It plays again after a pause.
    Resume(ChangeArgs),
    /// It leaves a first batch that goes on, for good: it and its games leave
    /// the calculation of the first ratings, and no record.
    Withdraw(ChangeArgs),
    /// It leaves scheduling, new challenges by people and the active board; what
    /// it played stands.
    Retire(ChangeArgs),
    /// It comes back with the rating and the status that it had.
    Restore(ChangeArgs),
    /// List all systems by identity, and how they are.
    List(ListArgs),
}

#[derive(Debug, clap::Args)]
struct ChangeArgs {
    /// The system: the name of any registration.
    name: Name,

    /// Why, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    reason: String,

    #[command(flatten)]
    writing: WritingArgs,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    reading: ReadingArgs,
}

/// What may become of a system.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Pause,
    Resume,
    Withdraw,
    Retire,
    Restore,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (args, to) = match &args.step {
        Step::Pause(args) => (args, Change::Pause),
        Step::Resume(args) => (args, Change::Resume),
        Step::Withdraw(args) => (args, Change::Withdraw),
        Step::Retire(args) => (args, Change::Retire),
        Step::Restore(args) => (args, Change::Restore),
        Step::List(args) => {
            let (projection, _) = args.reading.project(disk)?;
            list(&projection, screen);
            return Ok(Exit::Clean);
        }
    };
    let mut desk = Desk::open(&args.writing, disk)?;
    let (system, identity) = find(desk.projection(), &args.name)?;
    refuse(desk.projection(), &args.name, identity, to)?;
    let before = Standing::of(desk.projection(), identity);
    let identity = identity.id;
    desk.say(event(to, system, &args.reason))?;
    if desk.commit(screen)? {
        let status = desk.projection().identities.status(&identity);
        screen.line(&format!("{} is {} now", args.name, status.as_str()));
        if let Some(identity) = desk.projection().identities.identity(&identity) {
            let after = Standing::of(desk.projection(), identity);
            consequences(desk.projection(), &before, &after, screen);
            remind(desk.projection(), identity, to, screen);
        }
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

/// The system with this name, and its identity.
pub(crate) fn find<'p>(
    projection: &'p Projection,
    name: &Name,
) -> Result<(EventId, &'p Identity), CliError> {
    let system = projection.systems.system_named(name);
    let found = system.and_then(|system| {
        let identity = projection.identities.of_system(&system.id)?;
        Some((system.id, projection.identities.identity(&identity)?))
    });
    found.ok_or_else(|| {
        CliError::Input(format!(
            "no system is named {name}; see scoresheet system list"
        ))
    })
}

fn event(to: Change, system: EventId, reason: &str) -> What {
    let reason = reason.to_owned();
    match to {
        Change::Pause => SystemPaused { reason, system }.into(),
        Change::Resume => SystemResumed { reason, system }.into(),
        Change::Withdraw => SystemWithdrawn { reason, system }.into(),
        Change::Retire => SystemRetired { reason, system }.into(),
        Change::Restore => SystemRestored { reason, system }.into(),
    }
}

/// Refuses what cannot follow, with what can.
fn refuse(
    projection: &Projection,
    name: &Name,
    identity: &Identity,
    to: Change,
) -> Result<(), CliError> {
    let status = identity.status;
    let instead = match (to, status) {
        (Change::Pause, Status::Active)
        | (Change::Resume, Status::Paused)
        | (Change::Retire, Status::Active | Status::Paused)
        | (Change::Restore, Status::Retired | Status::Withdrawn) => return Ok(()),
        (Change::Withdraw, Status::Active | Status::Paused) => {
            if first_batches(projection, identity).next().is_some() {
                return Ok(());
            }
            return Err(CliError::Input(format!(
                "{name} plays in no first batch that goes on, so it cannot withdraw from one; to take it off the ladder: scoresheet system retire {name}"
            )));
        }
        (Change::Resume, Status::Retired | Status::Withdrawn) => {
            format!("and not paused; restore brings it back: scoresheet system restore {name}")
        }
        (Change::Restore, Status::Paused) => {
            format!("and has not left; resume ends a pause: scoresheet system resume {name}")
        }
        (Change::Pause, Status::Retired | Status::Withdrawn) => {
            "and plays no games that could pause".to_owned()
        }
        (Change::Retire, Status::Withdrawn) => "and has left already".to_owned(),
        (Change::Withdraw, Status::Retired) => {
            let what = if first_batches(projection, identity).next().is_some() {
                "its games of the first batch count still; to take them out of it: scoresheet system restore"
            } else {
                "it has left the ladder, and no first batch of it goes on that it could withdraw from; to bring it back: scoresheet system restore"
            };
            format!("and not withdrawn: {what} {name}")
        }
        (
            Change::Pause | Change::Resume | Change::Withdraw | Change::Retire | Change::Restore,
            _,
        ) => "already; nothing to do".to_owned(),
    };
    Err(CliError::Input(format!(
        "{name} is {} {instead}",
        status.as_str()
    )))
}

/// The first batches that go on in which an identity has games to play.
fn first_batches<'p>(
    projection: &'p Projection,
    identity: &'p Identity,
) -> impl Iterator<Item = &'p Schedule> {
    projection.schedules.iter().filter(|schedule| {
        let committed = &schedule.committed;
        let mut systems = committed.systems.iter();
        committed.rule == ScheduleRule::DoubleRoundRobin
            && systems.any(|system| identity.systems.contains(system))
            && !Cohort::of(schedule, &projection.games).is_terminal()
    })
}

/// What may follow from a change.
struct Standing {
    /// The schedules that the identity plays in.
    schedules: BTreeSet<EventId>,
    /// Released cells, and open ones, of each of them.
    cells: Vec<(EventId, usize, usize)>,
    /// The eras that have their first ratings.
    placed: BTreeSet<EventId>,
    /// The newcomers who are placed.
    newcomers: BTreeSet<EventId>,
}

impl Standing {
    fn of(projection: &Projection, identity: &Identity) -> Self {
        let mut standing = Self {
            schedules: BTreeSet::new(),
            cells: Vec::new(),
            placed: BTreeSet::new(),
            newcomers: BTreeSet::new(),
        };
        for schedule in projection.schedules.iter() {
            let mut systems = schedule.committed.systems.iter();
            if systems.any(|system| identity.systems.contains(system)) {
                standing.schedules.insert(schedule.id);
            }
            let open = Cohort::of(schedule, &projection.games).open_cells().len();
            standing
                .cells
                .push((schedule.id, schedule.released.len(), open));
        }
        for era in projection.eras.iter() {
            if era.is_placed {
                standing.placed.insert(era.id);
            }
            let members = era.newcomers.iter().map(|one| one.identity);
            standing.newcomers.extend(members.filter(|identity| {
                let member = era.ladder.member(identity);
                member.is_some_and(|member| member.is_placed)
            }));
        }
        standing
    }
}

/// Says what followed from a change.
fn consequences(
    projection: &Projection,
    before: &Standing,
    after: &Standing,
    screen: &mut Screen<'_>,
) {
    for ((id, released, _), (_, now, open)) in before.cells.iter().zip(&after.cells) {
        if released < now {
            let name = projection.schedules.schedule(id);
            let name = name.map_or("?", |schedule| schedule.committed.cohort.as_str());
            let cells = counted(now - released, "game");
            screen.line(&format!("{cells} of {name} released, {open} still open"));
        }
    }
    for era in after.placed.difference(&before.placed) {
        let name = projection.eras.era(era);
        let name = name.map_or("?", |era| era.started.name.as_str());
        screen.line(&format!("the first batch of era {name} is complete now"));
    }
    for newcomer in after.newcomers.difference(&before.newcomers) {
        let name = projection.name_of(newcomer);
        screen.line(&format!("the placement of {name} is complete now"));
    }
}

/// Says what waits because of a change.
fn remind(projection: &Projection, identity: &Identity, to: Change, screen: &mut Screen<'_>) {
    for game in projection.games.playing() {
        let mut seats = game.seats().into_iter();
        if to != Change::Resume && seats.any(|(_, seat)| identity.systems.contains(seat)) {
            screen.line(&format!(
                "game {} of it goes on: a run that has both engines finishes it, or append a game.aborted for it",
                game.id
            ));
        }
    }
    let mut batches = first_batches(projection, identity);
    let waiting = match to {
        Change::Pause => batches
            .next()
            .map(|schedule| (schedule, "wait until it is resumed")),
        Change::Retire => batches.next().map(|schedule| {
            (
                schedule,
                "wait for it: scoresheet system withdraw, after restore",
            )
        }),
        Change::Resume | Change::Withdraw | Change::Restore => None,
    };
    if let Some((schedule, what)) = waiting {
        let cohort = &schedule.committed.cohort;
        screen.line(&format!(
            "its open games of the first batch {cohort} {what}"
        ));
    }
}

fn list(projection: &Projection, screen: &mut Screen<'_>) {
    let mut identities: Vec<_> = projection.identities.iter().collect();
    identities.sort_by_key(|identity| identity.index);
    for identity in identities {
        let names: Vec<_> = identity
            .systems
            .iter()
            .map(|system| projection.name_of(system))
            .collect();
        let mut text = format!("{}  {}", names.join(", "), identity.status.as_str());
        for era in projection.eras.iter() {
            if let Some(place) = place(projection, era, identity) {
                text.extend(["; era ", era.started.name.as_str(), ": ", &place]);
            }
        }
        screen.line(&text);
    }
}

fn place(
    projection: &Projection,
    era: &crate::projection::Era,
    identity: &Identity,
) -> Option<String> {
    let member = era.ladder.member(&identity.id)?;
    let standings = projection.standings(era);
    let mut standings = standings.iter();
    let ranked = standings.find(|standing| standing.identity == identity.id);
    Some(match ranked {
        Some(standing) => format!("rank {}, {:.0}", standing.rank, standing.rating.rating),
        None if !member.is_placed => "in placement".to_owned(),
        None => "not ranked".to_owned(),
    })
}
