use std::path::PathBuf;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::write_output;
use crate::cli::policy::read_policy;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, hint};
use crate::event::EventId;
use crate::ledger::{ConsistencyProof, Disk, InclusionProof, Prover, SignedCheckpoint};

/// Prove that an event stands in the ledger, or that the ledger only grew.
///
/// With an event, the proof is a C2SP tlog-proof: who has it needs no ledger to
/// check it. With --from, it is the body of a C2SP tlog-witness add-checkpoint
/// request: the proof that the ledger begins with what it was at that size.
///
/// A proof leads to a checkpoint: the one of --at, or the newest signed one that
/// covers the event, or the newest stored one, or the ledger as it stands,
/// unsigned, where none is stored.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The event: its id, or its position in the ledger, from 0.
    #[arg(required_unless_present = "from", conflicts_with = "from")]
    event: Option<String>,

    /// In place of an event: prove that the ledger begins with its first SIZE
    /// events as they were.
    #[arg(long, value_name = "SIZE")]
    from: Option<u64>,

    #[command(flatten)]
    reading: ReadingArgs,

    /// Lead to the newest stored checkpoint that is signed as this policy demands.
    #[arg(long, value_name = "FILE", conflicts_with = "at")]
    policy: Option<PathBuf>,

    /// Leave out the line of the event, which otherwise comes along as extra data.
    #[arg(long, requires = "event")]
    bare: bool,

    /// The file to write, best named *.tlog-proof, or - for standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let at = args.reading.size(disk)?;
    let mut prover = Prover::open(disk)?;
    let proof = match (&args.event, args.from) {
        (Some(event), _) => {
            let index = find(&prover, event)?;
            let checkpoint = lead(&mut prover, args, at, index.saturating_add(1))?;
            let size = checkpoint.checkpoint().size;
            let hashes = prover.inclusion(index, size)?;
            let extra = if args.bare {
                None
            } else {
                Some(prover.line(index)?)
            };
            let proof = InclusionProof {
                extra,
                index,
                hashes,
                checkpoint,
            };
            proof.to_string()
        }
        (None, from) => {
            let old = from.unwrap_or_default();
            let checkpoint = lead(&mut prover, args, at, old)?;
            let proof = ConsistencyProof {
                old,
                hashes: prover.consistency(old, checkpoint.checkpoint().size)?,
                checkpoint,
            };
            proof.to_string()
        }
    };
    write_output(&args.out, proof.as_bytes(), disk, screen)?;
    Ok(Exit::Clean)
}

/// The position of an event that is named by its id or its position.
fn find(prover: &Prover<'_>, event: &str) -> Result<u64, CliError> {
    if let Ok(id) = event.parse::<EventId>() {
        let index = prover.find(&id)?;
        return index.ok_or_else(|| CliError::Input(format!("no event has the id {id}")));
    }
    let size = prover.size();
    let index = event.parse().ok().filter(|index| *index < size);
    index.ok_or_else(|| {
        CliError::Input(format!(
            "expected an event: its id, which is 64 hex digits, or a position below {size}"
        ))
    })
}

/// The checkpoint that a proof leads to; it must cover at least so many events.
fn lead(
    prover: &mut Prover<'_>,
    args: &Args,
    at: Option<u64>,
    least: u64,
) -> Result<SignedCheckpoint, CliError> {
    let policy = args.policy.as_deref().map(read_policy).transpose()?;
    let stored = match (at, &policy) {
        (Some(size), _) => {
            let mut stored = prover.stored().iter();
            stored.find(|stored| stored.checkpoint().size == size)
        }
        (None, Some(policy)) => {
            let mut stored = prover.stored().iter().rev();
            let met = stored
                .find(|stored| least <= stored.checkpoint().size && policy.judge(stored).is_ok());
            Some(met.ok_or_else(|| {
                CliError::Input(format!(
                    "no stored checkpoint of at least {least} events is signed as the policy demands"
                ))
            })?)
        }
        (None, None) => prover.newest(least),
    };
    let size = at.unwrap_or_else(|| prover.size());
    let checkpoint = match stored.cloned() {
        Some(stored) => stored,
        None => SignedCheckpoint::unsigned(prover.checkpoint(size)?),
    };
    let there = checkpoint.checkpoint();
    if prover.checkpoint(there.size)? != *there {
        return Err(CliError::Evidence(format!(
            "the stored checkpoint of size {} is none of this ledger; scoresheet verify says more",
            there.size
        )));
    }
    if there.size < least {
        return Err(CliError::Input(format!(
            "the ledger at size {} does not cover {least} events",
            there.size
        )));
    }
    if !checkpoint.is_signed() {
        hint(&format!(
            "the checkpoint of size {} is unsigned: nobody vouches for it; scoresheet checkpoint --key signs one",
            there.size
        ));
    }
    Ok(checkpoint)
}
