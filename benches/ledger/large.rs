use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use scoresheet::event::Verified;
use scoresheet::ledger::{Disk, Writer, verify};
use scoresheet::projection::Projection;

use crate::lines::{at, by, event, new_ledger, padding};

/// Makes a ledger of so many events, and measures in a process of its own how
/// long it takes to open it, and how much memory and time to verify it.
pub(crate) fn rows(size: usize) {
    let folder = tempfile::tempdir_in(".").unwrap();
    let path = folder.path().join("ledger");
    let disk = new_ledger(&path);
    let (mut writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let padding = padding(937);
    let start = Instant::now();
    let lines = (1..size).map(|number| Verified::write(event(number, padding)));
    writer
        .append_each(lines.map(|line| line.map_err(io::Error::other)))
        .unwrap();
    drop(writer);
    println!();
    println!("{size} events of 937 bytes");
    println!(
        "made as one batch in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    let measured = Command::new(std::env::current_exe().unwrap())
        .arg("--measure")
        .arg(&path)
        .status();
    assert!(measured.unwrap().success());
}

pub(crate) fn measure(path: &Path) {
    let disk = Disk::new(path);
    let start = Instant::now();
    let (writer, _) = Writer::open(&disk, at(), &by()).unwrap();
    let opened = start.elapsed();
    let size = writer.size();
    drop(writer);
    println!("opened in {:.1} ms", opened.as_secs_f64() * 1e3);
    let start = Instant::now();
    let mut projection = Projection::for_findings();
    let verification = verify(&disk, &|_, _| (), &mut |_, event| projection.apply(event)).unwrap();
    assert_eq!((verification.size, verification.findings.len()), (size, 0));
    println!(
        "verified and replayed in {:.1} s, peak memory {} MiB",
        start.elapsed().as_secs_f64(),
        peak_memory_kib() / 1024
    );
}

/// The most memory that this process ever had, in KiB.
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let digits = line.split_whitespace().nth(1).unwrap();
    digits.parse().unwrap()
}
