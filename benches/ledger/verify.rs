use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use scoresheet::canonical;
use scoresheet::digest::LeafHash;
use scoresheet::event::{Event, Verified};
use scoresheet::ledger::{Disk, Prefix, verify, verify_hashes};
use scoresheet::projection::Projection;

use crate::lines::fill;
use crate::table::{median_pair, row};

pub(crate) fn rows(lines: &[Verified<Event>], rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    fill(&path, lines);
    let n = lines.len();
    one_core(|| {
        let pair = median_pair(rounds, || raw_verify(&path), || verify_all(&path));
        row("verify, one core", n, pair);
        let pair = median_pair(rounds, || raw_hash(&path), || hash_all(&path));
        row("verify --hashes, one core", n, pair);
    });
    let pair = median_pair(rounds, || raw_verify(&path), || verify_all(&path));
    row("verify, all cores (baseline: one)", n, pair);
    let pair = median_pair(rounds, || raw_hash(&path), || hash_all(&path));
    row("verify --hashes, all cores (baseline: one)", n, pair);
    let pair = median_pair(rounds, || raw_verify(&path), || rebuild(&path));
    row("rebuild, all cores (baseline: one)", n, pair);
}

pub(crate) fn rows_of_short_lines(lines: &[Verified<Event>], rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    fill(&path, lines);
    one_core(|| {
        let pair = median_pair(rounds, || raw_hash(&path), || hash_all(&path));
        row("verify --hashes, one core, 250 bytes", lines.len(), pair);
    });
}

/// Does the work on one core.
fn one_core(work: impl FnOnce()) {
    let all = sched_getaffinity(None).unwrap();
    let mut one = CpuSet::new();
    let first = (0..CpuSet::MAX_CPU).find(|cpu| all.is_set(*cpu)).unwrap();
    one.set(first);
    sched_setaffinity(None, &one).unwrap();
    work();
    sched_setaffinity(None, &all).unwrap();
}

fn each_line(path: &Path, mut each: impl FnMut(&[u8])) {
    let mut files: Vec<_> = std::fs::read_dir(path.join("events"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let mut bytes = Vec::new();
        File::open(file).unwrap().read_to_end(&mut bytes).unwrap();
        for line in bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            each(line);
        }
    }
}

/// Read, SHA-256 a line, typed parse, write back and compare.
fn raw_verify(path: &Path) -> Duration {
    let start = Instant::now();
    let mut last = None;
    each_line(path, |line| {
        last = Some(LeafHash::of(line));
        let event: Event = serde_json::from_slice(line).unwrap();
        assert_eq!(canonical::write(&event).unwrap().as_bytes(), line);
    });
    assert!(last.is_some());
    start.elapsed()
}

/// Read, and SHA-256 a line.
fn raw_hash(path: &Path) -> Duration {
    let start = Instant::now();
    let mut last = None;
    each_line(path, |line| last = Some(LeafHash::of(line)));
    assert!(last.is_some());
    start.elapsed()
}

fn verify_all(path: &Path) -> Duration {
    let start = Instant::now();
    let verification = verify(&Disk::new(path), &|_, _| (), &mut |_, _| ()).unwrap();
    assert_eq!(verification.findings, vec![]);
    start.elapsed()
}

fn hash_all(path: &Path) -> Duration {
    let start = Instant::now();
    let verification = verify_hashes(&Disk::new(path), &|_, _| ()).unwrap();
    assert_eq!(verification.findings, vec![]);
    start.elapsed()
}

fn rebuild(path: &Path) -> Duration {
    let start = Instant::now();
    let disk = Disk::new(path);
    let prefix = Prefix::open(&disk).unwrap();
    let mut projection = Projection::default();
    prefix
        .read(prefix.size(), |_, event| projection.apply(&event))
        .unwrap();
    assert_eq!(projection.size, prefix.size());
    start.elapsed()
}
