use crate::measure::anchored::record::RecordFault;
use crate::measure::anchored::root::NoRoot;
use crate::measure::anchored::terms::TermsFault;

/// Why there is no rating. A record that is merely saturated has a bound and
/// is no fault.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoFit {
    /// The games cannot be rated.
    #[error(transparent)]
    Record(#[from] RecordFault),
    /// A declared constant is none that the model allows.
    #[error(transparent)]
    Terms(#[from] TermsFault),
    /// A search did not end.
    #[error(transparent)]
    Search(#[from] NoRoot),
}
