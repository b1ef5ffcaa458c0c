//! Proofs about RFC 6962 trees: that an entry is in one, and that one grew out
//! of another.
//!
//! Verification is RFC 9162 sections 2.1.3.2 and 2.1.4.2. Making a proof names
//! ranges of leaves and asks for the roots of perfect subtrees, so that whoever
//! has those need not touch a leaf.

use std::ops::Range;

use crate::digest::{LeafHash, Root, empty_root, node_hash};

/// Why a proof proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofFault {
    /// There is no such leaf in the tree.
    #[error("index {index} is not in a tree of {size} leaves")]
    Beyond {
        /// The index that was claimed.
        index: u64,
        /// The leaves there are.
        size: u64,
    },
    /// A tree does not grow out of a larger one.
    #[error("a tree of {new} leaves cannot grow out of one of {old}")]
    Shrunk {
        /// The leaves of the old tree.
        old: u64,
        /// The leaves of the new tree.
        new: u64,
    },
    /// There are fewer hashes than the sizes ask for.
    #[error("a hash of the proof is missing")]
    Missing,
    /// There are more hashes than the sizes ask for.
    #[error("the proof has more hashes than it takes")]
    Leftover,
    /// The hashes give another root than the one that was claimed.
    #[error("the proof leads to another root")]
    Root,
    /// The hashes give another root of the old tree than the one that is known.
    #[error("the proof leads to another root of the old tree")]
    OldRoot,
}

/// Checks that the leaf at this index of a tree of `size` leaves with this root
/// is this one. The hashes go from the leaf's sibling to the root's child.
///
/// # Errors
///
/// What is wrong with the proof.
pub fn verify_inclusion(
    leaf: &LeafHash,
    index: u64,
    size: u64,
    proof: &[Root],
    root: &Root,
) -> Result<(), ProofFault> {
    if size <= index {
        return Err(ProofFault::Beyond { index, size });
    }
    let mut path = Path {
        index,
        last: size - 1,
    };
    let mut hash = *leaf.digest();
    for sibling in proof {
        hash = if path.step()? {
            node_hash(sibling, &hash)
        } else {
            node_hash(&hash, sibling)
        };
    }
    path.end()?;
    if hash == *root {
        Ok(())
    } else {
        Err(ProofFault::Root)
    }
}

/// Checks that the tree with the new size and root begins with the leaves of
/// the tree with the old size and root.
///
/// An old size of 0, and equal sizes, take no hashes; the root of a tree without
/// leaves must be the empty one, and equal sizes must have equal roots.
///
/// # Errors
///
/// What is wrong with the proof.
pub fn verify_consistency(
    (old, old_root): (u64, &Root),
    (new, new_root): (u64, &Root),
    proof: &[Root],
) -> Result<(), ProofFault> {
    if new < old {
        return Err(ProofFault::Shrunk { old, new });
    }
    if old == 0 || old == new {
        let known = if old == 0 { empty_root() } else { *new_root };
        return match (proof, known == *old_root) {
            ([_, ..], _) => Err(ProofFault::Leftover),
            ([], false) => Err(ProofFault::OldRoot),
            // Trees without leaves have one root.
            ([], true) if new == 0 && known != *new_root => Err(ProofFault::Root),
            ([], true) => Ok(()),
        };
    }
    // Where the old tree is perfect its root is the first hash, and is left out.
    let (first, rest) = if old.is_power_of_two() {
        (old_root, proof)
    } else {
        proof.split_first().ok_or(ProofFault::Missing)?
    };
    let mut path = Path {
        index: old - 1,
        last: new - 1,
    };
    path.rise(old.trailing_zeros());
    let (mut of_old, mut of_new) = (*first, *first);
    for hash in rest {
        if path.step()? {
            of_old = node_hash(hash, &of_old);
            of_new = node_hash(hash, &of_new);
        } else {
            of_new = node_hash(&of_new, hash);
        }
    }
    path.end()?;
    if of_old != *old_root {
        Err(ProofFault::OldRoot)
    } else if of_new != *new_root {
        Err(ProofFault::Root)
    } else {
        Ok(())
    }
}

/// The way from a node to the root, as RFC 9162 walks it.
struct Path {
    /// The index of the node in its level (`fn`).
    index: u64,
    /// The index of the last node in that level (`sn`).
    last: u64,
}

