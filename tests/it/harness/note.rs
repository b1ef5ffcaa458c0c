//! Signed notes and checkpoints: what is read is what is written, and only what
//! was signed ever verifies.

use std::sync::LazyLock;

use scoresheet::ledger::{Note, NoteSignature, SignedCheckpoint, VerifierKey, read_signatures};

use super::message;
use crate::keys;

/// The public key of the worked example of C2SP signed-note, and what it signed.
const FOO: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const FOO_TEXT: &str = "This is an example message.\n";

/// The one checkpoint that the keys of these tests sign for this harness.
pub(crate) const TEXT: &str = "example.org/log\n17\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

static KEYS: LazyLock<[VerifierKey; 3]> = LazyLock::new(|| {
    [
        FOO.parse().unwrap(),
        keys::log("example.org/log").verifier_key(),
        keys::witness("w1.example").verifier_key(),
    ]
});

pub(crate) fn check(bytes: &[u8]) {
    match Note::parse(bytes) {
        Ok(note) => {
            assert_eq!(note.to_string().as_bytes(), bytes);
            is_note(&note);
        }
        Err(fault) => message::is_of_note(bytes, &fault),
    }
    match SignedCheckpoint::parse(bytes) {
        Ok(checkpoint) => {
            assert_eq!(checkpoint.to_string().as_bytes(), bytes);
            is_checkpoint(bytes, &checkpoint);
        }
        Err(fault) => message::is_of_note(bytes, &fault),
    }
    signatures(bytes);
}

fn is_note(note: &Note) {
    assert!(note.text().ends_with('\n'));
    assert!(!note.signatures().is_empty());
    for signature in note.signatures() {
        let line = signature.to_string();
        assert_eq!(line.parse::<NoteSignature>().as_ref(), Ok(signature));
    }
    let keys: Vec<_> = KEYS.iter().collect();
    let verified = note.verify(&keys);
    match &verified {
        // Nobody but the holder of a key makes what verifies under it.
        Ok(signed) => {
            for signed in signed {
                let is_foo = signed.by.to_string() == FOO;
                let known = if is_foo { FOO_TEXT } else { TEXT };
                assert_eq!(note.text(), known, "{}", signed.by);
            }
        }
        Err(refusal) => message::is_sayable(&refusal.to_string()),
    }
    let again = Note::parse(note.to_string().as_bytes()).unwrap();
    assert_eq!(again.verify(&keys), verified);
    // A checkpoint is a note whose text begins with three lines of its own.
    if SignedCheckpoint::parse(note.text().as_bytes()).is_ok() {
        let bytes = note.to_string();
        assert!(SignedCheckpoint::parse(bytes.as_bytes()).is_ok());
    }
}

fn is_checkpoint(bytes: &[u8], checkpoint: &SignedCheckpoint) {
    let text = checkpoint.note().text();
    let three = checkpoint.checkpoint().to_string();
    assert!(text.starts_with(&three));
    let read = SignedCheckpoint::parse(three.as_bytes()).unwrap();
    assert_eq!(read.checkpoint(), checkpoint.checkpoint());
    if checkpoint.is_signed() {
        assert_eq!(Note::parse(bytes).as_ref(), Ok(checkpoint.note()));
    } else {
        assert_eq!(text.as_bytes(), bytes);
    }
    // Signatures that are there already are not added.
    let signatures = checkpoint.note().signatures();
    assert_eq!(checkpoint.with(signatures), *checkpoint);
    let plain = SignedCheckpoint::parse(text.as_bytes()).unwrap();
    assert!(!plain.is_signed());
    let again = plain.with(signatures);
    assert_eq!(again.signers(), checkpoint.signers());
}

/// What a witness answers, with or without a checkpoint above it.
fn signatures(bytes: &[u8]) {
    match read_signatures(bytes) {
        Ok((None, signatures)) => {
            let lines: Vec<_> = signatures.iter().map(|line| format!("{line}\n")).collect();
            assert_eq!(lines.concat().as_bytes(), bytes);
        }
        Ok((Some(checkpoint), signatures)) => {
            assert_eq!(checkpoint.note().signatures(), signatures);
            assert_eq!(SignedCheckpoint::parse(bytes).as_ref(), Ok(&checkpoint));
        }
        Err(fault) => message::is_of_note(bytes, &fault),
    }
}
