//! Sources of others: which they are, and what of them was left out.
//!
//! An imported game is one event of its own kind and no `game.started`: it was
//! played under no protocol of this ledger, so no board, rating or cohort of
//! this ledger can take it for one of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::kinds::{Fact, Meaningless, NOT_BLANK, check_text};
use crate::event::schema::Blob;
use crate::event::{EventId, ImportFault, Name, NamedValue, Reference};

/// `import.started`: a source of others begins to be read into this ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportStarted {
    /// The bytes of the source themselves, where they are few and public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Blob>")]
    pub blob: Option<Digest>,
    /// How many bytes the source has; of a folder, its files together.
    pub bytes: Count,
    /// What the source says of all its games, by its own names, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub details: Vec<NamedValue>,
    /// The format, such as `pgn`; also the name of what reads it.
    pub format: Name,
    /// The source as it was named, without the folders above it.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub name: String,
    /// The SHA-256 of the source. Of a folder it is that of its list: one line a
    /// file in the order of paths, the file's SHA-256, two blanks and its path.
    pub sha256: Digest,
    /// The version of what reads the format, raised when it reads another thing.
    #[schemars(extend("minimum" = 1))]
    pub version: Count,
}

/// `game.skipped`: a game of a source that cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameSkipped {
    /// What should have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// The source.
    pub import: EventId,
    /// The line of the source, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 1))]
    pub line: Option<Count>,
    /// The number of the game in its source, from 1.
    #[schemars(extend("minimum" = 1))]
    pub number: Count,
    /// The file in a source that is a folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Why it was skipped.
    pub reason: SkipReason,
}

/// Why a game was not imported.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The variant is none that is known here.
    Variant,
    /// It starts from no position.
    Start,
    /// It does not fit a line of the ledger.
    TooLong,
    /// Something in it looks like a credential.
    Secret,
    /// It is not in the form of its format.
    Form,
}

/// `import.finished`: the source was read to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportFinished {
    /// Calls of the games.
    pub calls: Count,
    /// Games with a contradiction.
    pub contradicted: Count,
    /// What is wrong with the source beyond single games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub faults: Vec<ImportFault>,
    /// Games with any other fault.
    pub faulty: Count,
    /// Games that were imported.
    pub games: Count,
    /// The source.
    pub import: EventId,
    /// Their moves, of both sides.
    pub plies: Count,
    /// Games that were skipped.
    pub skipped: Count,
}

/// The kind that imported games belong to.
pub(in crate::event) const STARTED: &[&str] = &["import.started"];

impl SkipReason {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Variant => "variant",
            Self::Start => "start",
            Self::TooLong => "too_long",
            Self::Secret => "secret",
            Self::Form => "form",
        }
    }
}

impl Fact for ImportStarted {
    fn blobs(&self) -> Vec<&Digest> {
        self.blob.iter().collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_text("name", "the name of a source", &self.name)?;
        check_number("version", self.version)
    }
}

impl Fact for GameSkipped {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("import", &self.import, STARTED)]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        check_number("number", self.number)?;
        self.line.map_or(Ok(()), |line| check_number("line", line))
    }
}

impl Fact for ImportFinished {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("import", &self.import, STARTED)]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        let mut lines = self.faults.iter().filter_map(|fault| fault.line);
        lines.try_for_each(|line| check_number("faults.line", line))
    }
}

/// What is counted from 1 is never 0.
pub(in crate::event) fn check_number(
    field: &'static str,
    number: Count,
) -> Result<(), Meaningless> {
    if number == Count::ZERO {
        return Err(Meaningless::new(field, "a number from 1", "0"));
    }
    Ok(())
}
