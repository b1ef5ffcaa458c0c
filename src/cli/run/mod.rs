mod deck;
mod ground;
mod ladder;
mod outlook;
mod positions;
mod puzzles;
mod questions;
mod teller;

pub(crate) use ground::Ground;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::canonical::{Money, Time};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::interrupt::Interrupt;
use crate::cli::run::deck::{Deck, refuse_erased};
use crate::cli::run::teller::Teller;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::{parse_price, parse_time};
use crate::event::{Name, PromptIdentity};
use crate::ledger::Disk;
use crate::projection::{Cohort, Game, Projection};
use crate::run::{
    BudgetPart, Deadlines, Entrant, Limits, Order, Outlook, PlayerPart, RunFile, RunOutcome, Tape,
    Tournament, admit, registered,
};

/// Play the games of a run file, and write every move and call as it happens.
///
/// A run file with a cohort plays a round robin of its own. The first start
/// registers protocol, engines, promise and schedule. Kill it at any moment and
/// start it again: it goes on from the last accepted move. A changed run file is
/// refused; it needs a cohort name of its own.
///
/// A run file with an era plays what the ladder of that era chooses, with the
/// engines that it names: the first batch, newcomers, draws. It goes on until
/// --games were played, nothing can be played now, or three games in a row were
/// aborted.
///
/// Ctrl-C or a termination stops after the turn at hand; a second one at once.
/// Either way the next start goes on.
///
/// Exit codes: 0 every cell has its game, --games were played, or a ladder has
/// nothing to play now; 1 cells stay open because their engines failed too often
/// or do not play now; 2 it could not start or go on, or was told to stop.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run file (TOML): cohort, protocol, preregistration and engines; or era
    /// and engines.
    file: PathBuf,

    /// Stop after this many games, aborted ones included; the next start goes on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Admit engines of the run file that are not on the ladder yet: each plays
    /// everyone who is ranked, once with each color, before the ladder draws again.
    #[arg(long, conflicts_with = "manual")]
    admit: bool,

    /// Play one game on the ladder that nobody drew, between these two engines of
    /// the run file; the ledger says that a person chose it.
    #[arg(long, num_args = 2, value_names = ["WHITE", "BLACK"], conflicts_with = "games")]
    manual: Option<Vec<Name>>,

    /// Stop once the cohort has cost so many US dollars, instead of what the run file
    /// says under [budget].
    #[arg(long, value_name = "USD", value_parser = parse_price)]
    budget_usd: Option<Money>,

    /// Stop once its games have taken so many tokens.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    budget_tokens: Option<u64>,

    /// Stop once its games have taken so many calls of models.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    budget_calls: Option<u64>,

    /// Write what models and programs are asked, and what comes back, to this file as
    /// well, so that the run can be replayed. No key is in it. A run that goes on
    /// adds to its file.
    #[arg(long, value_name = "CASSETTE", conflicts_with = "replay")]
    record: Option<PathBuf>,

    /// Let this file answer for models and programs: no network, no key. A request
    /// that is not in it stops the run. Games are played one at a time.
    #[arg(long, value_name = "CASSETTE")]
    replay: Option<PathBuf>,

    /// With --replay: the time of the first event; each look at the clock is a
    /// millisecond later. Two replays from the same ledger are the same bytes then.
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "replay")]
    time: Option<Time>,

    /// With --replay: the ledger is a copy that was made for it, as it stood before
    /// the run. What is in it stays, and the games of the replay come after it.
    #[arg(long, requires = "replay")]
    on_a_copy: bool,

    /// Meet the engines, print what would be played, what models are sent first and
    /// an estimate of calls, tokens and cost. Nobody is asked, and nothing written.
    #[arg(long)]
    dry_run: bool,
}

