use std::io;

use crate::event::MAX_LINE_BYTES;
use crate::ledger::StorageFile;

/// Reads the lines of a file between two offsets, a block at a time.
pub(crate) struct Lines<'a> {
    file: &'a dyn StorageFile,
    /// Where the next block is read.
    offset: u64,
    end: u64,
    block: Vec<u8>,
    /// The part of the block that no line has used yet.
    used: usize,
    filled: usize,
}

/// One line of a file.
pub(crate) struct Line<'a> {
    /// Its bytes, without a newline.
    pub(crate) bytes: &'a [u8],
    /// How it ends.
    pub(crate) end: LineEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    /// With a newline.
    Newline,
    /// With the part of the file that is read.
    Missing,
    /// Not within the length that a line may have; only its start was read.
    TooLong,
}

/// A block holds several lines of any length.
const BLOCK: usize = 1 << 18;

impl<'a> Lines<'a> {
    pub(crate) fn new(file: &'a dyn StorageFile, start: u64, end: u64) -> Self {
        Self {
            file,
            offset: start,
            end,
            // Small files need no more.
            block: vec![
                0;
                usize::try_from(end.saturating_sub(start))
                    .map_or(BLOCK, |bytes| bytes.min(BLOCK))
            ],
            used: 0,
            filled: 0,
        }
    }

    /// Returns the next line, or nothing at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut newline = find_newline(&self.block[self.used..self.filled]);
        if newline.is_none() && self.offset < self.end {
            self.refill()?;
            newline = find_newline(&self.block[self.used..self.filled]);
        }
        let start = self.used;
        let left = self.filled - start;
        if left == 0 {
            return Ok(None);
        }
        let (length, end) = match newline {
            Some(length) => (length, LineEnd::Newline),
            None if left <= MAX_LINE_BYTES => (left, LineEnd::Missing),
            None => (left, LineEnd::TooLong),
        };
        self.used = start + length + usize::from(end == LineEnd::Newline);
        Ok(Some(Line {
            bytes: &self.block[start..start + length],
            end,
        }))
    }

    fn refill(&mut self) -> io::Result<()> {
        self.block.copy_within(self.used..self.filled, 0);
        self.filled -= self.used;
        self.used = 0;
        let room = u64::try_from(self.block.len() - self.filled).map_err(io::Error::other)?;
        let wanted =
            usize::try_from((self.end - self.offset).min(room)).map_err(io::Error::other)?;
        let into = &mut self.block[self.filled..self.filled + wanted];
        let read = self.file.read_at(self.offset, into)?;
        if read < wanted {
            // The file is shorter than was asked for; what is missing is found by its length.
            self.end = self.offset + u64::try_from(read).map_err(io::Error::other)?;
        }
        self.filled += read;
        self.offset += u64::try_from(read).map_err(io::Error::other)?;
        Ok(())
    }
}

fn find_newline(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(b'\n', bytes)
}
