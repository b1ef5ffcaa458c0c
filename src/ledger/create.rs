use crate::canonical::Time;
use crate::digest::empty_root;
use crate::event::{By, Event, LedgerOpened, Origin, Verified};
use crate::ledger::head::Head;
use crate::ledger::layout::{DESCRIPTION, EVENTS, HEAD, SEGMENTS, segment_path};
use crate::ledger::{Description, Disk, LedgerError, Mode, Receipt, Storage, Writer};

/// Makes a new ledger whose first event is `ledger.opened`.
///
/// The folder appears complete or not at all.
///
/// # Errors
///
/// When something stands there already, or what the system says.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the name is given to the ledger for ever"
)]
pub fn create(disk: &Disk, origin: Origin, at: Time, by: By) -> Result<Receipt, LedgerError> {
    let mut receipt = None;
    let made = disk.create_with::<CreateError>(|storage| {
        receipt = Some(create_in(storage, &origin, at, &by).map_err(CreateError)?);
        Ok(())
    });
    let folder = || disk.describe();
    match made {
        Ok(()) => receipt.ok_or(LedgerError::Poisoned),
        Err(CreateError(LedgerError::Io { source, .. }))
            if source.kind() == std::io::ErrorKind::AlreadyExists =>
        {
            Err(LedgerError::Exists { folder: folder() })
        }
        Err(CreateError(error)) => Err(error),
    }
}

/// Makes a new ledger in an empty folder. Stopped on the way it leaves a part
/// of one, which nobody takes for a ledger; [`create`] leaves nothing.
///
/// # Errors
///
/// What the storage says.
pub fn create_in(
    storage: &dyn Storage,
    origin: &Origin,
    at: Time,
    by: &By,
) -> Result<Receipt, LedgerError> {
    let opened = Event {
        at,
        by: by.clone(),
        what: LedgerOpened {
            origin: origin.clone(),
        }
        .into(),
    };
    let invalid = |fault| std::io::Error::new(std::io::ErrorKind::InvalidInput, fault);
    lay_out(storage, origin)
        .and_then(|()| Verified::write(opened).map_err(invalid))
        .map_err(LedgerError::io("make", "the new ledger"))
        .and_then(|opened| Writer::open(storage, at, by)?.0.append(&[opened]))
}

struct CreateError(LedgerError);

impl From<std::io::Error> for CreateError {
    fn from(error: std::io::Error) -> Self {
        Self(LedgerError::io("make", "the new ledger")(error))
    }
}

/// Writes the files of a ledger without events.
fn lay_out(storage: &dyn Storage, origin: &Origin) -> std::io::Result<()> {
    let empty = Head {
        sequence: 0,
        size: 0,
        root: empty_root(),
        segment: 0,
        length: 0,
    };
    let next = Head {
        sequence: 1,
        ..empty
    };
    let description = Description::new(origin.clone()).file()?;
    storage.create_folder(EVENTS)?;
    let files = [
        (DESCRIPTION.to_owned(), description),
        (segment_path(0), Vec::new()),
        (SEGMENTS.to_owned(), Vec::new()),
        (HEAD.to_owned(), Head::file(&empty, &next)),
    ];
    for (path, bytes) in files {
        let mut file = storage.open(&path, Mode::New)?;
        file.write_all_at(0, &bytes)?;
        file.sync()?;
    }
    storage.sync_folder(EVENTS)?;
    storage.sync_folder("")
}
