use crate::digest::Root;
use crate::event::Origin;

/// The prefix of a ledger that numbers were computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The ledger.
    pub origin: Origin,
    /// The number of events.
    pub size: u64,
    /// The root over them.
    pub root: Root,
}
