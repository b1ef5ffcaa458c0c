//! What was interrupted anywhere and is done again is durable, also where it
//! looks as if nothing were left to be done.

use scoresheet::ledger::{
    Checkpoint, Layout, LedgerError, Prefix, Storage, add_signatures, create_in, issue_checkpoint,
};

use crate::keys;
use crate::simulator::disk::{Fault, SimulatedDisk};
use crate::simulator::life::time;
use crate::simulator::medium::Medium;
use crate::simulator::random::Random;

const ORIGIN: &str = "example.org/r";

fn ledger() -> (Medium, Checkpoint) {
    let disk = SimulatedDisk::new(Medium::default(), Layout::STANDARD);
    let by = "test".parse().unwrap();
    create_in(&disk, &ORIGIN.parse().unwrap(), time(0), &by).unwrap();
    let prefix = Prefix::open(&disk).unwrap();
    let checkpoint = Checkpoint {
        origin: prefix.description().origin.clone(),
        size: prefix.size(),
        root: prefix.root(),
    };
    (Medium::of(&disk.medium().contents()), checkpoint)
}

/// Interrupts the work at every change of the disk and does it again. Then no
/// crash takes from the file what it says.
fn is_durable_when_done_again(
    start: &Medium,
    path: &str,
    expected: &str,
    work: impl Fn(&dyn Storage) -> Result<(), LedgerError>,
) {
    let mut n_interrupted = 0;
    for at in 0.. {
        let disk = SimulatedDisk::new(start.clone(), Layout::STANDARD);
        let fault = Fault {
            at,
            is_for_good: true,
            kind: std::io::ErrorKind::Other,
        };
        disk.fail(Some(fault), 1);
        let is_over = work(&disk).is_ok();
        // The process is gone, and so are its locks.
        let disk = SimulatedDisk::new(disk.medium(), Layout::STANDARD);
        work(&disk).unwrap();
        for seed in 0..32 {
            let left = disk.medium().crash(&mut Random::new(seed));
            let left = SimulatedDisk::new(left, Layout::STANDARD);
            let bytes = left.read(path, 1 << 20);
            let bytes = bytes.unwrap_or_else(|error| panic!("change {at}, crash {seed}: {error}"));
            assert_eq!(String::from_utf8(bytes).unwrap(), expected, "change {at}");
        }
        if is_over {
            break;
        }
        n_interrupted += 1;
    }
    assert!(3 < n_interrupted);
}

#[test]
fn a_checkpoint_that_is_issued_again_is_durable() {
    let (start, checkpoint) = ledger();
    is_durable_when_done_again(&start, "checkpoints/1", &checkpoint.to_string(), |disk| {
        issue_checkpoint(disk, &checkpoint)
    });
}

#[test]
fn signatures_that_are_added_again_are_durable() {
    let (start, checkpoint) = ledger();
    let disk = SimulatedDisk::new(start, Layout::STANDARD);
    issue_checkpoint(&disk, &checkpoint).unwrap();
    let text = checkpoint.to_string();
    let log = keys::log(ORIGIN);
    let signed = keys::signed(&text, &[&log], 0).to_string();
    is_durable_when_done_again(&disk.medium(), "checkpoints/1", &signed, |disk| {
        add_signatures(disk, &checkpoint, &[log.sign(&text, 0)]).map(drop)
    });
}
