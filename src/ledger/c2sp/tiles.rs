//! A ledger as static files that any tile client reads (C2SP tlog-tiles):
//!
//! ```text
//! checkpoint
//! tile/<level>/<number>[.p/<width>]    up to 256 hashes of 32 bytes
//! tile/entries/<number>[.p/<width>]    up to 256 lines, each behind its length
//! ```

use std::collections::BTreeSet;
use std::io;

use crate::digest::{Digest, Frontier, LeafHash, Root};
use crate::ledger::checkpoints::CHECKPOINT_BYTES_MAX;
use crate::ledger::keep::{make_folder, parent, put_file, replace_file};
use crate::ledger::layout::SEGMENT_LINES;
use crate::ledger::{Disk, LedgerError, Mode, Prover, ReadError, SignedCheckpoint, Storage};

/// Hashes in a full tile, and entries in a full bundle.
const WIDTH: usize = 256;

/// The mutable file of an export.
const CHECKPOINT: &str = "checkpoint";

/// Why there is no export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The ledger could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What stands in the target's place cannot be added to.
    #[error("{folder} cannot be added to: {why}; nothing of it was changed")]
    Target {
        /// The target.
        folder: String,
        /// Why.
        why: String,
    },
    /// The target could not be written.
    #[error("cannot write the export: {0}")]
    Io(#[from] io::Error),
}

impl From<LedgerError> for ExportError {
    fn from(error: LedgerError) -> Self {
        Self::Read(error.into())
    }
}

/// Returns the path of a tile of hashes, with its width where it is not full.
///
/// ```
/// # use scoresheet::ledger::tile_path;
/// assert_eq!(tile_path(0, 1_234_067, 256), "tile/0/x001/x234/067");
/// assert_eq!(tile_path(1, 1, 17), "tile/1/001.p/17");
/// ```
pub fn tile_path(level: u32, number: u64, width: usize) -> String {
    format!("tile/{level}/{}", numbered(number, width))
}

/// Returns the path of a bundle of entries, with its width where it is not full.
pub fn bundle_path(number: u64, width: usize) -> String {
    format!("tile/entries/{}", numbered(number, width))
}

/// The number in groups of three digits, all but the last behind an `x`.
fn numbered(number: u64, width: usize) -> String {
    let mut path = format!("{:03}", number % 1000);
    let mut rest = number / 1000;
    while rest != 0 {
        path = format!("x{:03}/{path}", rest % 1000);
        rest /= 1000;
    }
    if width < WIDTH {
        path.extend([".p/", &width.to_string()]);
    }
    path
}

/// Writes the ledger at this size into a folder; without a size, at the newest
/// stored checkpoint that is signed, or the newest one, or as it stands where
/// none is stored. Returns the checkpoint that was written.
///
/// A new folder appears complete or not at all. A folder that holds an export
/// of this ledger is added to: files that are there must be the same, and the
/// checkpoint is replaced when everything that it covers is there. Only one at a
/// time adds to a folder: another one is refused.
///
/// # Errors
///
/// When the ledger is damaged, or the folder holds something else.
pub fn export_tiles(
    ledger: &dyn Storage,
    target: &Disk,
    size: Option<u64>,
) -> Result<SignedCheckpoint, ExportError> {
    let mut prover = Prover::open(ledger)?;
    prover.check_checkpoints()?;
    let newest = prover.newest(0).map(|stored| stored.checkpoint().size);
    let size = size.or(newest).unwrap_or_else(|| prover.size());
    let checkpoint = prover.checkpoint(size)?;
    let stored = prover.stored();
    let mut signed = stored
        .iter()
        .find(|stored| *stored.checkpoint() == checkpoint)
        .map_or_else(|| SignedCheckpoint::unsigned(checkpoint), Clone::clone);
    let sizes = stored.iter().map(|stored| stored.checkpoint().size);
    let sizes: Vec<u64> = sizes.filter(|earlier| *earlier < size).collect();
    // Held to the end: of two who add at once the slower one would put its
    // smaller checkpoint in place of the other's.
    match target.try_lock() {
        Ok(Some(_lock)) => {
            let there = earlier(&mut prover, target, size)?;
            fill(&mut prover, Shelf::of(target, false), size, &sizes)?;
            if there.checkpoint() == signed.checkpoint() {
                signed = there.with(signed.note().signatures());
            }
            replace_file(target, CHECKPOINT, signed.to_string().as_bytes())
                .map_err(|error| unwritten(target, error))?;
        }
        Ok(None) => {
            let why = "another process is adding to it; wait until that ends";
            return Err(target_error(target, why));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let made = target.create_with::<ExportError>(|storage| {
                let mut shelf = fill(&mut prover, Shelf::of(storage, true), size, &sizes)?;
                shelf.put(CHECKPOINT, signed.to_string().as_bytes())?;
                shelf.sync()
            });
            made.map_err(|error| match error {
                ExportError::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    let why = "another process has just made it; export again to add to it";
                    target_error(target, why)
                }
                other => other,
            })?;
        }
        Err(error) => return Err(target_error(target, &error.to_string())),
    }
    Ok(signed)
}

