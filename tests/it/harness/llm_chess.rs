//! A game document of `llm_chess`, and what a run of it alone comes to.

use scoresheet::import::{LlmChessRun, Slot, read_llm_chess_game};

use super::message;
use super::pgn::{Taken, stamp};

pub(crate) fn check(bytes: &[u8]) {
    let stamp = stamp();
    let mut ledger = Taken::begin(&stamp, "llm-chess");
    let slot = Slot {
        import: ledger.import,
        number: 1,
        line: None,
        path: Some("a.json".to_owned()),
    };
    ledger.take(&stamp, &slot, read_llm_chess_game(bytes, &slot));
    ledger.finish(&stamp, 1);
    // A run may be anything, too.
    let mut run = LlmChessRun::default();
    run.take(bytes);
    for fault in run.faults(Some(bytes)) {
        message::is_sayable(&scoresheet::finding::visible(&fault.found));
    }
    assert!(LlmChessRun::details(bytes).len() <= 100);
}
