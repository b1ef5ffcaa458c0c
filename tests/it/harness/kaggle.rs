//! An episode of Kaggle: one game and its calls, or skipped.

use scoresheet::import::{Slot, read_kaggle_episode};

use super::pgn::{Taken, stamp};

pub(crate) fn check(bytes: &[u8]) {
    let stamp = stamp();
    let mut ledger = Taken::begin(&stamp, "kaggle");
    let slot = Slot {
        import: ledger.import,
        number: 1,
        line: None,
        path: None,
    };
    ledger.take(&stamp, &slot, read_kaggle_episode(bytes, &slot));
    ledger.finish(&stamp, 1);
}
