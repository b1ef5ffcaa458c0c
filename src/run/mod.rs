//! The reference runner: what plays games and puts them into the ledger.
//!
//! The only room that starts programs to play, and that looks at a monotonic
//! clock to say how long they took. It prints nothing, reads no environment
//! and no wall clock: those are arguments. What a player answers is judged by
//! the rules of `chess` and the protocol; a failed engine is never a result.
//!
//! The runner keeps no state of its own beside the projection: what to do next
//! follows from the events alone, so a killed run goes on where it stopped.

mod error;
mod file;
mod record;
mod redaction;
mod registration;
mod registry;
mod seat;
mod table;
mod told;
mod tournament;
pub mod uci;

pub use error::RunError;
pub use file::{
    Deadlines, EnginePart, Glicko2Part, OptionValue, PreregistrationPart, ProtocolPart, RunFile,
    RunFileError,
};
pub use record::Record;
pub use registration::{admit, registered};
pub use registry::{Entrant, EntrantError};
pub use told::{RunOutcome, Told};
pub use tournament::{Limits, Tournament};
