mod anchored;
mod figures;
mod games;
mod glicko2;
mod player;
mod report;

use std::path::Path;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::screen::Screen;
use crate::measure::{FigureFormat, VectorsFault};

/// Hold our numbers against those of others.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    #[command(name = "glicko2")]
    Glicko2(glicko2::Args),
    Anchored(anchored::Args),
    /// Compute what moves give away: win chances, judgements, accuracy, regret.
    Grading(figures::Args),
    /// Compute what counts of games or pairs say: Elo, superiority, sequential tests.
    Match(figures::Args),
}

/// The largest file that is read.
const FILE_BYTES_MAX: u64 = 1 << 28;

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.what {
        What::Glicko2(args) => glicko2::run(args, screen),
        What::Anchored(args) => anchored::run(args, screen),
        What::Grading(args) => figures::run(args, FigureFormat::Grading, screen),
        What::Match(args) => figures::run(args, FigureFormat::Match, screen),
    }
}

/// Reads a file of vectors, or standard input for `-`.
pub(crate) fn read_vectors<T>(
    file: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, VectorsFault>,
) -> Result<T, CliError> {
    let bytes = read_input(file, FILE_BYTES_MAX)?;
    parse(&bytes).map_err(|fault| {
        let file = if file == Path::new("-") {
            "standard input".to_owned()
        } else {
            file.display().to_string()
        };
        CliError::Input(format!("{file} is no file of vectors: {fault}"))
    })
}
