use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::digest::{Digest, derived_key, keyed_hash};
use crate::ledger::KeySource;

/// What the keys of a replay are for.
const PURPOSE: &str = "scoresheet 2026-11-30 keys of a replayed cassette";

/// Keys and nonces that follow from a seed, so that two replays seal the same
/// bytes. Whoever has the cassette can make them, and has read all that they seal.
///
/// The seed must differ wherever what is sealed may differ: the root of the ledger
/// that a replay begins in is part of it.
#[derive(Debug)]
pub struct ReplayKeys {
    seed: [u8; 32],
    /// How many blocks were given out.
    given: AtomicU64,
}

impl ReplayKeys {
    /// Keys that follow from the digests of a cassette and of where it is replayed.
    pub fn new(cassette: &Digest, place: &Digest) -> Self {
        let cassette = derived_key(PURPOSE, cassette.as_bytes());
        Self {
            seed: keyed_hash(&cassette, place.as_bytes()),
            given: AtomicU64::new(0),
        }
    }
}

impl KeySource for ReplayKeys {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        for block in bytes.chunks_mut(32) {
            let number = self.given.fetch_add(1, Ordering::Relaxed);
            let filled = keyed_hash(&self.seed, &number.to_be_bytes());
            block.copy_from_slice(&filled[..block.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_from_cassette_and_place_and_never_repeat() {
        let keys = |cassette: &[u8], place: &[u8]| {
            let source = ReplayKeys::new(&Digest::of(cassette), &Digest::of(place));
            let mut bytes = [0; 104];
            source.fill(&mut bytes[..56]).unwrap();
            source.fill(&mut bytes[56..]).unwrap();
            bytes
        };
        let some = keys(b"a", b"b");
        assert_eq!(some, keys(b"a", b"b"));
        assert_ne!(some, keys(b"b", b"b"));
        assert_ne!(some, keys(b"a", b"a"));
        assert_ne!(some[..24], some[56..80]);
        assert_ne!(some[..24], some[32..56]);
    }
}
