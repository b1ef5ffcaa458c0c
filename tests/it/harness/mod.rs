//! Laws that hold for whatever bytes come from strangers, one file a format.
//!
//! Each harness takes the bytes and asserts what must be so: not only that
//! nothing panics. The fuzz targets in `fuzz/` run these very functions, so they
//! name only what the library offers to everybody.

mod chess;
mod description;
mod event_line;
pub(crate) mod folder;
mod head;
mod kaggle;
mod key;
pub(crate) mod ledger;
mod llm_chess;
mod memory;
mod message;
pub(crate) mod note;
mod pgn;
mod policy;
pub(crate) mod private;
mod proof;
mod run_file;
mod secret;
mod secret_file;
mod submission;
mod vectors;
mod witness;

/// One format, and the laws of it.
pub(crate) struct Harness {
    /// The name of the fuzz target, and of the folder of its corpus.
    pub(crate) name: &'static str,
    /// Asserts the laws for these bytes.
    pub(crate) check: fn(&[u8]),
}

const fn harness(name: &'static str, check: fn(&[u8])) -> Harness {
    Harness { name, check }
}

/// All of them, in the order of their names.
pub(crate) const HARNESSES: &[Harness] = &[
    harness("chess", chess::check),
    harness("description", description::check),
    harness("event_line", event_line::check),
    harness("head", head::check),
    harness("kaggle", kaggle::check),
    harness("key", key::check),
    harness("ledger", ledger::check),
    harness("llm_chess", llm_chess::check),
    harness("memory", memory::check),
    harness("note", note::check),
    harness("pgn", pgn::check),
    harness("policy", policy::check),
    harness("private", private::check),
    harness("proof", proof::check),
    harness("run_file", run_file::check),
    harness("secret", secret::check),
    harness("secret_file", secret_file::check),
    harness("submission", submission::check),
    harness("vectors", vectors::check),
    harness("witness", witness::check),
];

/// Returns the harness of this name.
pub(crate) fn of(name: &str) -> &'static Harness {
    let found = HARNESSES.iter().find(|harness| harness.name == name);
    found.unwrap_or_else(|| panic!("there is no harness {name}"))
}

/// Bytes that a corpus keeps in ROT13, behind a line that says so: what looks
/// like a credential stands in no file of the project.
fn unveiled(bytes: &[u8]) -> Vec<u8> {
    match bytes.strip_prefix(VEIL) {
        Some(veiled) => rot13(veiled),
        None => bytes.to_vec(),
    }
}

/// The line before what is kept in ROT13.
pub(crate) const VEIL: &[u8] = b"rot13\n";

/// Each letter replaced by the one 13 places on, as old newsgroups hid jokes.
pub(crate) fn rot13(bytes: &[u8]) -> Vec<u8> {
    let turned = |first: u8, byte: u8| first + (byte - first + 13) % 26;
    let turn = |byte: &u8| match *byte {
        byte @ b'a'..=b'z' => turned(b'a', byte),
        byte @ b'A'..=b'Z' => turned(b'A', byte),
        other => other,
    };
    bytes.iter().map(turn).collect()
}

/// The first line of some bytes as text, and what stands behind it: where an
/// input says first which file it is to be.
fn addressed(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let name = std::str::from_utf8(&bytes[..end]).ok()?;
    Some((name, &bytes[end + 1..]))
}
