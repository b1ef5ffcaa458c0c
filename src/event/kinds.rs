use std::fmt;

use schemars::JsonSchema as _;
use serde::de::{self, Deserialize as _, DeserializeSeed, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::digest::Digest;
use crate::event::{
    AccountObserved, AnchorRegistered, BillingCorrected, CallAnswered, CallFailed, CallSent,
    CallsImported, CellAnswered, ClaimRecorded, ClaimReviewed, CohortFrozen, CorrectionRecorded,
    CostLookedUp, DatasetRegistered, DecisionRecorded, DeviationRecorded, DrawMade, EraClosed,
    EraStarted, ExpenseRecorded, GameAborted, GameFinished, GameImported, GameSkipped, GameStarted,
    ImportFinished, ImportStarted, LedgerOpened, MoveAccepted, MoveRejected, PlayerRegistered,
    PositionMeasured, PositionsRegistered, PreregistrationCommitted, PriceRecorded, PrivateBody,
    PrivateErased, ProtocolPublished, PuzzleAnswered, RecoveryRecorded, Reference,
    ReleasePublished, ScheduleCommitted, SharingChanged, SystemPaused, SystemRegistered,
    SystemRestored, SystemResumed, SystemRetired, SystemWithdrawn, TablebaseProbed, WaiverRecorded,
    WorkerStarted, WorkerStopped,
};

/// A kind of event and the version of its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The past-tense name, `family.happened`.
    pub name: &'static str,
    /// Raised by a removal, a renaming or a change of meaning; an added
    /// optional field keeps it.
    pub v: u32,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} v{}", self.name, self.v)
    }
}

macro_rules! kinds {
    ($($name:literal $v:literal $body:ident)*) => {
        /// What happened: one variant a kind.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum What {
            $(#[doc = concat!("`", $name, "`")] $body($body),)*
        }

        /// Every kind that can be written, in the order of DESIGN.
        pub const KINDS: &[Kind] = &[$(Kind { name: $name, v: $v },)*];

        /// The name of every kind, in the same order.
        pub(crate) const KIND_NAMES: &[&str] = &[$($name,)*];

        impl What {
            /// The kind, with its current version.
            pub const fn kind(&self) -> Kind {
                match self { $(Self::$body(_) => Kind { name: $name, v: $v },)* }
            }

            /// The place of the kind in [`KINDS`].
            pub(crate) const fn number(&self) -> usize {
                match self { $(Self::$body(_) => Number::$body as usize,)* }
            }

            /// The places where the event names earlier events, in the order of its fields.
            pub fn references(&self) -> Vec<Reference<'_>> {
                match self { $(Self::$body(body) => body.references(),)* }
            }

            /// The public blobs that the event names.
            pub fn blobs(&self) -> Vec<&Digest> {
                match self { $(Self::$body(body) => body.blobs(),)* }
            }

            /// The private bodies that the event names.
            pub fn bodies(&self) -> &[PrivateBody] {
                match self { $(Self::$body(body) => body.bodies(),)* }
            }

            /// Checks what types cannot say.
            pub(crate) fn check_meaning(&self) -> Result<(), Meaningless> {
                match self { $(Self::$body(body) => body.check_meaning(),)* }
            }
        }

        enum Number { $($body,)* }

        $(impl From<$body> for What {
            fn from(body: $body) -> Self { Self::$body(body) }
        })*

        impl Serialize for What {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$body(body) => body.serialize(serializer),)* }
            }
        }

        impl<'de> DeserializeSeed<'de> for Body {
            type Value = What;

            fn deserialize<D: Deserializer<'de>>(self, body: D) -> Result<What, D::Error> {
                match (self.0.name, self.0.v) {
                    $(($name, $v) => $body::deserialize(body).map(What::$body),)*
                    _ => Err(de::Error::custom("expected a kind that this program knows")),
                }
            }
        }

        pub(crate) fn body_schema(
            generator: &mut schemars::SchemaGenerator,
            kind: Kind,
        ) -> Option<schemars::Schema> {
            match (kind.name, kind.v) {
                $(($name, $v) => Some($body::json_schema(generator)),)*
                _ => None,
            }
        }
    };
}

