use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::ledger::{Disk, Prefix};
use crate::projection::JoinedCalls;
use crate::store::Draft;

/// The file in the folder of the ledger. It is ignored by git and by `verify`.
const FILE: &str = "index.sqlite";

/// Write the index, for SQL: games, moves, calls and boards as tables.
///
/// Folds the ledger and writes index.sqlite into its folder, in the place of
/// the one that may stand there. The index is a cache: no command reads it, and
/// it can be deleted at any time. Its tables, its columns and what NULL means
/// are described in docs/index.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: sqlite3 ledger/index.sqlite 'SELECT * FROM placement_board'")]
pub(crate) struct Args {
    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    // A folder that is no ledger gets no index.
    Prefix::open(disk)?;
    let target = disk.root().join(FILE);
    let mut draft = Draft::begin(&target)?;
    let mut calls = JoinedCalls::default();
    let mut taken = Ok(());
    let (projection, source) = args.reading.project_with(disk, |_, event| {
        // Calls go to disk as they end: all their figures would not fit in memory.
        if let (Ok(()), Some(call)) = (&taken, calls.apply(event)) {
            taken = draft.take_call(&call);
        }
    })?;
    taken?;
    for call in calls.in_flight() {
        draft.take_call(call)?;
    }
    let indexed = draft.finish(&projection, &source)?;
    screen.line(&format!(
        "wrote {}: the first {} events of {}, root {}; {} games, {} plies, {} calls",
        target.display(),
        source.size,
        source.origin,
        source.root,
        indexed.games,
        indexed.plies,
        indexed.calls
    ));
    Ok(Exit::Clean)
}
