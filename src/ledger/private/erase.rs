use std::io;

use crate::event::{Event, EventId, Verified};
use crate::ledger::layout::MAKING;
use crate::ledger::private::store::{KEY, private_path};
use crate::ledger::storage::absence;
use crate::ledger::{LedgerError, Mode, Receipt, Storage, Writer};

/// What an erasure did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erased {
    /// The word that the event is durable, where one was given.
    pub receipt: Option<Receipt>,
    /// How many files were destroyed.
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
    let receipt = match event {
        Some(event) => Some(writer.append(std::slice::from_ref(event))?),
        None => None,
    };
    let files = destroy(storage, unit)?;
    Ok(Erased { receipt, files })
}

/// Destroys whatever stands in the folder of a unit, what may hold its key
/// first: without it the rest is noise. Returns how many files there were.
fn destroy(storage: &dyn Storage, unit: &EventId) -> Result<u64, LedgerError> {
    let folder = private_path(unit);
    let entries = match storage.list(&folder) {
        Ok(entries) => entries,
        Err(error) if absence(&error).is_some() => return Ok(0),
        Err(error) => return Err(LedgerError::io("list", folder)(error)),
    };
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
fn overwrite(storage: &dyn Storage, path: &str) -> io::Result<()> {
    const AT_ONCE: u64 = 1 << 16;
    let mut file = match storage.open(path, Mode::Write) {
        Ok(file) => file,
        // A link or folder has no bytes of its own.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(()),
        Err(error) => return Err(error),
    };
    let length = file.length()?;
    let mut offset = 0;
    while offset < length {
        let bytes = AT_ONCE.min(length - offset);
        let zeros = vec![0; usize::try_from(bytes).map_err(io::Error::other)?];
        file.write_all_at(offset, &zeros)?;
        offset += bytes;
    }
    file.sync()
}
