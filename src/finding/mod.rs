//! What is wrong with evidence, as values.
//!
//! Faulty evidence never aborts the look at the rest of it: a check returns
//! [`Finding`]s, and `Err` is kept for *could not look*. This room holds the
//! one list of all codes; it knows nothing of where findings come from.

mod code;
mod collected;
mod listed;
mod place;
mod reason;
mod release_code;
mod severity;
mod spelling;

use std::fmt;

pub use code::Code;
pub use collected::Collected;
pub use place::Place;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
pub use severity::Severity;

/// One thing that is wrong, or worth knowing, in a piece of evidence.
///
/// The texts never contain a secret or any part of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Which rule speaks.
    pub code: Code,
    /// Where.
    pub place: Place,
    /// What should have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What a person can do about it.
    pub remedy: String,
}

impl Finding {
    /// Returns a finding of this code at this place.
    pub fn new(
        code: Code,
        place: Place,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            code,
            place,
            expected: visible(&expected.into()),
            found: visible(&found.into()),
            remedy: code.remedy().to_owned(),
        }
    }

    /// The same finding with a remedy that fits the case better than the
    /// code's general one.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = visible(&remedy.into());
        self
    }

    /// How much weight the finding has.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Whether the finding blocks.
    pub const fn is_blocker(&self) -> bool {
        matches!(self.severity(), Severity::Blocker)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}[{}] {}", self.severity(), self.code, self.place)?;
        writeln!(f, "  expected: {}", self.expected)?;
        writeln!(f, "  found:    {}", self.found)?;
        write!(f, "  remedy:   {}", self.remedy)
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut finding = serializer.serialize_struct("Finding", 6)?;
        finding.serialize_field("code", &self.code)?;
        finding.serialize_field("expected", &self.expected)?;
        finding.serialize_field("found", &self.found)?;
        finding.serialize_field("place", &self.place)?;
        finding.serialize_field("remedy", &self.remedy)?;
        finding.serialize_field("severity", &self.severity())?;
        finding.end()
    }
}

/// Whether any of the findings blocks.
pub fn any_blocker(findings: &[Finding]) -> bool {
    findings.iter().any(Finding::is_blocker)
}

/// How many of the findings block.
pub fn n_blockers(findings: &[Finding]) -> usize {
    findings
        .iter()
        .filter(|finding| finding.is_blocker())
        .count()
}

/// A number of things, in words: `1 event`, `2 events`.
pub fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Returns the text with control and direction-changing characters escaped, so
/// that what stands in evidence cannot forge a line of output.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let steers = c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if steers {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_bidi_characters_are_shown_escaped() {
        assert_eq!(
            visible("a\u{1b}[2K\nb\u{202e}c"),
            "a\\u{1b}[2K\\u{a}b\\u{202e}c"
        );
        assert_eq!(visible("café ♞"), "café ♞");
    }
}
