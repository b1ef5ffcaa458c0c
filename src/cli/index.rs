use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::ledger::{Disk, Prefix};
use crate::projection::Projection;
use crate::store::Draft;

/// The file in the folder of the ledger. It is ignored by git and by `verify`.
pub(crate) const FILE: &str = "index.sqlite";

/// Write the index, for SQL: games, moves, calls and boards as tables.
///
/// Folds the ledger and writes index.sqlite into its folder, in the place of
/// the one that may stand there. The index is a cache and can be deleted at any
/// time: `board` starts from what it stores, to be quicker, and says the same
/// without it. Its tables, its columns and what NULL means are described in
/// docs/index.md.
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
    let mut projection = Projection::forgetful();
    let (indexed, source) = loop {
        let draft = Draft::begin(&target)?;
        let mut filling = draft.filling();
        let mut taken = Ok(());
        let source = args.reading.read(disk, |_, event| {
            if taken.is_ok() {
                taken = filling.take(&mut projection, &event);
            }
        })?;
        taken?;
        if projection.is_forgetful() && !projection.knows_every_call() {
            // An event speaks of a call that was over: then all are remembered.
            projection = Projection::default();
            continue;
        }
        projection.forget();
        filling.finish(&projection, &source)?;
        break (draft.finish()?, source);
    };
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
