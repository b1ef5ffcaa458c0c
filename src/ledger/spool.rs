use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write as _};

use tempfile::SpooledTempFile;

use crate::event::{Event, Verified};
use crate::ledger::{Door, Refusal, Waivers};

/// Lines from elsewhere that went through the door, kept until they are
/// appended: as many as there are, in bounded memory.
pub struct Spool {
    lines: SpooledTempFile,
    count: u64,
}

/// Why lines were not taken in.
#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// A line does not go through the door.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The system says no.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was to be done.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
}

/// More than this goes to a temporary file.
const IN_MEMORY: usize = 1 << 24;
/// How much goes through the door at once, and a line at most.
const BLOCK: u64 = 1 << 22;

impl Spool {
    /// Takes all lines of an input through the door. Where something looks like
    /// a credential, `recall` is asked once what the ledger waives.
    ///
    /// # Errors
    ///
    /// The first line that does not pass, or what the system says.
    pub fn fill<E: From<SpoolError>>(
        input: impl Read,
        recall: impl FnOnce() -> Result<Waivers, E>,
    ) -> Result<Self, E> {
        let io = |action| move |source| SpoolError::Io { action, source };
        let mut spool = Self {
            lines: SpooledTempFile::new(IN_MEMORY),
            count: 0,
        };
        let mut input = BufReader::new(input);
        let mut block = Vec::new();
        let mut door = Door::default();
        let mut recall = Some(recall);
        loop {
            block.clear();
            let read = input.by_ref().take(BLOCK).read_to_end(&mut block);
            read.map_err(io("read the input"))?;
            // The block goes on to the end of its last line, or to where no
            // line is that long.
            let rest = input.by_ref().take(BLOCK).read_until(b'\n', &mut block);
            rest.map_err(io("read the input"))?;
            if block.is_empty() && spool.count != 0 {
                return Ok(spool);
            }
            let before = usize::try_from(spool.count).unwrap_or(usize::MAX);
            let mut events = door.take(&block);
            if let (Err(Refusal::Secret { .. }), Some(recall)) = (&events, recall.take()) {
                door.recall(recall()?);
                events = door.take(&block);
            }
            let events = events.map_err(|refusal| SpoolError::Refused(refusal.behind(before)))?;
            door.learn(&events);
            for event in &events {
                writeln!(spool.lines, "{}", event.line())
                    .map_err(io("keep the input in a temporary file (see TMPDIR)"))?;
            }
            spool.count += u64::try_from(events.len()).unwrap_or(u64::MAX);
        }
    }

    /// The number of events.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the events in order; each call from the start.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn events(
        &mut self,
    ) -> io::Result<impl Iterator<Item = io::Result<Verified<Event>>> + use<'_>> {
        self.lines.seek(SeekFrom::Start(0))?;
        let lines = BufReader::new(&mut self.lines).split(b'\n');
        Ok(lines.map(|line| {
            let event = Verified::parse(&line?);
            event.map_err(|fault| io::Error::other(fault.to_string()))
        }))
    }
}
