use std::fmt;
use std::str::FromStr;

use ed25519_dalek::{Signature, VerifyingKey};

use crate::digest::Digest;
use crate::ledger::NoteSignature;
use crate::ledger::c2sp::cosignature;
use crate::ledger::c2sp::note::is_key_name;
use crate::ledger::c2sp::spelling::{decode, encode};

/// What a key signs, by the type byte of C2SP signed-note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyKind {
    /// 0x01: Ed25519 over the text of a note. Logs sign so.
    Note,
    /// 0x04: Ed25519 over a time and a checkpoint. Witnesses sign so.
    Cosignature,
}

impl KeyKind {
    /// The type byte.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Note => 1,
            Self::Cosignature => 4,
        }
    }

    pub(crate) const fn of_byte(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::Note),
            4 => Some(Self::Cosignature),
            _ => None,
        }
    }
}

/// The public half of a key, with the name it signs under.
///
/// Its text is a C2SP verifier key, the name, the key id in hex, and type and
/// key in base64:
///
/// ```text
/// example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    kind: KeyKind,
    key: VerifyingKey,
}

/// A signature that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed<'k> {
    /// The key that signed.
    pub by: &'k VerifierKey,
    /// The time that a witness states, in seconds since 1970.
    pub unix_seconds: Option<u64>,
}

/// The text is no verifier key that this program knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseVerifierKeyError {
    /// Not of the form.
    #[error("expected a verifier key: NAME+8 HEX DIGITS+BASE64")]
    Form,
    /// The key id is not that of this name and key.
    #[error("the key id of the verifier key is not that of its name and key")]
    KeyId,
    /// Another algorithm.
    #[error(
        "the type of the verifier key is not known here; Ed25519 is: 0x01 for logs, 0x04 for witnesses"
    )]
    Kind,
    /// No public key, or one under which anything would verify.
    #[error("the verifier key holds no sound Ed25519 public key")]
    Key,
}

impl VerifierKey {
    pub(crate) fn new(name: String, kind: KeyKind, key: VerifyingKey) -> Self {
        Self { name, kind, key }
    }

    /// The name that the key signs under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the key signs.
    pub const fn kind(&self) -> KeyKind {
        self.kind
    }

    /// The 32 bytes of the Ed25519 public key (RFC 8032).
    pub fn public_key(&self) -> [u8; 32] {
        self.key.to_bytes()
    }

    /// The id: SHA-256(name, newline, type, public key), its first four bytes.
    pub fn key_id(&self) -> [u8; 4] {
        let message = [self.name.as_bytes(), b"\n", &self.typed_key()].concat();
        let digest = Digest::of(&message);
        let [a, b, c, d, ..] = *digest.as_bytes();
        [a, b, c, d]
    }

    /// Whether a signature claims to be by this key: its name and its id. That it
    /// verifies is another question.
    pub fn is_of(&self, signature: &NoteSignature) -> bool {
        self.name == signature.name && self.key_id() == signature.key_id
    }

    fn typed_key(&self) -> Vec<u8> {
        [&[self.kind.byte()], self.key.as_bytes().as_slice()].concat()
    }

    /// Checks a signature of this key over the text of a note.
    pub(crate) fn verify(&self, text: &str, signature: &[u8]) -> Option<Signed<'_>> {
        let (unix_seconds, message, signature) = match self.kind {
            KeyKind::Note => (None, text.to_owned(), signature),
            KeyKind::Cosignature => {
                let (seconds, rest) = cosignature::split(signature)?;
                (Some(seconds), cosignature::message(seconds, text), rest)
            }
        };
        let signature = Signature::from_slice(signature).ok()?;
        // Strict: one signature has one spelling, and no weak key signs anything.
        let verified = self.key.verify_strict(message.as_bytes(), &signature);
        verified.is_ok().then_some(Signed {
            by: self,
            unix_seconds,
        })
    }
}

impl FromStr for VerifierKey {
    type Err = ParseVerifierKeyError;

    fn from_str(text: &str) -> Result<Self, ParseVerifierKeyError> {
        // Base64 may hold a plus as well.
        let mut parts = text.splitn(3, '+');
        let mut part = || parts.next().ok_or(ParseVerifierKeyError::Form);
        let (name, key_id, key) = (part()?, part()?, part()?);
        let bytes = decode(key).ok_or(ParseVerifierKeyError::Form)?;
        if !is_key_name(name) || !is_key_id(key_id) {
            return Err(ParseVerifierKeyError::Form);
        }
        let (kind, key) = bytes.split_first().ok_or(ParseVerifierKeyError::Form)?;
        let kind = KeyKind::of_byte(*kind).ok_or(ParseVerifierKeyError::Kind)?;
        let key = <&[u8; 32]>::try_from(key).map_err(|_| ParseVerifierKeyError::Key)?;
        let key = VerifyingKey::from_bytes(key).map_err(|_| ParseVerifierKeyError::Key)?;
        if key.is_weak() {
            return Err(ParseVerifierKeyError::Key);
        }
        let read = Self::new(name.to_owned(), kind, key);
        if hex(read.key_id()) == key_id {
            Ok(read)
        } else {
            Err(ParseVerifierKeyError::KeyId)
        }
    }
}

fn is_key_id(text: &str) -> bool {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 8 && text.bytes().all(is_hex)
}

/// A key id as text: eight lowercase hex digits.
pub(crate) fn hex(key_id: [u8; 4]) -> String {
    format!("{:08x}", u32::from_be_bytes(key_id))
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = encode(&self.typed_key());
        write!(f, "{}+{}+{key}", self.name, hex(self.key_id()))
    }
}

impl fmt::Debug for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
