use std::path::Path;
use std::time::Instant;

use scoresheet::ledger::{Disk, Prefix};
use scoresheet::projection::Projection;

use crate::project::command;

/// What is measured, in this order.
pub(crate) const WORKS: [&str; 4] = ["parse", "parse and fold", "audit", "reproduce"];

/// Does one of the works, and prints what it took.
pub(crate) fn work(folder: &Path, work: &str) {
    let disk = Disk::new(folder.join("ledger"));
    let prefix = Prefix::open(&disk).unwrap();
    let size = prefix.size();
    let start = Instant::now();
    match work {
        "parse" => {
            prefix.read(size, |_, _| ()).unwrap();
        }
        "parse and fold" => {
            let mut projection = Projection::forgetful();
            prefix
                .read(size, |_, event| projection.apply(&event))
                .unwrap();
            assert_eq!(projection.findings, vec![]);
        }
        "audit" | "reproduce" => {
            let said = command(folder, &[work]);
            assert!(
                said.contains("passed") || said.contains("published as"),
                "{said}"
            );
        }
        other => panic!("{other} is no work"),
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{work:<16} {seconds:>8.2} s {:>10.0}/s {:>6} MiB",
        size as f64 / seconds,
        peak_memory_kib() / 1024
    );
}

/// The most memory that this process ever had, in KiB.
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let line = lines.find(|line| line.starts_with("VmHWM:")).unwrap();
    let digits = line.split_whitespace().nth(1).unwrap();
    digits.parse().unwrap()
}
