//! What a disk holds, what of it is durable, and what a crash may leave of it.
//!
//! The rules, from what file systems promise and no more:
//!
//! - What was written to a file is durable once the file was synced. Until
//!   then a crash keeps of each sector of 512 bytes the old content or that
//!   after any number of the writes since; sectors are independent of each
//!   other, so writes come in any order. A sector that was being written may
//!   also hold zeros or be new up to some byte and old behind it.
//! - Bytes that nobody wrote since the last sync stay as they are, also in a
//!   sector that is being written (what SQLite calls powersafe overwrite).
//! - The length is kept apart: it may be any that the file has had since.
//!   Sectors within the length that were lost and never durable are zeros.
//! - A name that was made, moved or removed is durable once its folder was
//!   synced. Until then each name is what it was at any moment since, apart
//!   from every other one. What stands in a folder that was lost is lost.
//! - Where a sync failed, what it should have made durable is so or not, by
//!   chance, and is never written again; yet everybody still reads it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::simulator::random::Random;

pub(crate) const SECTOR: usize = 512;

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Node {
    Folder,
    /// The number of the file.
    File(usize),
}

/// A name: what it durably is, and what it has been since.
#[derive(Clone, Debug, Default)]
pub(crate) struct Name {
    durable: Option<Node>,
    since: Vec<Option<Node>>,
}

/// A change of a file that is not durable yet.
#[derive(Clone, Debug)]
enum Change {
    Write { offset: usize, bytes: Arc<[u8]> },
    SetLength(usize),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    durable: Arc<Vec<u8>>,
    /// What everybody reads.
    pub(crate) now: Arc<Vec<u8>>,
    since: Vec<Change>,
}

/// Everything that a disk holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Medium {
    pub(crate) files: Vec<File>,
    names: BTreeMap<Arc<str>, Name>,
}

impl Change {
    /// Applies the part of the change that lies in this range of bytes.
    fn apply(&self, content: &mut [u8], from: usize, to: usize) {
        match self {
            Self::Write { offset, bytes } => {
                let start = from.max(*offset);
                let end = to.min(offset + bytes.len());
                if start < end {
                    content[start..end].copy_from_slice(&bytes[start - offset..end - offset]);
                }
            }
            Self::SetLength(length) => {
                if *length < to {
                    content[from.max(*length)..to].fill(0);
                }
            }
        }
    }

    fn length_after(&self, before: usize) -> usize {
        match self {
            Self::Write { offset, bytes } => {
                let end = *offset + bytes.len();
                if before < end { end } else { before }
            }
            Self::SetLength(length) => *length,
        }
    }
}

impl File {
    pub(crate) fn write(&mut self, offset: usize, bytes: &[u8]) {
        let change = Change::Write {
            offset,
            bytes: bytes.into(),
        };
        self.change(change);
    }

    pub(crate) fn set_length(&mut self, length: usize) {
        self.change(Change::SetLength(length));
    }

    fn change(&mut self, change: Change) {
        let now = Arc::make_mut(&mut self.now);
        now.resize(change.length_after(now.len()), 0);
        let length = now.len();
        change.apply(now, 0, length);
        self.since.push(change);
    }

    pub(crate) fn sync(&mut self) {
        let durable = Arc::make_mut(&mut self.durable);
        for change in self.since.drain(..) {
            durable.resize(change.length_after(durable.len()), 0);
            let length = durable.len();
            change.apply(durable, 0, length);
        }
        // One copy is enough where nothing was given up before.
        if self.durable == self.now {
            self.now = Arc::clone(&self.durable);
        }
    }

    /// A sync that fails: chance decides what became durable, for good.
    pub(crate) fn fail_sync(&mut self, random: &mut Random) {
        self.durable = self.survivor(random);
        self.since.clear();
    }

    /// What a crash leaves of the file.
    fn survivor(&self, random: &mut Random) -> Arc<Vec<u8>> {
        if self.since.is_empty() {
            return Arc::clone(&self.durable);
        }
        let mut lengths = vec![self.durable.len()];
        for change in &self.since {
            lengths.push(change.length_after(lengths[lengths.len() - 1]));
        }
        let longest = lengths.iter().copied().max().unwrap();
        let mut content = Vec::clone(&self.durable);
        content.resize(longest, 0);
        for sector in 0..longest.div_ceil(SECTOR) {
            let range = (sector * SECTOR, longest.min((sector + 1) * SECTOR));
            if self.since.iter().any(|change| change.touches(range)) {
                self.leave_sector(&mut content, range, random);
            }
        }
        content.truncate(lengths[choice(lengths.len(), random)]);
        Arc::new(content)
    }

