//! Base64 of both alphabets, also in lines, and hex.

use std::ops::Range;

use crate::secret::decoding::View;

/// Fewer letters spell no credential.
const RUN_MIN: usize = 24;
/// Lines of this length and more may go on in the next one.
const LINE_MIN: usize = 40;
/// So many decoded bytes on end are text in what was encoded text. By chance
/// they are once in millions.
const TEXT_MIN: usize = 14;
/// So far apart two texts are of one stretch.
const APART: usize = 1024;
/// So much around a stretch belongs to it: a short word there is no text by itself.
const AROUND: usize = 512;
/// What may stand between two lines.
const GAP_MAX: usize = 80;

const NONE: u8 = 0xff;

/// What each letter stands for in base64.
const SEXTETS: [u8; 256] = {
    let mut sextets = [NONE; 256];
    let mut n = 0_u8;
    while n < 26 {
        sextets[(b'A' + n) as usize] = n;
        sextets[(b'a' + n) as usize] = 26 + n;
        n += 1;
    }
    let mut n = 0_u8;
    while n < 10 {
        sextets[(b'0' + n) as usize] = 52 + n;
        n += 1;
    }
    sextets[b'+' as usize] = 62;
    sextets[b'-' as usize] = 62;
    sextets[b'/' as usize] = 63;
    sextets[b'_' as usize] = 63;
    sextets
};

/// What each letter stands for in hex.
const NIBBLES: [u8; 256] = {
    let mut nibbles = [NONE; 256];
    let mut n = 0_u8;
    while n < 10 {
        nibbles[(b'0' + n) as usize] = n;
        n += 1;
    }
    let mut n = 0_u8;
    while n < 6 {
        nibbles[(b'a' + n) as usize] = 10 + n;
        nibbles[(b'A' + n) as usize] = 10 + n;
        n += 1;
    }
    nibbles
};

fn is_letter(byte: u8) -> bool {
    SEXTETS[usize::from(byte)] != NONE
}

pub(crate) fn views(text: &[u8], each: &mut dyn FnMut(View)) {
    let mut from = 0;
    let mut run = Run::default();
    // A run covers one of every so many bytes, so that no other is looked at.
    while let Some(last) = text.get(from + RUN_MIN - 1) {
        let before = text[from..from + RUN_MIN].iter().rev();
        let n = before.take_while(|byte| is_letter(**byte)).count();
        if !is_letter(*last) || n < RUN_MIN {
            from += RUN_MIN - n;
            continue;
        }
        let n = RUN_MIN + n_letters(&text[from + RUN_MIN..]);
        let end = from + n;
        if n < LINE_MIN || gap(&text[end..]).is_none() {
            let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            hand_over(&text[from..end], from, &place, each);
            from = end;
        } else {
            let first = from;
            from = run.take(text, from);
            hand_over(&run.letters, first, &|at| run.places[at], each);
        }
    }
}

/// How many letters stand at the beginning.
fn n_letters(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_letter(**byte)).count()
}

/// Letters of several lines.
#[derive(Default)]
struct Run {
    letters: Vec<u8>,
    /// Where each letter stands, counted from the first.
    places: Vec<u32>,
}

impl Run {
    /// Takes the letters from there on, and returns where they end.
    fn take(&mut self, text: &[u8], mut from: usize) -> usize {
        let base = from;
        self.places.clear();
        self.letters.clear();
        loop {
            let n = n_letters(&text[from..]);
            // A run beyond 4 GiB has no place; nobody holds such a text.
            let place = |at: usize| u32::try_from(at - base).unwrap_or(u32::MAX);
            self.places.extend(place(from)..place(from + n));
            self.letters.extend_from_slice(&text[from..from + n]);
            from += n;
            match gap(&text[from..]) {
                Some(length) if LINE_MIN <= n => from += length,
                _ => return from,
            }
        }
    }
}

/// Hands over what letters spell. `place` says where each stands, counted from
/// the base.
fn hand_over(
    letters: &[u8],
    base: usize,
    place: &dyn Fn(usize) -> u32,
    each: &mut dyn FnMut(View),
) {
    let mut from = 0;
    let mut n_hex = 0;
    for part in letters.split(|letter| NIBBLES[usize::from(*letter)] == NONE) {
        if RUN_MIN <= part.len() {
            let place = |at: usize| place(from + at);
            hand_over_read(&Hex(part), 2, base, &place, each);
            n_hex += part.len();
        }
        from += part.len() + 1;
    }
    // Base64 of a text is never hex for so long.
    if n_hex < letters.len() {
        hand_over_read(&Base64(letters), 4, base, place, each);
    }
}

/// Letters that spell bytes.
trait Spelling {
    /// How many bytes there are from that letter on.
    fn n_bytes(&self, start: usize) -> usize;

    /// The byte of that number, and the number of the first of the two letters
    /// that it is in.
    fn byte(&self, start: usize, index: usize) -> (u8, usize);
}

struct Hex<'a>(&'a [u8]);

impl Spelling for Hex<'_> {
    fn n_bytes(&self, start: usize) -> usize {
        self.0.len().saturating_sub(start) / 2
    }

    fn byte(&self, start: usize, index: usize) -> (u8, usize) {
        let at = start + 2 * index;
        let nibble = |at: usize| NIBBLES[usize::from(self.0[at])];
        (nibble(at) << 4 | nibble(at + 1), at)
    }
}

struct Base64<'a>(&'a [u8]);

