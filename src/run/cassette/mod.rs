//! Cassettes: what was asked of players in a run, and what came back, in a file that
//! answers instead of them later.
//!
//! A cassette is a text: a header, then one line of canonical JSON for each
//! exchange, durable before its answer is judged. Requests match on content, so a
//! replay knows nothing of ids, addresses or keys. What the file does not hold
//! stops the run: it is no failure of a provider.
//!
//! A protocol that erases its conversations has no such file. What is said is
//! sealed in the private store while a game goes on, and dies with it.

mod asked;
mod exchange;
mod fault;
mod keys;
mod local;
mod recorder;
mod replay;
mod tape;

pub(crate) use asked::Asked;
pub use fault::CassetteFault;
pub use keys::ReplayKeys;
pub(crate) use local::Local;
pub use recorder::Recorder;
pub use replay::Replay;
pub use tape::Tape;
pub(crate) use tape::{Head, Whose};
