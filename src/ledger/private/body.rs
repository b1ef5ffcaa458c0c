use std::io;

use zeroize::Zeroizing;

use crate::digest::Digest;
use crate::event::{BodyRole, EventId, PrivateBody};
use crate::ledger::private::key::UnitKey;
use crate::ledger::private::packs::Packs;
use crate::ledger::private::sealed;
use crate::ledger::private::store::{BODY_BYTES_MAX, SMALL_BYTES_MAX, body_path, key_path};
use crate::ledger::storage::absence;
use crate::ledger::{LedgerError, Storage};

/// Why a private body cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BodyFault {
    /// Its file is not there.
    #[error("the sealed body is not in this copy's private store")]
    Absent,
    /// The key of its unit is not there.
    #[error("the key that opens it is not in this copy's private store")]
    NoKey,
    /// The key is not as it was made.
    #[error("the key has been changed; restore it from a backup")]
    KeyChanged,
    /// The sealed body is not the one that the event names.
    #[error("the sealed body has been changed: it has another digest than the event names")]
    Changed,
    /// The key is whole and does not open it.
    #[error("the key of its game does not open it")]
    Unopened,
    /// The system says no.
    #[error("cannot read it: {0}")]
    Io(io::Error),
}

fn reading(absent: BodyFault, changed: BodyFault) -> impl FnOnce(io::Error) -> BodyFault {
    move |error| match absence(&error) {
        // It is there, and nobody wrote it so.
        Some(_) if error.kind() == io::ErrorKind::FileTooLarge => changed,
        Some(_) => absent,
        None => BodyFault::Io(error),
    }
}

pub(crate) fn read_key(storage: &dyn Storage, unit: &EventId) -> Result<UnitKey, BodyFault> {
    let file = storage.read(&key_path(unit), SMALL_BYTES_MAX);
    let file = Zeroizing::new(file.map_err(reading(BodyFault::NoKey, BodyFault::KeyChanged))?);
    UnitKey::parse(&file).ok_or(BodyFault::KeyChanged)
}

/// Returns the body that an event names.
///
/// # Errors
///
/// Why it cannot be read.
pub fn open_body(
    storage: &dyn Storage,
    body: &PrivateBody,
) -> Result<Zeroizing<Vec<u8>>, BodyFault> {
    let packs = Packs::open(storage).map_err(|error| BodyFault::Io(io::Error::other(error)))?;
    open_packed(storage, &packs, body)
}

/// Returns the body that an event names as [`open_body`] does, for who reads many.
///
/// # Errors
///
/// Why it cannot be read.
pub fn open_packed(
    storage: &dyn Storage,
    packs: &Packs,
    body: &PrivateBody,
) -> Result<Zeroizing<Vec<u8>>, BodyFault> {
    open_sealed(storage, packs, &body.unit, body.role, &body.sha256)
}

fn open_sealed(
    storage: &dyn Storage,
    packs: &Packs,
    unit: &EventId,
    role: BodyRole,
    sha256: &Digest,
) -> Result<Zeroizing<Vec<u8>>, BodyFault> {
    let file = match packs.read(storage, unit, sha256) {
        Some(packed) => packed,
        None => storage.read(&body_path(unit, sha256), BODY_BYTES_MAX),
    };
    let file = file.map_err(reading(BodyFault::Absent, BodyFault::Changed))?;
    if Digest::of(&file) != *sha256 {
        return Err(BodyFault::Changed);
    }
    let key = read_key(storage, unit)?;
    sealed::open(&key, unit, role, &file).ok_or(BodyFault::Unopened)
}

/// What became of a private body that an event names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyState {
    /// Here, and open with its key.
    Present,
    /// Erased, as an event says.
    Erased,
    /// Not here and not erased, although it must be; or here without its key.
    Missing,
    /// Not in this copy, which never had it.
    Withheld,
    /// Here, and not what was sealed; or its key is not what it was.
    Changed,
}

impl BodyState {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Erased => "erased",
            Self::Missing => "missing",
            Self::Withheld => "withheld",
            Self::Changed => "changed",
        }
    }

    /// Whether a copy in which a body is in this state must be mended.
    pub const fn is_bad(self) -> bool {
        match self {
            Self::Missing | Self::Changed => true,
            Self::Present | Self::Erased | Self::Withheld => false,
        }
    }
}

/// What is known of a body before anybody looks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// An event erases it.
    Erased,
    /// This copy has no private store.
    Elsewhere,
    /// It was sealed before this copy's store was made: it may be here.
    Optional,
    /// It must be here.
    Owed,
}

/// A body that was looked for.
#[derive(Debug)]
pub struct SeenBody {
    /// What became of it.
    pub state: BodyState,
    /// What it says, or why it could not be read, where it was looked for.
    pub body: Option<Result<Zeroizing<Vec<u8>>, BodyFault>>,
}

/// Looks for a body that an event names: says its state, and what it says.
///
/// # Errors
///
/// When it could not look.
pub fn see_body(
    storage: &dyn Storage,
    packs: &Packs,
    body: &PrivateBody,
    due: Due,
) -> Result<SeenBody, LedgerError> {
    see_sealed(storage, packs, &body.unit, body.role, &body.sha256, due)
}

pub(crate) fn see_sealed(
    storage: &dyn Storage,
    packs: &Packs,
    unit: &EventId,
    role: BodyRole,
    sha256: &Digest,
    due: Due,
) -> Result<SeenBody, LedgerError> {
    let unseen = |state| Ok(SeenBody { state, body: None });
    match due {
        Due::Erased => return unseen(BodyState::Erased),
        Due::Elsewhere => return unseen(BodyState::Withheld),
        Due::Optional | Due::Owed => {}
    }
    let body = match open_sealed(storage, packs, unit, role, sha256) {
        Err(BodyFault::Io(error)) => {
            return Err(LedgerError::io("read", body_path(unit, sha256))(error));
        }
        body => body,
    };
    let state = match &body {
        Ok(_) => BodyState::Present,
        Err(BodyFault::Absent) if due == Due::Optional => BodyState::Withheld,
        // A copy that has the sealed body had its key, too.
        Err(BodyFault::Absent | BodyFault::NoKey) => BodyState::Missing,
        Err(
            BodyFault::KeyChanged | BodyFault::Changed | BodyFault::Unopened | BodyFault::Io(_),
        ) => BodyState::Changed,
    };
    Ok(SeenBody {
        state,
        body: Some(body),
    })
}

/// Returns the key of one commitment, in hex. Together with the text it proves
/// to anybody what a redacted field said: the commitment is the keyed BLAKE3
/// hash, under this key, of the field's name, a zero byte and the text.
///
/// # Errors
///
/// When the key of the unit cannot be read.
pub fn opening_key(
    storage: &dyn Storage,
    body: &PrivateBody,
) -> Result<Zeroizing<String>, BodyFault> {
    let opening = read_key(storage, &body.unit)?.opening(&body.sha256);
    Ok(Zeroizing::new(Digest::new(*opening).to_string()))
}
