//! What a model replied, and whether it is a move.
//!
//! A reply is read in two steps. What its protocol accepts as an answer is taken
//! out of it: this is the extracted text, which is public. Then
//! [`Position::judge`] decides on that text alone, so that anyone can judge it
//! again after the conversation is gone. Of a reply in no form that the protocol
//! accepts only the words that could be moves are extracted, and nothing else
//! that the model wrote.
//!
//! [`Position::judge`]: crate::chess::Position::judge

mod extraction;
mod judged;
mod line;

pub use extraction::{AnswerForm, Reply};
pub use judged::{Judged, Reading};
pub use line::{Line, LineForm, answer_in, read_line};
