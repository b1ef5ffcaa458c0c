use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::canonical::MAX_SAFE_INTEGER;
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::game_id::GameId;
use crate::cli::interrupt::Interrupt;
use crate::cli::run::{Ground, RUN_FILE_BYTES_MAX, introduce, meet};
use crate::cli::screen::{Screen, counted, progress_bar_of};
use crate::cli::system::find;
use crate::cli::writing::parse_by;
use crate::event::{By, Name};
use crate::finding::visible;
use crate::ledger::Disk;
use crate::run::{
    Deadlines, EnginePart, Graded, Grading, OptionValue, PlayerPart, RunFile, Tape, Workload,
    grade, is_weakening, known_analyst,
};

/// Measure the positions of finished games with an engine at fixed nodes.
///
/// The positions before and after every move are analyzed, each text once: what
/// stands in the ledger by the same engine (files, options and limit) is not
/// analyzed again. The engine is registered as a system the first time. It plays
/// with one thread, forgets everything between two positions, and says its
/// chances (`UCI_ShowWDL`).
///
/// Kill it at any moment and start it again: it goes on with what is missing.
/// Ctrl-C or a termination lets the positions at hand be finished; a second one
/// ends it at once.
///
/// Exit codes: 0 everything is measured, or as many as were asked for; 1 the
/// engine failed on some positions; 2 it could not start or go on, or was told to
/// stop.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The program of the engine; without a slash it is looked for on the path.
    #[arg(long, value_name = "COMMAND", required_unless_present = "run_file")]
    engine: Option<String>,

    /// The run file whose [analyst] measures; its cohort is graded unless another
    /// one is named.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "arguments", "options", "name", "nodes", "hash", "lines"])]
    run_file: Option<PathBuf>,

    /// An argument of the program; may be given more than once.
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    arguments: Vec<String>,

    /// A UCI option of the engine; may be given more than once.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<Setting>,

    /// The name under which the engine is registered, where it is not registered
    /// yet [default: its program or script, and the nodes].
    #[arg(long)]
    name: Option<Name>,

    /// Nodes for each position.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=MAX_SAFE_INTEGER))]
    nodes: u64,

    /// Megabytes of hash for each engine.
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// How many lines of play are measured (`MultiPV`).
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=10))]
    lines: u32,

    /// How many engines analyze at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    /// Seconds after which a search is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    deadline: u32,

    /// Only the games of this cohort.
    #[arg(long)]
    cohort: Option<Name>,

    /// Only this game: its id, or the first digits of it.
    #[arg(long, value_name = "ID")]
    game: Option<GameId>,

    /// Only the moves of this system: the name of its registration.
    #[arg(long, value_name = "NAME")]
    system: Option<Name>,

    /// Stop after so many positions; the next start goes on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,

    /// Who writes: printable ASCII without spaces.
    #[arg(long, value_name = "NAME", default_value = "grader/scoresheet", value_parser = parse_by)]
    by: By,

    /// Say how many positions would be analyzed, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

/// A UCI option and its value.
#[derive(Clone, Debug)]
struct Setting(String, String);

impl FromStr for Setting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok(Self(name.to_owned(), value.to_owned())),
            Some(_) | None => Err("expected NAME=VALUE, such as Contempt=0"),
        }
    }
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let interrupt = Interrupt::listen().map_err(CliError::io("listen for signals"))?;
    let ground = Ground::survey(disk, interrupt)?;
    let (part, cohort) = analyst(args, &ground)?;
    let cohort = args.cohort.as_ref().or(cohort.as_ref());
    let projection = &ground.projection;
    let game = args.game.as_ref().map(|game| game.find(projection));
    let system = args.system.as_ref().map(|name| find(projection, name));
    if let Some(name) = cohort
        && projection.schedules.cohort(name.as_str()).is_none()
    {
        return Err(CliError::Input(format!("no cohort is named {name}")));
    }
    let graded = Graded {
        cohort,
        game: game.transpose()?.map(|game| game.id),
        system: system.transpose()?.map(|(system, _)| system),
    };
    let deadlines = Deadlines {
        answer_ms: u64::from(args.deadline) * 1000,
        ..Deadlines::default()
    };
    let entrants = meet(
        &[PlayerPart::Engine(&part)],
        &[],
        deadlines,
        &Tape::None,
        &ground.interrupt,
    )?;
    let Some(entrant) = entrants.first() else {
        return Ok(Exit::Failed);
    };
    let known = known_analyst(projection, &entrant.system)?;
    let mut workload = Workload::of(projection, graded, known);
    introduce(&entrants, screen);
    let (games, moves) = (
        counted(workload.games, "game"),
        counted(workload.moves, "move"),
    );
    screen.line(&format!(
        "{moves} in {games}: {}, {} of them to be analyzed",
        counted(workload.positions, "position"),
        workload.open.len()
    ));
    if args.dry_run || workload.open.is_empty() {
        return Ok(Exit::Clean);
    }
    let (mut record, interrupt) = ground.record(&WallClock, &args.by)?;
    // Another grading may have ended since the ledger was read without its lock.
    let known = known_analyst(record.projection(), &entrant.system)?;
    workload = Workload::of(record.projection(), graded, known);
    let all = workload.open.len();
    if let Some(positions) = args.positions {
        workload
            .open
            .truncate(usize::try_from(positions).unwrap_or(usize::MAX));
    }
    let bar = progress_bar_of("grading", "positions");
    bar.set_length(workload.open.len().try_into().unwrap_or(u64::MAX));
    let grading = grade(
        &mut record,
        entrant,
        &workload.open,
        (args.jobs.into(), deadlines),
        &|| interrupt.is_asked(),
        &mut |measured| bar.set_position(measured.try_into().unwrap_or(u64::MAX)),
    );
    bar.finish_and_clear();
    Ok(end(&grading?, all, interrupt.is_asked(), screen))
}

