use std::path::PathBuf;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::write_output;
use crate::cli::game_id::GameId;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, hint};
use crate::ledger::Disk;
use crate::projection::{GameChoice, GameState, games_pgn};

/// Write evidence in a form that other programs read.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    form: Form,
}

#[derive(Debug, clap::Subcommand)]
enum Form {
    Pgn(PgnArgs),
}

/// Games in Portable Game Notation, rebuilt from the events.
///
/// In the order they were started. Each move carries the id of the event that
/// accepted it, each rejected answer its class and its event, and each game
/// the size and root of the ledger that it was read from: what stands in the
/// file can be held against the ledger. The same events give the same bytes.
#[derive(Debug, clap::Args)]
struct PgnArgs {
    /// Only the games that count for this cohort.
    #[arg(long, value_name = "COHORT", conflicts_with = "game")]
    cohort: Option<String>,

    /// Only this game: its id, or the first digits of it.
    #[arg(long, value_name = "ID")]
    game: Option<GameId>,

    /// Also games that were aborted; their result is *.
    #[arg(long)]
    aborted: bool,

    /// The file to write, or - for standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Form::Pgn(args) = &args.form;
    let (projection, source) = args.reading.project(disk)?;
    let game = match &args.game {
        Some(id) => Some(id.find(&projection)?),
        None => None,
    };
    if let Some(game) = game {
        let refusal = match game.state {
            GameState::Playing => Some("goes on: it has no result yet"),
            GameState::Aborted { .. } if !args.aborted => Some("was aborted; add --aborted"),
            GameState::Aborted { .. } | GameState::Finished { .. } => None,
        };
        if let Some(refusal) = refusal {
            return Err(CliError::Input(format!("game {} {refusal}", game.id)));
        }
    }
    let choice = GameChoice {
        cohort: args.cohort.as_deref(),
        game: game.map(|game| &game.id),
        with_aborted: args.aborted,
    };
    let pgn = games_pgn(&projection, &source, &choice)?;
    if pgn.is_empty() {
        hint("no game to write: none of those that were asked for has a result");
    }
    write_output(&args.output, pgn.as_bytes(), disk, screen)?;
    Ok(Exit::Clean)
}
