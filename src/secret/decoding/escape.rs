//! Escapes of single characters: `\u0041`, `\x41`, `\101`, `\/`, `%41`, `&#65;`,
//! `&amp;`, `=41` of quoted-printable mail, and characters that nobody sees.

use std::ops::Range;

use crate::secret::decoding::View;

/// So much before the first escape is decoded with it.
const BEFORE: usize = 256;
/// So far apart two escapes are of one stretch, and so much belongs to the last.
const BEHIND: usize = 512;

/// The characters that entities name, of those that stand in credentials or
/// around them.
const ENTITIES: &[(&[u8], u8)] = &[
    (b"amp;", b'&'),
    (b"apos;", b'\''),
    (b"colon;", b':'),
    (b"equals;", b'='),
    (b"gt;", b'>'),
    (b"lowbar;", b'_'),
    (b"lt;", b'<'),
    (b"nbsp;", b' '),
    (b"period;", b'.'),
    (b"plus;", b'+'),
    (b"quot;", b'"'),
    (b"sol;", b'/'),
];

/// What an escape stands for.
struct Escape {
    /// How many bytes it has.
    length: usize,
    /// The character, where it is one that is seen.
    character: Option<char>,
}

/// A way of escaping: the bytes that begin an escape, and what one is.
struct Way {
    find: fn(&[u8]) -> Option<usize>,
    read: fn(&[u8]) -> Option<Escape>,
}

const WAYS: [Way; 3] = [
    Way {
        find: |text| memchr::memchr3(b'\\', b'%', b'&', text),
        read: |text| match text.first()? {
            b'\\' => backslash(text),
            b'%' => percent(text),
            b'&' => entity(text),
            _ => None,
        },
    },
    Way {
        find: |text| memchr::memchr(b'=', text),
        read: quoted,
    },
    Way {
        find: |text| memchr::memchr3(0xe2, 0xef, 0xc2, text),
        read: unseen,
    },
];

pub(crate) fn views(text: &[u8], each: &mut dyn FnMut(View)) {
    for way in &WAYS {
        let mut from = 0;
        while let Some(stretch) = stretch(text, from, way) {
            from = stretch.end;
            each(decoded(text, stretch, way));
        }
    }
}

/// Returns the next stretch of the text with escapes close to one another.
fn stretch(text: &[u8], from: usize, way: &Way) -> Option<Range<usize>> {
    let first = next(text, from, text.len(), way)?;
    let mut last = first;
    while let Some(found) = next(text, last + 1, last + BEHIND, way) {
        last = found;
    }
    // A stretch begins with a word, so that no end of one is taken for a whole.
    let before = from.max(first.saturating_sub(BEFORE));
    let inside = text[before..first].iter();
    let n_cut = if before == 0 {
        0
    } else {
        inside
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count()
    };
    Some(before + n_cut..text.len().min(last + BEHIND))
}

/// The next escape before `to`.
fn next(text: &[u8], mut from: usize, to: usize, way: &Way) -> Option<usize> {
    let end = text.len().min(to);
    loop {
        let at = from + (way.find)(text.get(from..end)?)?;
        if (way.read)(&text[at..]).is_some() {
            return Some(at);
        }
        from = at + 1;
    }
}

fn decoded(text: &[u8], stretch: Range<usize>, way: &Way) -> View {
    let mut view = View::of(stretch.start, stretch.len());
    let mut at = stretch.start;
    while let Some(found) = next(text, at, stretch.end, way) {
        view.extend(&text[at..found], at);
        at = found;
        // The next one often stands right behind it.
        while let Some(Escape { length, character }) = (way.read)(&text[at..]) {
            let mut spelled = [0; 4];
            let spelled = character.map(|character| &*character.encode_utf8(&mut spelled));
            for byte in spelled.unwrap_or_default().bytes() {
                view.push(byte, at..at + length);
            }
            at += length;
            if stretch.end <= at {
                return view;
            }
        }
    }
    view.extend(&text[at..stretch.end], at);
    view
}

/// An escape of that length for a character of that number.
fn escape(length: usize, number: u32) -> Option<Escape> {
    let character = char::from_u32(number)?;
    let is_seen = !matches!(number, 0xad | 0x200b..=0x200f | 0x2060 | 0xfeff);
    Some(Escape {
        length,
        character: is_seen.then_some(character),
    })
}

/// The number that stands there in digits of that base, at least `n_min` and at
/// most `n_max`, and how many they are.
fn number(text: &[u8], base: u32, n_min: usize, n_max: usize) -> Option<(u32, usize)> {
    let digits = text
        .iter()
        .take(n_max)
        .map_while(|byte| char::from(*byte).to_digit(base));
    let (mut number, mut n) = (0_u32, 0);
    for digit in digits {
        number = number.checked_mul(base)?.checked_add(digit)?;
        n += 1;
    }
    (n_min <= n).then_some((number, n))
}

