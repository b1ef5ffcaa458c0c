//! Keys for tests: the same in every run, and nobody's.

use scoresheet::digest::Digest;
use scoresheet::ledger::{KeyKind, Note, SignedCheckpoint, SigningKey, VerifierKey};

/// The key of a log, which has the name of the ledger.
pub(crate) fn log(name: &str) -> SigningKey {
    key(name, KeyKind::Note)
}

/// The key of a witness.
pub(crate) fn witness(name: &str) -> SigningKey {
    key(name, KeyKind::Cosignature)
}

fn key(name: &str, kind: KeyKind) -> SigningKey {
    let seed = Digest::of(format!("{name} {kind:?}").as_bytes());
    SigningKey::from_seed(name, kind, seed.as_bytes()).unwrap()
}

/// The verifier key of this public key under a name and a type.
pub(crate) fn verifier(name: &str, kind: u8, public: &[u8; 32]) -> Result<VerifierKey, String> {
    let typed = [&[kind], public.as_slice()].concat();
    let message = [name.as_bytes(), b"\n", &typed].concat();
    let id = Digest::of(&message).to_string();
    let text = format!("{name}+{}+{}", &id[..8], base64(&typed));
    text.parse()
        .map_err(|error: scoresheet::ledger::ParseVerifierKeyError| error.to_string())
}

/// A checkpoint with the signatures of these keys, at a time in seconds.
pub(crate) fn signed(text: &str, keys: &[&SigningKey], time: u64) -> SignedCheckpoint {
    let checkpoint = SignedCheckpoint::parse(text.as_bytes()).unwrap();
    let signatures: Vec<_> = keys.iter().map(|key| key.sign(text, time)).collect();
    checkpoint.with(&signatures)
}

/// The signatures of a note that these keys verify, by name.
pub(crate) fn names(note: &Note, keys: &[&VerifierKey]) -> Result<Vec<String>, String> {
    match note.verify(keys) {
        Ok(signed) => Ok(signed.iter().map(|by| by.by.name().to_owned()).collect()),
        Err(refusal) => Err(refusal.to_string()),
    }
}

/// Base64 as the specifications have it; written apart from the program's own.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut three = [0; 3];
        three[..chunk.len()].copy_from_slice(chunk);
        let number = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for letter in 0..4 {
            let six = usize::try_from(number >> (18 - 6 * letter) & 63).unwrap();
            text.push(if letter <= chunk.len() {
                char::from(LETTERS[six])
            } else {
                '='
            });
        }
    }
    text
}
