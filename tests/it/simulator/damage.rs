//! Every small damage of a small ledger: each bit, each truncation, each
//! sector lost or in the place of another, each file gone or in the place of
//! another. It is noticed or it changes nothing, and nobody makes it worse.
//!
//! `SCORESHEET_BIT_STEP` sets of how many bits one is flipped: 1 tries them all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use scoresheet::digest::Digest;
use scoresheet::event::{EventId, EvidenceStatus, ReleasePublished, WorkerStarted};
use scoresheet::finding::{Code, Place};
use scoresheet::ledger::{
    Checkpoint, Layout, LedgerError, Prefix, Waivers, Writer, create_in, issue_checkpoint,
    put_blob, verify,
};

use crate::simulator::disk::SimulatedDisk;
use crate::simulator::life::{event, time, verified};
use crate::simulator::medium::{Medium, SECTOR};
use crate::tool::number;

/// The files of a ledger, by their names.
type Contents = Vec<(Arc<str>, Arc<Vec<u8>>)>;

/// A damage: where, for messages, and what stands there then.
type Damage = (String, Contents);

/// A ledger with a blob, a checkpoint, a quarantined tail, and so many more events.
fn ledger(layout: Layout, n_events: i64) -> Contents {
    let by = "test".parse().unwrap();
    let disk = SimulatedDisk::new(Medium::default(), layout);
    create_in(&disk, &"example.org/d".parse().unwrap(), time(0), &by).unwrap();
    let run_file = put_blob(&disk, b"a run file\n", &Waivers::default()).unwrap();
    let worker = WorkerStarted {
        dataset: None,
        program: "p".to_owned(),
        run_file,
        schedule: Some(EventId::of(b"none")),
    };
    let (mut writer, _) = Writer::open(&disk, time(0), &by).unwrap();
    writer.append(&[verified(1, worker.into())]).unwrap();
    drop(writer);
    let prefix = Prefix::open(&disk).unwrap();
    let checkpoint = Checkpoint {
        origin: prefix.description().origin.clone(),
        size: prefix.size(),
        root: prefix.root(),
    };
    issue_checkpoint(&disk, &checkpoint).unwrap();
    let release = ReleasePublished {
        audit: Digest::of(b"a"),
        bundle: Digest::of(b"b"),
        checkpoint: checkpoint.reference(),
        evidence_status: EvidenceStatus::Pilot,
        release: "r".parse().unwrap(),
        specification: Digest::of(b"s"),
        supersedes: None,
    };
    let (mut writer, _) = Writer::open(&disk, time(1), &by).unwrap();
    writer.append(&[verified(1, release.into())]).unwrap();
    drop(writer);
    let mut contents = disk.medium().contents();
    let open = contents
        .iter_mut()
        .find(|(path, _)| path.starts_with("events/"));
    Arc::make_mut(&mut open.unwrap().1).extend(b"{\"at\":");
    let disk = SimulatedDisk::new(Medium::of(&contents), layout);
    let (mut writer, recoveries) = Writer::open(&disk, time(2), &by).unwrap();
    assert_eq!(recoveries.len(), 1);
    for number in 0..n_events {
        writer.append(&[event(3, &number.to_string())]).unwrap();
    }
    drop(writer);
    disk.medium().contents()
}

fn events(contents: &Contents) -> Vec<u8> {
    let events = contents
        .iter()
        .filter(|(path, _)| path.starts_with("events/"));
    events.flat_map(|(_, content)| content.to_vec()).collect()
}

/// Whether `verify` blocks. That an event of these ledgers refers to a
/// schedule that there is not does not count.
fn is_blocked(disk: &SimulatedDisk) -> bool {
    match verify(disk, &|_, _| (), &mut |_, _| ()) {
        Ok(verification) => {
            let mut findings = verification.findings.iter();
            findings.any(|finding| finding.is_blocker() && finding.code != Code::DanglingReference)
        }
        Err(_) => true,
    }
}

