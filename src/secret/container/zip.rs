use std::ops::Range;

use flate2::bufread::DeflateDecoder;

use crate::secret::check_digits::crc32;
use crate::secret::container::limits::Limits;
use crate::secret::container::{Opened, number};

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The length of the end without its comment.
const END_LENGTH: usize = 22;
const COMMENT_MAX: usize = 0xffff;
const WIDE: usize = 0xffff_ffff;

/// Whether the bytes begin as a zip archive, or end as one behind something else.
pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL) || bytes.starts_with(END) || end_of(bytes).is_some()
}

/// Where the end of the central directory begins.
fn end_of(bytes: &[u8]) -> Option<usize> {
    let from = bytes.len().saturating_sub(END_LENGTH + COMMENT_MAX);
    let fits = |at: &usize| {
        let comment = number(bytes, at + 20, 2);
        comment.is_some_and(|comment| at + END_LENGTH + comment <= bytes.len())
    };
    let found = memchr::memmem::find_iter(&bytes[from..], END);
    found.map(|at| from + at).filter(fits).last()
}

/// What the central directory says of a member.
struct Entry {
    name: Vec<u8>,
    flags: usize,
    method: usize,
    crc: usize,
    packed: usize,
    size: usize,
    offset: usize,
}

/// Opens a zip archive. Its two lists of members have to agree, and every byte
/// has to belong to one of them.
pub(super) fn open(bytes: &[u8], limits: &mut Limits) -> Opened {
    let mut opened = Opened::default();
    let Some(directory) = directory(bytes, &mut opened) else {
        opened.fault("a zip archive without a central directory");
        return opened;
    };
    let mut taken = Vec::new();
    for entry in directory.entries {
        if !limits.take_member() {
            opened.fault(Limits::too_many());
            return opened;
        }
        let name = String::from_utf8_lossy(&entry.name).into_owned();
        let content = place(bytes, directory.before, &entry).and_then(|(whole, packed)| {
            taken.push(whole);
            unpacked(&bytes[packed], &entry, limits)
        });
        opened.file(name, content);
    }
    taken.sort_by_key(|range| range.start);
    if taken.windows(2).any(|pair| pair[1].start < pair[0].end) {
        opened.fault("zip members that lie over one another");
    }
    let mut free = directory.before;
    taken.push(directory.range.clone());
    for range in taken {
        // A record behind a member repeats its sizes.
        let is_record = range.start.saturating_sub(free) <= 24;
        if free < range.start && !is_record {
            opened.fault("bytes in a zip archive that belong to no member");
        }
        free = free.max(range.end);
    }
    if 0 < directory.before {
        opened.member(
            "before the archive",
            limits.copy(&bytes[..directory.before]),
        );
    }
    opened
}

struct Directory {
    entries: Vec<Entry>,
    range: Range<usize>,
    /// How many bytes stand before the archive.
    before: usize,
}

fn directory(bytes: &[u8], opened: &mut Opened) -> Option<Directory> {
    let end = end_of(bytes)?;
    let comment = number(bytes, end + 20, 2)?;
    if end + END_LENGTH + comment < bytes.len() {
        opened.fault("bytes behind a zip archive");
    }
    let n = number(bytes, end + 10, 2)?;
    let length = number(bytes, end + 12, 4)?;
    let offset = number(bytes, end + 16, 4)?;
    if n == 0xffff || length == WIDE || offset == WIDE {
        opened.fault("a zip archive in the long form, which is not opened");
        return Some(Directory {
            entries: Vec::new(),
            range: 0..bytes.len(),
            before: 0,
        });
    }
    let start = end.checked_sub(length)?;
    let before = start.checked_sub(offset)?;
    let mut entries = Vec::new();
    let mut at = start;
    while at < end {
        let header = bytes.get(at..end)?;
        if !header.starts_with(CENTRAL) {
            break;
        }
        let name_length = number(header, 28, 2)?;
        let more = number(header, 30, 2)? + number(header, 32, 2)?;
        entries.push(Entry {
            name: header.get(46..46 + name_length)?.to_vec(),
            flags: number(header, 8, 2)?,
            method: number(header, 10, 2)?,
            crc: number(header, 16, 4)?,
            packed: number(header, 20, 4)?,
            size: number(header, 24, 4)?,
            offset: number(header, 42, 4)?,
        });
        at += 46 + name_length + more;
    }
    if at != end || entries.len() != n {
        opened.fault("a zip directory that does not add up");
    }
    let range = start..end;
    Some(Directory {
        entries,
        range,
        before,
    })
}

/// Where a member stands with its header, and where its bytes do.
fn place(
    bytes: &[u8],
    before: usize,
    entry: &Entry,
) -> Result<(Range<usize>, Range<usize>), String> {
    if entry.packed == WIDE || entry.size == WIDE || entry.offset == WIDE {
        return Err("a member in the long form, which is not opened".to_owned());
    }
    let start = before + entry.offset;
    let found = bytes.get(start..).and_then(|header| {
        let name_length = number(header, 26, 2)?;
        let length = 30 + name_length + number(header, 28, 2)?;
        let is_same = header.starts_with(LOCAL)
            && number(header, 8, 2)? == entry.method
            && header.get(30..30 + name_length)? == entry.name;
        let end = start + length + entry.packed;
        (is_same && end <= bytes.len()).then(|| (start..end, start + length..end))
    });
    found.ok_or_else(|| "a member that is not where the directory says".to_owned())
}

fn unpacked(packed: &[u8], entry: &Entry, limits: &mut Limits) -> Result<Vec<u8>, String> {
    if entry.flags & 0x2041 != 0 {
        return Err("an encrypted member".to_owned());
    }
    let mut rest = packed;
    let content = match entry.method {
        0 => {
            rest = &[];
            limits.copy(packed)
        }
        8 => limits.read(DeflateDecoder::new(&mut rest), "a member"),
        method => Err(format!(
            "a member packed by method {method}, which is not opened"
        )),
    }?;
    let is_whole = rest.is_empty()
        && content.len() == entry.size
        && u32::try_from(entry.crc) == Ok(crc32(&content));
    if is_whole {
        Ok(content)
    } else {
        Err("a member whose size or check digits are wrong".to_owned())
    }
}
