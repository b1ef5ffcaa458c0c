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
        "{work:<16} {seconds:>8.2} s {:>10.0}/s {:>6} MiB   (CPU {:.2} s)",
        size as f64 / seconds,
        peak_memory_kib() / 1024,
        cpu_seconds()
    );
}

/// The processor time that all threads of this process took. Others that run on the
/// machine are not in it.
fn cpu_seconds() -> f64 {
    // Linux counts a hundred ticks a second, whatever its kernel does.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let behind_name = stat.rsplit_once(')').unwrap().1;
    let times = behind_name.split_whitespace().skip(11).take(2);
    times.map(|time| time.parse::<f64>().unwrap()).sum::<f64>() / TICKS
}

/// The most memory that this process ever had, in KiB.
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let line = lines.find(|line| line.starts_with("VmHWM:")).unwrap();
    let digits = line.split_whitespace().nth(1).unwrap();
    digits.parse().unwrap()
}
