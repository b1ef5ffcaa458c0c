use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::project::Project;
use crate::cli::reading::fold;
use crate::cli::screen::{Screen, counted};
use crate::cli::signing::{SigningArgs, issue};
use crate::cli::writing::WritingArgs;
use crate::digest::Digest;
use crate::event::{CohortFrozen, Event, FreezeLabel, Verified};
use crate::finding::any_blocker;
use crate::ledger::{Checkpoint, Disk, Prefix};
use crate::manifest::{self, CohortManifest, Freeze};
use crate::release::MANIFESTS_FOLDER;

/// Freeze a cohort: make its manifest, once and for ever.
///
/// Writes a content-addressed manifest of the cohort's games and the counts of
/// its raw units to manifests/, issues a checkpoint, and appends
/// `cohort.frozen`. A cohort with open cells is refused, but for `--live`. A
/// cohort that a correction touches later is frozen once more: the earlier
/// manifest stays, and the new one names it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The cohort.
    cohort: String,

    /// Make a manifest of a cohort that still has open cells, labeled live. It
    /// never enters a publication; the freeze of the complete cohort supersedes it.
    #[arg(long)]
    live: bool,

    #[command(flatten)]
    writing: WritingArgs,

    #[command(flatten)]
    signing: SigningArgs,
}

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let disk = project.disk();
    if args.writing.dry_run {
        screen.event(&draft(args, &disk)?.event);
        return Ok(Exit::Clean);
    }
    // The lock is held from reading to writing: the manifest is about the
    // events right before its own event.
    let mut writer = args.writing.writer(&disk)?;
    let key = args.signing.load(&disk)?;
    let Draft {
        made,
        file,
        event,
        checkpoint,
    } = draft(args, &disk)?;
    let name = CohortManifest::file_name(&made.cohort, &Digest::of(&file));
    let path = format!("{MANIFESTS_FOLDER}/{name}");
    project.write(&path, &file)?;
    issue(key.as_ref(), &disk, &checkpoint)?;
    let receipt = writer.append(&[event])?;
    screen.line(&format!(
        "froze cohort {} at size {}: {}{}, {} aborted, {}",
        made.cohort,
        made.checkpoint.size,
        made.label.map_or("", |_| "live, "),
        counted(made.counts.finished, "game"),
        made.counts.aborted,
        path
    ));
    screen.line(&format!(
        "the ledger has {}, root {}",
        counted(receipt.size, "event"),
        receipt.root
    ));
    Ok(Exit::Clean)
}

/// What a freeze would write.
struct Draft {
    made: CohortManifest,
    file: Vec<u8>,
    event: Verified<Event>,
    checkpoint: Checkpoint,
}

fn draft(args: &Args, disk: &Disk) -> Result<Draft, CliError> {
    let prefix = Prefix::open(disk)?;
    let (projection, source) = fold(&prefix, prefix.size())?;
    let cohort = crate::board::cohort(&projection, &args.cohort)?;
    if any_blocker(&projection.findings) {
        // What contradicts itself is never published, and is frozen once.
        return Err(CliError::Damaged(projection.findings));
    }
    if let Some(before) = projection.standing_freeze(&cohort.schedule.id) {
        return Err(CliError::Input(format!(
            "cohort {} is frozen already, by event {}: manifest {}",
            args.cohort, before.index, before.frozen.manifest
        )));
    }
    let before = projection.newest_freeze(&cohort.schedule.id);
    let freeze = Freeze {
        label: args.live.then_some(FreezeLabel::Live),
        supersedes: before.map(|before| before.frozen.manifest),
    };
    let made = CohortManifest::of(&projection, &cohort, &source, freeze);
    let made = made.map_err(|finding| CliError::Damaged(vec![*finding]))?;
    let file = manifest::file(&made).map_err(|error| CliError::Input(error.to_string()))?;
    let event = args.writing.event(CohortFrozen {
        checkpoint: source.checkpoint(),
        cohort: made.cohort.clone(),
        label: freeze.label,
        manifest: Digest::of(&file),
        schedule: cohort.schedule.id,
        supersedes: freeze.supersedes,
    })?;
    let checkpoint = Checkpoint::new(source.origin, made.checkpoint);
    Ok(Draft {
        made,
        file,
        event,
        checkpoint,
    })
}
