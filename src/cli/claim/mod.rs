mod figure;
mod record;
mod review;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::finding::visible;
use crate::ledger::Disk;
use crate::projection::{Claim, Projection};

/// Record what is claimed of the evidence, or review it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Record(record::Args),
    Review(review::Args),
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.command {
        Command::Record(args) => record::run(args, disk, screen),
        Command::Review(args) => review::run(args, disk, screen),
    }
}

/// Returns the one claim that is meant: by its name, of those that no other one
/// supersedes, or by its id or the first digits of it.
fn find<'a>(projection: &'a Projection, text: &str) -> Result<&'a Claim, CliError> {
    let claims = || projection.record.claims.iter();
    let named: Vec<_> = claims()
        .filter(|claim| claim.superseded_by.is_none() && claim.said().name.as_str() == text)
        .collect();
    let meant = if named.is_empty() && 4 <= text.len() {
        claims()
            .filter(|claim| claim.recorded.id.to_string().starts_with(text))
            .collect()
    } else {
        named
    };
    let shown = visible(text);
    match meant.as_slice() {
        [only] => Ok(only),
        [] => {
            let names: Vec<_> = claims().map(|claim| claim.said().name.as_str()).collect();
            let names = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            Err(CliError::Input(format!(
                "no claim is named {shown} or begins with it; there is: {names}"
            )))
        }
        meant => {
            let ids: Vec<_> = meant
                .iter()
                .map(|claim| claim.recorded.id.to_string())
                .collect();
            Err(CliError::Input(format!(
                "more than one claim is meant by {shown}; give the id: {}",
                ids.join(", ")
            )))
        }
    }
}