/// More than any tournament needs.
pub(crate) const RUN_FILE_BYTES_MAX: u64 = 1 << 24;

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    // Reading a long ledger and meeting engines take their time: whoever says
    // stop meanwhile gets an answer, too.
    let interrupt = Interrupt::listen().map_err(CliError::io("listen for signals"))?;
    let bytes = read_input(&args.file, RUN_FILE_BYTES_MAX)?;
    // Whatever can be refused is refused before anything is written, and what
    // needs no engine before one is started.
    let ground = Ground::survey(disk, interrupt)?;
    let order = Order::parse(&bytes, &ground.waivers);
    let order = order.map_err(|error| CliError::Input(error.to_string()))?;
    ground.interrupt.refuse()?;
    match &order {
        Order::Cohort(_) | Order::Puzzles(_) | Order::Positions(_)
            if args.admit || args.manual.is_some() =>
        {
            Err(CliError::Input(
                "--admit and --manual are for a ladder: a run file that says `era`".to_owned(),
            ))
        }
        Order::Cohort(file) => {
            refuse_erased(args, &file.protocol(None, None))?;
            let mut file = file.clone();
            args.bound(&mut file.budget);
            let deck = Deck::open(args, &ground)?;
            if deck.tape.is_replay() {
                file.parallel = NonZeroUsize::MIN;
            }
            cohort(args, &file, ground, &deck, screen)
        }
        Order::Ladder(file) => {
            let mut file = file.clone();
            args.bound(&mut file.budget);
            ladder::run(args, &file, ground, screen)
        }
        Order::Puzzles(file) => {
            let deck = Deck::open(args, &ground)?;
            let mut file = file.clone();
            args.bound(&mut file.budget);
            if deck.tape.is_replay() {
                file.parallel = NonZeroUsize::MIN;
            }
            puzzles::run(args, &file, ground, &deck, screen)
        }
        Order::Positions(file) => {
            let deck = Deck::open(args, &ground)?;
            let mut file = file.clone();
            if deck.tape.is_replay() {
                file.parallel = NonZeroUsize::MIN;
            }
            positions::run(args, &file, ground, &deck, screen)
        }
    }
}

impl Args {
    /// Puts the bounds of the command line in the place of those in the file.
    fn bound(&self, budget: &mut BudgetPart) {
        budget.usd = self.budget_usd.or(budget.usd);
        budget.tokens = self.budget_tokens.or(budget.tokens);
        budget.calls = self.budget_calls.or(budget.calls);
    }
}

/// The program, as the ledger calls it.
pub(crate) fn program() -> String {
    format!("scoresheet {}", env!("CARGO_PKG_VERSION"))
}

fn cohort<'a>(
    args: &Args,
    file: &RunFile,
    ground: Ground<'a>,
    deck: &'a Deck,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let projection = &ground.projection;
    let schedule = registered(projection, file)?;
    // A game of somebody who withdrew may still go on.
    let is_terminal = schedule.is_some_and(|schedule| {
        let goes_on = |game: &Game| game.cell().map(|cell| cell.schedule) == Some(schedule.id);
        Cohort::of(schedule, &projection.games).is_terminal()
            && !projection.games.playing().any(goes_on)
    });
    if is_terminal && !args.dry_run {
        return Ok(end(&RunOutcome::Finished, file, screen));
    }
    let prompts = file.protocol(None, None).prompts;
    let entrants = meet(
        &file.everybody(),
        &prompts,
        file.deadlines,
        &deck.tape,
        &ground.interrupt,
    )?;
    admit(projection, file, &entrants)?;
    if args.dry_run {
        dry_run(projection, file, &entrants, screen);
        return Ok(Exit::Clean);
    }
    let (record, interrupt) = ground.record(deck.clock(), &file.by)?;
    let record = record.sealing_with(deck.keys());
    let tournament = Tournament::open(record, file, &entrants, &deck.program())?;
    let limits = Limits {
        games: args.games,
        stop: &|| interrupt.is_asked() || deck.tape.is_faulty(),
    };
    let mut teller = Teller::new(screen, "games");
    let outcome = tournament.play(limits, &mut |told| teller.tell(&told));
    teller.finish();
    deck.end(screen)?;
    let outcome = outcome?;
    Ok(end(&outcome, file, screen))
}