/// Who measures, and the cohort that is meant unless another is named.
fn analyst(args: &Args, ground: &Ground<'_>) -> Result<(EnginePart, Option<Name>), CliError> {
    let path = match (&args.engine, &args.run_file) {
        (Some(command), _) => return Ok((engine(command, args)?, None)),
        (None, Some(path)) => path,
        (None, None) => {
            let message = "say who measures: --engine or --run-file";
            return Err(CliError::Input(message.to_owned()));
        }
    };
    let bytes = read_input(path, RUN_FILE_BYTES_MAX)?;
    let file = RunFile::parse(&bytes, &ground.waivers);
    let file = file.map_err(|error| CliError::Input(error.to_string()))?;
    let shown = path.display();
    let missing = || CliError::Input(format!("{shown} has no [analyst] that could measure"));
    Ok((file.analyst.clone().ok_or_else(missing)?, Some(file.cohort)))
}

/// What is asked of the engine.
fn engine(command: &str, args: &Args) -> Result<EnginePart, CliError> {
    let mut options = BTreeMap::new();
    for Setting(name, value) in &args.options {
        if is_weakening(name) {
            return Err(CliError::Input(format!(
                "{} makes the engine play below its strength; scores of such a search are not those of the moves it plays",
                visible(name)
            )));
        }
        options.insert(name.clone(), OptionValue(value.clone()));
    }
    for (name, value) in [
        ("Hash", args.hash.to_string()),
        ("MultiPV", args.lines.to_string()),
        ("Threads", "1".to_owned()),
        ("UCI_ShowWDL", "true".to_owned()),
    ] {
        if options.keys().any(|other| other.eq_ignore_ascii_case(name)) {
            return Err(CliError::Input(format!(
                "the option {name} is not set with --option: see --hash and --lines"
            )));
        }
        options.insert(name.to_owned(), OptionValue(value));
    }
    Ok(EnginePart {
        measures: false,
        rating: None,
        fitted: false,
        name: match &args.name {
            Some(name) => name.clone(),
            None => default_name(command, args)?,
        },
        command: command.to_owned(),
        args: args.arguments.clone(),
        options,
        nodes: Some(args.nodes),
        depth: None,
        movetime_ms: None,
    })
}

/// The script or else the program, and the nodes: `stockfish-1000000`.
fn default_name(command: &str, args: &Args) -> Result<Name, CliError> {
    let script = args
        .arguments
        .iter()
        .rev()
        .find(|arg| Path::new(arg).is_file());
    let program = script.map_or(command, String::as_str);
    let stem = Path::new(program).file_stem().unwrap_or_default();
    let plain = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') => c,
        _ => '-',
    };
    let stem: String = stem.to_string_lossy().chars().map(plain).collect();
    format!("{stem}-{}", args.nodes)
        .parse()
        .map_err(|_| CliError::Input("give the engine a name: --name".to_owned()))
}

fn end(grading: &Grading, all: usize, is_asked: bool, screen: &mut Screen<'_>) -> Exit {
    const SHOWN: usize = 10;
    for (fen, fault) in grading.failed.iter().take(SHOWN) {
        screen.line(&format!("not measured: {fen}: {fault}"));
    }
    if SHOWN < grading.failed.len() {
        screen.line(&format!("and {} more", grading.failed.len() - SHOWN));
    }
    let open = all.saturating_sub(grading.measured);
    let measured = counted(grading.measured, "position");
    let (rest, exit) = if !grading.failed.is_empty() {
        let rest = "; run again once the engine is mended".to_owned();
        (rest, Exit::Blocked)
    } else if is_asked && open != 0 {
        (
            "; told to stop, run again to go on".to_owned(),
            Exit::Failed,
        )
    } else if open != 0 {
        ("; run again to go on".to_owned(), Exit::Clean)
    } else {
        (String::new(), Exit::Clean)
    };
    screen.line(&format!("{measured} measured, {open} open{rest}"));
    exit
}