/// Text in text in text has several backslashes in front.
fn backslash(text: &[u8]) -> Option<Escape> {
    const N_MAX: usize = 16;
    let n = text
        .iter()
        .take(N_MAX)
        .take_while(|byte| **byte == b'\\')
        .count();
    let rest = &text[n.max(1)..];
    match rest.first()? {
        b'u' if rest.get(1) == Some(&b'{') => {
            let (number, digits) = number(&rest[2..], 16, 1, 6)?;
            (rest.get(2 + digits)? == &b'}').then(|| escape(n + digits + 3, number))?
        }
        b'U' if number(&rest[1..], 16, 8, 8).is_some() => {
            let (number, digits) = number(&rest[1..], 16, 8, 8)?;
            escape(n + 1 + digits, number)
        }
        b'0'..=b'1' => {
            let (number, digits) = number(rest, 8, 3, 3)?;
            escape(n + digits, number)
        }
        b'\n' => Some(unseen_of(n + 1)),
        b'u' | b'U' => {
            let (number, digits) = number(&rest[1..], 16, 4, 4)?;
            escape(n + 1 + digits, number)
        }
        b'x' => {
            let (number, digits) = number(&rest[1..], 16, 2, 2)?;
            escape(n + 1 + digits, number)
        }
        b'/' => escape(n + 1, u32::from(b'/')),
        _ => None,
    }
}

fn percent(text: &[u8]) -> Option<Escape> {
    let (number, digits) = number(text.get(1..)?, 16, 2, 2)?;
    (number < 0x80).then(|| escape(1 + digits, number))?
}

fn entity(text: &[u8]) -> Option<Escape> {
    let name = text.get(1..)?;
    if name.first()? != &b'#' {
        let entity = ENTITIES.iter().find(|entity| name.starts_with(entity.0));
        return entity.and_then(|entity| escape(1 + entity.0.len(), u32::from(entity.1)));
    }
    let is_hex = matches!(name.get(1)?, b'x' | b'X');
    let (start, base) = if is_hex { (2, 16) } else { (1, 10) };
    let (number, digits) = number(&name[start..], base, 1, 8)?;
    (name.get(start + digits)? == &b';').then(|| escape(2 + start + digits, number))?
}

/// Only the signs that text in this form is full of: `=3D`, `=20` and the like,
/// and an end of a line that is none.
fn quoted(text: &[u8]) -> Option<Escape> {
    match text {
        [b'=', b'\n', ..] => Some(unseen_of(2)),
        [b'=', b'\r', b'\n', ..] => Some(unseen_of(3)),
        [b'=', b'2'..=b'7', ..] => {
            let (number, digits) = number(&text[1..], 16, 2, 2)?;
            let is_small = text[1..=digits].iter().any(u8::is_ascii_lowercase);
            (!is_small).then(|| escape(1 + digits, number))?
        }
        _ => None,
    }
}

/// An escape of that length for nothing that is seen.
const fn unseen_of(length: usize) -> Escape {
    Escape {
        length,
        character: None,
    }
}

/// Zero-width characters and soft hyphens, in UTF-8.
fn unseen(text: &[u8]) -> Option<Escape> {
    match text {
        [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xe2, 0x81, 0xa0, ..] | [0xef, 0xbb, 0xbf, ..] => {
            Some(unseen_of(3))
        }
        [0xc2, 0xad, ..] => Some(unseen_of(2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let mut shown = Vec::new();
        views(text.as_bytes(), &mut |view| {
            shown.push(String::from_utf8_lossy(view.bytes()).into_owned());
        });
        shown
    }

    #[test]
    fn escapes_stand_for_characters() {
        for (text, plain) in [
            ("a\\u0062c", "abc"),
            ("a\\\\\\\\u0062c", "abc"),
            ("a\\u{62}\\x63\\/d", "abc/d"),
            ("a\\142\\U00000063", "abc"),
            ("a\\\nbc", "abc"),
            ("a%62c%2F", "abc/"),
            ("a&#98;&#x63;&quot;", "abc\""),
            ("a=62=\nc=3D=\r\n", "abc="),
            ("a700c8=\r\nd9d3f6", "a700c8d9d3f6"),
            ("a\u{200b}b\u{ad}c", "abc"),
        ] {
            assert_eq!(shown(text), [plain], "{text}");
        }
        for text in ["a\\n\\\"b", "100% of a&b", "a=b", "%zz &x; \\u12", "é–"] {
            assert_eq!(shown(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn escapes_far_apart_are_apart_and_a_stretch_begins_with_a_word() {
        let text = format!("{}%41{}%42", "x".repeat(400), " y".repeat(2000));
        let shown = shown(&text);
        assert_eq!(shown.len(), 2);
        assert!(shown[0].starts_with("A y"), "{}", shown[0]);
        assert!(shown[1].starts_with(" y"), "{}", shown[1]);
    }
}
