use crate::secret::container::Opened;
use crate::secret::container::limits::Limits;

const BLOCK: usize = 512;

/// Whether the bytes begin with a header whose sum is right.
pub(super) fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(..BLOCK).is_some_and(is_header)
}

fn is_header(block: &[u8]) -> bool {
    let spaced = |(at, byte): (usize, &u8)| {
        // The sum is taken as if spaces stood in its own place.
        u64::from(if (148..156).contains(&at) {
            b' '
        } else {
            *byte
        })
    };
    let sum: u64 = block.iter().enumerate().map(spaced).sum();
    block[0] != 0 && octal(&block[148..156]) == Some(sum)
}

/// Opens a tar archive: ustar, with the long names of GNU and pax.
pub(super) fn open(bytes: &[u8], limits: &mut Limits) -> Opened {
    let mut opened = Opened::default();
    let mut at = 0;
    while let Some(block) = bytes.get(at..at + BLOCK) {
        if block.iter().all(|byte| *byte == 0) {
            break;
        }
        if !is_header(block) {
            opened.fault("a tar header that is broken");
            return opened;
        }
        if !limits.take_member() {
            opened.fault(Limits::too_many());
            return opened;
        }
        let name = name(block);
        let Some(size) = size(&block[124..136]) else {
            opened.member(name, Err("a member whose size is none".to_owned()));
            return opened;
        };
        at += BLOCK;
        match block[156] {
            // Links, devices and folders have no bytes, whatever the size says.
            b'1'..=b'6' => continue,
            b'0' | 0 | b'7' | b'L' | b'K' | b'x' | b'g' => {}
            _ => opened.fault("a tar member of a kind that is not opened"),
        }
        let content = at.checked_add(size).and_then(|end| bytes.get(at..end));
        let Some(content) = content else {
            opened.member(name, Err("a member that is cut off".to_owned()));
            return opened;
        };
        let is_header = matches!(block[156], b'x' | b'g');
        if is_header && memchr::memmem::find(content, b" size=").is_some() {
            opened.fault("a tar member whose size stands elsewhere");
            return opened;
        }
        // Headers before a file have names that nobody unpacks.
        match block[156] {
            b'L' | b'K' | b'x' | b'g' => opened.member(name, limits.copy(content)),
            _ => opened.file(name, limits.copy(content)),
        }
        at += size.div_ceil(BLOCK) * BLOCK;
    }
    if bytes.iter().skip(at).any(|byte| *byte != 0) || bytes.len() < at {
        opened.fault("bytes behind the end of a tar archive, or none where it ends");
    }
    opened
}

fn name(block: &[u8]) -> String {
    let text = |field: &[u8]| {
        let end = memchr::memchr(0, field).unwrap_or(field.len());
        String::from_utf8_lossy(&field[..end]).into_owned()
    };
    let (name, prefix) = (text(&block[..100]), text(&block[345..500]));
    let is_ustar = &block[257..262] == b"ustar" && block[262] == 0;
    if is_ustar && !prefix.is_empty() {
        format!("{prefix}/{name}")
    } else {
        name
    }
}

/// A size in octal, or in binary where the first bit says so.
fn size(field: &[u8]) -> Option<usize> {
    let number = match field {
        [0x80, rest @ ..] => rest.iter().try_fold(0_u64, |number, byte| {
            number.checked_mul(256)?.checked_add(u64::from(*byte))
        }),
        _ => octal(field),
    };
    usize::try_from(number?).ok()
}

fn octal(field: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(field).ok()?;
    let text = text.trim_matches([' ', '\0']);
    u64::from_str_radix(if text.is_empty() { "0" } else { text }, 8).ok()
}