/// What is wrong with how a damage is met, if anything is.
fn check(good: &Contents, layout: Layout, (place, damaged): &Damage) -> Result<(), String> {
    if damaged == good {
        return Ok(());
    }
    let disk = SimulatedDisk::new(Medium::of(damaged), layout);
    if !is_blocked(&disk) {
        return Err(format!("{place}: not noticed"));
    }
    let opened = Writer::open(&disk, time(9), &"test".parse().unwrap());
    let right = events(good);
    match opened {
        Err(LedgerError::Damaged { findings }) => {
            if disk.medium().contents() != *damaged {
                return Err(format!("{place}: refused, and yet changed"));
            }
            let has_place = |place: &Place| {
                // What is not there has no offset, and one line needs none.
                let file = place.file.as_deref().unwrap();
                let is_there = damaged.iter().any(|(path, _)| **path == *file);
                place.offset.is_some() || file == "LEDGER.json" || !is_there
            };
            findings
                .iter()
                .all(|finding| has_place(&finding.place))
                .then_some(())
                .ok_or(format!("{place}: refused without a place: {}", findings[0]))
        }
        Err(error) => {
            let is_unchanged = disk.medium().contents() == *damaged;
            is_unchanged
                .then_some(())
                .ok_or(format!("{place}: {error}, and yet changed"))
        }
        Ok(_) => {
            let after = events(&disk.medium().contents());
            let is_kept = after.starts_with(&right);
            // A writer does not look into what is sealed. It leaves it as it is.
            let is_left = after.starts_with(&events(damaged)) && is_blocked(&disk);
            (is_kept || is_left)
                .then_some(())
                .ok_or(format!("{place}: opened, and events are not as they were"))
        }
    }
}

/// The files with one of them changed.
fn with(good: &Contents, number: usize, change: impl FnOnce(&mut Vec<u8>)) -> Contents {
    let mut damaged = good.clone();
    change(Arc::make_mut(&mut damaged[number].1));
    damaged
}

/// Checks so many damages on all cores.
fn check_all(
    good: &Contents,
    layout: Layout,
    n_damages: usize,
    damage: &(dyn Fn(usize) -> Damage + Sync),
) {
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if n_damages <= number {
                return;
            }
            check(good, layout, &damage(number)).unwrap();
        }
    };
    std::thread::scope(|scope| {
        let n_workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..n_workers).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().unwrap();
        }
    });
}

/// A ledger without, and one with sealed segments.
fn ledgers() -> [(Layout, Contents); 2] {
    let small = Layout::of_level(2);
    let ledgers = [
        (Layout::STANDARD, ledger(Layout::STANDARD, 2)),
        (small, ledger(small, 7)),
    ];
    assert!(
        ledgers[1]
            .1
            .iter()
            .any(|(path, _)| **path == *"events/000002.jsonl")
    );
    for (layout, good) in &ledgers {
        assert!(!is_blocked(&SimulatedDisk::new(Medium::of(good), *layout)));
    }
    ledgers
}

/// No multiple of 2, so that each bit of a byte has its turn; and no byte is left out.
const BIT_STEP: u64 = 5;

#[test]
fn every_flipped_bit_is_noticed() {
    let step = number("SCORESHEET_BIT_STEP").unwrap_or(BIT_STEP);
    let step = usize::try_from(step).unwrap();
    for (layout, good) in ledgers() {
        let bits = good.iter().enumerate().flat_map(|(file, (_, content))| {
            (0..content.len() * 8)
                .step_by(step)
                .map(move |bit| (file, bit))
        });
        let bits: Vec<_> = bits.collect();
        check_all(&good, layout, bits.len(), &|damage| {
            let (number, bit) = bits[damage];
            let damaged = with(&good, number, |content| content[bit / 8] ^= 1 << (bit % 8));
            (format!("{} bit {bit}", good[number].0), damaged)
        });
        println!("{} flipped bits", bits.len());
    }
}

#[test]
fn every_truncation_is_noticed() {
    for (layout, good) in ledgers() {
        let cuts = good.iter().enumerate().flat_map(|(number, (_, content))| {
            (0..content.len()).map(move |length| (number, length))
        });
        let cuts: Vec<_> = cuts.collect();
        check_all(&good, layout, cuts.len(), &|damage| {
            let (number, length) = cuts[damage];
            let damaged = with(&good, number, |content| content.truncate(length));
            (format!("{} cut to {length}", good[number].0), damaged)
        });
        println!("{} truncations", cuts.len());
    }
}

