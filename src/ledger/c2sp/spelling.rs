//! Base64 with one spelling: standard alphabet, padded, no stray bits (RFC 4648
//! section 4).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use zeroize::Zeroizing;

use crate::digest::{Digest, Root};

pub(crate) fn encode(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(text).ok()
}

/// As [`decode`], and nothing is left behind in memory.
pub(crate) fn decode_secret(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    decode(text).map(Zeroizing::new)
}

/// Reads one SHA-256 hash.
pub(crate) fn decode_hash(text: &str) -> Option<Root> {
    let bytes: [u8; 32] = decode(text)?.try_into().ok()?;
    Some(Digest::new(bytes))
}

/// Reads a decimal without sign or leading zeros.
pub(crate) fn parse_decimal(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
