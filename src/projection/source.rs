use crate::canonical::Count;
use crate::digest::Root;
use crate::event::{CheckpointRef, Origin};

/// The prefix of a ledger that a projection follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The ledger.
    pub origin: Origin,
    /// The number of events.
    pub size: u64,
    /// The root over them.
    pub root: Root,
}

impl Source {
    /// How an event or a manifest names the prefix.
    pub fn checkpoint(&self) -> CheckpointRef {
        CheckpointRef {
            root: self.root,
            size: Count::saturating(self.size),
        }
    }
}
