use std::path::PathBuf;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::{Screen, hint};
use crate::cli::signing::{load, memory_of};
use crate::ledger::{Begin, KeyKind, Memory, SigningKey};
use crate::secret::Scanner;

/// Make a signing key, or show the public half of one.
///
/// Keys are Ed25519, in the spelling of C2SP signed notes. The private half
/// never leaves its file and is never shown; keep the file outside the project.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    New(NewArgs),
    Show(ShowArgs),
}

/// Make a key, and print its public half for policies.
///
/// Beside the key, FILE.signed says that it has signed nothing yet; there the
/// key remembers what it signs.
#[derive(Debug, clap::Args)]
struct NewArgs {
    /// The name that the key signs under: for a log the origin of the ledger,
    /// for a witness best a URL without scheme.
    name: String,

    /// The file to make, which only its owner may read.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Make the key of a witness, who cosigns the checkpoints of others.
    #[arg(long)]
    witness: bool,
}

/// Print the public half of a key.
#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// The file of the key.
    file: PathBuf,
}

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let key = match &args.step {
        Step::New(args) => new(args)?,
        Step::Show(args) => load(&args.file)?,
    };
    screen.line(&key.verifier_key().to_string());
    Ok(Exit::Clean)
}

fn new(args: &NewArgs) -> Result<SigningKey, CliError> {
    if !Scanner::shared().scan(args.name.as_bytes()).is_empty() {
        return Err(CliError::Input(
            "the name looks like a credential, and everybody sees it; take another one".to_owned(),
        ));
    }
    let refused = |error| CliError::Input(format!("{}: {error}", args.out.display()));
    let kind = if args.witness {
        KeyKind::Cosignature
    } else {
        KeyKind::Note
    };
    let key = SigningKey::generate(&args.name, kind).map_err(refused)?;
    // What a key signed before must not be forgotten: it never signs without
    // its memory, so it gets one with its birth.
    let (folder, name) = memory_of(&args.out)?;
    let memory = Memory::open(&folder, &name, Begin::New)?;
    key.store(&args.out).map_err(refused)?;
    memory.store()?;
    hint(&format!(
        "made {}: keep it secret and outside the project; the public half is:",
        args.out.display()
    ));
    Ok(key)
}
