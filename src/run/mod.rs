//! The reference runner: what plays games and puts them into the ledger.
//!
//! The only room that starts programs to play, and that looks at a monotonic
//! clock to say how long they took. It prints nothing, reads no environment
//! and no wall clock: those are arguments. What a player answers is judged
//! elsewhere; here an answer is only brought home, late and garbled ones told
//! apart from it.

pub mod uci;
