//! Inclusion and consistency: all of them to 300 leaves, against the recursive
//! definition of RFC 6962 and against the crate ct-merkle; and what is refused.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::LazyLock;

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use scoresheet::digest::{
    Digest, LeafHash, ProofFault, Root, consistency_proof, empty_root, inclusion_proof, node_hash,
    root_of, verify_consistency, verify_inclusion,
};
use sha2::Sha256;

const MAX: u64 = 300;

fn entry(index: u64) -> [u8; 8] {
    index.to_be_bytes()
}

fn leaf(index: u64) -> LeafHash {
    LeafHash::of(&entry(index))
}

/// The tree as RFC 6962 section 2.1 defines it, by recursion over leaves.
struct Naive {
    roots: BTreeMap<(u64, u64), Root>,
}

static NAIVE: LazyLock<Naive> = LazyLock::new(|| {
    let mut naive = Naive {
        roots: BTreeMap::new(),
    };
    for size in 1..=MAX {
        naive.compute(0, size);
    }
    naive
});

fn split(n: u64) -> u64 {
    n.next_power_of_two() / 2
}

impl Naive {
    fn compute(&mut self, start: u64, end: u64) -> Root {
        if let Some(root) = self.roots.get(&(start, end)) {
            return *root;
        }
        let root = if end - start == 1 {
            *leaf(start).digest()
        } else {
            let middle = start + split(end - start);
            node_hash(&self.compute(start, middle), &self.compute(middle, end))
        };
        self.roots.insert((start, end), root);
        root
    }

    fn root(&self, start: u64, end: u64) -> Root {
        if start == end {
            empty_root()
        } else {
            self.roots[&(start, end)]
        }
    }

    /// PATH(m, D[n]) of RFC 6962 section 2.1.1.
    fn path(&self, index: u64, start: u64, end: u64) -> Vec<Root> {
        if end - start == 1 {
            return Vec::new();
        }
        let middle = start + split(end - start);
        let (mut path, sibling) = if index < middle {
            (self.path(index, start, middle), self.root(middle, end))
        } else {
            (self.path(index, middle, end), self.root(start, middle))
        };
        path.push(sibling);
        path
    }

    /// SUBPROOF(m, D[n], b) of RFC 6962 section 2.1.2.
    fn subproof(&self, old: u64, start: u64, end: u64, is_known: bool) -> Vec<Root> {
        if old == end {
            return if is_known {
                Vec::new()
            } else {
                vec![self.root(start, end)]
            };
        }
        let middle = start + split(end - start);
        let (mut proof, other) = if old <= middle {
            let inside = self.subproof(old, start, middle, is_known);
            (inside, self.root(middle, end))
        } else {
            let inside = self.subproof(old, middle, end, false);
            (inside, self.root(start, middle))
        };
        proof.push(other);
        proof
    }
}

/// The roots of perfect subtrees, as the ledger gives them.
#[expect(clippy::unnecessary_wraps, reason = "a ledger can be damaged")]
fn perfect(level: u32, index: u64) -> Result<Root, Infallible> {
    Ok(NAIVE.root(index << level, (index + 1) << level))
}

fn flipped(hash: &Root, bit: usize) -> Root {
    let mut bytes = *hash.as_bytes();
    bytes[bit / 8 % 32] ^= 1 << (bit % 8);
    Digest::new(bytes)
}

/// Ways to spoil a proof by one hash: each one changed, the first or last too
/// few, one too many at either end.
fn spoiled(proof: &[Root]) -> Vec<Vec<Root>> {
    let change = |at: usize| {
        let mut changed = proof.to_vec();
        changed[at] = flipped(&changed[at], 37 * at + proof.len());
        changed
    };
    let mut spoiled: Vec<_> = (0..proof.len()).map(change).collect();
    if let ([_, rest @ ..], [before @ .., last]) = (proof, proof) {
        spoiled.extend([rest.to_vec(), before.to_vec(), [proof, &[*last]].concat()]);
    }
    let stray = [*leaf(999).digest()];
    spoiled.extend([[proof, &stray].concat(), [&stray, proof].concat()]);
    spoiled
}

