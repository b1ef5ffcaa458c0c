mod claims;
mod documents;
mod reception;
mod report;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use crate::canonical::Clock as _;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::import::claims::{ClaimsArgs, Judged};
use crate::cli::import::reception::Reception;
use crate::cli::reading::{ReadingArgs, ReportFormat};
use crate::cli::screen::{Screen, counted, progress_bar_of};
use crate::cli::writing::WritingArgs;
use crate::event::Name;
use crate::import::{PGN_VERSION, Source, Stamp, StreamError, Unpacked, stream_pgn};
use crate::ledger::Disk;

/// Import games that others played, from files of theirs.
///
/// A source is taken in once, by its SHA-256 and the place of each game in it:
/// what was interrupted goes on where it stopped, and what is there already is
/// left alone. Games are never told apart by their moves. Each becomes one event
/// that says what the source says, faults and contradictions too; what the
/// source does not say stays absent. They take part in no board, rating or
/// cohort of this ledger.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, clap::Subcommand)]
enum Format {
    Pgn(PgnArgs),
    Kaggle(KaggleArgs),
    LlmChess(LlmChessArgs),
    List(ListArgs),
}

/// PGN files, plain or packed (.zst).
///
/// All the forms that are out there: comments, variations, clocks, scores,
/// Chess960, set-up positions, Latin-1, joined and cut-off files. A game with a
/// fault never stops the rest: it stands as far as it can be played, and the
/// fault with its line beside it.
#[derive(Debug, clap::Args)]
struct PgnArgs {
    #[command(flatten)]
    sources: SourceArgs,
}

/// Chess episodes of Kaggle Game Arena: a JSON file each.
///
/// The game is built from the steps; player 0 has Black. A submission of -1 with
/// a failure in words and no action is a forfeit, and an answer that was no move;
/// a TIMEOUT, an ERROR or another negative submission is no chess.
#[derive(Debug, clap::Args)]
struct KaggleArgs {
    #[command(flatten)]
    sources: SourceArgs,
}

/// Run folders of `llm_chess`, each of them one source.
///
/// The field `reason` says what sort of ending a game had: one that ended in an
/// error has no result, whatever its PGN and the aggregate say.
#[derive(Debug, clap::Args)]
struct LlmChessArgs {
    #[command(flatten)]
    sources: SourceArgs,
}

/// List the sources that were imported, each with what was read of it.
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    reading: ReadingArgs,
}

#[derive(Debug, clap::Args)]
struct SourceArgs {
    /// The files or folders.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    writing: WritingArgs,

    #[command(flatten)]
    claims: ClaimsArgs,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    type Import = fn(&Path, &mut Reception<'_>, &mut Screen<'_>) -> Result<(), CliError>;
    let (args, import): (_, Import) = match &args.format {
        Format::Pgn(args) => (&args.sources, pgn),
        Format::Kaggle(args) => (&args.sources, documents::kaggle),
        Format::LlmChess(args) => (&args.sources, documents::llm_chess),
        Format::List(args) => return list(args, disk, screen),
    };
    let table = args.claims.read()?;
    let mut reception = Reception::open(&args.writing, disk)?;
    for path in &args.paths {
        import(path, &mut reception, screen)?;
    }
    let judged = table.map(|table| Judged::of(table, &reception.imports(), disk));
    reception.report(args.format, judged.transpose()?.as_ref(), screen)?;
    Ok(Exit::Clean)
}

fn list(args: &ListArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (projection, _) = args.reading.project_from_snapshot(disk)?;
    for import in projection.imports.iter() {
        let state = if import.is_finished {
            ""
        } else {
            ", not to its end"
        };
        screen.line(&format!(
            "{}  {} ({}{state}): {}, {} skipped, {} contradicted, {} with other faults, sha256 {}",
            import.id,
            import.started.name,
            import.started.format,
            counted(import.games, "game"),
            import.n_skipped(),
            import.contradicted,
            import.faulty,
            import.started.sha256
        ));
    }
    Ok(Exit::Clean)
}

fn named(format: &str) -> Result<Name, CliError> {
    format
        .parse()
        .map_err(|error: crate::event::ParseNameError| CliError::Input(error.to_string()))
}

/// Imports one PGN file, and shows how far it has been read.
fn pgn(
    path: &Path,
    reception: &mut Reception<'_>,
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    let reading = || CliError::io(format!("read {}", path.display()));
    let source = Source::of_file(path, &named("pgn")?, PGN_VERSION).map_err(reading())?;
    let sha256 = source.started.sha256;
    let Some(begun) = reception.begin(source, screen)? else {
        return Ok(());
    };
    let bar = progress_bar_of("importing", "bytes");
    let file = File::open(path).map_err(reading())?;
    bar.set_length(file.metadata().map_or(0, |metadata| metadata.len()));
    let packed = crate::import::Hashed::of(bar.wrap_read(file));
    let mut packed = BufReader::with_capacity(1 << 18, packed);
    let is_packed = path.extension().is_some_and(|extension| extension == "zst");
    let unpacked: Box<dyn Read + '_> = if is_packed {
        Box::new(Unpacked::of(&mut packed))
    } else {
        Box::new(&mut packed)
    };
    let clock = reception.clock();
    let by = reception.by();
    let stamp = || Stamp {
        at: clock.now(),
        by: by.clone(),
    };
    let streamed = stream_pgn(unpacked, begun, &stamp, |events| {
        reception.take(&events, screen)
    });
    bar.finish_and_clear();
    streamed.map_err(|error| match error {
        StreamError::Io(error) => reading()(error),
        StreamError::Taken(error) => error,
    })?;
    let (found, _) = packed.into_inner().finish();
    if found != sha256 {
        return Err(CliError::Input(format!(
            "{} was changed while it was read; what was imported of it is not marked as whole: put the file back as it was and import it again",
            path.display()
        )));
    }
    reception.finish(Vec::new(), screen)
}