kinds! {
    "ledger.opened" 1 LedgerOpened
    "recovery.recorded" 1 RecoveryRecorded
    "private.erased" 1 PrivateErased
    "waiver.recorded" 1 WaiverRecorded
    "protocol.published" 1 ProtocolPublished
    "era.started" 1 EraStarted
    "era.closed" 1 EraClosed
    "dataset.registered" 1 DatasetRegistered
    "positions.registered" 1 PositionsRegistered
    "preregistration.committed" 1 PreregistrationCommitted
    "schedule.committed" 1 ScheduleCommitted
    "draw.made" 1 DrawMade
    "price.recorded" 1 PriceRecorded
    "system.registered" 1 SystemRegistered
    "system.paused" 1 SystemPaused
    "system.resumed" 1 SystemResumed
    "system.withdrawn" 1 SystemWithdrawn
    "system.retired" 1 SystemRetired
    "system.restored" 1 SystemRestored
    "anchor.registered" 1 AnchorRegistered
    "player.registered" 1 PlayerRegistered
    "sharing.changed" 1 SharingChanged
    "game.started" 1 GameStarted
    "game.finished" 1 GameFinished
    "game.aborted" 1 GameAborted
    "move.accepted" 1 MoveAccepted
    "move.rejected" 1 MoveRejected
    "call.sent" 1 CallSent
    "call.answered" 1 CallAnswered
    "call.failed" 1 CallFailed
    "worker.started" 1 WorkerStarted
    "worker.stopped" 1 WorkerStopped
    "position.measured" 1 PositionMeasured
    "tablebase.probed" 1 TablebaseProbed
    "cell.answered" 1 CellAnswered
    "puzzle.answered" 1 PuzzleAnswered
    "expense.recorded" 1 ExpenseRecorded
    "billing.corrected" 1 BillingCorrected
    "account.observed" 1 AccountObserved
    "cost.looked_up" 1 CostLookedUp
    "correction.recorded" 1 CorrectionRecorded
    "deviation.recorded" 1 DeviationRecorded
    "cohort.frozen" 1 CohortFrozen
    "claim.recorded" 1 ClaimRecorded
    "claim.reviewed" 1 ClaimReviewed
    "decision.recorded" 1 DecisionRecorded
    "release.published" 1 ReleasePublished
    "import.started" 1 ImportStarted
    "game.imported" 1 GameImported
    "game.skipped" 1 GameSkipped
    "calls.imported" 1 CallsImported
    "import.finished" 1 ImportFinished
}

/// The pattern of a decimal that is zero or more, beside its own.
pub(crate) const NOT_NEGATIVE: &str = "^[0-9.]+$";

/// The pattern of a text that says something.
pub(crate) const NOT_BLANK: &str = r"^[\s\S]*[^ \t\r\n][\s\S]*$";

/// What cannot be taken back has a reason that says something.
pub(crate) fn check_reason(reason: &str) -> Result<(), Meaningless> {
    check_words("reason", reason)
}

/// The same for a reason in this field.
pub(crate) fn check_words(field: &'static str, reason: &str) -> Result<(), Meaningless> {
    check_text(field, "a reason, in words", reason)
}

/// A text in this field says something.
pub(crate) fn check_text(
    field: &'static str,
    expected: &'static str,
    text: &str,
) -> Result<(), Meaningless> {
    if text.contains(|c| !" \t\r\n".contains(c)) {
        Ok(())
    } else {
        Err(Meaningless::new(field, expected, "none"))
    }
}

/// A list in this field says nothing twice.
pub(crate) fn check_distinct<T: Ord>(
    field: &'static str,
    expected: &'static str,
    items: &[T],
) -> Result<(), Meaningless> {
    let distinct: std::collections::BTreeSet<_> = items.iter().collect();
    if distinct.len() == items.len() {
        Ok(())
    } else {
        Err(Meaningless::new(field, expected, "one of them twice"))
    }
}

/// What every body can say of itself beyond its types.
pub(crate) trait Fact {
    /// The places where the body names earlier events.
    fn references(&self) -> Vec<Reference<'_>> {
        Vec::new()
    }

    /// The public blobs that the body names.
    fn blobs(&self) -> Vec<&Digest> {
        Vec::new()
    }

    /// The private bodies that the body names.
    fn bodies(&self) -> &[PrivateBody] {
        &[]
    }

    /// Checks what types cannot say.
    fn check_meaning(&self) -> Result<(), Meaningless> {
        Ok(())
    }
}

/// A body of the right shape that says nothing that can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meaningless {
    /// The path below `what` of the part to look at.
    pub(crate) field: &'static str,
    pub(crate) expected: String,
    pub(crate) found: String,
}

impl Meaningless {
    pub(crate) fn new(
        field: &'static str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            field,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

/// The body of an event whose kind and version are known.
pub(crate) struct Body(pub(crate) Kind);
