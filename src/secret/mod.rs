//! Secret-like text: rules and redaction.
//!
//! An immutable ledger cannot take a credential back, and a leaked one is
//! found within minutes, so nothing that looks like one gets in. This room
//! looks at bytes and says where; it asks no provider whether a token lives,
//! knows no path, no list of permitted words and no comment that silences it.
//!
//! A rule is a table in `rules.toml`: literals that begin a credential, a
//! pattern anchored there, how random the rest has to look, and a canary, which
//! every audit tries the rule on. One pass finds all literals, so that nearly every byte is looked at once.
//! Two things are left to code on purpose. What may stand *before* a short
//! prefix is asked here, where an escape sequence can be told from a letter.
//! What may *follow* is never asked: a token ends where its alphabet ends, and
//! a rule that listed the bytes after it would lose tokens in prose, CSV, XML
//! and URLs.
//!
//! The same rules look at what other spellings hide: escapes, base64, hex and
//! wide characters, around one another too. A hit is always a place in the bytes
//! that were handed in.

mod canary;
mod check_digits;
mod container;
mod decoding;
mod excuse;
mod hit;
mod rule;
mod rules;
mod scanner;
mod search;
mod sieve;

pub use container::{Inspection, Obstacle, Sighting, inspect};
pub use hit::{Hit, UNSCANNABLE, redacted_excerpt};
pub use scanner::{MissedCanary, Scanner};
