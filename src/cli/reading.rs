use crate::cli::at::{At, End, read};
use crate::cli::error::CliError;
use crate::cli::screen::progress_bar;
use crate::event::{Event, Verified};
use crate::ledger::{Disk, Prefix};
use crate::projection::{Projection, Source};

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

    /// Folds the prefix that was asked for, and hands each event over with its
    /// position.
    pub(crate) fn project_with(
        &self,
        disk: &Disk,
        mut each: impl FnMut(u64, &Verified<Event>),
    ) -> Result<(Projection, Source), CliError> {
        let mut projection = Projection::default();
        let source = self.read(disk, |index, event| {
            projection.apply(&event);
            each(index, &event);
        })?;
        Ok((projection, source))
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

/// Folds the first `size` events.
pub(crate) fn fold(prefix: &Prefix<'_>, size: u64) -> Result<(Projection, Source), CliError> {
    fold_with(prefix, size, |_, _| ())
}

/// Folds the first events of a ledger, and hands each of them over.
pub(crate) fn fold_with(
    prefix: &Prefix<'_>,
    size: u64,
    mut each: impl FnMut(u64, &Verified<Event>),
) -> Result<(Projection, Source), CliError> {
    let mut projection = Projection::default();
    let source = read_to(prefix, End::Size(size), |index, event| {
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