impl Spelling for Base64<'_> {
    fn n_bytes(&self, start: usize) -> usize {
        self.0.len().saturating_sub(start) * 3 / 4
    }

    fn byte(&self, start: usize, index: usize) -> (u8, usize) {
        let at = start + index / 3 * 4 + index % 3;
        let sextet = |at: usize| SEXTETS[usize::from(self.0[at])];
        let (high, low) = (sextet(at), sextet(at + 1));
        let byte = match index % 3 {
            0 => high << 2 | low >> 4,
            1 => high << 4 | low >> 2,
            _ => high << 6 | low,
        };
        (byte, at)
    }
}

/// Hands over what the letters spell, wherever the first byte begins: where text
/// is, with what stands around it. Read from the wrong letter, text is noise, in
/// which text is rare and short.
fn hand_over_read(
    letters: &impl Spelling,
    n_starts: usize,
    base: usize,
    place: &dyn Fn(usize) -> u32,
    each: &mut dyn FnMut(View),
) {
    for start in 0..n_starts {
        let n_bytes = letters.n_bytes(start);
        let mut from = 0;
        while let Some(stretch) = stretch(letters, start, from) {
            from = stretch.end;
            let mut view = View::of(base, stretch.len());
            for index in stretch {
                let (byte, at) = letters.byte(start, index);
                view.add(byte, place(at), place(at + 1).saturating_add(1));
            }
            each(view);
            if n_bytes < from + TEXT_MIN {
                break;
            }
        }
    }
}

/// Returns the next stretch, from that byte on, in which texts stand close to one
/// another.
fn stretch(letters: &impl Spelling, start: usize, from: usize) -> Option<Range<usize>> {
    let n = letters.n_bytes(start);
    let first = next_text(letters, start, from..n)?;
    let mut end = first.end;
    while let Some(text) = next_text(letters, start, end..n.min(end + APART)) {
        end = text.end;
    }
    Some(from.max(first.start.saturating_sub(AROUND))..n.min(end + AROUND))
}

/// Returns the next bytes on end that are text, in that range of bytes; nothing where
/// so many are nowhere.
fn next_text(letters: &impl Spelling, start: usize, within: Range<usize>) -> Option<Range<usize>> {
    let is_text = |index: &usize| {
        let byte = letters.byte(start, *index).0;
        matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r' | 0)
    };
    let mut from = within.start;
    while from + TEXT_MIN <= within.end {
        let indexes = (from..from + TEXT_MIN).rev();
        let n_text = indexes.take_while(is_text).count();
        if n_text == TEXT_MIN {
            let behind = from + TEXT_MIN..within.end;
            let n_behind = behind.take_while(is_text).count();
            return Some(from..from + TEXT_MIN + n_behind);
        }
        from += TEXT_MIN - n_text;
    }
    None
}

/// The length of an end of a line, with what text in quotes or a mail has around
/// it, where more letters follow.
fn gap(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut is_line = false;
    while at < GAP_MAX {
        let rest = text.get(at..)?;
        match rest {
            [b'\\', b'n' | b'r', ..] => {
                is_line = true;
                at += 2;
            }
            [b'\n' | b'\r', ..] => {
                is_line = true;
                at += 1;
            }
            [b' ' | b'\t' | b'"' | b'\'' | b'\\' | b'>' | b'*' | b'#', ..] => at += 1,
            [byte, ..] => return (is_line && is_letter(*byte)).then_some(at),
            [] => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

    use super::*;

    const PLAIN: &str = "a text?>~ that is long enough to be told from letters by chance \u{e9}.";

    fn shown(text: &str) -> Vec<(String, String)> {
        let mut shown = Vec::new();
        views(text.as_bytes(), &mut |view| {
            let whole = view.place(0..view.bytes().len());
            shown.push((
                String::from_utf8_lossy(view.bytes()).into_owned(),
                text[whole].to_owned(),
            ));
        });
        shown
    }

    #[test]
    fn both_alphabets_and_hex_are_read_wherever_they_begin() {
        let hex = PLAIN
            .bytes()
            .map(|byte| format!("{byte:02X}"))
            .collect::<Vec<_>>()
            .concat();
        for encoded in [STANDARD.encode(PLAIN), URL_SAFE_NO_PAD.encode(PLAIN), hex] {
            for before in ["", "=", "x", "ab", "\\n", "key_", "a/b/c"] {
                let text = format!("{before}{encoded}\"");
                let found = shown(&text);
                let holds = found
                    .iter()
                    .any(|(plain, _)| plain.contains("that is long enough"));
                assert!(holds, "{text}: {found:?}");
            }
        }
    }

    #[test]
    fn lines_are_joined_and_names_and_digests_are_left_alone() {
        let encoded = STANDARD.encode(PLAIN);
        for newline in ["\n", "\r\n", "\\n", "\n  ", "\"\n\"", "\n> "] {
            let text = format!("{}{newline}{}", &encoded[..44], &encoded[44..]);
            let found = shown(&text);
            assert!(found[0].0.starts_with(&PLAIN[..40]), "{text:?}");
            assert!(found[0].1.len() + 2 >= text.trim_end_matches('=').len());
        }
        for text in [
            "41d60ef07df457506a0a1a2073112eb4aae5733dbd2813c3da77d1b0fd441158",
            "lines_are_joined_and_names_and_digests_are_left_alone",
            "src/secret/decoding/view/and/another/folder/of/that/path",
        ] {
            assert_eq!(shown(text), [], "{text}");
        }
    }
}
