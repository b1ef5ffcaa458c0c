use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::canonical::{Clock as _, Time};
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::interrupt::Interrupt;
use crate::cli::reading::{ReportFormat, fold_with};
use crate::cli::run::{RUN_FILE_BYTES_MAX, meet};
use crate::cli::screen::{Screen, counted};
use crate::ledger::{Disk, Prefix, Waivers, Writer};
use crate::run::{Order, Prompting, Tape};

/// Say what works here: the ledger, the clock, and everybody in a run file.
///
/// Looks whether the ledger can be written, whether the clock is sane, whether each
/// engine of the run file starts and which it is, and whether each model has its
/// key and its server answers and knows the model. Writes nothing, and asks no
/// model for anything that costs; with --ask it asks each model one short
/// question, which stands in no ledger.
///
/// Exit codes: 0 everything works; 1 something does not.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A run file (TOML), whose engines and models are looked at.
    file: Option<PathBuf>,

    /// Ask each model one short question. It may cost, and is not recorded.
    #[arg(long)]
    ask: bool,

    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

/// Something that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    /// What.
    what: String,
    /// Whether it works.
    is_good: bool,
    /// What was found.
    found: String,
    /// What to do about it, where it does not work.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl Check {
    fn good(what: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            is_good: true,
            found: found.into(),
            remedy: None,
        }
    }

    fn bad(what: impl Into<String>, found: &impl ToString, remedy: &str) -> Self {
        Self {
            what: what.into(),
            is_good: false,
            found: found.to_string(),
            remedy: Some(remedy.to_owned()),
        }
    }
}

/// Before this nobody ran this program: a clock that says so is wrong.
const EARLIEST: &str = "2026-01-01T00:00:00.000Z";

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let interrupt = Interrupt::listen().map_err(CliError::io("listen for signals"))?;
    let (mut checks, last) = ledger(disk);
    checks.push(clock(last));
    if let Some(file) = &args.file {
        checks.extend(players(args, file, &interrupt)?);
    }
    let is_good = checks.iter().all(|check| check.is_good);
    match args.format {
        ReportFormat::Json => screen.document(&checks)?,
        ReportFormat::Text => {
            for check in &checks {
                let word = if check.is_good { "works" } else { "WRONG" };
                screen.line(&format!("{word}  {}: {}", check.what, check.found));
                if let Some(remedy) = &check.remedy {
                    screen.line(&format!("       {remedy}"));
                }
            }
        }
    }
    Ok(if is_good { Exit::Clean } else { Exit::Blocked })
}

/// Whether the ledger can be read and written, and the time of its last event.
fn ledger(disk: &Disk) -> (Vec<Check>, Option<Time>) {
    let mut last = None;
    let read = Prefix::open(disk)
        .map_err(CliError::from)
        .and_then(|prefix| {
            fold_with(&prefix, prefix.size(), |_, event| last = Some(event.at))?;
            Ok(prefix.size())
        });
    let size = match read {
        Ok(size) => size,
        Err(error) => {
            let remedy = "make one with `scoresheet init`, or name its folder with --ledger";
            return (vec![Check::bad("ledger", &error, remedy)], None);
        }
    };
    let what = "ledger";
    let check = match Writer::try_locks(disk) {
        Ok(()) => Check::good(
            what,
            format!("{}, and it can be written", counted(size, "event")),
        ),
        Err(error) => Check::bad(
            what,
            &error,
            "wait until nobody else writes, or see to the permissions of its folder",
        ),
    };
    (vec![check], last)
}

fn clock(last: Option<Time>) -> Check {
    let now = WallClock.now();
    let earliest: Option<Time> = EARLIEST.parse().ok();
    let remedy = "set the clock of this machine: events carry what it says";
    match (last, earliest) {
        (Some(last), _) if now < last => Check::bad(
            "clock",
            &format!("{now}, before the last event, which carries {last}"),
            remedy,
        ),
        (_, Some(earliest)) if now < earliest => Check::bad("clock", &now, remedy),
        _ => Check::good("clock", now.to_string()),
    }
}

/// Whether everybody in a run file can play.
fn players(args: &Args, file: &Path, interrupt: &Interrupt) -> Result<Vec<Check>, CliError> {
    let bytes = read_input(file, RUN_FILE_BYTES_MAX)?;
    let order = Order::parse(&bytes, &Waivers::default());
    let order = order.map_err(|error| CliError::Input(error.to_string()))?;
    let (players, prompting, deadlines) = match &order {
        Order::Cohort(file) => (file.everybody(), file.prompting(), file.deadlines),
        Order::Puzzles(file) => (file.everybody(), None, file.deadlines),
        Order::Positions(file) => (file.everybody(), Some(file.prompting()), file.deadlines),
        // What models are sent follows from the era, and changes nothing here.
        Order::Ladder(file) => (file.everybody(), None, file.deadlines),
    };
    let prompts = prompting.map(Prompting::identities).unwrap_or_default();
    let mut checks = Vec::new();
    for part in players {
        let name = part.name();
        match meet(&[part], &prompts, deadlines, &Tape::None, interrupt) {
            Err(error) => {
                let remedy = "mend the command, its options or the environment, and look again";
                checks.push(Check::bad(format!("{name}"), &error, remedy));
            }
            Ok(entrants) => {
                for entrant in entrants {
                    let patience = Duration::from_millis(deadlines.answer_ms);
                    let found = entrant.look(args.ask, patience);
                    checks.push(match found {
                        Ok(found) => Check::good(format!("{name}"), found),
                        Err(found) => Check::bad(
                            format!("{name}"),
                            &found,
                            "look at `base_url`, `model` and the key, and whether the server runs",
                        ),
                    });
                }
            }
        }
    }
    Ok(checks)
}