#[expect(
    clippy::disallowed_methods,
    reason = "engines are found on the path of whoever runs the command, and keys in the environment"
)]
pub(crate) fn meet(
    players: &[PlayerPart<'_>],
    prompts: &[PromptIdentity],
    deadlines: Deadlines,
    tape: &Tape,
    interrupt: &Interrupt,
) -> Result<Vec<Entrant>, CliError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Engines see this and nothing else: no key of ours is their business.
    let environment: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), path),
        ("LC_ALL".into(), "C".into()),
        ("TZ".into(), "UTC".into()),
    ];
    let variable = |name: &str| std::env::var(name).ok();
    let deadline = Duration::from_millis(deadlines.start_ms);
    players
        .iter()
        .map(|part| {
            let met = match part {
                PlayerPart::Engine(part) => Entrant::meet(part, &environment, deadline),
                PlayerPart::Model(part) => Entrant::of_model(part, prompts, &variable, tape),
                PlayerPart::Program(part) => {
                    Entrant::of_program(part, prompts, &environment, &variable, tape)
                }
                PlayerPart::Random(part) => Entrant::of_random(part),
                PlayerPart::Scripted(part) => Entrant::of_script(part),
            };
            // A terminal says stop to the engines, too: that they are gone is no fault.
            interrupt.refuse()?;
            let met = met.map(|entrant| entrant.on(tape.clone()));
            met.map_err(|error| CliError::Input(error.to_string()))
        })
        .collect()
}

fn dry_run(projection: &Projection, file: &RunFile, entrants: &[Entrant], screen: &mut Screen<'_>) {
    introduce(entrants, screen);
    let cells = file.cells();
    let standing = match projection.cohort(file.cohort.as_str()) {
        Some(cohort) => format!("registered, {} open", cohort.open_cells().len()),
        None => "not registered yet".to_owned(),
    };
    let cohort = &file.cohort;
    screen.line(&format!(
        "cohort {cohort}: {}, {standing}",
        counted(cells.len(), "game")
    ));
    outlook::show_cells(projection, file, &cells, screen);
    let outlook = Outlook::of_cohort(projection, file);
    outlook::show(&outlook, "the open games", screen);
}

/// Says which engine each entrant is.
pub(crate) fn introduce(entrants: &[Entrant], screen: &mut Screen<'_>) {
    for entrant in entrants {
        let system = &entrant.system;
        let what = match (&system.baseline, &system.engine, &system.model) {
            (Some(baseline), ..) => format!("a baseline, {}", baseline.as_str()),
            (None, Some(engine), _) => engine.name.clone(),
            (None, None, Some(model)) => {
                let program = model.program.as_ref();
                let command = program.and_then(|program| program.files.first());
                let command = command.map_or_else(String::new, |file| format!(" by {}", file.name));
                format!("{} over {}{command}", model.requested_model, model.route)
            }
            (None, None, None) => "no engine and no model".to_owned(),
        };
        screen.line(&format!("{}: {what}", system.name));
    }
}

fn end(outcome: &RunOutcome, file: &RunFile, screen: &mut Screen<'_>) -> Exit {
    let cohort = &file.cohort;
    let (text, exit) = match outcome {
        RunOutcome::Finished => (
            format!("cohort {cohort} is terminal: every cell has its game"),
            Exit::Clean,
        ),
        RunOutcome::Paused { open } => (
            format!(
                "cohort {cohort}: {} open; run again to go on",
                counted(open.len(), "cell")
            ),
            Exit::Clean,
        ),
        RunOutcome::Spent { what, open } => (
            format!(
                "cohort {cohort}: the budget is spent ({what}), {} open; run again with --budget-usd, --budget-tokens or --budget-calls to go on",
                counted(open.len(), "cell")
            ),
            Exit::Clean,
        ),
        RunOutcome::Interrupted { open } => (
            format!(
                "cohort {cohort}: told to stop, {} open; run again to go on",
                counted(open.len(), "cell")
            ),
            Exit::Failed,
        ),
        RunOutcome::Deferred { open } => (
            format!(
                "cohort {cohort}: {} open for systems that do not play now; see scoresheet system list, and run again once they do",
                counted(open.len(), "cell")
            ),
            Exit::Blocked,
        ),
        RunOutcome::Failing { open } => (
            format!(
                "cohort {cohort}: three games in a row were aborted, {} open; run again once the engines are mended",
                counted(open.len(), "cell")
            ),
            Exit::Blocked,
        ),
        RunOutcome::Exhausted { open } => {
            let numbers: Vec<_> = open.iter().map(|cell| (cell + 1).to_string()).collect();
            let text = format!(
                "cohort {cohort}: {} stay open, where engines failed more often than the protocol allows: game {}",
                counted(open.len(), "cell"),
                numbers.join(", ")
            );
            (text, Exit::Blocked)
        }
    };
    screen.line(&text);
    exit
}
