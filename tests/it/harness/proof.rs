//! Proofs: what is read is what is written, and a proof that holds holds for
//! nothing else.

use scoresheet::digest::{Digest, LeafHash, Root, empty_root};
use scoresheet::ledger::{ConsistencyProof, InclusionProof};

use super::message;

pub(crate) fn check(file: &[u8]) {
    inclusion(file);
    consistency(file);
}

fn inclusion(file: &[u8]) {
    let proof = match InclusionProof::parse(file) {
        Ok(proof) => proof,
        Err(fault) => return message::is_of_note(file, &fault),
    };
    assert!(InclusionProof::is_one(file));
    assert_eq!(proof.to_string().as_bytes(), file);
    let leaf = LeafHash::of(proof.extra.as_deref().unwrap_or_default());
    if let Err(fault) = proof.verify(&leaf) {
        return message::is_sayable(&fault.to_string());
    }
    assert!(proof.index < proof.checkpoint.checkpoint().size);
    let other = LeafHash::of(b"another leaf");
    assert!(leaf == other || proof.verify(&other).is_err());
    each_other(&proof.hashes, |hashes| {
        let other = InclusionProof {
            hashes,
            ..proof.clone()
        };
        assert!(other.verify(&leaf).is_err());
    });
}

fn consistency(file: &[u8]) {
    let proof = match ConsistencyProof::parse(file) {
        Ok(proof) => proof,
        Err(fault) => return message::is_of_note(file, &fault),
    };
    assert_eq!(proof.to_string().as_bytes(), file);
    let checkpoint = proof.checkpoint.checkpoint();
    // Whoever asks knows the old root; these are the ones that are easy to know.
    for known in [empty_root(), checkpoint.root, first(&proof.hashes)] {
        if let Err(fault) = proof.verify(&known) {
            message::is_sayable(&fault.to_string());
            continue;
        }
        assert!(proof.old <= checkpoint.size);
        assert!(proof.verify(&Digest::of(b"another root")).is_err());
        each_other(&proof.hashes, |hashes| {
            let other = ConsistencyProof {
                hashes,
                ..proof.clone()
            };
            assert!(other.verify(&known).is_err());
        });
    }
}

fn first(hashes: &[Root]) -> Root {
    hashes.first().copied().unwrap_or_else(empty_root)
}

/// The hashes with one of them changed, left out or said twice.
fn each_other(hashes: &[Root], mut refused: impl FnMut(Vec<Root>)) {
    for at in 0..hashes.len() {
        let mut other = hashes.to_vec();
        other[at] = Digest::of(other[at].as_bytes());
        refused(other);
        let mut other = hashes.to_vec();
        other.remove(at);
        refused(other);
    }
    let more = hashes.iter().copied().chain([empty_root()]);
    refused(more.collect());
}
