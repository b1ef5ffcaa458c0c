use std::fmt::Write as _;

use scoresheet::secret::Scanner;

/// Text that made the scanner slow at some time, or was made to.
pub(crate) const HOSTILE: &[&[u8]] = &[
    b" ",
    b"\0",
    b"A",
    b"Z",
    b"\\",
    b"=",
    b"%41",
    b"&amp;",
    b"\\u0041",
    b"=41",
    b"a\0",
    b"736563726574",
    b"c2VjcmV0IGtleSB0b2tlbiBhIHN0cmluZyE",
    b"YzJWamNtVjBJR3RsZVNCMGIydGxiaUJoSUhOMGNtbHVaeUU",
    b"://a:",
    b"sk-a",
    b"eyJ",
    b"eyJhbGciOiJI.",
    b"JQQJ9",
    b"ACDb",
    b"curl -u ",
    b"key=\"x",
    b"secret=",
    b"password=\"a",
    b"token: a1",
    b"cookie:a=b;",
    b"Authorization: Bearer ",
    b"openai mistral azure token ",
    b"machine a login b password ",
    b"-----BEGIN PRIVATE KEY",
    b"jdbc:a:a:",
    b"_key=secret_token=api_key=",
    b"curl ",
    b"\"",
    b"'\"",
    b"%2541",
    b"%25%35%32%25%33%35",
    b"&amp;amp;",
    b"\\\\u005cu0041",
    b"\\u00250041",
    b"41=42=43=",
    b"%25252541=3D3D3D41\xc2\xad",
    b"WVcxV2FtTnRWakJKUjNSc1pWTkNNR0l5ZEd4aWFVSm9TVWhPTUdOdGJIVmFlVVU",
    b"V1ZjeFYyRnRUblJXYWtKS1VqTlNjMXBXVGtOTlIwbDVaRWQ0YVdGVlNtOVRWV2hQVFVkT2RHSklWbUZsVlVV",
    b"Tk5OTk5OTk5OTk5OTk5OTk5O",
    b"NTM0ZTUzNGU1MzRlNTM0ZTUzNGU1MzRlNTM0",
    b"34313432343334343435343634373438",
    b"a\0a\0b\0b\0\\\0u\0",
];

/// `SplitMix64`, so that the text is the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap() % sides
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.roll(words.len())]
    }

    fn letters(&mut self, alphabet: &str, n: usize) -> String {
        let alphabet = alphabet.as_bytes();
        let letter = |_| char::from(alphabet[self.roll(alphabet.len())]);
        (0..n).map(letter).collect()
    }
}

const HEX: &str = "0123456789abcdef";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const WORDS: &[&str] = &[
    "the", "game", "of", "each", "model", "returns", "a", "move", "and", "rating", "is", "never",
    "written", "position", "because", "engine", "plays", "ledger", "event", "number", "token",
    "author", "secret", "request", "answer", "task", "disk", "score", "key", "cache",
];
const MOVES: &[&str] = &[
    "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O", "Qxd7+", "Rad1", "exd5", "Kh8", "g4", "Bxc6",
];
const NAMES: &[&str] = &[
    "let",
    "fn",
    "self",
    "value",
    "is_open",
    "read_bytes",
    "matches!",
    "Some",
    "None",
    "usize",
    "index",
    "path",
    "token_of",
    "cache_key",
    "&mut",
    "->",
    "=>",
    "==",
    "+=",
    "%",
    "\\n",
];

/// So many bytes of events, games, programs, prose, logs and encoded data, in
/// which a token stands once in a megabyte.
pub(crate) fn mixed(n_bytes: usize) -> Vec<u8> {
    let mut dice = Dice(2026);
    let mut text = Vec::with_capacity(n_bytes + 4096);
    let canaries: Vec<_> = Scanner::canaries().map(|(_, canary)| canary).collect();
    let mut n_tokens = 0;
    while text.len() < n_bytes {
        let piece = match dice.roll(12) {
            0..4 => event(&mut dice),
            4..6 => game(&mut dice),
            6..9 => program(&mut dice),
            9 => prose(&mut dice),
            10 => log(&mut dice),
            _ => format!("{}\n", dice.letters(BASE64, 76)).repeat(4),
        };
        text.extend(piece.into_bytes());
        if n_tokens < text.len() / 1_000_000 {
            text.extend(canaries[n_tokens % canaries.len()].bytes());
            text.push(b'\n');
            n_tokens += 1;
        }
    }
    text.truncate(n_bytes);
    text
}

fn event(dice: &mut Dice) -> String {
    let (game, body) = (dice.letters(HEX, 64), dice.letters(HEX, 64));
    let (moved, ms) = (dice.letters("abcdefgh12345678", 4), dice.roll(90_000));
    format!(
        "{{\"at\":\"2026-11-29T20:48:00.123Z\",\"by\":\"runner/bench-1\",\"kind\":\"call.answered\",\"v\":1,\"what\":{{\"body\":\"{body}\",\"completion_tokens\":{ms},\"game\":\"{game}\",\"model\":\"vendor/model-large-2411\",\"move\":\"{moved}\",\"total_ms\":{ms}}}}}\n"
    )
}

fn game(dice: &mut Dice) -> String {
    let mut text = "[Event \"Anchored\"]\n[Result \"1/2-1/2\"]\n\n".to_owned();
    for number in 1..40 {
        let (white, black) = (dice.pick(MOVES), dice.pick(MOVES));
        write!(text, "{number}. {white} {{[%clk 0:03:00]}} {black} ").unwrap();
    }
    text + "1/2-1/2\n\n"
}

fn program(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..12 {
        text.push_str(&" ".repeat(4 * dice.roll(4)));
        for _ in 0..6 {
            text.push_str(dice.pick(NAMES));
            text.push(' ');
        }
        writeln!(text, "({});", dice.roll(1000)).unwrap();
    }
    text
}

fn prose(dice: &mut Dice) -> String {
    let words: Vec<_> = (0..120).map(|_| dice.pick(WORDS)).collect();
    let page = dice.letters(HEX, 8);
    words.join(" ") + &format!(" (see https://example.org/{page}?q=a%20b&amp;c=d).\n")
}

fn log(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..8 {
        let (id, ms) = (dice.letters(HEX, 32), dice.roll(9000));
        let word = dice.pick(WORDS);
        writeln!(
            text,
            "2026-11-29 20:48:00 INFO http: GET /v1/{word}?id={id} 200 in {ms} ms"
        )
        .unwrap();
    }
    text
}