/// Reads the checkpoint of an export that is to be added to.
fn earlier(
    prover: &mut Prover<'_>,
    target: &Disk,
    size: u64,
) -> Result<SignedCheckpoint, ExportError> {
    let there = target
        .read(CHECKPOINT, CHECKPOINT_BYTES_MAX)
        .map_err(|error| target_error(target, &format!("its checkpoint: {error}")))?;
    let there = SignedCheckpoint::parse(&there)
        .map_err(|fault| target_error(target, &format!("its checkpoint: {fault}")))?;
    let old = there.checkpoint();
    if size < old.size {
        let why = format!("it has {} events already, more than {size}", old.size);
        return Err(target_error(target, &why));
    }
    if prover.checkpoint(old.size)? != *old {
        let why = "its checkpoint is none of this ledger";
        return Err(target_error(target, why));
    }
    Ok(there)
}

fn target_error(target: &Disk, why: &str) -> ExportError {
    ExportError::Target {
        folder: target.describe(),
        why: why.to_owned(),
    }
}

/// Names a file of the export with its folder.
fn at(storage: &dyn Storage, path: &str) -> impl FnOnce(io::Error) -> ExportError {
    move |error| {
        let named = format!("{}/{path}: {error}", storage.describe());
        ExportError::Io(io::Error::new(error.kind(), named))
    }
}

/// Why a file of an export could not be written, which is no fault of the ledger.
fn unwritten(storage: &dyn Storage, error: LedgerError) -> ExportError {
    match error {
        LedgerError::Io { path, source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
            ExportError::Target {
                folder: storage.describe(),
                why: format!("{path} has other bytes than this ledger gives it"),
            }
        }
        LedgerError::Io { path, source, .. } => at(storage, &path)(source),
        other => other.into(),
    }
}

/// Writes all tiles and bundles of a size, and the partial ones of earlier
/// sizes that no full one replaces. Holds one segment in memory.
fn fill<'s>(
    prover: &mut Prover<'_>,
    shelf: Shelf<'s>,
    size: u64,
    earlier: &[u64],
) -> Result<Shelf<'s>, ExportError> {
    let mut tiling = Tiling {
        shelf,
        levels: Vec::new(),
        bundle: Vec::new(),
        ends: Vec::new(),
    };
    let mut left = usize::try_from(size).map_err(io::Error::other)?;
    for segment in 0..=prover.segment_of(size) {
        if left == 0 {
            break;
        }
        let lines = prover.lines(segment)?;
        for line in lines.iter().take(left) {
            tiling.take(line)?;
        }
        left = left.saturating_sub(lines.len());
    }
    for size in earlier.iter().chain([&size]) {
        tiling.put_partial(*size)?;
    }
    Ok(tiling.shelf)
}

/// The right edge of a tiled tree.
struct Tiling<'a> {
    shelf: Shelf<'a>,
    levels: Vec<Level>,
    /// The entries since the last full bundle, and where each of them ends.
    bundle: Vec<u8>,
    ends: Vec<usize>,
}

/// The tile of a level that is not full yet.
#[derive(Default)]
struct Level {
    number: u64,
    hashes: Vec<Root>,
}

