use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::schema::{NAMES, text};

/// Print a JSON Schema: of run files and submissions, for an editor, of an event, of
/// the publication specification, or of the report of `scoresheet secrets`.
///
/// `scoresheet schema run-file-1 > run-file-1.json` beside a run file, and the
/// comment `#:schema ./run-file-1.json` in its first line, let editors that know
/// Taplo complete and check it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name; without one the names are listed.
    name: Option<String>,
}

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Some(name) = &args.name else {
        for name in NAMES {
            screen.line(name);
        }
        return Ok(Exit::Clean);
    };
    let text = text(name).ok_or_else(|| {
        CliError::Input(format!(
            "no schema is called {name}; scoresheet schema lists them"
        ))
    })?;
    screen.data(text.as_bytes());
    Ok(Exit::Clean)
}
