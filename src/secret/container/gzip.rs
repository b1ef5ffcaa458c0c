use flate2::bufread::DeflateDecoder;

use crate::secret::check_digits::crc32;
use crate::secret::container::limits::Limits;
use crate::secret::container::{Opened, number};

/// Opens a gzip file, which is one stream or several (RFC 1952).
pub(super) fn open(bytes: &[u8], limits: &mut Limits) -> Opened {
    let mut opened = Opened::default();
    let mut rest = bytes;
    let mut whole = Vec::new();
    while !rest.is_empty() {
        if !limits.take_member() {
            opened.fault(Limits::too_many());
            break;
        }
        match stream(rest, limits) {
            Ok((content, behind)) => {
                whole.extend(content);
                rest = behind;
            }
            // Zeros at the end fill up blocks of a tape.
            Err(_) if rest.iter().all(|byte| *byte == 0) => break,
            Err(what) => {
                opened.fault(what);
                break;
            }
        }
    }
    opened.member("gzip", Ok(whole));
    opened
}

/// What one stream holds, and what stands behind it.
fn stream<'a>(bytes: &'a [u8], limits: &mut Limits) -> Result<(Vec<u8>, &'a [u8]), String> {
    let broken = || "a gzip stream that is broken or cut off".to_owned();
    let start = header(bytes).ok_or_else(broken)?;
    let mut packed = &bytes[start..];
    let content = limits.read(DeflateDecoder::new(&mut packed), "a gzip stream")?;
    let crc = number(packed, 0, 4).ok_or_else(broken)?;
    let length = number(packed, 4, 4).ok_or_else(broken)?;
    let is_same =
        u32::try_from(crc) == Ok(crc32(&content)) && length == content.len() & 0xffff_ffff;
    if !is_same {
        return Err("a gzip stream whose check digits are wrong".to_owned());
    }
    Ok((content, &packed[8..]))
}

/// The length of the header of a stream. What stands in it is plain text, and is
/// looked at with the rest of the file.
fn header(bytes: &[u8]) -> Option<usize> {
    let [0x1f, 0x8b, 8, flags, ..] = bytes else {
        return None;
    };
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + number(bytes, at, 2)?;
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += memchr::memchr(0, bytes.get(at..)?)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    (flags & 0xe0 == 0 && at <= bytes.len()).then_some(at)
}
