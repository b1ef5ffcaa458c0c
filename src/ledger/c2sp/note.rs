use std::fmt;
use std::str::FromStr;

use crate::finding::visible;
use crate::ledger::c2sp::spelling::{decode, encode};
use crate::ledger::{Signed, SignedCheckpoint, VerifierKey};
use crate::secret::Scanner;

/// The most signatures that are looked at; the specification asks for 16.
const SIGNATURES_MAX: usize = 128;

/// The longest note in bytes: signatures may have 5,000 each.
const NOTE_BYTES_MAX: usize = 1 << 20;

/// A text with the signatures below it (C2SP signed-note).
///
/// What a note says must not be believed before [`Note::verify`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<NoteSignature>,
}

/// One line below a note: who claims to have signed, and the bytes.
///
/// ```text
/// — example.org/log Uw2QOkn8…
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoteSignature {
    /// The name of the key.
    pub name: String,
    /// The id of the key: the first four bytes of a digest over name and key.
    pub key_id: [u8; 4],
    /// The signature itself; what is in it depends on the type of the key.
    pub bytes: Vec<u8>,
}

/// The bytes are no signed note.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct NoteFault {
    /// The line, from 1.
    pub line: usize,
    /// What should have stood there.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

/// Why a note is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteRefusal {
    /// A signature by a known key does not verify.
    #[error("the signature by {key} does not verify")]
    Wrong {
        /// The name of the key.
        key: String,
    },
    /// Nobody known has signed.
    #[error("none of the known keys has signed")]
    Unknown,
}

impl Note {
    /// Returns the note of a text that ends in a newline, and these signatures.
    pub(crate) fn new(text: String, signatures: Vec<NoteSignature>) -> Self {
        Self { text, signatures }
    }

    /// Reads a signed note: text, an empty line, one or more signature lines.
    ///
    /// # Errors
    ///
    /// The first line that is not as it must be.
    pub fn parse(bytes: &[u8]) -> Result<Self, NoteFault> {
        let note = readable(bytes)?;
        let Some(end) = note.rfind("\n\n") else {
            let found = "a text without signatures";
            return Err(fault(1, "an empty line before the signatures", found));
        };
        // The text keeps its newline; the empty line belongs to neither part.
        let (text, below) = (&note[..=end], &note[end + 2..]);
        let signatures = parse_signatures(below, text.matches('\n').count() + 2)?;
        Ok(Self::new(text.to_owned(), signatures))
    }

    /// The text, with its final newline.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The signatures, in the order in which they stand there.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Checks every signature by one of these keys and returns those that
    /// verify, in their order. Signatures by other keys are passed over.
    ///
    /// # Errors
    ///
    /// When a signature by a known key does not verify, or no known key signed.
    pub fn verify<'k>(&self, keys: &[&'k VerifierKey]) -> Result<Vec<Signed<'k>>, NoteRefusal> {
        let mut verified = Vec::new();
        for signature in &self.signatures {
            let Some(key) = keys.iter().find(|key| key.is_of(signature)) else {
                continue;
            };
            match key.verify(&self.text, &signature.bytes) {
                Some(signed) => verified.push(signed),
                None => {
                    return Err(NoteRefusal::Wrong {
                        key: signature.name.clone(),
                    });
                }
            }
        }
        if verified.is_empty() {
            Err(NoteRefusal::Unknown)
        } else {
            Ok(verified)
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        let mut lines = self.signatures.iter();
        lines.try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for NoteSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature = encode(&[self.key_id.as_slice(), &self.bytes].concat());
        write!(f, "\u{2014} {} {signature}", self.name)
    }
}

impl FromStr for NoteSignature {
    type Err = &'static str;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "an em dash, the name of a key, and a signature in base64";
        let (name, signature) = line
            .strip_prefix("\u{2014} ")
            .and_then(|rest| rest.split_once(' '))
            .ok_or(EXPECTED)?;
        let bytes = decode(signature).ok_or(EXPECTED)?;
        let (key_id, bytes) = bytes.split_first_chunk().ok_or(EXPECTED)?;
        if !is_key_name(name) || bytes.is_empty() {
            return Err(EXPECTED);
        }
        Ok(Self {
            name: name.to_owned(),
            key_id: *key_id,
            bytes: bytes.to_vec(),
        })
    }
}

/// Whether the text can be the name of a key: not empty, no space of any kind,
/// no plus, no control character.
pub(crate) fn is_key_name(name: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && c != '+' && ' ' <= c;
    !name.is_empty() && name.chars().all(is_plain)
}

/// Reads signature lines as a witness answers them, with or without a
/// checkpoint above them: then that checkpoint comes along.
///
/// # Errors
///
/// The first line that is not as it must be.
pub fn read_signatures(
    bytes: &[u8],
) -> Result<(Option<SignedCheckpoint>, Vec<NoteSignature>), NoteFault> {
    let text = readable(bytes)?;
    if text.starts_with('\u{2014}') {
        return Ok((None, parse_signatures(text, 1)?));
    }
    let checkpoint = SignedCheckpoint::parse(bytes)?;
    let signatures = checkpoint.note().signatures().to_vec();
    Ok((Some(checkpoint), signatures))
}

/// Reads signature lines; the first of them is this line of the whole.
///
/// # Errors
///
/// The first line that is none, or that there is no line.
pub(crate) fn parse_signatures(
    below: &str,
    first_line: usize,
) -> Result<Vec<NoteSignature>, NoteFault> {
    let Some(lines) = below.strip_suffix('\n') else {
        let line = first_line + below.matches('\n').count();
        let found = if below.is_empty() {
            "nothing"
        } else {
            "a line without a newline"
        };
        return Err(fault(line, "signature lines", found));
    };
    let signatures: Vec<_> = (first_line..)
        .zip(lines.split('\n'))
        .map(|(line, text)| {
            text.parse()
                .map_err(|expected| fault(line, expected, &shown(text)))
        })
        .collect::<Result<_, _>>()?;
    if SIGNATURES_MAX < signatures.len() {
        let found = signatures.len().to_string();
        return Err(fault(first_line, "at most 128 signatures", &found));
    }
    Ok(signatures)
}

/// The bytes as a text that a note may be.
pub(crate) fn readable(bytes: &[u8]) -> Result<&str, NoteFault> {
    let line_of = |end: usize| {
        let before = bytes.get(..end).unwrap_or_default();
        before.split(|byte| *byte == b'\n').count()
    };
    if NOTE_BYTES_MAX < bytes.len() {
        let found = format!("{} bytes", bytes.len());
        return Err(fault(1, "at most 1,048,576 bytes", &found));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| fault(line_of(error.valid_up_to()), "UTF-8", "another byte"))?;
    let control = text.bytes().position(|b| b < b' ' && b != b'\n');
    match control {
        Some(at) => Err(fault(line_of(at), "text", "a control character")),
        None => Ok(text),
    }
}

/// A text that may be shown: printable, and not too much of it.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN: usize = 80;
    // First redacted, then cut: half a secret is not known for one.
    let text = Scanner::shared().redacted(text);
    let mut start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() {
        start.push_str("...");
    }
    format!("\"{}\"", visible(&start))
}

fn fault(line: usize, expected: &'static str, found: &str) -> NoteFault {
    NoteFault {
        line,
        expected,
        found: found.to_owned(),
    }
}
