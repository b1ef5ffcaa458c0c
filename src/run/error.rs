use crate::digest::Digest;
use crate::event::{EventId, LineFault};
use crate::finding::Finding;
use crate::ledger::{LedgerError, SeedFault};

/// Why a run could not be started or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The ledger does not take events.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// What the run file asks for does not fit into an event.
    #[error("an event of this run cannot be written: {0}")]
    Line(#[from] LineFault),
    /// The engines are not those of the run file.
    #[error("expected the engines of the run file in its order ({expected}), found {found}")]
    Entrants {
        /// The names in the run file.
        expected: String,
        /// The names of those who came.
        found: String,
    },
    /// The cohort was registered under another run file.
    #[error(
        "cohort {cohort} was registered under another run file ({}); a changed file needs a cohort of its own, and the registered one is kept as that blob",
        registered.map_or_else(|| "none: a newcomer was admitted by hand".to_owned(), |file| file.to_string())
    )]
    Changed {
        /// The cohort.
        cohort: String,
        /// The digest of the run file it was registered under, where there was one.
        registered: Option<Digest>,
    },
    /// A name stands for something else already.
    #[error(
        "the name {name} stands for another {what} in this ledger ({differs}); give this one another name"
    )]
    NameTaken {
        /// The name.
        name: String,
        /// What has it.
        what: &'static str,
        /// In which parts they differ.
        differs: String,
    },
    /// There is no such dataset.
    #[error("no dataset is named {name} in this ledger; register one: scoresheet dataset puzzles")]
    NoDataset {
        /// The name.
        name: String,
    },
    /// There is no such list of positions.
    #[error(
        "no list of positions is named {name} in this ledger; register one: scoresheet dataset positions"
    )]
    NoPositions {
        /// The name.
        name: String,
    },
    /// An anchor that is said to have a fitted rating has none.
    #[error(
        "anchor {name} has no fitted rating in this ledger; fit it first: scoresheet anchor fit COHORT --register"
    )]
    Unfitted {
        /// The name.
        name: String,
    },
    /// The rungs of an anchor ladder do not rise.
    #[error(
        "anchor {high} is not rated above anchor {low}, which stands before it in the run file; the anchors of an anchor ladder are its rungs, in increasing order of rating"
    )]
    Rungs {
        /// The one before.
        low: String,
        /// The one behind it.
        high: String,
    },
    /// The models of a ladder's run file are sent something else than its era says.
    #[error(
        "the models of this file would be sent other prompts than the protocol {protocol} of the era has; say under [prompts] what the run file of the first batch says, and where that had no models, play an era of its own"
    )]
    OtherPrompts {
        /// The protocol.
        protocol: String,
    },
    /// An engine is not the one that was registered.
    #[error(
        "engine {name} is not the one that was registered: another {differs}; bring back the registered one, or give this one a cohort of its own"
    )]
    OtherEngine {
        /// The engine.
        name: String,
        /// In which parts they differ.
        differs: String,
    },
    /// The ledger contradicts itself where this run must go on.
    #[error(
        "game {game} cannot go on: {reason}; once a game.aborted is appended for it, its cell is played again"
    )]
    Stuck {
        /// The game.
        game: EventId,
        /// Why.
        reason: &'static str,
    },
    /// A part of an event that nobody can redact looks like a credential.
    #[error(
        "a {kind} of this run holds what looks like a credential ({rule}), where it cannot be left out; it was not written, because a ledger never forgets"
    )]
    Secret {
        /// What sort of event.
        kind: &'static str,
        /// The rule that speaks.
        rule: &'static str,
    },
    /// The seed of an era cannot be used.
    #[error(transparent)]
    Seed(#[from] SeedFault),
    /// No era of this name goes on.
    #[error(
        "no era {era} goes on in this ledger; start one (scoresheet era start), or name another in the run file: {open}"
    )]
    NoEra {
        /// The name.
        era: String,
        /// Those that go on, in words.
        open: String,
    },
    /// The same system is registered under another name.
    #[error(
        "engine {name} is the system that is registered as {registered}; call it that in the run file"
    )]
    Registered {
        /// The name in the run file.
        name: String,
        /// The name it has.
        registered: String,
    },
    /// Engines of the run file are not on the ladder.
    #[error(
        "not on the ladder of era {era}: {names}; --admit admits them as newcomers, who play everyone who is ranked before the ladder goes on; or leave them out of the run file"
    )]
    Newcomers {
        /// Their names.
        names: String,
        /// The era.
        era: String,
    },
    /// A newcomer cannot be admitted.
    #[error("{name} cannot be admitted to era {era}: {why}")]
    NotAdmitted {
        /// Its name.
        name: String,
        /// The era.
        era: String,
        /// Why.
        why: &'static str,
    },
    /// Somebody may not sit down now.
    #[error("{name} cannot play now: {why}")]
    NotReady {
        /// Its name.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// A manual game of somebody who is not in the run file.
    #[error(
        "the run file has no engine {}; a manual game is between two of its engines: {there}",
        missing.join(" and no engine ")
    )]
    NoPair {
        /// Who is not there.
        missing: Vec<String>,
        /// The engines there are.
        there: String,
    },
    /// A manual game of somebody against itself.
    #[error("{name} cannot play against itself; name two different engines of the run file")]
    Alone {
        /// Its name.
        name: String,
    },
    /// One identity twice in a first batch.
    #[error(
        "{one} and {other} are one identity: a ladder tells engines apart by name, net, arguments, options and search limit, and each plays its first batch once; leave one of them out"
    )]
    Twins {
        /// The name of the first.
        one: String,
        /// The name of the other.
        other: String,
    },
    /// A cassette was to answer, and does not hold what was asked.
    #[error(
        "{what}; nobody was asked instead, and its call stands in the ledger as sent: replay into a new one"
    )]
    Missed {
        /// What was asked, and what the cassette has instead.
        what: String,
    },
    /// What happened contradicts what the ledger says.
    #[error("what would be written contradicts the ledger, and was not written:\n{0}")]
    Contradiction(Box<Finding>),
}
