//! Rating eras, and the draws of their ladder.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::kinds::{Fact, Meaningless, NOT_BLANK, check_words};
use crate::event::{EventId, Name, Reference};

/// `era.started`: from here on the ladder of a protocol chooses games.
///
/// Everyone starts afresh; the first batch of games is one cohort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EraStarted {
    /// The name, unique among eras.
    pub name: Name,
    /// The schedule of the first batch: one rating period from equal starts.
    pub placement: EventId,
    /// The protocol of every game of the era.
    pub protocol: EventId,
    /// The SHA-256 of the 32 bytes that every draw of the era is made from;
    /// `era.closed` reveals them.
    pub seed_sha256: Digest,
}

impl Fact for EraStarted {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![
            Reference::new("placement", &self.placement, &["schedule.committed"]),
            Reference::new("protocol", &self.protocol, &["protocol.published"]),
        ]
    }
}

/// `era.closed`: the ladder chooses no more games, and its seed is revealed, or
/// is said to be lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{ "required": ["seed"] }, { "required": ["seed_lost"] }]))]
pub struct EraClosed {
    /// The era.
    pub era: EventId,
    /// The 32 bytes that every draw was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<EraSeed>,
    /// That nobody has the seed any more; then there is none, and no draw of the
    /// era can ever be checked against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_lost: Option<LostSeed>,
}

/// A seed that nobody has any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LostSeed {
    /// How it was lost, in words.
    #[schemars(extend("pattern" = NOT_BLANK))]
    pub reason: String,
    /// Its SHA-256, as the start of the era has it.
    pub seed_sha256: Digest,
}

impl Fact for EraClosed {
    fn references(&self) -> Vec<Reference<'_>> {
        vec![Reference::new("era", &self.era, &["era.started"])]
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        match (&self.seed, &self.seed_lost) {
            (Some(_), None) => Ok(()),
            (None, Some(lost)) => check_words("seed_lost.reason", &lost.reason),
            (seed, _) => Err(Meaningless::new(
                "seed",
                "either `seed` or `seed_lost`",
                if seed.is_some() { "both" } else { "neither" },
            )),
        }
    }
}

/// The 256 random bits that the draws of an era are made from. Secret until
/// the era is closed.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EraSeed(Digest);

impl EraSeed {
    /// Wraps 32 random bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(Digest::new(bytes))
    }

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Returns the SHA-256 of the bytes, which commits to them.
    pub fn sha256(&self) -> Digest {
        Digest::of(self.bytes())
    }
}

impl fmt::Debug for EraSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a seed")
    }
}

impl JsonSchema for EraSeed {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EraSeed".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "32 random bytes: 64 lowercase hex digits."
        })
    }
}

/// `draw.made`: the ladder chose who plays next.
///
/// The choice is a function of the seed of the era, the number of the draw, and
/// the eligible systems as they are listed here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawMade {
    /// Who gets Black.
    pub black: EventId,
    /// Everyone who could be chosen, in the order of rank positions.
    #[schemars(length(min = 2))]
    pub eligible: Vec<Eligible>,
    /// The era.
    pub era: EventId,
    /// Which draw of the era it is, from 0.
    pub number: Count,
    /// Who was chosen first: one of those with the fewest games.
    pub picked: EventId,
    /// Who gets White.
    pub white: EventId,
}

/// A system that could be chosen. A system stands for its identity, by the
/// first registration of it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Eligible {
    /// Completed ladder and manual games in the window before the draw.
    pub games: Count,
    /// The rank position, from 1; paused systems keep theirs.
    #[schemars(extend("minimum" = 1))]
    pub position: Count,
    /// The system.
    pub system: EventId,
    /// In how many of these games it had White.
    pub whites: Count,
}

const SYSTEM: &[&str] = &["system.registered"];

impl Fact for DrawMade {
    fn references(&self) -> Vec<Reference<'_>> {
        let eligible = self.eligible.iter();
        [Reference::new("black", &self.black, SYSTEM)]
            .into_iter()
            .chain(eligible.map(|one| Reference::new("eligible.system", &one.system, SYSTEM)))
            .chain([
                Reference::new("era", &self.era, &["era.started"]),
                Reference::new("picked", &self.picked, SYSTEM),
                Reference::new("white", &self.white, SYSTEM),
            ])
            .collect()
    }

    /// The rest is held against the evidence: who was eligible, and how the
    /// choice follows from that.
    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.eligible.len() < 2 {
            return Err(Meaningless::new("eligible", "two or more systems", "fewer"));
        }
        if self.eligible.iter().any(|one| one.position == Count::ZERO) {
            let expected = "a rank position from 1";
            return Err(Meaningless::new("eligible.position", expected, "0"));
        }
        Ok(())
    }
}
