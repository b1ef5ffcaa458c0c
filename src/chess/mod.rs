//! Positions, moves, results and rules: a thin layer over `shakmaty`.
//!
//! The only room that names `shakmaty`. It generates no moves of its own; it
//! fixes how chess is *written* in evidence and which rule set ends a game.
//! Every notation has one spelling, goes through text in serde, and refuses
//! what it does not know with a message that quotes it.
//!
//! What counts as a legal move is decided here and only here: a move is legal
//! when its canonical UCI spelling is a member of the generated list. No
//! library's idea of a parsable move ever decides.
//!
//! The room knows nothing of models, attempts or protocols, and it touches no
//! disk, clock or process.

mod board_text;
mod color;
mod fault;
mod fen;
mod field;
mod game;
mod judging;
mod movetext;
mod pgn;
mod pgn_board;
mod pgn_lexer;
mod pgn_reader;
mod pgn_reading;
mod pgn_remark;
mod pgn_result;
mod pgn_start;
mod ply;
mod position;
mod quote;
mod rejection;
mod repetition;
mod result;
mod rules;
mod san;
mod scharnagl;
mod score;
mod solving;
mod tablebase;
mod termination;
mod text;
mod uci;
mod variant;

pub use board_text::PieceKind;
pub use color::Color;
pub use fault::{IllegalPosition, PositionFault};
pub use fen::{Fen, ParseFenError};
pub use field::FenField;
pub use game::Game;
pub use judging::condensed;
pub use pgn::{PgnGame, PgnMove, WritePgnError};
pub use pgn_lexer::{FirstGame, first_pgn_game};
pub use pgn_reading::{PgnFault, PgnFaultKind, PgnReading, PgnStated, PgnTag, PgnUnplayable};
pub use pgn_remark::PgnRemark;
pub use pgn_result::{PgnEnding, PgnResult};
pub use ply::{ParsePlyError, Ply};
pub use position::{IllegalMove, Position};
pub use rejection::RejectionClass;
pub use result::GameResult;
pub use rules::Rules;
pub use san::SanFault;
pub use scharnagl::{CHESS960_STARTS, chess960_start};
pub use score::{ParseScoreError, Score};
pub use solving::Solving;
pub use tablebase::{TableAnswer, TableFault, TableFiles, TableWdl, Tablebase};
pub use termination::Termination;
pub use text::ParseWordError;
pub use uci::{ParseUciMoveError, UciMove};
pub use variant::Variant;
