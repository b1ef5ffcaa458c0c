//! The commands: the only room that prints, reads the wall clock or the environment.
//!
//! One file a command: its arguments with their help, then `run`. What a command
//! finds out goes to standard output, what it says about its work to standard
//! error. The exit code is 0 when all is well, 1 when findings block, 2 when
//! the usage or the input was wrong or something could not be looked at.

mod append;
mod audit;
mod board;
mod checkpoint;
mod clock;
mod error;
mod exit;
mod files;
mod freeze;
mod init;
mod reading;
mod release;
mod reproduce;
mod run;
mod screen;
mod verify;
mod writing;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::cli::screen::Screen;

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
    /// The folder of the ledger.
    #[arg(long, value_name = "DIR", default_value = "ledger", global = true)]
    ledger: PathBuf,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Reproduce(reproduce::Args),
    Init(init::Args),
    Run(run::Args),
    Append(append::Args),
    Verify(verify::Args),
    Board(board::Args),
    Checkpoint(checkpoint::Args),
    Freeze(freeze::Args),
    Release(release::Args),
    Audit(audit::Args),
}

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut screen = Screen::new();
    let ledger = cli.ledger.as_path();
    let outcome = match &cli.command {
        Command::Reproduce(args) => reproduce::run(args, ledger, &mut screen),
        Command::Init(args) => init::run(args, ledger, &mut screen),
        Command::Run(args) => run::run(args, ledger, &mut screen),
        Command::Append(args) => append::run(args, ledger, &mut screen),
        Command::Verify(args) => verify::run(args, ledger, &mut screen),
        Command::Board(args) => board::run(args, ledger, &mut screen),
        Command::Checkpoint(args) => checkpoint::run(args, ledger, &mut screen),
        Command::Freeze(args) => freeze::run(args, ledger, &mut screen),
        Command::Release(args) => release::run(args, ledger, &mut screen),
        Command::Audit(args) => audit::run(args, ledger, &mut screen),
    };
    let exit = outcome
        .and_then(|exit| screen.finish().map(|()| exit))
        .unwrap_or_else(|error| error.report());
    exit.into()
}
