//! SHA-256 as types: content digests, the hashes of an RFC 6962 Merkle tree,
//! and proofs about such trees.
//!
//! This room knows bytes and nothing else. It is the only one that may name
//! the `sha2` crate; whoever needs a hash with a verdict attached comes here.
//! BLAKE3 makes keys of keys, and values that only a key can check; no verdict
//! rests on those.

mod keyed;
mod merkle;
mod proof;
mod sha256;

pub use keyed::{derived_key, keyed_hash};
pub use merkle::{Frontier, LeafHash, Root, empty_root, node_hash};
pub use proof::{
    ProofFault, consistency_proof, inclusion_proof, root_of, verify_consistency, verify_inclusion,
};
pub use sha256::{Digest, Hasher, Hex, ParseDigestError};
