use std::fmt;

/// Why a text is not the canonical spelling of what it should say.
///
/// `expected` and `found` name keys and shapes, never values: a value may be a
/// secret. Only `canonical` repeats the text, for whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, in bytes from 1.
    pub column: u64,
    /// What should have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// The canonical text, where the content was right and only the spelling
    /// was not.
    pub canonical: Option<String>,
}

impl Fault {
    /// Returns a fault in the content, at this column (in bytes from 1).
    pub fn new(column: u64, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            column,
            expected: expected.into(),
            found: found.into(),
            canonical: None,
        }
    }

    /// Returns a fault in the content, at this byte from 0.
    pub(in crate::canonical) fn at(
        offset: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self::new(column(offset), expected, found)
    }
}

/// The column of a byte that is counted from 0.
pub(in crate::canonical) fn column(offset: usize) -> u64 {
    u64::try_from(offset).map_or(u64::MAX, |offset| offset.saturating_add(1))
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "column {}: expected {}, found {}",
            self.column, self.expected, self.found
        )
    }
}

impl std::error::Error for Fault {}
