mod anchored;
mod games;
mod glicko2;
mod player;

use std::path::Path;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::measure::VectorsFault;

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
}

/// The largest file that is read.
const FILE_BYTES_MAX: u64 = 1 << 28;

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.what {
        What::Glicko2(args) => glicko2::run(args, screen),
        What::Anchored(args) => anchored::run(args, screen),
    }
}

fn no_vectors(file: &Path, fault: &VectorsFault) -> CliError {
    let file = if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    };
    CliError::Input(format!("{file} is no file of vectors: {fault}"))
}