impl Tiling<'_> {
    fn take(&mut self, line: &[u8]) -> Result<(), ExportError> {
        let length = u16::try_from(line.len()).map_err(io::Error::other)?;
        self.bundle.extend(length.to_be_bytes());
        self.bundle.extend(line);
        self.ends.push(self.bundle.len());
        if self.ends.len() == WIDTH {
            let number = self.levels.first().map_or(0, |level| level.number);
            self.shelf.put(&bundle_path(number, WIDTH), &self.bundle)?;
            self.bundle.clear();
            self.ends.clear();
        }
        let mut hash = *LeafHash::of(line).digest();
        for level in 0.. {
            match self.push(level, hash)? {
                Some(above) => hash = above,
                None => break,
            }
        }
        Ok(())
    }

    /// Adds a hash to a level; returns the hash of the tile that it filled.
    fn push(&mut self, level: usize, hash: Root) -> Result<Option<Root>, ExportError> {
        if self.levels.len() == level {
            self.levels.push(Level::default());
        }
        let Some(tile) = self.levels.get_mut(level) else {
            return Ok(None);
        };
        tile.hashes.push(hash);
        if tile.hashes.len() < WIDTH {
            return Ok(None);
        }
        let path = tile_path(u32::try_from(level).unwrap_or(u32::MAX), tile.number, WIDTH);
        self.shelf.put(&path, &bytes_of(&tile.hashes))?;
        let mut tree = Frontier::default();
        tile.hashes
            .drain(..)
            .for_each(|hash| tree.push(&LeafHash::new(hash)));
        tile.number += 1;
        Ok(Some(tree.root()))
    }

    /// Writes the tiles and the bundle that are not full at this size and still
    /// are not.
    fn put_partial(&mut self, size: u64) -> Result<(), ExportError> {
        for (level, tile) in (0..).zip(&self.levels) {
            let width = size.checked_shr(8 * level).unwrap_or(0);
            let number = width >> 8;
            let width = usize::try_from(width % 256).unwrap_or(usize::MAX);
            let hashes = tile.hashes.get(..width).filter(|hashes| !hashes.is_empty());
            let Some(hashes) = hashes.filter(|_| number == tile.number) else {
                continue;
            };
            let path = tile_path(level, number, width);
            self.shelf.put(&path, &bytes_of(hashes))?;
            if let (0, Some(end)) = (level, self.ends.get(width - 1)) {
                let bundle = &self.bundle[..*end];
                self.shelf.put(&bundle_path(number, width), bundle)?;
            }
        }
        Ok(())
    }
}

fn bytes_of(hashes: &[Root]) -> Vec<u8> {
    let bytes = hashes.iter().flat_map(Digest::as_bytes);
    bytes.copied().collect()
}

/// Where the files of an export go.
struct Shelf<'a> {
    storage: &'a dyn Storage,
    /// Nobody sees the folder before it is complete.
    is_hidden: bool,
    folders: BTreeSet<String>,
}

impl<'a> Shelf<'a> {
    fn of(storage: &'a dyn Storage, is_hidden: bool) -> Self {
        Self {
            storage,
            is_hidden,
            folders: BTreeSet::new(),
        }
    }

    /// Writes a file that never changes; one that is there must be the same.
    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), ExportError> {
        self.make(parent(path))?;
        if !self.is_hidden {
            let put = put_file(self.storage, path, bytes);
            return put.map_err(|error| unwritten(self.storage, error));
        }
        self.storage
            .open(path, Mode::New)
            .and_then(|mut file| {
                file.write_all_at(0, bytes)?;
                file.sync()
            })
            .map_err(at(self.storage, path))
    }

    fn make(&mut self, folder: &str) -> Result<(), ExportError> {
        if folder.is_empty() || self.folders.contains(folder) {
            return Ok(());
        }
        self.make(parent(folder))?;
        if self.is_hidden {
            let made = self.storage.create_folder(folder);
            made.map_err(at(self.storage, folder))?;
        } else {
            let made = make_folder(self.storage, folder);
            made.map_err(|error| unwritten(self.storage, error))?;
        }
        self.folders.insert(folder.to_owned());
        Ok(())
    }

    /// Makes all names durable.
    fn sync(&self) -> Result<(), ExportError> {
        for folder in &self.folders {
            let synced = self.storage.sync_folder(folder);
            synced.map_err(at(self.storage, folder))?;
        }
        self.storage.sync_folder("").map_err(at(self.storage, ""))
    }
}

const _: () = assert!(SEGMENT_LINES.is_multiple_of(256));