impl Path {
    /// Goes up by one hash; whether that hash stands to the left.
    fn step(&mut self) -> Result<bool, ProofFault> {
        if self.last == 0 {
            return Err(ProofFault::Leftover);
        }
        let is_left = self.index & 1 == 1 || self.index == self.last;
        if is_left {
            // The last node of a level may have no sibling there.
            self.rise(self.index.trailing_zeros());
        }
        self.rise(1);
        Ok(is_left)
    }

    fn rise(&mut self, levels: u32) {
        self.index = self.index.checked_shr(levels).unwrap_or_default();
        self.last = self.last.checked_shr(levels).unwrap_or_default();
    }

    fn end(&self) -> Result<(), ProofFault> {
        if self.last == 0 {
            Ok(())
        } else {
            Err(ProofFault::Missing)
        }
    }
}

/// Returns the inclusion proof of the leaf at this index in a tree of `size`
/// leaves. `perfect` gives the root of the subtree of 2^level leaves that is
/// the index-th of its level. Beyond the tree there is nothing to prove: empty.
///
/// # Errors
///
/// What `perfect` says.
pub fn inclusion_proof<E>(
    index: u64,
    size: u64,
    mut perfect: impl FnMut(u32, u64) -> Result<Root, E>,
) -> Result<Vec<Root>, E> {
    let mut ranges = Vec::new();
    let mut within = 0..size;
    while index < size && 1 < within.end - within.start {
        let middle = split(&within);
        let (left, right) = (within.start..middle, middle..within.end);
        let (inside, sibling) = if index < middle {
            (left, right)
        } else {
            (right, left)
        };
        ranges.push(sibling);
        within = inside;
    }
    let upward = ranges.into_iter().rev();
    upward
        .map(|range| range_root(range, &mut perfect))
        .collect()
}

/// Returns the consistency proof from a tree of `old` leaves to the one of
/// `new` leaves that it grew into; empty where it takes none. `perfect` is as in
/// [`inclusion_proof`].
///
/// # Errors
///
/// What `perfect` says.
pub fn consistency_proof<E>(
    old: u64,
    new: u64,
    mut perfect: impl FnMut(u32, u64) -> Result<Root, E>,
) -> Result<Vec<Root>, E> {
    if old == 0 || new <= old {
        return Ok(Vec::new());
    }
    let mut ranges = Vec::new();
    let mut within = 0..new;
    while old < within.end {
        let middle = split(&within);
        let (left, right) = (within.start..middle, middle..within.end);
        if old <= middle {
            ranges.push(right);
            within = left;
        } else {
            ranges.push(left);
            within = right;
        }
    }
    // The old tree itself is known to whoever asks.
    if within.start != 0 {
        ranges.push(within);
    }
    let upward = ranges.into_iter().rev();
    upward
        .map(|range| range_root(range, &mut perfect))
        .collect()
}

/// Returns the root over the first `size` leaves. `perfect` is as in
/// [`inclusion_proof`].
///
/// # Errors
///
/// What `perfect` says.
pub fn root_of<E>(
    size: u64,
    mut perfect: impl FnMut(u32, u64) -> Result<Root, E>,
) -> Result<Root, E> {
    range_root(0..size, &mut perfect)
}

/// Where the tree over a range of at least two leaves splits.
fn split(range: &Range<u64>) -> u64 {
    let size = range.end - range.start;
    range.start + (1 << (u64::BITS - 1 - (size - 1).leading_zeros()))
}

/// The root of a node of the tree, given by its leaves: its perfect subtrees,
/// largest first, joined from the right.
fn range_root<E>(
    range: Range<u64>,
    perfect: &mut impl FnMut(u32, u64) -> Result<Root, E>,
) -> Result<Root, E> {
    let mut start = range.start;
    let mut roots = Vec::new();
    while start < range.end {
        let level = u64::BITS - 1 - (range.end - start).leading_zeros();
        roots.push(perfect(level, start >> level)?);
        start += 1 << level;
    }
    let joined = roots.into_iter().rev();
    let joined = joined.reduce(|right, left| node_hash(&left, &right));
    Ok(joined.unwrap_or_else(empty_root))
}
