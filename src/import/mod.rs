//! Foreign formats: one file each.
//!
//! What comes from elsewhere is read by the names of its columns and doubted
//! line by line. A fault has the number of its line, and what to do; nothing is
//! guessed. Puzzles and positions are taken whole or not at all. Games are taken
//! one by one: each becomes one event that says what the source has, faults and
//! all, and none of them takes part in what this ledger's own games give.
//!
//! The room appends nothing: it returns events, or what an event is made of.

mod claims;
mod document;
mod draw;
mod figure;
mod folder;
mod hashed;
mod json;
mod kaggle;
mod kaggle_steps;
mod lichess;
mod llm_chess;
mod pgn;
mod pgn_stream;
mod positions;
mod reading;
mod seat_tally;
mod slot;
mod source;
mod splitter;
mod tally;
mod unpacked;

pub use claims::{FigureVerdict, JudgedFigure, PublishedTable, TableError};
pub use draw::{Band, Draw, Drawn, Recipe};
pub use figure::Figure;
pub use folder::{DOCUMENT_BYTES_MAX, Folder, read_document};
pub use hashed::Hashed;
pub use kaggle::{KAGGLE_VERSION, read_kaggle_episode};
pub use lichess::{DrawError, Faults, LineFault, draw_puzzles};
pub use llm_chess::{LLM_CHESS_VERSION, LlmChessRun, read_llm_chess_game};
pub use pgn::{PGN_VERSION, read_pgn_game};
pub use pgn_stream::{StreamError, stream_pgn};
pub use positions::{PositionsError, read_positions};
pub use reading::Reading;
pub use slot::{Slot, Stamp};
pub use source::{KEPT_BYTES_MAX, Source};
pub use splitter::{Block, GAME_BYTES_MAX, RawGame, Splitter};
pub use tally::{SourceFindings, Tally};
pub use unpacked::Unpacked;
