use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use crate::canonical::Count;
use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::{open_input, read_input};
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, counted, hint, progress_bar_of};
use crate::cli::writing::{WritingArgs, parse_words};
use crate::digest::Digest;
use crate::event::{DatasetRegistered, ListedPosition, Name, PositionsRegistered};
use crate::import::{Drawn, Recipe, Unpacked, draw_puzzles, read_positions};
use crate::ledger::Disk;
use crate::projection::{Dataset, PositionList};

/// Draw the puzzles or register the positions that every system is asked, or list the
/// datasets.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    Puzzles(PuzzlesArgs),
    Positions(PositionsArgs),
    List(ListArgs),
}

/// Draw puzzles from the puzzle database of Lichess, and register them.
///
/// So many of each tactic (mateIn1, mateIn2, fork, pin, hangingPiece) in each
/// rating band (800-1200, 1200-1600, 1600-2000, the last rating excluded) whose
/// solution has at most three plies. The candidates of a cell stand in the order
/// of the SHA-256 of `SEED|tactic|lo-hi|PuzzleId`; cells are filled in the order
/// above, all bands of a tactic before the next tactic, each with its first
/// candidates that no cell before it took. Nothing else decides: the same file in
/// any order of lines gives the same puzzles.
#[derive(Debug, clap::Args)]
struct PuzzlesArgs {
    /// The CSV as Lichess publishes it, plain or packed (.zst), or - for a plain
    /// one on standard input.
    file: PathBuf,

    /// The name of the dataset.
    #[arg(long)]
    name: Name,

    /// The seed of the draw: any words.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    seed: String,

    /// How many puzzles of each tactic in each band.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    per_cell: u32,

    /// Register the dataset also where a cell is short. It is partial then: what
    /// is solved of it is never ranked.
    #[arg(long)]
    allow_short: bool,

    #[command(flatten)]
    writing: WritingArgs,
}

/// Register a list of single positions of standard chess.
///
/// The file has a position a line: a FEN, or an EPD, which has no counters. Behind it
/// may stand operations, each with a semicolon at its end: `id "..."` names the
/// position, others are passed over. A position without an id has its number in the
/// list. Blank lines and lines that begin with # are passed over. A line that is no
/// legal position, whose side to move has no legal move, or that says the same position
/// or id again is named, and nothing is registered. The list stands in the ledger; a long
/// one, of 1 MiB at the most, in several events.
#[derive(Debug, clap::Args)]
struct PositionsArgs {
    /// The list, or - for standard input.
    file: PathBuf,

    /// The name of the list.
    #[arg(long)]
    name: Name,

    #[command(flatten)]
    writing: WritingArgs,
}

/// List the datasets.
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    reading: ReadingArgs,
}

/// The longest list: some ten thousand positions.
const LIST_BYTES_MAX: u64 = 1 << 20;

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.step {
        Step::Puzzles(args) => puzzles(args, disk, screen),
        Step::Positions(args) => positions(args, disk, screen),
        Step::List(args) => {
            let (projection, _) = args.reading.project_from_snapshot(disk)?;
            for dataset in projection.puzzles.datasets() {
                screen.line(&in_words(dataset));
            }
            for list in projection.positions.lists() {
                screen.line(&list_in_words(list));
            }
            Ok(Exit::Clean)
        }
    }
}

fn puzzles(args: &PuzzlesArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let recipe = Recipe::published(args.per_cell, args.seed.clone());
    let (drawn, source_sha256) = draw(&args.file, recipe)?;
    if !drawn.short.is_empty() {
        let short = format!("cells that are short:\n  {}", drawn.short.join("\n  "));
        if !args.allow_short {
            return Err(CliError::Input(format!(
                "{short}\nnothing was registered; take a larger file, or --allow-short for a partial dataset, which is never ranked"
            )));
        }
        hint(&short);
    }
    let dataset = DatasetRegistered {
        cells: drawn.cells,
        name: args.name.clone(),
        per_cell: Count::from(args.per_cell),
        seed: args.seed.clone(),
        source_sha256,
    };
    let mut desk = Desk::open(&args.writing, disk)?;
    let id = desk.say(dataset)?;
    let registered = desk.projection().puzzles.dataset(&id).map(in_words);
    if desk.commit(screen)? {
        screen.line(&format!("registered {}", registered.unwrap_or_default()));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

fn positions(args: &PositionsArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let file = args.file.display();
    let bytes = read_input(&args.file, LIST_BYTES_MAX)?;
    let text = std::str::from_utf8(&bytes);
    let text = text.map_err(|error| CliError::Input(format!("{file}: {error}")))?;
    let positions = read_positions(text);
    let positions = positions.map_err(|error| CliError::Input(format!("{file}: {error}")))?;
    let source_sha256 = Digest::of(&bytes);
    let mut desk = Desk::open(&args.writing, disk)?;
    let mut first = None;
    for positions in ListedPosition::in_parts(positions) {
        let part = desk.say(PositionsRegistered {
            continues: first,
            name: args.name.clone(),
            positions,
            source_sha256,
        })?;
        first.get_or_insert(part);
    }
    let lists = &desk.projection().positions;
    let registered = first.and_then(|id| lists.list(&id)).map(list_in_words);
    if desk.commit(screen)? {
        screen.line(&format!("registered {}", registered.unwrap_or_default()));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

/// Draws from the file, and shows how far it has been read.
fn draw(path: &Path, recipe: Recipe) -> Result<(Drawn, Digest), CliError> {
    let bar = progress_bar_of("drawing", "bytes");
    let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    bar.set_length(length);
    let packed = BufReader::with_capacity(1 << 16, bar.wrap_read(open_input(path)?));
    let is_packed = path.extension().is_some_and(|extension| extension == "zst");
    let file: Box<dyn Read + '_> = if is_packed {
        Box::new(Unpacked::of(packed))
    } else {
        Box::new(packed)
    };
    let drawn = draw_puzzles(file, recipe);
    ProgressBar::finish_and_clear(&bar);
    drawn.map_err(|error| CliError::Input(format!("{}: {error}", path.display())))
}

fn list_in_words(list: &PositionList) -> String {
    let registered = &list.registered;
    format!(
        "{}  {}, {}, sha256 {}",
        list.id,
        registered.name,
        counted(registered.positions.len(), "position"),
        registered.digest()
    )
}

fn in_words(dataset: &Dataset) -> String {
    let registered = &dataset.registered;
    let kind = if registered.is_partial() {
        "partial"
    } else {
        "full"
    };
    format!(
        "{}  {}, {} ({kind}) in {}, sha256 {}",
        dataset.id,
        registered.name,
        counted(registered.puzzles().count(), "puzzle"),
        counted(registered.cells.len(), "cell"),
        registered.digest()
    )
}
