use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::digest::{Digest, LeafHash, ParseDigestError};

/// The id of an event: the RFC 6962 leaf hash of its line, SHA-256(0x00 ‖ line
/// without its newline), in lowercase hex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(Digest);

impl EventId {
    /// Returns the id of the event that stands on this line (without newline).
    pub fn of(line: &[u8]) -> Self {
        Self(*LeafHash::of(line).digest())
    }

    /// The id that is this digest.
    pub(crate) const fn from_digest(digest: Digest) -> Self {
        Self(digest)
    }

    /// The leaf hash that the id is.
    pub const fn leaf(&self) -> LeafHash {
        LeafHash::new(self.0)
    }

    /// The digest.
    pub const fn digest(&self) -> &Digest {
        &self.0
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.short())
    }
}

impl FromStr for EventId {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        text.parse().map(Self)
    }
}

impl schemars::JsonSchema for EventId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EventId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "The id of an event that stands earlier in the ledger."
        })
    }
}
