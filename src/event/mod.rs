//! What a fact looks like: the envelope, one file a family of kinds, and the
//! proof that a line is one.
//!
//! An event is a past-tense fact. It carries what happened and never what
//! follows from it: no rating, rank or total. Its id is the RFC 6962 leaf hash
//! of its line, so two facts never share a line, and an event can only name
//! events that were written before it.
//!
//! This room says what a line must be. It reads no file and knows nothing of
//! the state that earlier events have led to.

mod envelope;
mod id;
mod kinds;
mod line;
mod name;
mod reference;
mod schema;

mod analysis;
mod anchored;
mod call;
mod claim;
mod correction;
mod dataset;
mod decision;
mod era;
mod game;
mod generator;
mod governance;
mod import;
mod imported;
mod imported_calls;
mod ledger;
mod money;
mod oracle;
mod player;
mod position;
mod private;
mod protocol;
mod puzzle;
mod schedule;
mod sent_call;
mod status;
mod superseding;
mod system;
mod turn;
mod waiver;
mod work;

pub use analysis::{MeasuredLine, PositionMeasured, TablebaseProbed, Wdl};
pub use anchored::{
    AdjudicationRule, AnchorBasis, AnchorRegistered, AnchoredRule, GradingRule, Stretch,
};
pub use call::{
    CallAnswered, CallFailed, CallFailure, CallTime, EngineReport, ReportedScore, SubCall, Tokens,
};
pub use claim::{ClaimFigure, ClaimKind, ClaimRecorded, ClaimReviewed, ClaimVerdict, EndpointRef};
pub use correction::{CorrectionChange, CorrectionRecorded};
pub use dataset::{DatasetPuzzle, DatasetRegistered, PUZZLE_PLIES_MAX, PuzzleCell, Tactic};
pub(crate) use dataset::{PUZZLE_ID_IN_WORDS, is_puzzle_id};
pub use decision::{DecisionRecorded, DeviationRecorded};
pub use envelope::{By, Event};
pub use era::{DrawMade, Eligible, EraClosed, EraSeed, EraStarted, LostSeed};
pub use game::{
    AbortCause, Billing, CellRef, GameAborted, GameFinished, GameStarted, Opening, Seats, Stage,
    Start,
};
pub use generator::GeneratorRef;
pub use governance::{CheckpointRef, CohortFrozen, FreezeLabel, ReleasePublished};
pub use id::EventId;
pub use import::{GameSkipped, ImportFinished, ImportStarted, SkipReason};
pub use imported::{
    EndingClass, GameImported, ImportFault, ImportFaultKind, ImportedEnding, ImportedRejection,
    ImportedRemark, ImportedSeat, StatedBy, StatedResult,
};
pub use imported_calls::{CallsImported, ImportedCall};
pub use kinds::{KINDS, Kind, What};
pub use ledger::{LedgerOpened, Origin, RecoveryCause, RecoveryRecorded};
pub use line::{LineFault, MAX_LINE_BYTES, Verified};
pub use money::{
    AccountObserved, BillingCorrected, CostLookedUp, CostPart, ExpenseCategory, ExpenseRecorded,
    PriceRecorded,
};
pub use name::{Name, ParseNameError};
pub use oracle::{OracleRule, ShownCandidates};
pub use player::{PlayerRegistered, SharingChanged, VideoAccess};
pub use position::{CellAnswered, ListedPosition, PositionRef, PositionsRegistered};
pub use private::{BodyRole, Commitment, PrivateBody, PrivateErased, Redaction};
pub use protocol::{
    ColorRule, Context, Conversation, EvidenceStatus, FailedRequest, FailedRequestPolicy,
    Glicko2Rule, LadderRule, Pairing, PreregistrationCommitted, PromptIdentity, ProtocolPublished,
    StartRule,
};
pub use puzzle::{LINE_MOVES_MAX, PuzzleAnswered, ReplyForm};
pub use reference::Reference;
pub use schedule::{AnchorLadder, AnchorSeat, CellStart, ScheduleCommitted, ScheduleRule};
pub(crate) use schema::NULL_IS_SAID;
pub use schema::{document_schema_file, identified_schema_file, schema, schema_file};
pub use sent_call::{CallSent, PuzzleRef};
pub use status::{SystemPaused, SystemRestored, SystemResumed, SystemRetired, SystemWithdrawn};
pub use superseding::{SUPERSEDED_FIELDS, SupersededField, tokens_in_words};
pub use system::{
    Assistance, AssistanceKind, BaselineIdentity, EngineIdentity, FileIdentity, LEVEL_OPTION,
    ModelIdentity, NamedValue, ProgramIdentity, RandomIdentity, ScriptedIdentity, SearchLimit,
    SystemRegistered,
};
pub use turn::{MoveAccepted, MoveRejected};
pub use waiver::WaiverRecorded;
pub use work::{StopReason, WorkerStarted, WorkerStopped};
