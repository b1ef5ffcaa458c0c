//! Bodies that are not public, what the public line says of them, and their end.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::kinds::{Fact, Meaningless, NOT_BLANK, check_reason};
use crate::event::{EventId, Name, Reference};

/// The kinds of event whose id may be a unit: what shares a key, and is erased
/// together.
const UNITS: &[&str] = &["game.started", "dataset.registered", "positions.registered"];

/// A private body, as the public line names it. Neither its content nor a
/// plain digest of its content stands in the ledger: a short text is guessed
/// from its digest in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "properties": { "role": { "const": "redacted" } }, "required": ["role"] },
    "then" = { "required": ["redaction"] },
    "else" = { "properties": { "redaction": false } },
))]
pub struct PrivateBody {
    /// The length of the sealed file. The body was padded before.
    pub bytes: Count,
    /// Which public text the body is the original of. Stands with the role `redacted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redaction: Option<Redaction>,
    /// What the body is.
    pub role: BodyRole,
    /// The digest of the sealed file: of the ciphertext, not of the body.
    pub sha256: Digest,
    /// The game whose key seals it, and with which it is erased.
    pub unit: EventId,
}

/// What a private body is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum BodyRole {
    /// What was sent.
    Request,
    /// What came back.
    Response,
    /// What the model thought, as far as the provider returns it.
    Reasoning,
    /// The whole text of a public field that looked like it held a credential.
    Redacted,
}

impl BodyRole {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
            Self::Reasoning => "reasoning",
            Self::Redacted => "redacted",
        }
    }
}

impl fmt::Display for BodyRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A public text that is not the whole one, because that looked like it held a
/// credential.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Redaction {
    /// What binds the writer to the original, without telling it.
    pub commitment: Commitment,
    /// The field of this event that was redacted.
    pub field: Name,
    /// The rules of the scanner that spoke, each once.
    #[schemars(length(min = 1))]
    pub rules: Vec<Name>,
}

/// A BLAKE3 hash of a text, keyed by a secret that is erased with the key of its
/// unit. Whoever has the secret can show later what the text was; nobody else
/// can so much as check a guess. No verdict rests on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Commitment(Digest);

impl Commitment {
    /// Wraps 32 bytes that are a commitment.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(Digest::new(bytes))
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl JsonSchema for Commitment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Commitment".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "A keyed BLAKE3 hash: 64 lowercase hex digits. Only who has the key can check a guess."
        })
    }
}

/// The places where bodies name their units.
pub(in crate::event) fn unit_references(
    bodies: &[PrivateBody],
) -> impl Iterator<Item = Reference<'_>> {
    bodies
        .iter()
        .map(|body| Reference::new("bodies.unit", &body.unit, UNITS))
}

/// A redaction stands with what was redacted, and with nothing else.
pub(in crate::event) fn check_bodies(bodies: &[PrivateBody]) -> Result<(), Meaningless> {
    for body in bodies {
        let (expected, found) = match (body.role, &body.redaction) {
            (BodyRole::Redacted, Some(redaction)) if redaction.rules.is_empty() => {
                ("at least one rule in `redaction`", "none")
            }
            (BodyRole::Redacted, Some(_)) => continue,
            (BodyRole::Redacted, None) => ("`redaction` beside the role redacted", "none"),
            (_, Some(_)) => ("no `redaction` beside another role than redacted", "one"),
            (_, None) => continue,
        };
        return Err(Meaningless::new("bodies", expected, found));
    }
    Ok(())
}

/// `private.erased`: the private bodies of a unit, and their key, are destroyed.
///
/// It stands before they are, so that a body that is gone is never a mystery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrivateErased {
    /// How many bodies: all that events before this one name, but for those
    /// that were erased before.
    #[schemars(extend("minimum" = 1))]
    pub bodies: Count,
    /// Why, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub reason: String,
    /// The SHA-256 over the digests of these bodies, in the order in which events
    /// name them, each in hex and followed by a newline.
    pub sha256: Digest,
    /// The game whose bodies they are.
    pub unit: EventId,
}

impl Fact for PrivateErased {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("unit", &self.unit, UNITS)]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.bodies == Count::ZERO {
            return Err(Meaningless::new("bodies", "at least one body", "0"));
        }
        check_reason(&self.reason)
    }
}
