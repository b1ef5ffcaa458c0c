use std::io;

use crate::canonical::Count;
use crate::event::{Event, Verified};
use crate::ledger::layout::{EVENTS, SEGMENTS, segment_path};
use crate::ledger::recovery::Survey;
use crate::ledger::segment_index::Sealed;
use crate::ledger::{Head, LedgerError, Mode, Storage, StorageFile};

/// How much is collected before it is written: little enough to stay in the
/// cache of a core, and enough that the calls of the system do not count.
const BUFFER: usize = 1 << 18;

/// A batch on its way behind the head: written there line by line, over as many
/// segments as it takes, and nobody's until a head covers it.
pub(crate) struct Batch<'a> {
    storage: &'a dyn Storage,
    /// Whether the bytes stand there already and only their head is missing.
    stands: bool,
    buffer: Vec<u8>,
    /// Where the buffer goes.
    segment: u64,
    offset: u64,
    /// The segment at hand, where it is another one than the writer holds open.
    file: Option<Box<dyn StorageFile>>,
    /// The lines of the segment index for the segments that this batch fills.
    index: String,
    /// The segments behind the one that the batch began in.
    later_segments: Vec<u64>,
}

impl<'a> Batch<'a> {
    /// Starts a batch right behind a head.
    pub(crate) fn behind(head: &Head, storage: &'a dyn Storage, stands: bool) -> Self {
        Self {
            storage,
            stands,
            buffer: Vec::new(),
            segment: head.segment,
            offset: head.length,
            file: None,
            index: String::new(),
            later_segments: Vec::new(),
        }
    }

    /// Takes in the next event. `open` is the segment that the batch began in.
    pub(crate) fn take(
        &mut self,
        ground: &mut Survey,
        event: &Verified<Event>,
        open: &mut dyn StorageFile,
    ) -> Result<(), LedgerError> {
        self.buffer.extend_from_slice(event.line().as_bytes());
        self.buffer.push(b'\n');
        ground.take(event);
        if ground.size().is_multiple_of(ground.layout.segment_lines()) {
            self.seal(ground, open)
        } else if BUFFER <= self.buffer.len() {
            self.flush(open)
        } else {
            Ok(())
        }
    }

    /// Writes what is left and makes all of it durable.
    pub(crate) fn finish(&mut self, open: &mut dyn StorageFile) -> Result<(), LedgerError> {
        self.flush(open)?;
        self.sync(open)?;
        if !self.later_segments.is_empty() {
            self.storage
                .sync_folder(EVENTS)
                .map_err(LedgerError::io("sync", EVENTS))?;
        }
        Ok(())
    }

    /// Adds the segments that were filled to the index, which ends at `index_bytes`.
    pub(crate) fn write_index(&self, index_bytes: u64) -> Result<(), LedgerError> {
        if self.index.is_empty() {
            return Ok(());
        }
        self.storage
            .open(SEGMENTS, Mode::Write)
            .and_then(|mut file| {
                file.write_all_at(index_bytes, self.index.as_bytes())?;
                file.sync()
            })
            .map_err(LedgerError::io("write", SEGMENTS))
    }

    /// How many bytes the segment index grows by.
    pub(crate) const fn index_bytes(&self) -> u64 {
        length(self.index.as_bytes())
    }

    /// The segment and the length in it where the batch ends.
    pub(crate) const fn end(&self) -> (u64, u64) {
        (self.segment, self.offset)
    }

    /// The segment that the batch ends in, where it is another one than it began in.
    pub(crate) fn into_file(self) -> Option<Box<dyn StorageFile>> {
        self.file
    }

    /// Takes everything back that was written behind this head.
    ///
    /// # Errors
    ///
    /// What the system says; the next opening finds the rest behind the head.
    pub(crate) fn take_back(
        &self,
        head: &Head,
        index_bytes: u64,
        open: &mut dyn StorageFile,
    ) -> io::Result<()> {
        for segment in self.later_segments.iter().rev() {
            match self.storage.remove(&segment_path(*segment)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        open.set_length(head.length)?;
        if !self.index.is_empty() {
            let mut index = self.storage.open(SEGMENTS, Mode::Write)?;
            index.set_length(index_bytes)?;
        }
        Ok(())
    }

    /// Ends the segment at hand, which is full, and starts the next one.
    fn seal(&mut self, ground: &mut Survey, open: &mut dyn StorageFile) -> Result<(), LedgerError> {
        self.flush(open)?;
        self.sync(open)?;
        let sealed = Sealed {
            bytes: Count::saturating(self.offset),
            root: ground.seal(),
            segment: Count::saturating(self.segment),
        };
        let line = sealed.line().map_err(io::Error::other);
        self.index += &line.map_err(LedgerError::io("write", SEGMENTS))?;
        self.segment = ground.layout.segment_of(ground.size());
        self.offset = 0;
        let path = segment_path(self.segment);
        let file = match self.storage.open(&path, Mode::New) {
            Err(error) if self.stands && error.kind() == io::ErrorKind::AlreadyExists => {
                self.storage.open(&path, Mode::Write)
            }
            other => other,
        };
        self.file = Some(file.map_err(LedgerError::io("make", path))?);
        // Only what was made is ever taken back.
        self.later_segments.push(self.segment);
        Ok(())
    }

    fn flush(&mut self, open: &mut dyn StorageFile) -> Result<(), LedgerError> {
        if !self.stands && !self.buffer.is_empty() {
            let offset = self.offset;
            let written = match &mut self.file {
                Some(file) => file.write_all_at(offset, &self.buffer),
                None => open.write_all_at(offset, &self.buffer),
            };
            written.map_err(|error| self.failed("write")(error))?;
        }
        self.offset += length(&self.buffer);
        self.buffer.clear();
        Ok(())
    }

    fn sync(&mut self, open: &mut dyn StorageFile) -> Result<(), LedgerError> {
        let synced = match &mut self.file {
            Some(file) => file.sync(),
            None => open.sync(),
        };
        synced.map_err(|error| self.failed("sync")(error))
    }

    fn failed(&self, action: &'static str) -> impl FnOnce(io::Error) -> LedgerError {
        LedgerError::io(action, segment_path(self.segment))
    }
}

#[expect(clippy::as_conversions, reason = "no conversion by trait is const")]
const fn length(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}
