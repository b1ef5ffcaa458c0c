//! The harnesses of the tests, for the fuzz targets: the very same code.
#![allow(dead_code, reason = "the tests use more of these files")]

#[path = "../../tests/it/harness/mod.rs"]
mod harness;
#[path = "../../tests/it/keys.rs"]
mod keys;

/// Asserts the laws of this harness for these bytes.
pub fn check(name: &str, data: &[u8]) {
    (harness::of(name).check)(data);
}
