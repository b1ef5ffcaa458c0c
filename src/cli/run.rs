use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::canonical::Clock as _;
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::fold;
use crate::cli::screen::Screen;
use crate::cli::writing::report;
use crate::ledger::{Disk, Prefix, Writer, put_blob};
use crate::run::{Entrant, Record, RunFile, RunOutcome, Told, Tournament};

/// Play the games of a run file, and write every move and call as it happens.
///
/// The first start registers protocol, engines, promise and schedule. Kill it
/// at any moment and start it again: it goes on from the last accepted move. A
/// changed run file is refused; it needs a cohort name of its own.
///
/// Exit codes: 0 every cell has its game (or --games are played); 1 cells stay
/// open because their engines failed too often; 2 it could not start or go on.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run file (TOML): cohort, protocol, preregistration and engines.
    file: PathBuf,

    /// Stop after this many games; the next start goes on.
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// Meet the engines, print the schedule, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, ledger: &Path, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let bytes =
        std::fs::read(&args.file).map_err(CliError::io(format!("read {}", args.file.display())))?;
    let file = RunFile::parse(&bytes).map_err(|error| CliError::Input(error.to_string()))?;
    let disk = Disk::new(ledger);
    // Without a ledger no engine need be met.
    Prefix::open(&disk)?;
    let entrants = meet(&file)?;
    if args.dry_run {
        dry_run(&file, &entrants, screen);
        return Ok(Exit::Clean);
    }
    let clock = WallClock;
    // The lock is taken before anything is read, so that what is read stays true.
    let (writer, recoveries) = Writer::open(&disk, clock.now(), &file.by)?;
    report(&recoveries);
    let prefix = Prefix::open(&disk)?;
    let (projection, _) = fold(&prefix, prefix.size())?;
    let run_file = put_blob(&disk, &bytes)?;
    let record = Record::new(writer, projection, &clock, file.by.clone());
    let program = format!("scoresheet {}", env!("CARGO_PKG_VERSION"));
    let mut tournament = Tournament::open(record, &file, run_file, &entrants, &program)?;
    let outcome = tournament.play(args.games, &mut |told| tell(&told, screen))?;
    Ok(end(outcome, &file, screen))
}

fn meet(file: &RunFile) -> Result<Vec<Entrant>, CliError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Engines see this and nothing else: no key of ours is their business.
    let environment: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), path),
        ("LC_ALL".into(), "C".into()),
        ("TZ".into(), "UTC".into()),
    ];
    let deadline = Duration::from_millis(file.deadlines.start_ms);
    file.engine
        .iter()
        .map(|part| {
            Entrant::meet(part, &environment, deadline)
                .map_err(|error| CliError::Input(error.to_string()))
        })
        .collect()
}

fn dry_run(file: &RunFile, entrants: &[Entrant], screen: &mut Screen<'_>) {
    let names: Vec<_> = entrants
        .iter()
        .map(|entrant| entrant.system.name.as_str())
        .collect();
    for entrant in entrants {
        let engine = entrant.system.engine.as_ref();
        screen.line(&format!(
            "{}: {}",
            entrant.system.name,
            engine.map_or("no engine", |engine| engine.name.as_str())
        ));
    }
    let pairs = crate::projection::double_round_robin(&names);
    screen.line(&format!("cohort {}: {} games", file.cohort, pairs.len()));
    for (number, (white, black)) in pairs.iter().enumerate() {
        screen.line(&format!("{:>5}  {white} - {black}", number + 1));
    }
}

fn tell(told: &Told, screen: &mut Screen<'_>) {
    match told {
        Told::Lost { call } => screen.line(&format!(
            "call {call} was in flight when the last run ended: failed, its cost unknown"
        )),
        Told::Started { cell, cells, plies } if 0 < *plies => screen.line(&format!(
            "game {} of {cells} goes on after {plies} plies",
            cell + 1
        )),
        Told::Started { .. } => {}
        Told::Ended {
            cell,
            cells,
            summary,
        } => screen.line(&format!("game {} of {cells}: {summary}", cell + 1)),
    }
}

fn end(outcome: RunOutcome, file: &RunFile, screen: &mut Screen<'_>) -> Exit {
    let cohort = &file.cohort;
    match outcome {
        RunOutcome::Finished => {
            screen.line(&format!(
                "cohort {cohort} is terminal: every cell has its game"
            ));
            Exit::Clean
        }
        RunOutcome::Paused { open } => {
            screen.line(&format!(
                "cohort {cohort}: {open} cells are open; run again to go on"
            ));
            Exit::Clean
        }
        RunOutcome::Exhausted { open } => {
            screen.line(&format!(
                "cohort {cohort}: {open} cells stay open, their engines failed more often than the protocol allows"
            ));
            Exit::Blocked
        }
    }
}
