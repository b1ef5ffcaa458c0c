use std::io;

use crate::event::{Event, EventId, Verified};
use crate::ledger::files::list;
use crate::ledger::layout::{MAKING, PRIVATE};
use crate::ledger::private::packs::PackWriter;
use crate::ledger::private::store::{KEY, SMALL_BYTES_MAX, private_path};
use crate::ledger::{Entry, LedgerError, Mode, Receipt, Storage, Writer};

/// What an erasure did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erased {
    /// The word that the event is durable, where one was given.
    pub receipt: Option<Receipt>,
    /// How many files were destroyed, and bodies in packs overwritten.
    pub files: u64,
}

/// Erases the private bodies of a unit: appends the event that says so, then
/// destroys the key, then the sealed bodies. Killed anywhere, it is completed
/// by another call; once more changes nothing.
///
/// The event is the [`erasure`](crate::ledger::PrivateRoll::erasure) of the
/// unit, or nothing where no event names a body that is left. That the unit has
/// ended is for the caller to know.
///
/// # Errors
///
/// What the system says. The event may stand then, with files still to be
/// destroyed.
pub fn erase(
    storage: &dyn Storage,
    writer: &mut Writer<'_>,
    unit: &EventId,
    event: Option<&Verified<Event>>,
) -> Result<Erased, LedgerError> {
    erase_with(&mut PackWriter::new(storage), storage, writer, unit, event)
}

/// Erases as [`erase`] does, for who has looked through the packs before.
///
/// # Errors
///
/// As [`erase`].
pub fn erase_with(
    packs: &mut PackWriter<'_>,
    storage: &dyn Storage,
    writer: &mut Writer<'_>,
    unit: &EventId,
    event: Option<&Verified<Event>>,
) -> Result<Erased, LedgerError> {
    // What could not be completed is not begun.
    let entries = destroyable(storage, unit)?;
    packs.refuse_changed(unit)?;
    let receipt = match event {
        Some(event) => Some(writer.append(std::slice::from_ref(event))?),
        None => None,
    };
    let files = destroy(storage, unit, &entries)?;
    let packed = packs.erase(unit)?;
    Ok(Erased {
        receipt,
        files: files.saturating_add(packed),
    })
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
    for names in [&keys, &bodies] {
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
