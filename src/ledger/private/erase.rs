use crate::event::{Event, EventId, Verified};
use crate::ledger::private::erasing::Erasing;
use crate::ledger::private::packs::PackWriter;
use crate::ledger::{LedgerError, Receipt, Storage, Writer};

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
    let mut packs = PackWriter::new(storage);
    // What could not be completed is not begun.
    let erasing = Erasing::prepare(storage, *unit, packs.of_unit(unit)?)?;
    let receipt = match event {
        Some(event) => Some(writer.append(std::slice::from_ref(event))?),
        None => None,
    };
    let files = erasing.destroy(storage)?;
    packs.forget(&erasing)?;
    Ok(Erased { receipt, files })
}
