//! Rebuilding the index, each size beside a raw baseline measured in the same
//! run, and resuming a board from the snapshot in it.
//!
//! `cargo bench --bench index` prints a table of 10^4, 10^5 and 10^6 events, all
//! on one core; `-- --events N` measures one size, such as 10000000.
//! `benches/README.md` explains the rows.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(
    clippy::cast_precision_loss,
    reason = "rates are shown in whole events"
)]

#[path = "../ledger/games.rs"]
mod games;
#[path = "../ledger/lines.rs"]
#[expect(dead_code, reason = "the other benchmark uses the rest")]
mod lines;
mod measure;

use std::process::Command;

use scoresheet::ledger::Writer;

use crate::games::Games;
use crate::lines::{at, by, new_ledger};

fn main() {
    if let Some(path) = argument("--measure") {
        let work = argument("--work").unwrap();
        return measure::work(path.as_ref(), &work);
    }
    let sizes = argument("--events").map_or_else(
        || vec![10_000, 100_000, 1_000_000],
        |size| vec![size.parse().unwrap()],
    );
    println!(
        "{:<10} {:<22} {:>10} {:>12} {:>10}",
        "events", "work", "seconds", "rate", "peak"
    );
    for size in sizes {
        one(size);
    }
}

fn one(size: usize) {
    let folder = tempfile::tempdir_in(".").unwrap();
    let path = folder.path().join("ledger");
    let disk = new_ledger(&path);
    let (mut writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let games = Games::read();
    let before = games.before.clone();
    let events = before.into_iter().chain(games.again_and_again());
    writer.append_each(events.take(size - 1).map(Ok)).unwrap();
    drop(writer);
    // Each in a process of its own: the peak of memory is that of the work.
    for work in measure::WORKS {
        let measured = Command::new(std::env::current_exe().unwrap())
            .arg("--measure")
            .arg(&path)
            .args(["--work", work])
            .status();
        assert!(measured.unwrap().success());
    }
}

fn argument(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}
