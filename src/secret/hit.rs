use std::ops::Range;

use crate::secret::rules::rules;

/// What stands in the place of a rule where something could not be looked at.
pub const UNSCANNABLE: &str = "unscannable";

/// Where something looks like a credential.
///
/// Holds neither the credential nor any part or digest of it: the digest of a
/// short password is guessed in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The rule that speaks, in kebab-case.
    pub rule: &'static str,
    /// The first byte of the credential.
    pub start: usize,
    /// The byte after its last one.
    pub end: usize,
    /// How many of its first bytes may be shown at most: those that all of its
    /// kind begin with.
    pub shown: usize,
    /// Whether check digits in it are right, so that it was most likely given
    /// out. Where they are wrong, or there are none, nothing follows.
    pub is_confirmed: bool,
}

impl Hit {
    /// What is in the way where a hit is one of no credential.
    pub(crate) const UNSCANNED_WHAT: &str =
        "more spellings around one another than are looked into";

    /// A hit of no credential: of bytes that not everything was looked at in.
    pub(crate) const fn unscanned(place: Range<usize>) -> Self {
        Self {
            rule: UNSCANNABLE,
            start: place.start,
            end: place.end,
            shown: 0,
            is_confirmed: false,
        }
    }

    /// Whether it says that not everything in these bytes was looked at, and not that
    /// something there looks like a credential.
    pub fn is_unscanned(&self) -> bool {
        self.rule == UNSCANNABLE
    }

    /// The rule and the excerpt, and whether check digits are right.
    pub(crate) fn described(&self, excerpt: &str) -> String {
        let confirmed = if self.is_confirmed {
            ", check digits right"
        } else {
            ""
        };
        format!("{}: {excerpt}{confirmed}", self.rule)
    }
}

/// Returns what may be shown of a hit in these bytes: the prefix that every
/// credential of its kind begins with, where there is one, and the length.
pub fn redacted_excerpt(bytes: &[u8], hit: &Hit) -> String {
    let length = hit.end - hit.start;
    if hit.shown == 0 {
        return format!("… ({length} bytes)");
    }
    let prefix = rules()
        .iter()
        .filter(|rule| rule.id == hit.rule && !rule.is_context())
        .flat_map(|rule| &rule.keywords)
        .filter(|keyword| {
            let token = bytes.get(hit.start..hit.end).unwrap_or_default();
            token.starts_with(keyword.as_bytes())
        })
        .max_by_key(|keyword| keyword.len());
    let prefix = prefix.and_then(|prefix| prefix.get(..prefix.len().min(hit.shown)));
    match prefix.filter(|prefix| !prefix.is_empty()) {
        Some(prefix) => format!("{prefix}… ({length} bytes)"),
        None => format!("… ({length} bytes)"),
    }
}
