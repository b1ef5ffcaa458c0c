//! Auditing and reproducing a release, beside parsing and folding the lines that
//! it follows from, in the same run.
//!
//! `cargo bench --bench release` takes a million events; `-- --events N` another
//! number, rounded up to whole cohorts. `benches/README.md` explains the rows.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(
    clippy::cast_precision_loss,
    reason = "rates are shown in whole events"
)]

#[path = "../ledger/games.rs"]
#[expect(dead_code, reason = "other benchmarks use the rest")]
mod games;
#[path = "../ledger/lines.rs"]
#[expect(dead_code, reason = "other benchmarks use the rest")]
mod lines;
mod measure;
mod project;

use std::process::Command;

use crate::project::Project;

fn main() {
    if let Some(path) = argument("--measure") {
        return measure::work(path.as_ref(), &argument("--work").unwrap());
    }
    let n_events = argument("--events").map_or(1_000_000, |n| n.parse().unwrap());
    // Outside of this work tree, in which git would have to track every file.
    let folder = tempfile::tempdir().unwrap();
    let project = Project::publish(folder.path(), n_events);
    println!(
        "{} events, {} cohorts, {} artifacts",
        project.events, project.cohorts, project.artifacts
    );
    println!(
        "{:<16} {:>10} {:>12} {:>10}",
        "work", "seconds", "rate", "peak"
    );
    // Each in a process of its own: the peak of memory is that of the work.
    for work in measure::WORKS {
        let measured = Command::new(std::env::current_exe().unwrap())
            .arg("--measure")
            .arg(folder.path())
            .args(["--work", work])
            .status();
        assert!(measured.unwrap().success());
    }
}

fn argument(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}
