use crate::event::{BodyRole, EventId};
use crate::ledger::{LedgerError, PrivateStore, SealedBody, Sealer};

/// Where what came back is sealed, on the thread that it came to. Whoever writes
/// the ledger makes it durable.
pub(crate) struct SealingDesk<'a> {
    /// Nothing where what is private is not kept.
    store: Option<PrivateStore<'a>>,
    /// The game, or the dataset of puzzles.
    unit: EventId,
    /// From the first body on.
    sealer: Option<Sealer<'a>>,
}

impl<'a> SealingDesk<'a> {
    pub(crate) const fn new(store: Option<PrivateStore<'a>>, unit: EventId) -> Self {
        Self {
            store,
            unit,
            sealer: None,
        }
    }

    /// Whether nothing is left to be done before something is sealed.
    pub(crate) const fn is_open(&self) -> bool {
        self.store.is_none() || self.sealer.is_some()
    }

    /// Gets ready to seal, where what is private is kept: the key of the unit takes a
    /// few flushes.
    ///
    /// # Errors
    ///
    /// What keeps it from being sealed.
    pub(crate) fn open(&mut self) -> Result<(), LedgerError> {
        if let (None, Some(store)) = (&self.sealer, self.store) {
            self.sealer = Some(store.sealer(&self.unit)?);
        }
        Ok(())
    }

    /// Seals what came back, unless it is nothing.
    pub(crate) fn seal(&mut self, raw: &[u8]) -> Result<Vec<SealedBody>, LedgerError> {
        if raw.is_empty() {
            return Ok(Vec::new());
        }
        self.open()?;
        let Some(sealer) = &self.sealer else {
            return Ok(Vec::new());
        };
        let sealed = sealer.seal(BodyRole::Response, raw)?;
        Ok(vec![sealed])
    }
}
