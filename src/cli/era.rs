use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, counted, hint};
use crate::cli::writing::{WritingArgs, parse_words};
use crate::event::{EraClosed, EraStarted, LostSeed, Name};
use crate::finding::Code;
use crate::ledger::{
    Disk, SeedFault, SystemKeys, forget_seed, keep_seed, new_seed, open_seed, seed_path,
    stray_seeds,
};
use crate::projection::{Cohort, Era, Projection};

/// Start a rating era, close it, or list all of them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    Start(StartArgs),
    Close(CloseArgs),
    List(ListArgs),
}

/// Start an era: everyone from equal starts, one first batch of games, then
/// the ladder.
///
/// Makes the seed of all its draws, 256 random bits that stay in
/// ledger/private/eras/ until the era is closed, and appends `era.started` with
/// their SHA-256. Keep a copy: without the seed no draw can be made.
#[derive(Debug, clap::Args)]
struct StartArgs {
    /// The name, unique among eras.
    name: Name,

    /// The cohort of the first batch: a round robin that a run file registered.
    #[arg(long, value_name = "COHORT")]
    placement: String,

    /// The protocol [default: that of the first batch; no other can be].
    #[arg(long, value_name = "NAME")]
    protocol: Option<Name>,

    #[command(flatten)]
    writing: WritingArgs,
}

/// Close an era: its ladder chooses no more games, and its seed is revealed.
///
/// From then on everybody can check every draw: see `scoresheet schedule check`.
/// Exit code 1 where the seed does not give what was drawn.
#[derive(Debug, clap::Args)]
struct CloseArgs {
    /// The era.
    name: String,

    /// Close it although its seed is lost for good, and say how it was lost; it is
    /// public, and that no draw can be checked stays a finding.
    #[arg(long, value_name = "REASON", value_parser = parse_words)]
    seed_lost: Option<String>,

    #[command(flatten)]
    writing: WritingArgs,
}

/// List all eras.
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.step {
        Step::Start(args) => start(args, disk, screen),
        Step::Close(args) => close(args, disk, screen),
        Step::List(args) => {
            let (projection, _) = args.reading.project(disk)?;
            for era in projection.eras.iter() {
                screen.line(&in_words(&projection, era));
            }
            Ok(Exit::Clean)
        }
    }
}

/// The era with this name, or without a name the one that goes on.
pub(crate) fn find<'p>(
    projection: &'p Projection,
    name: Option<&str>,
) -> Result<&'p Era, CliError> {
    let eras = &projection.eras;
    let names = |eras: Vec<&Era>| {
        let names: Vec<_> = eras.iter().map(|era| era.started.name.as_str()).collect();
        match names.as_slice() {
            [] => "there is none: scoresheet era start".to_owned(),
            names => format!("there is: {}", names.join(", ")),
        }
    };
    if let Some(name) = name {
        return eras.named(name).ok_or_else(|| {
            CliError::Input(format!(
                "no era is named {name}; {}",
                names(eras.iter().collect())
            ))
        });
    }
    let open: Vec<_> = eras.iter().filter(|era| !era.is_closed).collect();
    match open.as_slice() {
        [only] => Ok(only),
        [] if eras.iter().count() == 1 => eras
            .iter()
            .next()
            .ok_or_else(|| CliError::Input("there is no era".to_owned())),
        _ => Err(CliError::Input(format!(
            "expected one era that goes on, or the name of one; {}",
            names(if open.is_empty() {
                eras.iter().collect()
            } else {
                open
            })
        ))),
    }
}

