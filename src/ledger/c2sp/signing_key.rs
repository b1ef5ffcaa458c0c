use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use ed25519_dalek::Signer as _;
use zeroize::Zeroizing;

use crate::ledger::c2sp::cosignature;
use crate::ledger::c2sp::note::is_key_name;
use crate::ledger::c2sp::spelling::{decode_secret, encode};
use crate::ledger::c2sp::verifier_key::hex;
use crate::ledger::{KeyKind, NoteSignature, VerifierKey, write_secret};

/// The private half of a key. Wiped from memory when it goes; never shown.
///
/// Its file holds one line, spelled as other signed-note tools spell it: a
/// fixed beginning, the name, the key id in hex, and type and seed in base64.
/// The type says what the key is for, so that a log's key never cosigns and a
/// witness's key never signs for a log.
pub struct SigningKey {
    name: String,
    kind: KeyKind,
    key: ed25519_dalek::SigningKey,
}

/// Why there is no signing key.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    /// The name cannot be one.
    #[error(
        "a key needs a name without spaces and `+`, best a URL without scheme such as example.org/log"
    )]
    Name,
    /// The system has no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// The system says no.
    #[error("cannot {action} the key file: {source}")]
    Io {
        /// What was to be done.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// What the key signed last could not be told from its place.
    #[error(
        "expected a plain file with one name: through a pipe or a hard link nobody could tell what the key has signed"
    )]
    Place,
    /// Others may read the file.
    #[error("others than its owner may read the key file; take that right away: chmod 600")]
    Exposed,
    /// The file holds something else.
    #[error("the file holds no Ed25519 signing key in the spelling of signed notes")]
    Form,
}

/// A name has no bound, but nobody writes a longer one.
const FILE_BYTES_MAX: u64 = 4096;

const PREFIX: [&str; 2] = ["PRIVATE", "KEY"];

impl SigningKey {
    /// Makes a key from random bytes of the system.
    ///
    /// # Errors
    ///
    /// When the name cannot be one, or there are no random bytes.
    pub fn generate(name: &str, kind: KeyKind) -> Result<Self, SigningKeyError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut_slice()).map_err(SigningKeyError::Random)?;
        Self::from_seed(name, kind, &seed)
    }

    /// Returns the key of this seed (RFC 8032).
    ///
    /// # Errors
    ///
    /// When the name cannot be one.
    pub fn from_seed(name: &str, kind: KeyKind, seed: &[u8; 32]) -> Result<Self, SigningKeyError> {
        if !is_key_name(name) {
            return Err(SigningKeyError::Name);
        }
        Ok(Self {
            name: name.to_owned(),
            kind,
            key: ed25519_dalek::SigningKey::from_bytes(seed),
        })
    }

    /// The public half.
    pub fn verifier_key(&self) -> VerifierKey {
        VerifierKey::new(self.name.clone(), self.kind, self.key.verifying_key())
    }

    /// The name that the key signs under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the key signs.
    pub const fn kind(&self) -> KeyKind {
        self.kind
    }

    /// Signs the text of a note; a witness's key signs it with this time, in
    /// seconds since 1970, which a log's key does not state.
    pub fn sign(&self, text: &str, unix_seconds: u64) -> NoteSignature {
        let bytes = match self.kind {
            KeyKind::Note => self.key.sign(text.as_bytes()).to_bytes().to_vec(),
            KeyKind::Cosignature => {
                let message = cosignature::message(unix_seconds, text);
                let signature = self.key.sign(message.as_bytes());
                cosignature::join(unix_seconds, &signature.to_bytes())
            }
        };
        NoteSignature {
            name: self.name.clone(),
            key_id: self.verifier_key().key_id(),
            bytes,
        }
    }

    /// Writes the key to a file that does not exist yet and that only its owner
    /// may read.
    ///
    /// # Errors
    ///
    /// As [`write_secret`].
    pub fn store(&self, path: &Path) -> Result<(), SigningKeyError> {
        write_secret(path, self.line().as_bytes()).map_err(failed("make"))
    }

    /// Reads a key from its file.
    ///
    /// # Errors
    ///
    /// What the system says, or that others may read the file, or that it holds
    /// no such key. What the file holds is never part of it.
    pub fn load(path: &Path) -> Result<Self, SigningKeyError> {
        let file = File::open(path).map_err(failed("open"))?;
        let metadata = file.metadata().map_err(failed("look at"))?;
        if !metadata.is_file() || metadata.nlink() != 1 {
            return Err(SigningKeyError::Place);
        }
        if metadata.mode() & 0o077 != 0 {
            return Err(SigningKeyError::Exposed);
        }
        // Room for all of it: growing would leave copies behind.
        let mut line = Zeroizing::new(String::with_capacity(4096));
        file.take(FILE_BYTES_MAX)
            .read_to_string(&mut line)
            .map_err(failed("read"))?;
        Self::parse(&line)
    }

    /// Reads a key from the line that its file holds.
    ///
    /// # Errors
    ///
    /// When the line is none.
    pub fn parse(line: &str) -> Result<Self, SigningKeyError> {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let mut parts = line.splitn(5, '+');
        let mut part = || parts.next().ok_or(SigningKeyError::Form);
        if [part()?, part()?] != PREFIX {
            return Err(SigningKeyError::Form);
        }
        let (name, key_id, typed) = (part()?, part()?, part()?);
        let typed = decode_secret(typed).ok_or(SigningKeyError::Form)?;
        let (kind, seed) = typed.split_first().ok_or(SigningKeyError::Form)?;
        let kind = KeyKind::of_byte(*kind).ok_or(SigningKeyError::Form)?;
        let seed = <&[u8; 32]>::try_from(seed).map_err(|_| SigningKeyError::Form)?;
        let key = Self::from_seed(name, kind, seed)?;
        if hex(key.verifier_key().key_id()) == key_id {
            Ok(key)
        } else {
            Err(SigningKeyError::Form)
        }
    }

    fn line(&self) -> Zeroizing<String> {
        let seed = Zeroizing::new(self.key.to_bytes());
        let typed = Zeroizing::new([&[self.kind.byte()], seed.as_slice()].concat());
        let typed = Zeroizing::new(encode(&typed));
        let [first, second] = PREFIX;
        let key_id = hex(self.verifier_key().key_id());
        // Room for all of it: growing would leave copies behind.
        let mut line = Zeroizing::new(String::with_capacity(self.name.len() + 128));
        for part in [first, second, &self.name, &key_id, &typed] {
            line.push_str(part);
            line.push('+');
        }
        line.pop();
        line.push('\n');
        line
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the signing key of {:?}", self.verifier_key())
    }
}

fn failed(action: &'static str) -> impl FnOnce(io::Error) -> SigningKeyError {
    move |source| SigningKeyError::Io { action, source }
}
