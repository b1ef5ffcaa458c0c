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
        lay_out(storage, &origin)?;
        let opened = Event {
            at,
            by: by.clone(),
            what: LedgerOpened {
                origin: origin.clone(),
            }
            .into(),
        };
        let opened = Verified::write(opened)
            .map_err(|fault| std::io::Error::new(std::io::ErrorKind::InvalidInput, fault))?;
        let (mut writer, _) = Writer::open(storage, at, &by).map_err(CreateError)?;
        receipt = Some(writer.append(&[opened]).map_err(CreateError)?);
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

struct CreateError(LedgerError);

impl From<std::io::Error> for CreateError {
    fn from(error: std::io::Error) -> Self {
        Self(LedgerError::io("make", "the new ledger")(error))
    }
}

/// Writes the files of a ledger without events.
pub(crate) fn lay_out(storage: &dyn Storage, origin: &Origin) -> Result<(), std::io::Error> {
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
