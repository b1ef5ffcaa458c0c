use std::path::Path;

use crate::canonical::Count;
use crate::cli::at::{At, End, read};
use crate::cli::error::CliError;
use crate::cli::index::FILE;
use crate::cli::screen::{hint, progress_bar};
use crate::event::{CheckpointRef, Event, Verified};
use crate::ledger::{Disk, Prefix};
use crate::projection::{Projection, Source};
use crate::store::Snapshot;

/// What every command that reads the ledger takes.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Show the world as the ledger stood then: at a SIZE, a CHECKPOINT or the end
    /// of a DATE.
    ///
    /// SIZE is a number of events. CHECKPOINT is the file of one that was kept, or
    /// the root (64 hex digits) of one that the ledger has stored; it must be one of
    /// this ledger. DATE is a UTC day, such as 2026-11-29: everything before the
    /// first event of a later day.
    #[arg(long, value_name = "SIZE|CHECKPOINT|DATE")]
    at: Option<At>,
}

impl ReadingArgs {
    /// The number of events that were asked for, where some were.
    pub(crate) fn size(&self, disk: &Disk) -> Result<Option<u64>, CliError> {
        self.at.as_ref().map(|at| at.size(disk)).transpose()
    }

    /// Folds the prefix that was asked for.
    pub(crate) fn project(&self, disk: &Disk) -> Result<(Projection, Source), CliError> {
        self.project_with(disk, |_, _| ())
    }

    /// Folds the prefix that was asked for, for a board: on from the snapshot in
    /// the index where it is of a prefix of this ledger, else from nothing.
    /// Either way the board is the same. The projection has forgotten the moves
    /// and calls of games that have ended, or not.
    pub(crate) fn project_from_snapshot(
        &self,
        disk: &Disk,
    ) -> Result<(Projection, Source), CliError> {
        let prefix = Prefix::open(disk)?;
        if let End::Size(size) = self.end(&prefix, disk)? {
            match resume(&prefix, &disk.root().join(FILE), size) {
                Ok(Some(resumed)) => return Ok(resumed),
                Ok(None) => {}
                Err(why) => hint(&format!(
                    "reading all events, because the index cannot be used: {why}; `scoresheet index` makes it anew"
                )),
            }
        }
        self.project(disk)
    }

    /// Folds the prefix that was asked for, and hands each event over with its
    /// position.
    pub(crate) fn project_with(
        &self,
        disk: &Disk,
        each: impl FnMut(u64, &Verified<Event>),
    ) -> Result<(Projection, Source), CliError> {
        let prefix = Prefix::open(disk)?;
        fold_to(&prefix, self.end(&prefix, disk)?, each)
    }

    /// Hands over the events that were asked for, each with its position.
    pub(crate) fn read(
        &self,
        disk: &Disk,
        each: impl FnMut(u64, Verified<Event>),
    ) -> Result<Source, CliError> {
        let prefix = Prefix::open(disk)?;
        read_to(&prefix, self.end(&prefix, disk)?, each)
    }

    /// Where the prefix that was asked for ends.
    pub(crate) fn end(&self, prefix: &Prefix<'_>, disk: &Disk) -> Result<End, CliError> {
        match &self.at {
            Some(at) => at.end(prefix, disk),
            None => Ok(End::Size(prefix.size())),
        }
    }
}

/// Folds the first `size` events on from the snapshot in an index; nothing
/// where there is none for them, and why where it is of no use.
fn resume(
    prefix: &Prefix<'_>,
    index: &Path,
    size: u64,
) -> Result<Option<(Projection, Source)>, String> {
    let Some(snapshot) = Snapshot::read(index)? else {
        return Ok(None);
    };
    let origin = &prefix.description().origin;
    if snapshot.origin != *origin {
        return Err(format!("it is one of {}", snapshot.origin));
    }
    if prefix.size() < snapshot.size {
        return Err(format!("it has {} events", snapshot.size));
    }
    if size < snapshot.size {
        return Ok(None);
    }
    let known = CheckpointRef {
        root: snapshot.root,
        size: Count::saturating(snapshot.size),
    };
    let mut projection = snapshot.projection()?;
    let root = prefix
        .read_from(&known, size, |_, event| projection.apply(&event))
        .map_err(|error| error.to_string())?;
    let source = Source {
        origin: origin.clone(),
        size,
        root,
    };
    Ok(projection
        .knows_every_call()
        .then_some((projection, source)))
}

/// Folds the first `size` events.
pub(crate) fn fold(prefix: &Prefix<'_>, size: u64) -> Result<(Projection, Source), CliError> {
    fold_with(prefix, size, |_, _| ())
}

/// Folds the first events of a ledger, and hands each of them over.
pub(crate) fn fold_with(
    prefix: &Prefix<'_>,
    size: u64,
    each: impl FnMut(u64, &Verified<Event>),
) -> Result<(Projection, Source), CliError> {
    fold_to(prefix, End::Size(size), each)
}

fn fold_to(
    prefix: &Prefix<'_>,
    end: End,
    mut each: impl FnMut(u64, &Verified<Event>),
) -> Result<(Projection, Source), CliError> {
    let mut projection = Projection::default();
    let source = read_to(prefix, end, |index, event| {
        projection.apply(&event);
        each(index, &event);
    })?;
    Ok((projection, source))
}

/// Hands events over from the first one on, and shows how far that is.
fn read_to(
    prefix: &Prefix<'_>,
    end: End,
    mut each: impl FnMut(u64, Verified<Event>),
) -> Result<Source, CliError> {
    let bar = progress_bar("reading");
    bar.set_length(match end {
        End::Size(size) => size,
        End::Day(_) => prefix.size(),
    });
    let (size, root) = read(prefix, end, |index, event| {
        if index % 1024 == 0 {
            bar.set_position(index);
        }
        each(index, event);
    })?;
    bar.finish_and_clear();
    Ok(Source {
        origin: prefix.description().origin.clone(),
        size,
        root,
    })
}

/// Text for people, or JSON for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReportFormat {
    Text,
    Json,
}
