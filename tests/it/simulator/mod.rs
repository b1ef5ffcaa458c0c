//! Crashes of a ledger on a simulated disk: what was acknowledged is there
//! afterwards, what was not is whole or not there, and nothing else is wrong.
//!
//! A seed writes the script of a life of a ledger: batches across segments,
//! checkpoints, blobs, calls that fail, openings. At every change of the disk
//! it crashes in many ways (see [`medium`]), some of them again while it
//! recovers, and each is recovered and compared with what was promised.
//!
//! `SCORESHEET_CRASH_POINTS` sets how many crash points are tried in all, and
//! `SCORESHEET_SEED` the one life to be tried. A failure prints the command
//! that tries it again.

mod damage;
pub(crate) mod disk;
pub(crate) mod life;
pub(crate) mod medium;
pub(crate) mod promise;
pub(crate) mod random;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::simulator::disk::Lie;
use crate::simulator::life::crash_life;
use crate::simulator::promise::Inquest;
use crate::tool::number;

const CRASH_POINTS: usize = 1_000_000;
const CRASH_POINTS_OF_A_LIFE: usize = 500;

/// What several lives came to.
#[derive(Debug, Default)]
struct Total {
    lives: usize,
    crash_points: usize,
    crashes: usize,
    recoveries: usize,
    crashes_of_recoveries: usize,
    failures_of_recoveries: usize,
}

impl Total {
    fn add(&mut self, inquest: &Inquest) {
        self.lives += 1;
        self.crash_points += inquest.n_crash_points;
        self.crashes += inquest.n_crashes;
        self.recoveries += inquest.n_recoveries;
        self.crashes_of_recoveries += inquest.n_crashes_of_recoveries;
        self.failures_of_recoveries += inquest.n_failures_of_recoveries;
    }

    fn join(&mut self, other: &Self) {
        self.lives += other.lives;
        self.crash_points += other.crash_points;
        self.crashes += other.crashes;
        self.recoveries += other.recoveries;
        self.crashes_of_recoveries += other.crashes_of_recoveries;
        self.failures_of_recoveries += other.failures_of_recoveries;
    }
}

/// Tries lives with these seeds on all cores until so many crash points are tried.
fn crash(first_seed: u64, n_crash_points: usize) -> Result<Total, String> {
    let next_seed = AtomicU64::new(first_seed);
    let n_done = AtomicUsize::new(0);
    let work = || -> Result<Total, String> {
        let mut total = Total::default();
        loop {
            let seed = next_seed.fetch_add(1, Ordering::Relaxed);
            if n_crash_points <= n_done.load(Ordering::Relaxed) {
                return Ok(total);
            }
            match crash_life(seed, CRASH_POINTS_OF_A_LIFE, None) {
                Ok(inquest) => {
                    n_done.fetch_add(inquest.n_crash_points, Ordering::Relaxed);
                    total.add(&inquest);
                }
                Err(fault) => {
                    n_done.store(n_crash_points, Ordering::Relaxed);
                    return Err(again(seed, &fault));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let n_workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..n_workers).map(|_| scope.spawn(work)).collect();
        let mut total = Total::default();
        for worker in workers {
            total.join(&worker.join().unwrap()?);
        }
        Ok(total)
    })
}

/// What went wrong in a life, and how to live through it again.
fn again(seed: u64, fault: &str) -> String {
    format!(
        "{fault}\ntry it again: SCORESHEET_SEED={seed} cargo test --test it -- \
         simulator::no_crash_loses_what_was_acknowledged"
    )
}

#[test]
fn no_crash_loses_what_was_acknowledged() {
    if let Some(seed) = number("SCORESHEET_SEED") {
        let inquest = crash_life(seed, CRASH_POINTS_OF_A_LIFE, None);
        drop(inquest.unwrap_or_else(|fault| panic!("{}", again(seed, &fault))));
        return;
    }
    let budget = number("SCORESHEET_CRASH_POINTS");
    let n_crash_points = budget.map_or(CRASH_POINTS, |number| usize::try_from(number).unwrap());
    let total = crash(0, n_crash_points).unwrap_or_else(|fault| panic!("{fault}"));
    println!("{total:?}");
    assert!(n_crash_points <= total.crash_points);
    let is_varied = total.recoveries != 0
        && total.crashes_of_recoveries != 0
        && total.failures_of_recoveries != 0;
    assert!(is_varied || n_crash_points < 10_000, "{total:?}");
}

#[test]
fn a_disk_that_lies_is_caught() {
    for lie in [Lie::Segments, Lie::Head, Lie::Folders] {
        let is_caught = |seed| crash_life(seed, CRASH_POINTS_OF_A_LIFE, Some(lie)).is_err();
        let n_caught = (0..20).filter(|seed| is_caught(*seed)).count();
        assert!(10 <= n_caught, "{lie:?}: {n_caught} of 20 lives");
    }
}
