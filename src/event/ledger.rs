//! The ledger speaking of itself.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{Count, read_as_text};
use crate::digest::Digest;
use crate::event::kinds::{Fact, Meaningless};

/// `ledger.opened`: the first event of every ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerOpened {
    /// The name of this ledger for ever; the first line of its checkpoints.
    pub origin: Origin,
}

impl Fact for LedgerOpened {}

/// The name of a ledger, best a schema-less URL such as
/// `example.org/chess/ledger-1`.
///
/// 1 to 200 printable ASCII characters without spaces and without `+`, so that
/// it can be the key name of a signed note (C2SP signed-note).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Origin(String);

impl Origin {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = (1..=200).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b'+');
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err("expected an origin of 1 to 200 printable ASCII characters without spaces and `+`")
        }
    }
}

read_as_text!(Origin, "the name of a ledger");

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl JsonSchema for Origin {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Origin".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^[!-*,-~]{1,200}$",
            "description": "The name of a ledger, best a schema-less URL."
        })
    }
}

/// `recovery.recorded`: an interrupted append was cleaned up on opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "properties": { "cause": { "const": "torn_head" } }, "required": ["cause"] },
    "then" = { "required": ["rolled_forward"] },
    "else" = { "properties": { "rolled_forward": false } },
))]
pub struct RecoveryRecorded {
    /// How many bytes went to quarantine.
    pub bytes: Count,
    /// What was found.
    pub cause: RecoveryCause,
    /// How many whole events behind the older head were kept. Stands with the cause `torn_head`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolled_forward: Option<Count>,
    /// The digest of the quarantined bytes, which is their file's name.
    pub sha256: Digest,
}

/// What an interrupted append left behind.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryCause {
    /// Bytes behind what the head acknowledged.
    TornTail,
    /// One slot of the head was not whole.
    TornHead,
}

impl Fact for RecoveryRecorded {
    fn check_meaning(&self) -> Result<(), Meaningless> {
        match (self.cause, self.rolled_forward) {
            (RecoveryCause::TornTail, None) | (RecoveryCause::TornHead, Some(_)) => Ok(()),
            (RecoveryCause::TornTail, Some(_)) => Err(Meaningless::new(
                "rolled_forward",
                "no `rolled_forward` beside the cause torn_tail",
                "one",
            )),
            (RecoveryCause::TornHead, None) => Err(Meaningless::new(
                "",
                "`rolled_forward` beside the cause torn_head",
                "none",
            )),
        }
    }
}
