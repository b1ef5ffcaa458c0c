//! What looks like a credential and is none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::Name;
use crate::event::kinds::{Fact, Meaningless, NOT_BLANK, check_reason};

/// `waiver.recorded`: somebody looked, and these bytes are no credential.
///
/// It lets one rule be silent about one place in one document, and no other. It
/// has no room for the bytes themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaiverRecorded {
    /// The byte after the last one, counted from 0.
    #[schemars(extend("minimum" = 1))]
    pub end: Count,
    /// Why it is no credential, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub reason: String,
    /// The rule of the scanner that spoke.
    pub rule: Name,
    /// The SHA-256 of the document: of the file of a blob, or of the line of an
    /// event without its newline.
    pub sha256: Digest,
    /// The first byte, counted from 0.
    pub start: Count,
}

impl Fact for WaiverRecorded {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.end == Count::ZERO {
            return Err(Meaningless::new("end", "an end from 1", "0"));
        }
        check_reason(&self.reason)
    }
}
