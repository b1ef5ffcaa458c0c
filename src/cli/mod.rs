//! The commands: the only room that prints, reads the wall clock or the environment.
//!
//! One file a command: its arguments with their help, then `run`. What a command
//! finds out goes to standard output, what it says about its work to standard
//! error. The exit code is 0 when all is well, 1 when findings block, 2 when
//! the usage or the input was wrong or something could not be looked at.

mod account;
mod anchor;
mod append;
mod at;
mod audit;
mod billing;
mod board;
mod bodies;
mod check_proof;
mod checkpoint;
mod claim;
mod claims;
mod clock;
mod compare;
mod compute;
mod correct;
mod corrections;
mod costs;
mod dataset;
mod decide;
mod desk;
mod deviation;
mod doctor;
mod era;
mod erase;
mod error;
mod exit;
mod expense;
mod export;
mod files;
mod freeze;
mod fresh;
mod game_id;
mod grade;
mod import;
mod index;
mod init;
mod interrupt;
mod key;
mod ledger;
mod lookup;
mod measure;
mod play;
mod player;
mod policy;
mod positions;
mod price;
mod probe;
mod project;
mod prove;
mod puzzles;
mod reading;
mod recover;
mod release;
mod reproduce;
mod run;
mod sarif;
mod schedule;
mod schema;
mod screen;
mod secrets;
mod secrets_report;
mod sheet;
mod show;
mod signing;
mod submission;
mod system;
mod verify;
mod waive;
mod witness;
mod writing;

pub use secrets_report::secrets_report_schema;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;

use crate::cli::exit::Exit;
use crate::cli::project::Project;
use crate::cli::screen::{Screen, complain};
use crate::secret::Scanner;

/// Trustworthy evidence for benchmarks in which language models play chess.
///
/// Every turn, call and cost is an event in an append-only ledger. Games,
/// ratings and boards are rebuilt from it, and nothing is published that the
/// ledger does not bear out.
///
/// Exit codes: 0 all is well; 1 findings block; 2 wrong usage, bad input, or
/// something could not be looked at.
#[derive(Debug, Parser)]
#[command(name = "scoresheet", version, max_term_width = 100)]
struct Cli {
    /// The folder of the ledger, in the project.
    #[arg(long, value_name = "DIR", default_value = "ledger", global = true)]
    ledger: PathBuf,

    /// The project's folder, in which ledger/, manifests/ and release/ stand.
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    project: PathBuf,

    /// Write to the ledger also on a network file system, where locks may not
    /// keep other machines out: you see to it that nobody else writes.
    #[arg(long, global = true)]
    network_disk: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Reproduce(reproduce::Args),
    Init(init::Args),
    Run(run::Args),
    Doctor(doctor::Args),
    Play(play::Args),
    Grade(grade::Args),
    Anchor(anchor::Args),
    Probe(probe::Args),
    Era(era::Args),
    Schedule(schedule::Args),
    System(system::Args),
    Dataset(dataset::Args),
    Player(player::Args),
    Append(append::Args),
    Import(import::Args),
    Waive(waive::Args),
    Price(price::Args),
    Expense(expense::Args),
    Billing(billing::Args),
    Account(account::Args),
    Lookup(lookup::Args),
    Correct(correct::Args),
    Corrections(corrections::Args),
    Claim(claim::Args),
    Claims(claims::Args),
    Decide(decide::Args),
    Deviation(deviation::Args),
    Recover(recover::Args),
    Verify(verify::Args),
    Board(board::Args),
    Compare(compare::Args),
    Show(show::Args),
    Bodies(bodies::Args),
    Erase(erase::Args),
    Export(export::Args),
    Index(index::Args),
    Checkpoint(checkpoint::Args),
    Prove(prove::Args),
    CheckProof(check_proof::Args),
    Witness(witness::Args),
    Key(key::Args),
    Ledger(ledger::Args),
    Measure(measure::Args),
    Freeze(freeze::Args),
    Release(release::Args),
    Audit(audit::Args),
    Submission(submission::Args),
    Secrets(secrets::Args),
    Schema(schema::Args),
}

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    // A file that may not grow is an error like any other, not the end. Where
    // nobody listens, the system's way stands.
    drop(flag::register(SIGXFSZ, Arc::default()));
    match Cli::try_parse() {
        Ok(cli) => run(&cli, Screen::new()).into(),
        // Help and version go to standard output and are no error.
        Err(error) => {
            let text = error.to_string();
            if Scanner::shared().scan(text.as_bytes()).is_empty() {
                error.exit()
            }
            // What was typed is quoted, and screens are kept in logs.
            complain(text.trim_start_matches("error: ").trim_end());
            Exit::Failed.into()
        }
    }
}

