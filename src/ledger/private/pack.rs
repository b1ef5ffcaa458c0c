//! A pack: sealed bodies of many units in one file, one after another.
//!
//! ```text
//! sealed1      7 bytes
//! state        1 byte: a line feed; a minus sign once the body was overwritten
//! unit         32 bytes
//! sha256       32 bytes: of the sealed body
//! length       8 bytes, little-endian: of the sealed body
//! the sealed body
//! ```
//!
//! What a run keeps is flushed once for all its games. A record that ends with
//! the file was being written when the machine stopped; no event names it.

use std::io;

use crate::digest::Digest;
use crate::event::EventId;
use crate::ledger::StorageFile;
use crate::ledger::keep::each_chunk;
use crate::ledger::private::store::BODY_BYTES_MAX;

/// What every record begins with.
pub(crate) const MAGIC: &[u8; 7] = b"sealed1";
const SEALED: u8 = b'\n';
/// The state of a record whose body was overwritten. A single byte is written
/// whole or not at all, wherever a machine stops.
pub(crate) const ERASED: u8 = b'-';

/// Where the state stands in a header.
pub(crate) const STATE_AT: u64 = 7;

/// The bytes before a sealed body.
pub(crate) const HEADER_BYTES: usize = 80;

/// What stands before a sealed body.
pub(crate) struct Header {
    pub(crate) is_erased: bool,
    pub(crate) unit: EventId,
    pub(crate) sha256: Digest,
    pub(crate) length: u64,
}

impl Header {
    /// Appends a record to the bytes of a pack.
    pub(crate) fn write(unit: &EventId, sha256: &Digest, body: &[u8], pack: &mut Vec<u8>) {
        let length = u64::try_from(body.len()).unwrap_or(u64::MAX);
        pack.extend_from_slice(MAGIC);
        pack.push(SEALED);
        pack.extend_from_slice(unit.digest().as_bytes());
        pack.extend_from_slice(sha256.as_bytes());
        pack.extend_from_slice(&length.to_le_bytes());
        pack.extend_from_slice(body);
    }

    /// Reads what stands before a body, or returns nothing where nobody wrote it.
    fn parse(bytes: &[u8; HEADER_BYTES]) -> Option<Self> {
        let (magic, rest) = bytes.split_first_chunk::<7>()?;
        let (state, rest) = rest.split_first()?;
        let (unit, rest) = rest.split_first_chunk::<32>()?;
        let (sha256, rest) = rest.split_first_chunk::<32>()?;
        let length = rest.first_chunk::<8>()?;
        (magic == MAGIC && [SEALED, ERASED].contains(state)).then(|| Self {
            is_erased: *state == ERASED,
            unit: EventId::from_digest(Digest::new(*unit)),
            sha256: Digest::new(*sha256),
            length: u64::from_le_bytes(*length),
        })
    }
}

/// Hands over every record of a pack with the offset of its header; the last one
/// as long as it is there. Returns the offset from which the file cannot be
/// read, where there is one.
pub(crate) fn scan(
    file: &dyn StorageFile,
    each: &mut dyn FnMut(u64, Header),
) -> io::Result<Option<u64>> {
    let end = file.length()?;
    let mut offset = 0;
    let mut bytes = [0; HEADER_BYTES];
    while offset < end {
        if file.read_at(offset, &mut bytes)? < HEADER_BYTES {
            // A machine that stopped in the middle of a header.
            return Ok(None);
        }
        let header = Header::parse(&bytes).filter(|header| header.length <= BODY_BYTES_MAX);
        let Some(mut header) = header else {
            // A machine that stopped may leave the length of what it did not write.
            return Ok((!is_blank(file, offset, end)?).then_some(offset));
        };
        let body = offset + HEADER_BYTES as u64;
        header.length = header.length.min(end - body);
        let next = body + header.length;
        each(offset, header);
        offset = next;
    }
    Ok(None)
}

/// Whether nothing but zeros stands in a file from there on.
fn is_blank(file: &dyn StorageFile, offset: u64, end: u64) -> io::Result<bool> {
    let mut is_blank = true;
    each_chunk(file, offset, end, &mut |bytes| {
        is_blank = is_blank && bytes.iter().all(|byte| *byte == 0);
        Ok(())
    })?;
    Ok(is_blank)
}
