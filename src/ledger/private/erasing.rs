use std::io;

use crate::event::EventId;
use crate::ledger::files::list;
use crate::ledger::layout::{MAKING, PRIVATE};
use crate::ledger::private::packs::PackedBodies;
use crate::ledger::private::store::{KEY, SMALL_BYTES_MAX, private_path};
use crate::ledger::{Entry, LedgerError, Mode, Storage};

/// All that is private of a unit, looked through and found to be its own: what
/// an erasure destroys.
///
/// It may be prepared and destroyed on another thread than that of the writer,
/// beside bodies of other units that are added to the same packs. The event that
/// says so is appended between the two.
#[derive(Debug)]
pub struct Erasing {
    unit: EventId,
    entries: Vec<Entry>,
    packed: PackedBodies,
}

impl Erasing {
    /// Looks through everything that is to be destroyed.
    ///
    /// # Errors
    ///
    /// What would destroy more, or less, than the bodies of the unit, or what the
    /// system says.
    pub fn prepare(
        storage: &dyn Storage,
        unit: EventId,
        packed: PackedBodies,
    ) -> Result<Self, LedgerError> {
        let entries = destroyable(storage, &unit)?;
        packed.refuse_changed(storage)?;
        Ok(Self {
            unit,
            entries,
            packed,
        })
    }

    /// Destroys the key, then the sealed bodies. Killed anywhere, it is completed
    /// by another call; once more changes nothing. Returns how many files and packed
    /// bodies there were.
    ///
    /// # Errors
    ///
    /// What the system says, with something still to be destroyed.
    pub fn destroy(&self, storage: &dyn Storage) -> Result<u64, LedgerError> {
        let files = destroy(storage, &self.unit, &self.entries)?;
        let packed = self.packed.overwrite(storage)?;
        Ok(files.saturating_add(packed))
    }

    /// The unit.
    pub const fn unit(&self) -> &EventId {
        &self.unit
    }

    pub(crate) const fn packed(&self) -> &PackedBodies {
        &self.packed
    }
}

/// What stands in the folder of a unit. Nothing but files with one name: what
/// else stands there is somebody else's, and erasing it would destroy more, or
/// less, than the bodies of this unit.
fn destroyable(storage: &dyn Storage, unit: &EventId) -> Result<Vec<Entry>, LedgerError> {
    let folder = private_path(unit);
    let refuse = |path: &str, why: &str| {
        let why = io::Error::new(io::ErrorKind::InvalidInput, why);
        Err(LedgerError::io("erase", path)(why))
    };
    let name = unit.to_string();
    let units = list(storage, PRIVATE)?;
    let Some(place) = units.iter().find(|entry| entry.name == name) else {
        return Ok(Vec::new());
    };
    if !place.is_folder {
        return refuse(
            &folder,
            "it is no folder of its own but a link or a file; remove it first",
        );
    }
    let entries = list(storage, &folder)?;
    for entry in &entries {
        let path = format!("{folder}/{}", entry.name);
        if !entry.is_file || entry.name.contains(char::REPLACEMENT_CHARACTER) {
            return refuse(&path, "it is no file of the store; move it elsewhere first");
        }
        let file = storage.open(&path, Mode::Read);
        let file = file.map_err(LedgerError::io("open", &path))?;
        if !file
            .has_one_name()
            .map_err(LedgerError::io("look at", &path))?
        {
            return refuse(
                &path,
                "it has another name (a hard link) that would keep it; remove that first",
            );
        }
    }
    Ok(entries)
}

/// Destroys whatever stands in the folder of a unit, what may hold its key
/// first: without it the rest is noise. Returns how many files there were.
fn destroy(storage: &dyn Storage, unit: &EventId, entries: &[Entry]) -> Result<u64, LedgerError> {
    let folder = private_path(unit);
    if entries.is_empty() {
        return Ok(0);
    }
    let names = entries.iter().map(|entry| entry.name.as_str());
    let (keys, bodies): (Vec<_>, Vec<_>) =
        names.partition(|name| *name == KEY || name.starts_with(MAKING));
    for name in &keys {
        let path = format!("{folder}/{name}");
        overwrite(storage, &path).map_err(LedgerError::io("overwrite", path))?;
    }
    for names in [&keys, &bodies]
        .into_iter()
        .filter(|names| !names.is_empty())
    {
        for name in names {
            let path = format!("{folder}/{name}");
            storage
                .remove(&path)
                .map_err(LedgerError::io("remove", path))?;
        }
        storage
            .sync_folder(&folder)
            .map_err(LedgerError::io("sync", &folder))?;
    }
    Ok(u64::try_from(entries.len()).unwrap_or(u64::MAX))
}

/// Overwrites a file with zeros, durably. What the disk below keeps of the old
/// bytes is out of reach from here.
pub(crate) fn overwrite(storage: &dyn Storage, path: &str) -> io::Result<()> {
    let mut file = storage.open(path, Mode::Write)?;
    // No key is longer.
    let length = file.length()?.min(SMALL_BYTES_MAX);
    let zeros = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.write_all_at(0, &zeros)?;
    file.sync()
}
