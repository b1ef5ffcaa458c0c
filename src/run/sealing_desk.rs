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

    /// Seals what came back, unless it is nothing.
    pub(crate) fn seal(&mut self, raw: &[u8]) -> Result<Vec<SealedBody>, LedgerError> {
        let Some(store) = self.store.filter(|_| !raw.is_empty()) else {
            return Ok(Vec::new());
        };
        let sealer = match self.sealer.take() {
            Some(sealer) => sealer,
            None => store.sealer(&self.unit)?,
        };
        let sealed = sealer.seal(BodyRole::Response, raw)?;
        self.sealer = Some(sealer);
        Ok(vec![sealed])
    }
}