#[test]
fn every_inclusion_proof_to_300_leaves_is_right_and_each_changed_hash_is_refused() {
    let mut oracle = MemoryBackedTree::<Sha256, [u8; 8]>::new();
    for size in 1..=MAX {
        oracle.push(entry(size - 1));
        let root = NAIVE.root(0, size);
        assert_eq!(oracle.root().as_bytes().as_slice(), root.as_bytes());
        assert_eq!(root_of(size, perfect), Ok(root));
        for index in 0..size {
            let proof = inclusion_proof(index, size, perfect).unwrap();
            assert_eq!(proof, NAIVE.path(index, 0, size), "{index} of {size}");
            let theirs = oracle.prove_inclusion(usize::try_from(index).unwrap());
            let ours: Vec<u8> = proof.iter().flat_map(Digest::as_bytes).copied().collect();
            assert_eq!(theirs.as_bytes(), ours, "{index} of {size}");
            let leaf = leaf(index);
            assert_eq!(verify_inclusion(&leaf, index, size, &proof, &root), Ok(()));
            for spoiled in spoiled(&proof) {
                let refused = verify_inclusion(&leaf, index, size, &spoiled, &root);
                assert!(refused.is_err(), "{index} of {size}: {spoiled:?}");
            }
            let other = LeafHash::of(b"another entry");
            let others = [
                verify_inclusion(&other, index, size, &proof, &root),
                verify_inclusion(&leaf, index, size, &proof, &flipped(&root, 100)),
                verify_inclusion(&leaf, index ^ 1, size, &proof, &root),
                verify_inclusion(&leaf, index + 1, size, &proof, &root),
                verify_inclusion(&leaf, index, index, &proof, &root),
                verify_inclusion(&leaf, size, size, &proof, &root),
                verify_inclusion(&leaf, u64::MAX, size, &proof, &root),
            ];
            for (number, refused) in others.into_iter().enumerate() {
                // The only leaf of a tree has no sibling to be mistaken for.
                assert!(refused.is_err(), "{index} of {size}: {number}");
            }
        }
    }
}

#[test]
fn every_consistency_proof_to_300_leaves_is_right_and_each_changed_hash_is_refused() {
    let mut oracle = MemoryBackedTree::<Sha256, [u8; 8]>::new();
    for new in 1..=MAX {
        oracle.push(entry(new - 1));
        let new_root = NAIVE.root(0, new);
        for old in 1..=new {
            let proof = consistency_proof(old, new, perfect).unwrap();
            assert_eq!(proof, NAIVE.subproof(old, 0, new, true), "{old} to {new}");
            let theirs = oracle.prove_consistency(usize::try_from(new - old).unwrap());
            let ours: Vec<u8> = proof.iter().flat_map(Digest::as_bytes).copied().collect();
            assert_eq!(theirs.as_bytes(), ours, "{old} to {new}");
            let old_root = NAIVE.root(0, old);
            let (before, after) = ((old, &old_root), (new, &new_root));
            assert_eq!(verify_consistency(before, after, &proof), Ok(()));
            for spoiled in spoiled(&proof) {
                let refused = verify_consistency(before, after, &spoiled);
                assert!(refused.is_err(), "{old} to {new}: {spoiled:?}");
            }
            for bit in [0, 255] {
                let (other_old, other_new) = (flipped(&old_root, bit), flipped(&new_root, bit));
                for (old_root, new_root) in [(&other_old, &new_root), (&old_root, &other_new)] {
                    let refused = verify_consistency((old, old_root), (new, new_root), &proof);
                    assert!(refused.is_err(), "{old} to {new}");
                }
            }
            let backwards = verify_consistency(after, before, &proof);
            assert_eq!(backwards.is_ok(), old == new, "{new} to {old}");
        }
    }
}

#[test]
fn nothing_and_equal_sizes_take_no_hash_and_the_roots_that_they_must_have() {
    let (empty, five, other) = (empty_root(), NAIVE.root(0, 5), NAIVE.root(0, 6));
    let stray = [other];
    let check = |old, new, proof: &[Root]| verify_consistency(old, new, proof);
    assert_eq!(check((0, &empty), (0, &empty), &[]), Ok(()));
    assert_eq!(check((0, &empty), (5, &five), &[]), Ok(()));
    assert_eq!(check((5, &five), (5, &five), &[]), Ok(()));
    for (old, new, proof, fault) in [
        ((0, &empty), (5, &five), &stray[..], ProofFault::Leftover),
        ((5, &five), (5, &five), &stray[..], ProofFault::Leftover),
        ((0, &other), (5, &five), &[], ProofFault::OldRoot),
        ((0, &empty), (0, &five), &[], ProofFault::Root),
        ((5, &other), (5, &five), &[], ProofFault::OldRoot),
        ((3, &other), (5, &five), &[], ProofFault::Missing),
        ((4, &other), (5, &five), &[], ProofFault::Missing),
        (
            (6, &other),
            (5, &five),
            &[],
            ProofFault::Shrunk { old: 6, new: 5 },
        ),
    ] {
        assert_eq!(check(old, new, proof), Err(fault), "{old:?} {new:?}");
    }
    assert_eq!(consistency_proof(0, 5, perfect), Ok(vec![]));
    assert_eq!(consistency_proof(6, 5, perfect), Ok(vec![]));
    assert_eq!(inclusion_proof(5, 5, perfect), Ok(vec![]));
}

#[test]
fn sizes_at_the_end_of_what_can_be_counted_are_refused_and_not_waited_for() {
    let root = NAIVE.root(0, 5);
    let long = vec![root; 64];
    for (old, new) in [(1, u64::MAX), (u64::MAX - 1, u64::MAX), (1 << 63, u64::MAX)] {
        for n in [0, 1, 63, 64] {
            let refused = verify_consistency((old, &root), (new, &root), &long[..n]);
            assert!(refused.is_err(), "{old} to {new} by {n}");
        }
    }
    for index in [0, u64::MAX - 2, u64::MAX - 1] {
        let refused = verify_inclusion(&leaf(0), index, u64::MAX, &long, &root);
        assert!(refused.is_err(), "{index}");
    }
}
