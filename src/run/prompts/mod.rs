//! What a model is sent: the texts of every protocol, and what fills them.
//!
//! The texts are files beside this one, with placeholders such as `{{fen}}`.
//! Each has a name and a SHA-256 digest, which stand in `protocol.published`: a
//! text that changes by one byte is another prompt, and the system that is sent
//! it another submission. Nothing here looks at a disk, a clock or a network,
//! so that what was sent can be made again from the ledger alone.

mod anchored;
mod chessbench;
mod conversation;
mod message;
mod position_text;
mod puzzle;
mod reasons;
mod retry;
mod template;
mod track_a;

pub use anchored::Anchored;
pub use chessbench::Chessbench;
pub use conversation::{Conversation, Pruned, Turn, Window};
pub use message::{Message, Role, ToolCall};
pub use position_text::MovesSoFar;
pub use puzzle::{Puzzle, PuzzlePrompt};
pub use retry::Retry;
pub use template::{Template, TemplateError, identities, set_digest};
pub use track_a::{Actions, Feedback, StateForm, TrackA};

pub use crate::projection::{Candidates, CandidatesError, Presentation};
