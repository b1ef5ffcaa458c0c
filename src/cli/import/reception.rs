//! Where sources of others are taken into a ledger.

use std::collections::BTreeSet;

use crate::canonical::Clock as _;
use crate::cli::clock::Asked;
use crate::cli::error::CliError;
use crate::cli::import::claims::Judged;
use crate::cli::import::report::SourceReport;
use crate::cli::reading::{ReportFormat, fold};
use crate::cli::screen::{Screen, hint};
use crate::cli::writing::WritingArgs;
use crate::digest::Digest;
use crate::event::{By, Event, EventId, ImportFault, ImportFinished, Name, Verified};
use crate::import::{Source, SourceFindings, Tally};
use crate::ledger::{Disk, LedgerError, Prefix, Waivers, Writer, put_blob};
use crate::projection::Import;

/// The ledger, and what it knows of sources.
pub(crate) struct Reception<'a> {
    args: &'a WritingArgs,
    disk: &'a Disk,
    /// Nothing where nothing is to be written.
    writer: Option<Writer<'a>>,
    known: Vec<Known>,
    /// The source at hand.
    current: Option<Current>,
    reports: Vec<SourceReport>,
}

/// A source that the ledger has, whole or in part.
struct Known {
    sha256: Digest,
    format: Name,
    version: u64,
    import: EventId,
    tally: Tally,
    is_finished: bool,
}

struct Current {
    source: Source,
    import: EventId,
    tally: Tally,
    findings: SourceFindings,
    how: &'static str,
}

impl Known {
    fn of(import: &Import) -> Self {
        Self {
            sha256: import.started.sha256,
            format: import.started.format.clone(),
            version: import.started.version.get(),
            import: import.id,
            tally: Tally {
                games: import.games,
                skipped: import.n_skipped(),
                calls: import.calls,
                plies: import.plies,
                contradicted: import.contradicted,
                faulty: import.faulty,
            },
            is_finished: import.is_finished,
        }
    }
}

impl<'a> Reception<'a> {
    /// Takes the lock, unless nothing is to be written, and reads the ledger.
    pub(crate) fn open(args: &'a WritingArgs, disk: &'a Disk) -> Result<Self, CliError> {
        let writer = args.writer_if_any(disk)?;
        let prefix = Prefix::open(disk)?;
        let (projection, _) = fold(&prefix, prefix.size())?;
        Ok(Self {
            args,
            disk,
            writer,
            known: projection.imports.iter().map(Known::of).collect(),
            current: None,
            reports: Vec::new(),
        })
    }

    pub(crate) const fn clock(&self) -> Asked {
        self.args.clock()
    }

    pub(crate) fn by(&self) -> By {
        self.args.by().clone()
    }

    /// Begins with a source, or goes on with it. Returns its id and how many of
    /// its games are there; nothing where all of them are.
    pub(crate) fn begin(
        &mut self,
        source: Source,
        screen: &mut Screen<'_>,
    ) -> Result<Option<(EventId, u64)>, CliError> {
        let started = &source.started;
        let is_same =
            |known: &&Known| known.sha256 == started.sha256 && known.format == started.format;
        let Some(known) = self.known.iter().find(is_same) else {
            return self.start(source, screen).map(Some);
        };
        if known.is_finished {
            self.reports.push(SourceReport {
                how: "known",
                started: source.started,
                import: known.import,
                tally: known.tally.clone(),
                findings: SourceFindings::default(),
            });
            return Ok(None);
        }
        if known.version != started.version.get() {
            return Err(CliError::Input(format!(
                "the import of {} was begun by version {} of what reads it, and this is {}; finish it with the program that began it",
                started.name, known.version, started.version
            )));
        }
        let begun = (known.import, known.tally.last_number());
        self.current = Some(Current {
            import: known.import,
            tally: known.tally.clone(),
            findings: SourceFindings::default(),
            how: "resumed",
            source,
        });
        Ok(Some(begun))
    }

    fn start(
        &mut self,
        source: Source,
        screen: &mut Screen<'_>,
    ) -> Result<(EventId, u64), CliError> {
        let source = self.keep(source)?;
        let at = self.clock().now();
        let event = self.args.event_at(at, source.started.clone())?;
        let import = event.id();
        self.append(&[event], screen)?;
        self.current = Some(Current {
            source,
            import,
            tally: Tally::default(),
            findings: SourceFindings::default(),
            how: "imported",
        });
        Ok((import, 0))
    }

    /// Keeps the bytes of a short source beside the ledger, where nothing in them
    /// looks like a credential.
    fn keep(&self, source: Source) -> Result<Source, CliError> {
        let Some(bytes) = &source.kept else {
            return Ok(source);
        };
        let waivers = Waivers::default();
        if !waivers.standing(bytes).is_empty() {
            hint(&format!(
                "{}: something in it looks like a credential, so only its digest is kept",
                source.started.name
            ));
            return Ok(source);
        }
        if self.writer.is_some() {
            put_blob(self.disk, bytes, &waivers)?;
        }
        Ok(source.with_blob())
    }

    /// Takes in what became of the next games.
    pub(crate) fn take(
        &mut self,
        events: &[Verified<Event>],
        screen: &mut Screen<'_>,
    ) -> Result<(), CliError> {
        self.append(events, screen)?;
        if let Some(current) = &mut self.current {
            for event in events {
                current.tally.take(&event.what);
                let name = &current.source.started.name;
                current.findings.take(name, &event.what);
            }
        }
        Ok(())
    }

    /// Ends the source at hand: all of it was read, and this is wrong with it
    /// beyond single games.
    pub(crate) fn finish(
        &mut self,
        faults: Vec<ImportFault>,
        screen: &mut Screen<'_>,
    ) -> Result<(), CliError> {
        let Some(mut current) = self.current.take() else {
            return Ok(());
        };
        let name = &current.source.started.name;
        current.findings.take_all(name, &faults);
        let finished = ImportFinished {
            faults,
            ..current.tally.finished(current.import)
        };
        let event = self.args.event_at(self.clock().now(), finished)?;
        self.append(&[event], screen)?;
        let started = current.source.started;
        self.known.push(Known {
            sha256: started.sha256,
            format: started.format.clone(),
            version: started.version.get(),
            import: current.import,
            tally: current.tally.clone(),
            is_finished: true,
        });
        self.reports.push(SourceReport {
            how: current.how,
            started,
            import: current.import,
            tally: current.tally,
            findings: current.findings,
        });
        Ok(())
    }

    fn append(
        &mut self,
        events: &[Verified<Event>],
        screen: &mut Screen<'_>,
    ) -> Result<(), CliError> {
        let Some(writer) = &mut self.writer else {
            for event in events {
                screen.event(event);
            }
            return Ok(());
        };
        // Each line has its own number in its own source.
        let appended = writer.append_each(events.iter().map(Ok));
        appended
            .map(drop)
            .map_err(|error: LedgerError| error.into())
    }

    /// The sources that were taken in, or are there already.
    pub(crate) fn imports(&self) -> BTreeSet<EventId> {
        self.reports.iter().map(|report| report.import).collect()
    }

    /// Says what became of the sources, and of a table beside them.
    pub(crate) fn report(
        &self,
        format: ReportFormat,
        judged: Option<&Judged>,
        screen: &mut Screen<'_>,
    ) -> Result<(), CliError> {
        let size = self
            .writer
            .as_ref()
            .map(|writer| (writer.size(), writer.root()));
        SourceReport::say(&self.reports, judged, size, format, screen)
    }
}
