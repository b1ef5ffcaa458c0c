//! Driving a chess engine over UCI, the Universal Chess Interface of April 2006.
//!
//! An [`Engine`] is one process that answers one search at a time. Each wait
//! has a deadline, memory is bounded whatever the engine writes, and an engine
//! that failed once is killed and never asked again: its late answer could be
//! taken for the answer to another question.
//!
//! What the engine and its answers do not do: they know no chess. An engine that
//! drops an illegal move without a word answers for another position, so the
//! caller sends only positions of its own making and looks up every answer in
//! its own list of legal moves, as an [`Analysis`] does. And a failed engine is
//! no chess result, ever.

mod analysis;
mod answer;
mod deadline;
mod engine;
mod fault;
mod files;
mod identity;
mod lines;
mod option;
mod process;
mod spec;
mod variation;

pub(crate) use analysis::in_event;
pub use analysis::{Analysis, AnalysisFault, AnalysisLine};
pub use answer::Answer;
pub use engine::Engine;
pub(crate) use fault::quoted;
pub use fault::{EngineFault, Step};
pub(crate) use files::command_files;
pub use files::{EngineFile, engine_files};
pub use identity::Identity;
pub use option::{DeclaredOption, OptionKind};
pub(crate) use spec::executable;
pub use spec::{EngineSpec, Limit};
pub use variation::Variation;
