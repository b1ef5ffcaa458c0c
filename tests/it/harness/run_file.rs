//! Run files: what is read stands for exactly these bytes.

use scoresheet::digest::Digest;
use scoresheet::ledger::Waivers;
use scoresheet::run::{RunFile, RunFileError};

use super::message;

pub(crate) fn check(bytes: &[u8]) {
    match RunFile::parse(bytes, &Waivers::default()) {
        Ok(file) => {
            assert_eq!(file.bytes(), bytes);
            assert_eq!(file.digest(), Digest::of(bytes));
            assert!(2 <= file.engine.len());
            for engine in &file.engine {
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
