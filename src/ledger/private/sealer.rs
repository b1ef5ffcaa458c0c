use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{BodyRole, EventId, PrivateBody};
use crate::ledger::LedgerError;
use crate::ledger::private::key::{KeySource, UnitKey};
use crate::ledger::private::sealed::{self, NONCE_BYTES};
use crate::ledger::private::store::{private_path, refuse_long};

/// Seals bodies of one unit in memory: somebody else makes them durable.
pub struct Sealer<'a> {
    keys: &'a dyn KeySource,
    key: UnitKey,
    unit: EventId,
}

/// A sealed body that is on no disk yet.
#[derive(Clone, Debug)]
pub struct SealedBody {
    body: PrivateBody,
    bytes: Vec<u8>,
}

impl SealedBody {
    /// What an event says of it.
    pub const fn body(&self) -> &PrivateBody {
        &self.body
    }

    pub(crate) const fn unit(&self) -> EventId {
        self.body.unit
    }

    pub(crate) const fn sha256(&self) -> Digest {
        self.body.sha256
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<'a> Sealer<'a> {
    /// Seals under the key of a unit, which is durable.
    pub(crate) const fn new(keys: &'a dyn KeySource, key: UnitKey, unit: EventId) -> Self {
        Self { keys, key, unit }
    }

    pub(crate) const fn key(&self) -> &UnitKey {
        &self.key
    }

    /// Seals a body.
    ///
    /// # Errors
    ///
    /// When it is too long, or no nonce can be had.
    pub fn seal(&self, role: BodyRole, body: &[u8]) -> Result<SealedBody, LedgerError> {
        let folder = private_path(&self.unit);
        let failed = |error| LedgerError::io("seal a body in", &folder)(error);
        refuse_long(body.len()).map_err(failed)?;
        let mut nonce = [0; NONCE_BYTES];
        let bytes = self.keys.fill(&mut nonce);
        let bytes = bytes.and_then(|()| sealed::seal(&self.key, &self.unit, role, nonce, body));
        let bytes = bytes.map_err(failed)?;
        Ok(SealedBody {
            body: PrivateBody {
                bytes: Count::saturating(bytes.len()),
                redaction: None,
                role,
                sha256: Digest::of(&bytes),
                unit: self.unit,
            },
            bytes,
        })
    }
}