    fn leave_sector(&self, content: &mut [u8], (from, to): (usize, usize), random: &mut Random) {
        let n = self.since.len();
        let (n_changes, to_byte) = match random.below(20) {
            0..9 => (n, to),
            9..15 => (0, to),
            15..17 => (random.below(n + 1), to),
            17..19 => {
                for change in &self.since {
                    change.zero(content, from, to);
                }
                return;
            }
            _ => (n, from + random.below(to - from)),
        };
        for change in &self.since[..n_changes] {
            change.apply(content, from, to_byte);
        }
    }
}

impl Change {
    fn touches(&self, (from, to): (usize, usize)) -> bool {
        match self {
            Self::Write { offset, bytes } => *offset < to && from < *offset + bytes.len(),
            Self::SetLength(length) => *length < to,
        }
    }

    fn zero(&self, content: &mut [u8], from: usize, to: usize) {
        if let Self::Write { offset, bytes } = self {
            let start = from.max(*offset);
            let end = to.min(offset + bytes.len());
            if start < end {
                content[start..end].fill(0);
            }
        }
    }
}

/// One of so many moments, the last and the first more often than others.
fn choice(n: usize, random: &mut Random) -> usize {
    match random.below(10) {
        0..4 => n - 1,
        4..7 => 0,
        _ => random.below(n),
    }
}

impl Name {
    fn now(&self) -> Option<Node> {
        self.since.last().copied().unwrap_or(self.durable)
    }
}

impl Medium {
    pub(crate) fn look(&self, path: &str) -> Option<Node> {
        if path.is_empty() {
            return Some(Node::Folder);
        }
        self.names.get(path)?.now()
    }

    pub(crate) fn set(&mut self, path: &str, node: Option<Node>) {
        let name = self.names.entry(path.into()).or_default();
        name.since.push(node);
    }

    /// The names in a folder and what they are, in order.
    pub(crate) fn list(&self, folder: &str) -> Vec<(&str, Node)> {
        let names = self.names.iter().filter_map(|(path, name)| {
            let (parent, own) = split(path);
            (parent == folder).then(|| Some((own, name.now()?)))?
        });
        names.collect()
    }

    pub(crate) fn sync_folder(&mut self, folder: &str) {
        for (path, name) in &mut self.names {
            if split(path).0 == folder {
                name.durable = name.now();
                name.since.clear();
            }
        }
    }

    /// What a crash leaves, durable from now on.
    pub(crate) fn crash(&self, random: &mut Random) -> Self {
        let mut left = Self::default();
        for (path, name) in &self.names {
            let moment = match name.since.len() {
                0 => 0,
                n => choice(n + 1, random),
            };
            let node = match moment {
                0 => name.durable,
                n => name.since[n - 1],
            };
            let parent = split(path).0;
            let Some(node) = node.filter(|_| left.look(parent) == Some(Node::Folder)) else {
                continue;
            };
            let node = match node {
                Node::Folder => node,
                Node::File(number) => {
                    let content = self.files[number].survivor(random);
                    left.files.push(File {
                        durable: Arc::clone(&content),
                        now: content,
                        since: Vec::new(),
                    });
                    Node::File(left.files.len() - 1)
                }
            };
            let name = Name {
                durable: Some(node),
                since: Vec::new(),
            };
            left.names.insert(Arc::clone(path), name);
        }
        left
    }

    /// Every file that can be read, with its content.
    pub(crate) fn contents(&self) -> Vec<(Arc<str>, Arc<Vec<u8>>)> {
        let files = self
            .names
            .iter()
            .filter_map(|(path, name)| match name.now()? {
                Node::File(number) => Some((Arc::clone(path), Arc::clone(&self.files[number].now))),
                Node::Folder => None,
            });
        files.collect()
    }

    /// A medium on which these files are durable.
    pub(crate) fn of(contents: &[(Arc<str>, Arc<Vec<u8>>)]) -> Self {
        let mut medium = Self::default();
        for (path, content) in contents {
            let mut folder = String::new();
            for part in split(path).0.split('/').filter(|part| !part.is_empty()) {
                folder = if folder.is_empty() {
                    part.to_owned()
                } else {
                    format!("{folder}/{part}")
                };
                medium.insert(&folder, Node::Folder);
            }
            medium.files.push(File {
                durable: Arc::clone(content),
                now: Arc::clone(content),
                since: Vec::new(),
            });
            let node = Node::File(medium.files.len() - 1);
            medium.insert(path, node);
        }
        medium
    }

    fn insert(&mut self, path: &str, node: Node) {
        let name = Name {
            durable: Some(node),
            since: Vec::new(),
        };
        self.names.insert(path.into(), name);
    }
}

/// The folder of a path, and the name in it.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
