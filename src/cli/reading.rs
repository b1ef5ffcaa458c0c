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
        each: impl FnMut(u64, &Verified<Event>),
    ) -> Result<(Projection, Source), CliError> {
        let prefix = Prefix::open(disk)?;
        let end = match &self.at {
            Some(at) => at.end(&prefix, disk)?,
            None => End::Size(prefix.size()),
        };
        fold_to(&prefix, end, each)
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
    let bar = progress_bar("reading");
    bar.set_length(match end {
        End::Size(size) => size,
        End::Day(_) => prefix.size(),
    });
    let (size, root) = read(prefix, end, |index, event| {
        if index % 1024 == 0 {
            bar.set_position(index);
        }
        projection.apply(&event);
        each(index, &event);
    })?;
    bar.finish_and_clear();
    let source = Source {
        origin: prefix.description().origin.clone(),
        size,
        root,
    };
    Ok((projection, source))
}

/// Text for people, or JSON for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReportFormat {
    Text,
    Json,
}
