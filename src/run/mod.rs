//! The reference runner: what plays games and puts them into the ledger.
//!
//! The only room that starts programs to play, and that looks at a monotonic
//! clock to say how long they took. It prints nothing, reads no environment
//! and no wall clock: those are arguments. What a player answers is judged by
//! the rules of `chess` and the protocol; a failed engine is never a result.
//!
//! The runner keeps no state of its own beside the projection: what to do next
//! follows from the events alone, so a killed run goes on where it stopped.

mod allocator_part;
mod alone;
mod analyst;
mod anchored_part;
mod asked;
mod asking;
mod asking_terms;
mod baseline;
mod budget;
mod cassette;
#[cfg_attr(
    not(feature = "chat"),
    allow(dead_code, reason = "only the client uses the rest of it")
)]
mod chat;
mod difference;
mod engine_part;
mod engine_player;
mod entrant_error;
mod error;
mod estimate;
mod file;
mod grading;
mod hall;
mod human_game;
mod ladder_entry;
mod ladder_file;
mod ladder_run;
mod model_part;
mod oracle_part;
mod outlook;
mod pace;
mod player;
mod player_part;
mod position_file;
mod position_run;
mod probing;
mod program;
mod program_part;
mod prompting;
pub mod prompts;
mod prompts_part;
mod protocol_part;
mod protocols;
mod puzzle_file;
mod puzzle_run;
mod questions;
mod record;
mod redaction;
mod registration;
mod registry;
pub mod reply;
mod run_file_schema;
mod sealing_desk;
mod shape;
mod shift;
mod starts_part;
mod table;
mod table_files;
mod talker;
mod thought_game;
mod told;
mod toll;
mod tournament;
pub mod uci;
mod voice;
mod worker;

pub use allocator_part::{AllocatorPart, AnchorLadderPart};
pub use alone::{Alone, run_alone};
pub use analyst::{Analyst, MeasureError};
pub use anchored_part::{AdjudicationPart, AnchoredPart, GradingPart, StretchPart};
pub use asked::PlannedCell;
pub use baseline::{Baseline, RandomPart, ScriptedPart};
pub use budget::{BudgetPart, BudgetShare};
pub use cassette::{CassetteFault, Recorder, Replay, ReplayKeys, Tape};
#[cfg(feature = "chat")]
pub use chat::Client;
pub use chat::{ApiKey, Endpoint};
pub use engine_part::{EnginePart, OptionValue, is_weakening};
pub use entrant_error::EntrantError;
pub use error::RunError;
pub use estimate::{Answers, Estimate, Length};
pub use file::{Deadlines, PreregistrationPart, RunFile, RunFileError};
pub use grading::{Assignment, Graded, Grading, Workload, grade, known_analyst};
pub use human_game::{Answer, HumanGame};
pub use ladder_entry::{Entry, check_manual, enter, era_of};
pub use ladder_file::{LadderFile, Order};
pub use ladder_run::LadderRun;
pub use model_part::ModelPart;
pub use oracle_part::OraclePart;
pub use outlook::{Attendance, Opening, Outlook};
pub use player_part::PlayerPart;
pub use position_file::{PositionFile, PositionProtocolPart};
pub use position_run::PositionRun;
pub use probing::{ProbeError, ProbeWork, Probing, probe};
pub use program::{Passed, ProgramSpec};
pub use program_part::ProgramPart;
pub use prompting::Prompting;
pub use prompts_part::PromptsPart;
pub use protocol_part::{FailedRequestPart, Glicko2Part, LadderPart, Preset, ProtocolPart};
pub use protocols::{ModelProtocol, side_by_side};
pub use puzzle_file::{PuzzleFile, PuzzlePromptsPart, PuzzleProtocolPart};
pub use puzzle_run::PuzzleRun;
pub use questions::{AskingOutcome, AskingTold};
pub use record::Record;
pub use registration::{admit, registered};
pub use registry::{Access, Entrant};
pub use run_file_schema::{RUN_FILE_SCHEMA, run_file_schema};
pub use shape::RUN_FILE_LISTS;
pub use shift::Limits;
pub use starts_part::{PrefixPart, StartsPart};
pub use table_files::{TableFolderError, TableFolders};
pub use talker::FirstRequest;
pub use told::{LadderOutcome, Occasion, RunOutcome, Told, counted_plies};
pub use toll::{Going, Toll};
pub use tournament::Tournament;
