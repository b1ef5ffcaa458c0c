use crate::cli::error::CliError;
use crate::cli::screen::progress_bar;
use crate::event::{Event, Verified};
use crate::ledger::{Disk, Prefix};
use crate::projection::{Projection, Source};

/// What every command that reads the ledger takes.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Read only the first SIZE events: the world as the ledger stood then.
    #[arg(long, value_name = "SIZE")]
    pub(crate) at: Option<u64>,
}

impl ReadingArgs {
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
        let size = self.at.unwrap_or_else(|| prefix.size());
        fold_with(&prefix, size, each)
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
    let bar = progress_bar("reading");
    bar.set_length(size);
    let root = prefix.read(size, |index, event| {
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
