//! `scoresheet submission`: what somebody says of a system, checked.

mod check;
mod evidence;
mod github;
mod new;
mod picture;
mod report;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::project::Project;
use crate::cli::screen::Screen;

/// Check a submission: a system, what it did, and where the evidence is.
///
/// `scoresheet schema benchmark_submission.schema` prints the schema for an editor.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    New(Box<new::Args>),
    Check(check::Args),
}

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    match &args.what {
        What::New(args) => new::run(args, project, screen),
        What::Check(args) => check::run(args, project, screen),
    }
}
