//! What becomes of an input when somebody tampers with it.

use crate::simulator::random::Random;

/// The longest input that is tried.
pub(crate) const BYTES_MAX: usize = 200_000;

/// Pieces that parsers treat in ways of their own.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "\n", "\n\n", "\r\n", "\0", " ", "\t", "\u{7f}", "\u{a0}", "\u{feff}", "\u{202e}", "\u{2028}",
    "\u{1b}[2J", "é", "\u{1f600}", "\"", "\\", "\\\"", "\\/", "\\n", "\\u0000", "\\u001F", "\\ud800",
    "\\ud83d\\ude00", "\\udc00\\ud800", "{", "}", "{}", "[", "]", "[]", ",", ":", "null", "true", "-0",
    "1.0", "1e3", "NaN", "\"what\":", "\"v\":1,", "\"a\":null,", "\"bodies\":[],", "=", "+", "-", "_",
    "\u{2014} ", "old 0", "index 0", "extra ", "quorum none\n", "group g any ", "witness ", "log ", "all",
    "none", "# ", "sha256 ", "root ", "size ", "AAAA", "////", "d4e5", "e1g1", "e7e8q", "w KQkq - 0 1",
    "8/8/8/8/8/8/8/8", "[[engine]]\n", "'''", "sk-", "Bearer ", "password=",
];

/// Numbers at which something ends.
#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "0", "1", "00", "01", "127", "128", "255", "256", "4095", "4096", "60000", "65535", "65536",
    "2147483648", "4294967295", "4294967296", "9007199254740991", "9007199254740992",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
    "99999999999999999999999999", "1000000000", "0.000000000000000001",
];

/// Returns an entry of the corpus with a few changes.
pub(crate) fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = corpus[random.below(corpus.len())].clone();
    loop {
        change(&mut bytes, corpus, random);
        bytes.truncate(BYTES_MAX);
        if random.percent(60) {
            return bytes;
        }
    }
}

/// Returns an entry, or a piece of one, again and again: what takes time that
/// grows with the square of its length is noticed.
pub(crate) fn grown(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = corpus[random.below(corpus.len())].clone();
    let (start, end) = range(&bytes, random);
    let piece = bytes[start..end].to_vec();
    if !piece.is_empty() {
        let times = BYTES_MAX.saturating_sub(bytes.len()) / piece.len();
        bytes.splice(start..end, piece.repeat(times));
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(12) {
        0 | 1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        2 if at < bytes.len() => bytes[at] = byte(random),
        3 => bytes.insert(at, byte(random)),
        4 => {
            let (start, end) = range(bytes, random);
            bytes.drain(start..end);
        }
        5 => bytes.truncate(at),
        6 => {
            let (start, end) = range(bytes, random);
            let piece = bytes[start..end].to_vec();
            bytes.splice(at..at, piece);
        }
        7 => {
            let other = &corpus[random.below(corpus.len())];
            bytes.truncate(at);
            bytes.extend(&other[random.below(other.len() + 1)..]);
        }
        8 => {
            let other = &corpus[random.below(corpus.len())];
            let (from, to) = range(other, random);
            let (start, end) = range(bytes, random);
            bytes.splice(start..end, other[from..to].iter().copied());
        }
        9 => number(bytes, at, random),
        _ => {
            let token = TOKENS[random.below(TOKENS.len())];
            let end = bytes.len().min(at + random.below(2) * token.len());
            bytes.splice(at..end, token.bytes());
        }
    }
}

fn byte(random: &mut Random) -> u8 {
    u8::try_from(random.below(256)).unwrap()
}

/// A piece of the bytes, more often a short one.
fn range(bytes: &[u8], random: &mut Random) -> (usize, usize) {
    let start = random.below(bytes.len() + 1);
    let longest = if random.percent(70) { 20 } else { bytes.len() };
    let length = random.below(longest + 1).min(bytes.len() - start);
    (start, start + length)
}

/// Replaces the next number behind a place.
fn number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = bytes[at..].iter().position(is_digit) else {
        return;
    };
    let start = at + start;
    let end = start
        + bytes[start..]
            .iter()
            .take_while(|byte| is_digit(byte))
            .count();
    let number = NUMBERS[random.below(NUMBERS.len())];
    bytes.splice(start..end, number.bytes());
}
