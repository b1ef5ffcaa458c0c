//! Append, verify, open and rebuild, each beside a raw baseline measured in the
//! same run.
//!
//! `cargo bench --bench ledger [-- --events N] [-- --rounds N]` prints a table;
//! with `-- --large N` the memory and the opening time of a ledger of N events
//! too. `benches/README.md` explains the rows. Machines are noisy, so what counts
//! is the ratio: 1.0 is as fast as the baseline, 0.5 half as fast.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(
    clippy::cast_precision_loss,
    reason = "rates are shown in whole events"
)]

mod append;
mod games;
mod large;
mod lines;
mod producers;
mod sqlite;
mod table;
mod verify;

use crate::lines::lines;

fn main() {
    if let Some(path) = argument("--measure") {
        return large::measure(path.as_ref());
    }
    let events = number("--events").unwrap_or(40_000);
    let rounds = number("--rounds").unwrap_or(5);
    let events_of_937 = lines(events, 937);
    println!("{events} events of 937 bytes, {rounds} rounds, medians");
    table::heading();
    append::rows(&events_of_937, rounds);
    producers::rows(&events_of_937, rounds);
    verify::rows(&events_of_937, rounds);
    verify::rows_of_short_lines(&lines(events, 250), rounds);
    if let Some(size) = number("--large") {
        large::rows(size);
    }
}

fn argument(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}

fn number(name: &str) -> Option<usize> {
    argument(name)?.parse().ok()
}
