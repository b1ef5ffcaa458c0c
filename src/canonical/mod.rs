//! Strict canonical JSON: the one spelling in which event lines and manifests exist.
//!
//! RFC 8785 over a strict subset. Object keys are ASCII `snake_case` in sorted
//! order, which holds by construction because every struct declares its fields
//! sorted; there are no duplicate keys, no `null`, no floating-point numbers,
//! and integers stay within 2^53-1, so that every JSON reader agrees on them.
//! A text is accepted when *parse, write again, compare bytes* holds.
//!
//! Good texts take the short way: read typed, write against the text, done.
//! Only a text that fails there is read a second time, part by part with the
//! place of each, so that its fault can be named without quoting a
//! value.
//!
//! The room knows values and spellings. What a document means is not its
//! business.

mod count;
mod day;
mod decimal;
mod fault;
mod node;
mod outline;
mod parser;
mod reader;
mod refusal;
mod spelling;
mod text;
mod time;
mod total;
mod word;

pub use count::{Count, Integer, MAX_SAFE_INTEGER, UnsafeIntegerError};
pub use day::{Day, ParseDayError};
pub use decimal::{Decimal, Money, ParseDecimalError};
pub use fault::Fault;
pub use outline::Outline;
pub use spelling::{column_of, parse, parse_text, read, utf8, write};
pub(crate) use text::read_as_text;
pub use time::{Clock, ParseTimeError, Time};
pub use total::Total;
pub(crate) use word::{bytes, key_shown, nearest, one_of};
