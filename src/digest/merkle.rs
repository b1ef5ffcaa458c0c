//! The hashes of RFC 6962 section 2.1 (the same in RFC 9162).
//!
//! A leaf is SHA-256(0x00 ‖ entry), a node SHA-256(0x01 ‖ left ‖ right), the
//! empty tree SHA-256 of nothing. A tree of n > 1 leaves splits at the largest
//! power of two smaller than n.

use sha2::Digest as _;

use crate::digest::Digest;

/// The RFC 6962 hash of one entry; for an event line, the event's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeafHash(Digest);

impl LeafHash {
    /// Returns the leaf hash of an entry; a line without its newline.
    pub fn of(entry: &[u8]) -> Self {
        let mut hasher = sha2::Sha256::new();
        hasher.update([0]);
        hasher.update(entry);
        Self(Digest::new(hasher.finalize().into()))
    }

    /// Wraps a digest that is already a leaf hash.
    pub const fn new(digest: Digest) -> Self {
        Self(digest)
    }

    /// The digest.
    pub const fn digest(&self) -> &Digest {
        &self.0
    }
}

/// The root of a tree, or of a perfect subtree.
pub type Root = Digest;

/// Returns the root of the tree without leaves.
pub fn empty_root() -> Root {
    Digest::of(b"")
}

/// Returns the hash of an inner node.
pub fn node_hash(left: &Root, right: &Root) -> Root {
    let mut message = [1_u8; 65];
    message[1..33].copy_from_slice(left.as_bytes());
    message[33..].copy_from_slice(right.as_bytes());
    Digest::of(&message)
}

/// The right edge of a tree that grows leaf by leaf, or by perfect subtrees.
///
/// Keeps only the roots of the perfect subtrees along its right edge: at most
/// 64 hashes for any size. The roots are ordered from the largest subtree to
/// the smallest, and their levels are the one bits of [`Frontier::size`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    edge: Vec<Root>,
}

impl Frontier {
    /// The number of leaves.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Adds one leaf.
    pub fn push(&mut self, leaf: &LeafHash) {
        self.push_perfect(0, leaf.0);
    }

    /// Adds a perfect subtree of 2^`level` leaves, given by its root.
    ///
    /// # Panics
    ///
    /// When the size is no multiple of 2^`level`: such a subtree would not be
    /// a node of the tree.
    pub fn push_perfect(&mut self, level: u32, root: Root) {
        assert!(
            self.size.trailing_zeros() >= level || self.size == 0,
            "a perfect subtree must start at a multiple of its own size"
        );
        let mut root = root;
        let mut bit = level;
        while self.size >> bit & 1 == 1 {
            let left = self.edge.pop().unwrap_or(root);
            root = node_hash(&left, &root);
            bit += 1;
        }
        self.edge.push(root);
        self.size += 1 << level;
    }

    /// Returns this tree with the leaves of another one behind its own.
    ///
    /// # Panics
    ///
    /// When the size is no multiple of a power of two that the other tree fits
    /// in: their subtrees would not be nodes of the joined tree.
    #[must_use]
    pub fn joined(&self, right: &Self) -> Self {
        assert!(
            self.size == 0 || right.size.checked_shr(self.size.trailing_zeros()) == Some(0),
            "the right tree must fit behind the left one"
        );
        Self {
            size: self.size + right.size,
            edge: [self.edge.as_slice(), right.edge.as_slice()].concat(),
        }
    }

    /// Returns the RFC 6962 root of all leaves so far.
    pub fn root(&self) -> Root {
        let mut edge = self.edge.iter().rev();
        let Some(last) = edge.next() else {
            return empty_root();
        };
        edge.fold(*last, |right, left| node_hash(left, &right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive_root(leaves: &[LeafHash]) -> Root {
        match leaves {
            [] => empty_root(),
            [leaf] => leaf.0,
            _ => {
                let split = leaves.len().next_power_of_two() / 2;
                let (left, right) = leaves.split_at(split);
                node_hash(&naive_root(left), &naive_root(right))
            }
        }
    }

    /// The eight entries of the certificate-transparency test suite.
    const ENTRIES: [&[u8]; 8] = [
        b"",
        b"\x00",
        b"\x10",
        b"\x20\x21",
        b"\x30\x31",
        b"\x40\x41\x42\x43",
        b"\x50\x51\x52\x53\x54\x55\x56\x57",
        b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
    ];

    #[test]
    fn root_of_the_public_eight_entry_tree_is_the_published_one() {
        let mut tree = Frontier::default();
        for entry in ENTRIES {
            tree.push(&LeafHash::of(entry));
        }
        assert_eq!(
            tree.root().to_string(),
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
        );
    }

    #[test]
    fn growing_root_equals_the_recursive_definition_for_every_size_to_300() {
        let leaves: Vec<_> = (0_u32..300)
            .map(|n| LeafHash::of(&n.to_be_bytes()))
            .collect();
        let mut tree = Frontier::default();
        for size in 0..leaves.len() {
            assert_eq!(tree.root(), naive_root(&leaves[..size]), "size {size}");
            tree.push(&leaves[size]);
        }
    }

    #[test]
    fn adding_perfect_subtrees_equals_adding_their_leaves() {
        let leaves: Vec<_> = (0_u32..45)
            .map(|n| LeafHash::of(&n.to_be_bytes()))
            .collect();
        let mut by_segment = Frontier::default();
        for segment in leaves[..40].chunks(8) {
            by_segment.push_perfect(3, naive_root(segment));
        }
        for leaf in &leaves[40..] {
            by_segment.push(leaf);
        }
        assert_eq!(by_segment.root(), naive_root(&leaves));
    }

    #[test]
    fn a_tree_joined_from_a_multiple_and_a_rest_equals_the_whole() {
        let leaves: Vec<_> = (0_u32..80)
            .map(|n| LeafHash::of(&n.to_be_bytes()))
            .collect();
        let tree = |leaves: &[LeafHash]| {
            let mut tree = Frontier::default();
            for leaf in leaves {
                tree.push(leaf);
            }
            tree
        };
        for left in (0..=64).step_by(16) {
            for right in left..left + 16 {
                let joined = tree(&leaves[..left]).joined(&tree(&leaves[left..right]));
                assert_eq!(joined, tree(&leaves[..right]), "{left} and {right}");
            }
        }
    }
}