fn start(args: &StartArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let projection = desk.projection();
    let schedule = crate::board::cohort(projection, &args.placement)?.schedule;
    let (placement, protocol) = (schedule.id, schedule.committed.protocol);
    let rules = projection.systems.protocol(&protocol);
    let rules = rules.map(|rules| &rules.published);
    let name = rules.map(|rules| &rules.name);
    if let Some(asked) = args.protocol.as_ref().filter(|asked| Some(*asked) != name) {
        return Err(CliError::Input(format!(
            "the first batch {} is played under the protocol {}, and an era under {asked} needs a first batch of its own",
            args.placement,
            name.map_or("that is missing", Name::as_str)
        )));
    }
    if rules.is_some_and(|rules| rules.ladder.is_none()) {
        return Err(CliError::Input(format!(
            "the protocol of {} has no ladder: its run file says `ladder` under [protocol], or a preset that has one",
            args.placement
        )));
    }
    for path in stray_seeds(
        disk,
        projection.eras.iter().map(|era| era.started.seed_sha256),
    )? {
        hint(&format!(
            "{path} is the seed of no era: an `era start` was stopped before it wrote its event; remove the file where no other copy of this ledger has that era"
        ));
    }
    let seed = new_seed(&SystemKeys)?;
    let started = EraStarted {
        name: args.name.clone(),
        placement,
        protocol,
        seed_sha256: seed.sha256(),
    };
    let id = desk.say(started)?;
    if desk.is_dry() {
        hint("the seed of this line is thrown away; the real start makes another one");
    } else {
        // Before the event: an era that was started can be played.
        keep_seed(disk, &SystemKeys, &seed)?;
    }
    if desk.commit(screen)? {
        screen.line(&format!("started era {}: {id}", args.name));
        screen.line(&format!(
            "its seed is {}/{}: keep a copy in a safe place until the era is closed",
            disk.root().display(),
            seed_path(&seed.sha256())
        ));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

fn close(args: &CloseArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let era = find(desk.projection(), Some(&args.name))?;
    let (id, sha256) = (era.id, era.started.seed_sha256);
    let is_found = era.seed.is_none() && open_seed(disk, &sha256).is_ok();
    if era.is_closed && !is_found {
        let is_revealed = era.seed.is_some();
        let was_there = is_revealed && !desk.is_dry() && forget_seed(disk, &sha256)?;
        let gone = if was_there {
            "; the file of its seed is gone now"
        } else {
            ""
        };
        screen.line(&format!("era {} is closed already{gone}", args.name));
        return Ok(Exit::Clean);
    }
    let games = &desk.projection().games;
    let playing = games.playing().find(|game| game.era == Some(id));
    if let Some(game) = playing.map(|game| game.id) {
        return Err(CliError::Input(format!(
            "game {game} of the era goes on; finish it first (scoresheet run), or append a game.aborted for it"
        )));
    }
    let closed = closing(args, disk, era)?;
    let waiting = era.draws.iter().filter(|draw| draw.game.is_none()).count();
    let draws = era.draws.len();
    // The truth about draws is told also where it is a bad one.
    let (_, findings) = desk.say_also_if_wrong(closed)?;
    let about_draws = [Code::DrawRefuted, Code::DrawUncheckable];
    if let Some(other) = findings.iter().find(|one| !about_draws.contains(&one.code)) {
        return Err(CliError::Input(other.to_string()));
    }
    if desk.is_dry() {
        // The line would tell the seed of an era that goes on.
        screen.line(&format!(
            "era {} would be closed after {}; its seed is not shown before that",
            args.name,
            counted(draws, "draw")
        ));
    } else if desk.commit(screen)? {
        if args.seed_lost.is_none() {
            forget_seed(disk, &sha256)?;
        }
        let seed = match &args.seed_lost {
            Some(_) => "lost, and no draw can be checked",
            None => "revealed",
        };
        let draws = counted(draws, "draw");
        screen.line(&format!(
            "closed era {} after {draws}; its seed is {seed}",
            args.name
        ));
        if 0 < waiting {
            screen.line(&format!("{} never got a game", counted(waiting, "draw")));
        }
        desk.report(screen);
    }
    screen.findings(&findings);
    Ok(Exit::of(&findings))
}

/// What closes an era: its seed, or the word that it is lost.
fn closing(args: &CloseArgs, disk: &Disk, era: &Era) -> Result<EraClosed, CliError> {
    let sha256 = era.started.seed_sha256;
    let Some(reason) = &args.seed_lost else {
        return Ok(EraClosed {
            era: era.id,
            seed: Some(open_seed(disk, &sha256).map_err(seed_error)?),
            seed_lost: None,
        });
    };
    if open_seed(disk, &sha256).is_ok() {
        return Err(CliError::Input(format!(
            "the seed of era {} is here and is what the era committed to; close it without --seed-lost",
            args.name
        )));
    }
    Ok(EraClosed {
        era: era.id,
        seed: None,
        seed_lost: Some(LostSeed {
            reason: reason.clone(),
            seed_sha256: sha256,
        }),
    })
}

/// A seed that cannot be used.
pub(crate) fn seed_error(fault: SeedFault) -> CliError {
    match fault {
        SeedFault::Ledger(error) => error.into(),
        fault => CliError::Input(fault.to_string()),
    }
}

fn in_words(projection: &Projection, era: &Era) -> String {
    let protocol = projection.systems.protocol(&era.started.protocol);
    let protocol = protocol.map_or("?", |protocol| protocol.published.name.as_str());
    let schedule = projection.schedules.schedule(&era.started.placement);
    let open = schedule.map_or(0, |schedule| {
        Cohort::of(schedule, &projection.games).open_cells().len()
    });
    let state = if era.is_closed {
        "closed".to_owned()
    } else if era.is_placed {
        "the ladder goes on".to_owned()
    } else {
        format!("first batch, {} open", counted(open, "game"))
    };
    let ranked = projection.standings(era).len();
    format!(
        "{}  {state}; protocol {protocol}, {ranked} ranked, {}, {}",
        era.started.name,
        counted(era.newcomers.len(), "newcomer"),
        counted(era.draws.len(), "draw")
    )
}
