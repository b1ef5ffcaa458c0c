/// Returns a key for this purpose alone, made from another key (BLAKE3, key
/// derivation mode).
///
/// The purpose is a fixed text, unique in the world: application, date, and
/// what the key is for.
pub fn derived_key(purpose: &str, key: &[u8; 32]) -> [u8; 32] {
    blake3::derive_key(purpose, key)
}

/// Returns a value that only who has the key can compute or check (BLAKE3,
/// keyed mode). No verdict rests on it.
pub fn keyed_hash(key: &[u8; 32], bytes: &[u8]) -> [u8; 32] {
    *blake3::keyed_hash(key, bytes).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    /// The first test vector of the BLAKE3 team (`test_vectors.json`).
    #[test]
    fn of_nothing_they_are_what_the_published_vectors_say() {
        let hex = |bytes| Digest::new(bytes).to_string();
        assert_eq!(
            hex(keyed_hash(b"whats the Elvish word for friend", b"")),
            "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26"
        );
        let purpose = "BLAKE3 2019-12-27 16:29:52 test vectors context";
        assert_eq!(
            hex(blake3::derive_key(purpose, b"")),
            "2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d"
        );
        assert_ne!(derived_key(purpose, &[0; 32]), derived_key("x", &[0; 32]));
    }
}
