//! Strict canonical JSON: the one spelling in which event lines and manifests exist.
//!
//! RFC 8785 over a strict subset. Object keys are ASCII `snake_case` in sorted
//! order, which holds by construction because every struct declares its fields
//! sorted; there are no duplicate keys, no `null`, no floating-point numbers,
//! and integers stay within 2^53-1, so that every JSON reader agrees on them.
//! A text is accepted when *parse, write again, compare bytes* holds.
//!
//! The room knows values and spellings. What a document means is not its
//! business.

mod count;
mod decimal;
mod fault;
mod spelling;
mod time;

pub use count::{Count, Integer, MAX_SAFE_INTEGER};
pub use decimal::{Decimal, Money, ParseDecimalError};
pub use fault::Fault;
pub use spelling::{parse, read, write};
pub use time::{Clock, ParseTimeError, Time};
