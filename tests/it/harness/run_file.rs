//! Run files: what is read stands for exactly these bytes.

use scoresheet::digest::Digest;
use scoresheet::ledger::Waivers;
use scoresheet::run::{Order, RunFileError};

use super::message;

pub(crate) fn check(bytes: &[u8]) {
    let order = Order::parse(bytes, &Waivers::default());
    let read = order.map(|order| match order {
        Order::Cohort(file) => {
            assert!(!file.everybody().is_empty());
            (file.bytes().to_vec(), file.digest(), file.engine)
        }
        Order::Puzzles(file) => (file.bytes().to_vec(), Digest::of(bytes), Vec::new()),
        Order::Positions(file) => {
            assert!(!file.everybody().is_empty());
            (file.bytes().to_vec(), Digest::of(bytes), Vec::new())
        }
        Order::Ladder(file) => {
            assert!(!file.everybody().is_empty());
            (file.bytes().to_vec(), file.digest(), file.engine)
        }
    });
    match read {
        Ok((read, digest, engines)) => {
            assert_eq!(read, bytes);
            assert_eq!(digest, Digest::of(bytes));
            for engine in &engines {
                let limit = engine.limit();
                let limits = [limit.depth, limit.movetime_ms, limit.nodes];
                assert_eq!(limits.iter().flatten().count(), 1);
            }
        }
        Err(RunFileError::Secret { line, rule }) => {
            let error = RunFileError::Secret { line, rule };
            message::is_on_a_line_of(bytes, line, &error.to_string());
        }
        Err(error) => {
            for line in error.to_string().lines() {
                message::is_sayable(line);
            }
        }
    }
}
