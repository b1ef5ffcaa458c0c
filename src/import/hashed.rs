//! A file whose bytes are hashed as they are read.

use std::io::{self, Read};

use crate::digest::{Digest, Hasher};

/// Reads on, and hashes what it reads.
pub struct Hashed<R> {
    file: R,
    hasher: Hasher,
    length: u64,
}

impl<R> Hashed<R> {
    /// Begins with the next byte.
    pub fn of(file: R) -> Self {
        Self {
            file,
            hasher: Hasher::new(),
            length: 0,
        }
    }

    /// The SHA-256 of what was read, and how many bytes that was.
    pub fn finish(self) -> (Digest, u64) {
        (self.hasher.finish(), self.length)
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.hasher.update(buffer.get(..length).unwrap_or_default());
        self.length += u64::try_from(length).unwrap_or(u64::MAX);
        Ok(length)
    }
}
