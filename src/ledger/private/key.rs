use std::io;

use zeroize::Zeroizing;

use crate::digest::{Digest, derived_key, keyed_hash};
use crate::event::{Commitment, Name};

/// Where keys and nonces come from: the system, or a test that wants the same
/// ones every time.
pub trait KeySource: Sync {
    /// Fills the bytes, so that nobody can foresee them.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()>;
}

/// The random source of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemKeys;

impl KeySource for SystemKeys {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        getrandom::fill(bytes).map_err(|error| io::Error::other(error.to_string()))
    }
}

/// What the keys of a unit are for. Each purpose has its own key, so that what
/// is learned of one says nothing about the others.
const SEALING: &str = "scoresheet 2026-11-30 sealing of private bodies";
const COMMITTING: &str = "scoresheet 2026-11-30 commitment to a redacted text";
const CHECKING: &str = "scoresheet 2026-11-30 check value of a key file";

const KEY_BYTES: usize = 32;
const CHECK_BYTES: usize = 8;

/// The secret of a unit. Forgotten by the memory that held it when it goes.
pub(crate) struct UnitKey(Zeroizing<[u8; KEY_BYTES]>);

impl UnitKey {
    /// Makes a new one.
    pub(crate) fn new(keys: &dyn KeySource) -> io::Result<Self> {
        let mut key = Zeroizing::new([0; KEY_BYTES]);
        keys.fill(&mut *key)?;
        Ok(Self(key))
    }

    /// The bytes of its file: the key, and a value by which damage is seen.
    pub(crate) fn file(&self) -> Zeroizing<Vec<u8>> {
        let mut file = Zeroizing::new(Vec::with_capacity(KEY_BYTES + CHECK_BYTES));
        file.extend_from_slice(&*self.0);
        file.extend_from_slice(&self.check());
        file
    }

    /// Reads a key file, or returns nothing where it is not as it was written.
    pub(crate) fn parse(file: &[u8]) -> Option<Self> {
        let (key, check) = file.split_at_checked(KEY_BYTES)?;
        let key = Self(Zeroizing::new(key.try_into().ok()?));
        (key.check() == check).then_some(key)
    }

    /// The bytes, for keys of another purpose to be made from.
    pub(crate) fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    fn check(&self) -> [u8; CHECK_BYTES] {
        let derived = Zeroizing::new(derived_key(CHECKING, &self.0));
        let mut check = [0; CHECK_BYTES];
        check.copy_from_slice(&derived[..CHECK_BYTES]);
        check
    }

    /// The key that seals bodies.
    pub(crate) fn sealing(&self) -> Zeroizing<[u8; KEY_BYTES]> {
        Zeroizing::new(derived_key(SEALING, &self.0))
    }

    /// The key of one commitment. To show it proves one text and tells nothing
    /// of the others of the unit.
    pub(crate) fn opening(&self, sealed: &Digest) -> Zeroizing<[u8; KEY_BYTES]> {
        let committing = Zeroizing::new(derived_key(COMMITTING, &self.0));
        Zeroizing::new(keyed_hash(&committing, sealed.as_bytes()))
    }
}

/// Returns the commitment to a text that stood in this field.
pub(crate) fn commitment(opening: &[u8; KEY_BYTES], field: &Name, text: &[u8]) -> Commitment {
    let mut committed = Zeroizing::new(Vec::with_capacity(field.as_str().len() + 1 + text.len()));
    committed.extend_from_slice(field.as_str().as_bytes());
    // No name holds one, so the field ends here.
    committed.push(0);
    committed.extend_from_slice(text);
    Commitment::new(keyed_hash(opening, &committed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_flipped_bit_of_a_key_file_is_noticed() {
        let key = UnitKey::new(&SystemKeys).unwrap();
        let file = key.file();
        assert_eq!(*UnitKey::parse(&file).unwrap().0, *key.0);
        for bit in 0..8 * file.len() {
            let mut flipped = file.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(UnitKey::parse(&flipped).is_none(), "bit {bit}");
        }
        for length in 0..file.len() {
            assert!(UnitKey::parse(&file[..length]).is_none());
        }
        assert!(UnitKey::parse(&[0; 40]).is_none(), "an overwritten one");
    }
}
