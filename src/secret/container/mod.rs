//! What stands inside files: the members of archives, and what is compressed.
//!
//! A container is known by what it begins with, never by its name. Each is read
//! strictly: whatever cannot be looked at, or is not as the format says, is an
//! [`Obstacle`], because bytes that nobody looked at are not clean.

mod gzip;
mod limits;
mod tar;
mod zip;
mod zstd;

use std::collections::BTreeSet;

use crate::finding::{Code, Finding, Place};
use crate::secret::Hit;
use crate::secret::container::limits::Limits;
use crate::secret::hit::redacted_excerpt;

/// What was seen in a file and in everything inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// What looks like a credential.
    pub sightings: Vec<Sighting>,
    /// What could not be looked at.
    pub obstacles: Vec<Obstacle>,
}

/// Something that looks like a credential, in a file or inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The members that lead to it, outermost first; none in the file itself.
    pub member: Vec<String>,
    /// Where it is in the bytes of that member, or of the file.
    pub hit: Hit,
    /// The line there, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u64,
    /// What may be shown of it.
    pub excerpt: String,
}

/// Something in a file, or the file itself, that could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The members that lead to it, outermost first.
    pub member: Vec<String>,
    /// What is in the way, such as "an encrypted member".
    pub what: String,
}

impl Inspection {
    /// Whether everything was looked at and nothing was seen.
    pub fn is_clean(&self) -> bool {
        self.sightings.is_empty() && self.obstacles.is_empty()
    }

    /// Returns what was seen, and what could not be looked at, as what is wrong
    /// with the file at that place. Members stand behind its name: `a.zip!b.txt`.
    pub fn findings(&self, place: &Place) -> Vec<Finding> {
        let within = |member: &[String]| {
            let file = place.file.iter().cloned().chain(member.iter().cloned());
            let file = file.collect::<Vec<_>>().join("!");
            Place {
                file: Place::file(file).file,
                ..place.clone()
            }
        };
        let seen = self.sightings.iter().map(|sighting| {
            let place = within(&sighting.member);
            let place = place.line(sighting.line).column(sighting.column);
            Finding::new(
                Code::SecretLike,
                place,
                "no credential",
                sighting.hit.described(&sighting.excerpt),
            )
        });
        let unseen = self.obstacles.iter().map(|obstacle| {
            let expected = "text, or a container that can be opened";
            let place = within(&obstacle.member);
            Finding::new(Code::Unscannable, place, expected, obstacle.what.as_str())
        });
        seen.chain(unseen).collect()
    }
}

/// One member as a format gives it: a name, and its bytes or why there are none.
struct Member {
    name: String,
    bytes: Result<Vec<u8>, String>,
}

/// What a format made of the bytes.
#[derive(Default)]
struct Opened {
    members: Vec<Member>,
    /// What is wrong with the container itself.
    faults: Vec<String>,
    /// The names that files in it have.
    names: BTreeSet<String>,
}

impl Opened {
    fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }

    fn member(&mut self, name: impl Into<String>, bytes: Result<Vec<u8>, String>) {
        let name = name.into();
        self.members.push(Member { name, bytes });
    }

    /// Takes in a file that unpacking would make: by which path, and only once, or
    /// what was looked at is not what a reader gets.
    fn file(&mut self, name: String, bytes: Result<Vec<u8>, String>) {
        if leads_out(&name) {
            self.fault("a member whose name leads out of the archive");
        }
        if !self.names.insert(name.clone()) {
            self.fault("two members of one name");
        }
        self.member(name, bytes);
    }
}

/// Whether unpacking a member of this name would write outside the folder it is
/// unpacked in, on any system.
fn leads_out(name: &str) -> bool {
    let is_separator = |c: char| matches!(c, '/' | '\\');
    let is_absolute = name.starts_with(is_separator) || name.get(1..2) == Some(":");
    is_absolute || name.split(is_separator).any(|part| part == "..")
}

/// Looks at a file and at everything inside it. `scan` says what looks like a
/// credential in the bytes that it gets.
pub fn inspect(bytes: &[u8], scan: &dyn Fn(&[u8]) -> Vec<Hit>) -> Inspection {
    let mut inspector = Inspector {
        scan,
        limits: Limits::new(bytes.len()),
        inspection: Inspection::default(),
    };
    inspector.look(bytes, &mut Vec::new());
    inspector.inspection
}