/// The sectors of all files.
fn sectors(good: &Contents) -> Vec<(usize, std::ops::Range<usize>)> {
    let sectors = good.iter().enumerate().flat_map(|(number, (_, content))| {
        let length = content.len();
        let starts = (0..length).step_by(SECTOR);
        starts.map(move |start| (number, start..length.min(start + SECTOR)))
    });
    sectors.collect()
}

/// Writes bytes over others, however many more or less there are.
fn replace(content: &mut Vec<u8>, range: std::ops::Range<usize>, bytes: &[u8]) {
    content.splice(range, bytes.iter().copied());
}

#[test]
fn every_lost_filled_or_swapped_sector_is_noticed() {
    for (layout, good) in ledgers() {
        let sectors = sectors(&good);
        let n = sectors.len();
        for filling in [0, b' ', b'\n', 0xff] {
            check_all(&good, layout, n, &|damage| {
                let (number, range) = sectors[damage].clone();
                let damaged = with(&good, number, |content| {
                    content[range.clone()].fill(filling);
                });
                (
                    format!("{} {range:?} full of {filling}", good[number].0),
                    damaged,
                )
            });
        }
        check_all(&good, layout, n * n, &|damage| {
            let ((a, of_a), (b, of_b)) = (sectors[damage / n].clone(), sectors[damage % n].clone());
            let place = format!("{} {of_a:?} and {} {of_b:?} swapped", good[a].0, good[b].0);
            let bytes_of_a = good[a].1[of_a.clone()].to_vec();
            let bytes_of_b = good[b].1[of_b.clone()].to_vec();
            // The later one first, which leaves the place of the earlier one.
            let mut ends = [(a, of_a, bytes_of_b), (b, of_b, bytes_of_a)];
            ends.sort_by_key(|(_, range, _)| std::cmp::Reverse(range.start));
            let mut damaged = good.clone();
            for (number, range, bytes) in ends {
                replace(Arc::make_mut(&mut damaged[number].1), range, &bytes);
            }
            (place, damaged)
        });
        // A write that went elsewhere: one sector stands in two places.
        check_all(&good, layout, n * n, &|damage| {
            let ((a, of_a), (b, of_b)) = (sectors[damage / n].clone(), sectors[damage % n].clone());
            let place = format!("{} {of_a:?} over {} {of_b:?}", good[a].0, good[b].0);
            let bytes = good[a].1[of_a].to_vec();
            (
                place,
                with(&good, b, |content| replace(content, of_b, &bytes)),
            )
        });
        println!("{} sectors, {} pairs swapped and copied", n * 4, 2 * n * n);
    }
}

#[test]
fn every_lost_swapped_or_doubled_file_is_noticed() {
    for (layout, good) in ledgers() {
        let n = good.len();
        check_all(&good, layout, n, &|number| {
            let mut damaged = good.clone();
            let (path, _) = damaged.remove(number);
            (format!("{path} removed"), damaged)
        });
        check_all(&good, layout, n * n, &|damage| {
            let (a, b) = (damage / n, damage % n);
            let mut damaged = good.clone();
            damaged[a].1 = Arc::clone(&good[b].1);
            damaged[b].1 = Arc::clone(&good[a].1);
            (format!("{} and {} swapped", good[a].0, good[b].0), damaged)
        });
        check_all(&good, layout, n * n, &|damage| {
            let (a, b) = (damage / n, damage % n);
            let mut damaged = good.clone();
            damaged[a].1 = Arc::clone(&good[b].1);
            (format!("{} over {}", good[b].0, good[a].0), damaged)
        });
        check_all(&good, layout, n, &|number| {
            let mut damaged = good.clone();
            let path = format!("{}x", good[number].0);
            damaged.push((path.as_str().into(), Arc::clone(&good[number].1)));
            damaged.sort();
            (format!("{path} beside it"), damaged)
        });
    }
}
