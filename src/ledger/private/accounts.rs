//! The key under which accounts of people are committed to.

use std::io;

use zeroize::Zeroizing;

use crate::digest::{derived_key, keyed_hash};
use crate::event::{Commitment, Name};
use crate::ledger::files::list;
use crate::ledger::keep::{make_folder, parent, put_file_in};
use crate::ledger::layout::PRIVATE;
use crate::ledger::private::key::{KeySource, UnitKey};
use crate::ledger::private::store::{KEY, PrivateStore, SMALL_BYTES_MAX};
use crate::ledger::storage::absence;
use crate::ledger::{LedgerError, Storage};

/// The folder of the key, in the private store.
pub(crate) const PEOPLE: &str = "people";

/// What the key is for.
const ACCOUNTS: &str = "scoresheet 2026-11-30 commitment to an account";

/// The secret that turns accounts into commitments. Made once: under another
/// one nobody would be known again.
pub struct AccountKey(UnitKey);

pub(crate) fn account_key_path() -> String {
    format!("{PRIVATE}/{PEOPLE}/{KEY}")
}

impl AccountKey {
    /// Returns the key of this ledger, or nothing where this copy has none.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not what was written.
    pub fn open(storage: &dyn Storage) -> Result<Option<Self>, LedgerError> {
        let path = account_key_path();
        let file = match storage.read(&path, SMALL_BYTES_MAX) {
            Ok(file) => Zeroizing::new(file),
            Err(error) if absence(&error).is_some() => return Ok(None),
            Err(error) => return Err(LedgerError::io("read", path)(error)),
        };
        let key = UnitKey::parse(&file).ok_or_else(|| {
            let why = "the key is damaged; restore it from a backup";
            let why = io::Error::new(io::ErrorKind::InvalidData, why);
            LedgerError::io("use", path)(why)
        })?;
        Ok(Some(Self(key)))
    }

    /// Whether this copy has no key, sound or not.
    pub(crate) fn is_absent(storage: &dyn Storage) -> Result<bool, LedgerError> {
        let there = list(storage, parent(&account_key_path()))?;
        Ok(!there.iter().any(|entry| entry.name == KEY))
    }

    /// Makes a new key, which is not kept yet.
    ///
    /// # Errors
    ///
    /// What the source of randomness says.
    pub fn new(keys: &dyn KeySource) -> Result<Self, LedgerError> {
        let made = UnitKey::new(keys).map(Self);
        made.map_err(LedgerError::io("make", account_key_path()))
    }

    /// Keeps the key, durably, where only its owner may read it.
    ///
    /// # Errors
    ///
    /// What the system says, or that there is another one.
    pub fn keep(&self, storage: &dyn Storage, keys: &dyn KeySource) -> Result<(), LedgerError> {
        PrivateStore::new(storage, keys).make_folder()?;
        let path = account_key_path();
        make_folder(storage, parent(&path))?;
        put_file_in(storage, parent(&path), &path, self.0.file().as_slice())
    }

    /// Returns the commitment to an account that this issuer verified: the
    /// keyed BLAKE3 hash of the issuer's name, a zero byte and the account.
    pub fn commitment(&self, issuer: &Name, account: &[u8]) -> Commitment {
        let key = Zeroizing::new(derived_key(ACCOUNTS, self.0.bytes()));
        let mut text = Zeroizing::new(Vec::with_capacity(
            issuer.as_str().len() + 1 + account.len(),
        ));
        text.extend_from_slice(issuer.as_str().as_bytes());
        // No name holds one, so the issuer ends here.
        text.push(0);
        text.extend_from_slice(account);
        Commitment::new(keyed_hash(&key, &text))
    }
}
