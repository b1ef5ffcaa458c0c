use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Day};
use crate::digest::Digest;
use crate::event::Name;

/// A place in an artifact that looks like a credential and is none, as the
/// specification of a release says. It holds for these bytes only, and not for
/// ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretWaiver {
    /// Where the place ends, in bytes from the start of the artifact.
    pub end: Count,
    /// The last day on which it holds, by the time of the last event of the
    /// prefix.
    pub expires: Day,
    /// The artifact.
    pub path: String,
    /// Why it is no credential, in words.
    pub reason: String,
    /// Who looked at it.
    pub reviewer: String,
    /// The rule that is to be silent.
    pub rule: Name,
    /// Who looked at it as well: a publication asks for a second reviewer where
    /// the rule knows credentials by their shape alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_reviewer: Option<String>,
    /// The digest of the artifact.
    pub sha256: Digest,
    /// Where the place starts, in bytes from the start of the artifact.
    pub start: Count,
}
