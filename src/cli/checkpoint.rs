use std::path::PathBuf;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::{NOTE_BYTES_MAX, read_input};
use crate::cli::policy::read_policy;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, counted, hint};
use crate::cli::signing::{SigningArgs, issue};
use crate::ledger::{
    Checkpoint, Disk, Prefix, SignedCheckpoint, add_signatures, all_checkpoints, read_signatures,
    stored_checkpoint,
};

/// Issue a checkpoint: origin, size and root of the ledger, as a text to keep.
///
/// The text is a C2SP tlog-checkpoint. It is stored under checkpoints/ in the
/// ledger and printed, with the signatures that it has. With --key the ledger
/// signs it; before that, every stored checkpoint and what the key signed last
/// must be a prefix of the ledger.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    signing: SigningArgs,

    /// Print the checkpoint and store nothing.
    #[arg(long, conflicts_with = "key")]
    dry_run: bool,

    #[command(subcommand)]
    step: Option<Step>,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    AddSignatures(AddArgs),
}

/// Add signatures of witnesses to a stored checkpoint.
///
/// Takes the signature lines that a witness answered, or a checkpoint with them
/// below it. Lines by keys that the policy does not name are left out. A line
/// that does not verify refuses all of them: below the checkpoint it would
/// spoil the others, and nothing is ever taken away there.
#[derive(Debug, clap::Args)]
struct AddArgs {
    /// The file with the lines, or - for standard input.
    file: PathBuf,

    /// Whose signatures are added.
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,

    /// The size of the checkpoint [default: the one in FILE, or the newest].
    #[arg(long, value_name = "SIZE")]
    size: Option<u64>,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    if let Some(Step::AddSignatures(args)) = &args.step {
        return add(args, disk, screen);
    }
    let key = args.signing.load(disk)?;
    let (_, source) = args.reading.project(disk)?;
    let named = source.checkpoint();
    let checkpoint = Checkpoint::new(source.origin, named);
    let issued = if args.dry_run {
        None
    } else {
        issue(key.as_ref(), disk, &checkpoint)?
    };
    let issued = match issued {
        Some(signed) => signed,
        None => stored_checkpoint(disk, &checkpoint.origin, checkpoint.size)?
            .filter(|stored| *stored.checkpoint() == checkpoint)
            .unwrap_or_else(|| SignedCheckpoint::unsigned(checkpoint)),
    };
    if !issued.is_signed() {
        hint(
            "the checkpoint is unsigned: it says which events there are, and nobody vouches for it",
        );
    }
    screen.data(issued.to_string().as_bytes());
    Ok(Exit::Clean)
}

fn add(args: &AddArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let origin = Prefix::open(disk)?.description().origin.clone();
    let policy = read_policy(&args.policy)?;
    let refuse = |why: String| CliError::Input(format!("{why}; nothing was added"));
    let (text, signatures) = read_signatures(&read_input(&args.file, NOTE_BYTES_MAX)?)
        .map_err(|fault| refuse(format!("{}: {fault}", args.file.display())))?;
    let named = text.as_ref().map(|text| text.checkpoint().size);
    let newest = || -> Result<Option<u64>, CliError> {
        let all = all_checkpoints(disk, &origin)?;
        Ok(all.last().map(|newest| newest.checkpoint().size))
    };
    let size = match args.size.or(named) {
        Some(size) => Some(size),
        None => newest()?,
    };
    let stored = match size {
        Some(size) => stored_checkpoint(disk, &origin, size)?,
        None => None,
    };
    let stored = stored.ok_or_else(|| {
        refuse("no such checkpoint is stored; issue it first: scoresheet checkpoint".to_owned())
    })?;
    if text.is_some_and(|text| text.note().text() != stored.note().text()) {
        let why = "the signatures are below another text than that of the stored checkpoint";
        return Err(refuse(why.to_owned()));
    }
    let picked = policy.pick(&stored, &signatures);
    let picked = picked.map_err(|refusal| refuse(refusal.to_string()))?;
    let n_unknown = signatures.len() - picked.len();
    if n_unknown != 0 {
        hint(&format!(
            "left out {} by keys that the policy does not name",
            counted(n_unknown, "signature")
        ));
    }
    if picked.is_empty() && n_unknown != 0 {
        return Err(refuse(
            "no signature is by a key that the policy names".to_owned(),
        ));
    }
    let n_added = add_signatures(disk, stored.checkpoint(), &picked)?;
    let size = stored.checkpoint().size;
    screen.line(&match n_added {
        0 => format!("checkpoint {size} has these signatures already"),
        _ => format!(
            "added {} to checkpoint {size}",
            counted(n_added, "signature")
        ),
    });
    Ok(Exit::Clean)
}