struct Inspector<'a> {
    scan: &'a dyn Fn(&[u8]) -> Vec<Hit>,
    limits: Limits,
    inspection: Inspection,
}

impl Inspector<'_> {
    fn look(&mut self, bytes: &[u8], member: &mut Vec<String>) {
        self.see(bytes, member);
        let Some(open) = opener(bytes) else {
            if let Some(what) = unreadable(bytes) {
                self.obstacle(member, what);
            }
            return;
        };
        if limits::DEPTH_MAX <= member.len() {
            self.obstacle(member, "a container in too many others");
            return;
        }
        let opened = open(bytes, &mut self.limits);
        for what in opened.faults {
            self.obstacle(member, what);
        }
        for one in opened.members {
            member.push(one.name);
            match one.bytes {
                Ok(bytes) => self.look(&bytes, member),
                Err(what) => self.obstacle(member, what),
            }
            member.pop();
        }
    }

    /// Takes down what looks like a credential in these bytes.
    fn see(&mut self, bytes: &[u8], member: &[String]) {
        let (mut line, mut line_start, mut counted) = (1, 0, 0);
        for hit in (self.scan)(bytes) {
            if hit.is_unscanned() {
                self.obstacle(member, Hit::UNSCANNED_WHAT);
                continue;
            }
            for newline in memchr::memchr_iter(b'\n', &bytes[counted..hit.start]) {
                line += 1;
                line_start = counted + newline + 1;
            }
            counted = hit.start;
            self.inspection.sightings.push(Sighting {
                member: member.to_vec(),
                line,
                column: u64::try_from(hit.start - line_start + 1).unwrap_or(u64::MAX),
                excerpt: redacted_excerpt(bytes, &hit),
                hit,
            });
        }
    }

    fn obstacle(&mut self, member: &[String], what: impl Into<String>) {
        self.inspection.obstacles.push(Obstacle {
            member: member.to_vec(),
            what: what.into(),
        });
    }
}

type Opener = fn(&[u8], &mut Limits) -> Opened;

/// What opens these bytes, where they are a container.
fn opener(bytes: &[u8]) -> Option<Opener> {
    match bytes {
        [0x1f, 0x8b, ..] => Some(gzip::open),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(zstd::open),
        _ if zip::is_zip(bytes) => Some(zip::open),
        _ if tar::is_tar(bytes) => Some(tar::open),
        _ => None,
    }
}

/// Why bytes that are no container cannot be looked at; nothing where they are text.
fn unreadable(bytes: &[u8]) -> Option<&'static str> {
    const PACKED: &[(&[u8], &str)] = &[
        (b"BZh", "a bzip2 file, which is not opened"),
        (b"\xfd7zXZ\0", "an xz file, which is not opened"),
        (
            b"7z\xbc\xaf\x27\x1c",
            "a 7-Zip archive, which is not opened",
        ),
        (b"Rar!", "a RAR archive, which is not opened"),
        (b"\x04\x22\x4d\x18", "an LZ4 file, which is not opened"),
    ];
    let packed = PACKED.iter().find(|packed| bytes.starts_with(packed.0));
    match packed {
        Some((_, what)) => Some(what),
        None if is_text(bytes) => None,
        None => Some("bytes that are no text"),
    }
}

/// Whether the bytes are text: UTF-8 without NUL, or UTF-16 with its mark.
fn is_text(bytes: &[u8]) -> bool {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0),
    };
    let (units, rest) = bytes.as_chunks::<2>();
    let mut characters = char::decode_utf16(units.iter().map(|pair| unit(*pair)));
    rest.is_empty() && characters.all(|character| character.is_ok_and(|c| c != '\0'))
}

/// The number of the bytes there, the lowest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    let shifted = bytes.iter().rev();
    let number = shifted.fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    usize::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_readable_and_other_bytes_are_an_obstacle() {
        for text in ["", "é", "\u{feff}x"] {
            assert_eq!(unreadable(text.as_bytes()), None);
        }
        assert_eq!(unreadable(b"\xff\xfea\0b\0"), None);
        assert_eq!(unreadable(b"\xfe\xff\0a"), None);
        for bytes in [&b"a\0"[..], b"\xff\xfea", b"\xe9", b"\xfe\xff\xd8\0"] {
            assert_eq!(unreadable(bytes), Some("bytes that are no text"));
        }
        assert!(unreadable(b"BZh91AY").unwrap().contains("bzip2"));
    }
}