/// Runs one command as [`main`] does, with its standard output written to `out`,
/// and returns its exit code.
///
/// The first argument is the name of the program.
pub fn run_into<T: Into<OsString> + Clone>(
    args: impl IntoIterator<Item = T>,
    out: &mut dyn Write,
) -> u8 {
    match Cli::try_parse_from(args) {
        Ok(cli) => run(&cli, Screen::into(out)).code(),
        Err(error) => {
            // Where nobody reads, nobody is told.
            drop(write!(
                out,
                "{}",
                Scanner::shared().redacted(&error.to_string())
            ));
            Exit::Failed.code()
        }
    }
}

fn run(cli: &Cli, mut screen: Screen<'_>) -> Exit {
    let project = Project::new(&cli.project, &cli.ledger, cli.network_disk);
    let disk = &project.disk();
    let outcome = match &cli.command {
        Command::Reproduce(args) => reproduce::run(args, &project, &mut screen),
        Command::Init(args) => init::run(args, disk, &mut screen),
        Command::Run(args) => run::run(args, disk, &mut screen),
        Command::Doctor(args) => doctor::run(args, disk, &mut screen),
        Command::Play(args) => play::run(args, disk, &mut screen),
        Command::Grade(args) => grade::run(args, disk, &mut screen),
        Command::Anchor(args) => anchor::run(args, disk, &mut screen),
        Command::Probe(args) => probe::run(args, disk, &mut screen),
        Command::Era(args) => era::run(args, disk, &mut screen),
        Command::Schedule(args) => schedule::run(args, disk, &mut screen),
        Command::System(args) => system::run(args, disk, &mut screen),
        Command::Dataset(args) => dataset::run(args, disk, &mut screen),
        Command::Player(args) => player::run(args, disk, &mut screen),
        Command::Append(args) => append::run(args, disk, &mut screen),
        Command::Import(args) => import::run(args, disk, &mut screen),
        Command::Waive(args) => waive::run(args, disk, &mut screen),
        Command::Price(args) => price::run(args, disk, &mut screen),
        Command::Expense(args) => expense::run(args, disk, &mut screen),
        Command::Lookup(args) => lookup::run(args, disk, &mut screen),
        Command::Billing(args) => billing::run(args, disk, &mut screen),
        Command::Correct(args) => correct::run(args, disk, &mut screen),
        Command::Corrections(args) => corrections::run(args, disk, &mut screen),
        Command::Claim(args) => claim::run(args, disk, &mut screen),
        Command::Claims(args) => claims::run(args, disk, &mut screen),
        Command::Decide(args) => decide::run(args, disk, &mut screen),
        Command::Deviation(args) => deviation::run(args, disk, &mut screen),
        Command::Account(args) => account::run(args, disk, &mut screen),
        Command::Recover(args) => recover::run(args, disk, &mut screen),
        Command::Verify(args) => verify::run(args, disk, &mut screen),
        Command::Board(args) => board::run(args, disk, &mut screen),
        Command::Compare(args) => compare::run(args, disk, &mut screen),
        Command::Show(args) => show::run(args, disk, &mut screen),
        Command::Bodies(args) => bodies::run(args, disk, &mut screen),
        Command::Erase(args) => erase::run(args, disk, &mut screen),
        Command::Export(args) => export::run(args, disk, &mut screen),
        Command::Index(args) => index::run(args, disk, &mut screen),
        Command::Checkpoint(args) => checkpoint::run(args, disk, &mut screen),
        Command::Prove(args) => prove::run(args, disk, &mut screen),
        Command::CheckProof(args) => check_proof::run(args, &mut screen),
        Command::Witness(args) => witness::run(args, &mut screen),
        Command::Key(args) => key::run(args, &mut screen),
        Command::Ledger(args) => ledger::run(args, disk, &mut screen),
        Command::Measure(args) => measure::run(args, &mut screen),
        Command::Freeze(args) => freeze::run(args, &project, &mut screen),
        Command::Release(args) => release::run(args, &project, &mut screen),
        Command::Audit(args) => audit::run(args, &project, &mut screen),
        Command::Submission(args) => submission::run(args, &project, &mut screen),
        Command::Secrets(args) => secrets::run(args, &mut screen),
        Command::Schema(args) => schema::run(args, &mut screen),
    };
    let said = screen.finish();
    match (outcome, said) {
        // A reader that has seen enough changes no verdict.
        (Ok(exit), Err(error)) if error.is_broken_pipe() => exit,
        (Ok(exit), Ok(())) => exit,
        (Ok(_), Err(error)) => {
            complain("the command did its work; what it had to say could not be written:");
            error.report()
        }
        (Err(error), _) => error.report(),
    }
}
