use std::fmt;

/// Why a text is not the canonical spelling of what it should say.
///
/// The texts quote names and shapes, never values: a value may be a secret.
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

    /// Returns the fault that a JSON reader reported.
    pub(crate) fn from_json(error: &serde_json::Error, text: &[u8]) -> Self {
        let message = error.to_string();
        let message = message
            .rfind(" at line ")
            .map_or(message.as_str(), |end| &message[..end]);
        let message = without_values(message);
        let (found, expected) = match message.split_once(", expected ") {
            Some((found, expected)) => (found.to_owned(), expected.to_owned()),
            None if error.is_eof() => ("the end of the text".to_owned(), message),
            None => (message, "JSON of the declared shape".to_owned()),
        };
        // The reader stops after the fault; where it counts lines, so do we.
        let line_start: usize = text
            .split_inclusive(|byte| *byte == b'\n')
            .take(error.line().saturating_sub(1))
            .map(<[u8]>::len)
            .sum();
        let column = (line_start + error.column()).clamp(1, text.len() + 1);
        Self::new(u64::try_from(column).unwrap_or(u64::MAX), expected, found)
    }
}

/// Returns a reader's message with quoted values replaced by their length.
fn without_values(message: &str) -> String {
    for kind in ["string \"", "character `", "byte array"] {
        if let Some(start) = message.find(kind) {
            let end = message.rfind(", expected").unwrap_or(message.len());
            let length = end.saturating_sub(start + kind.len() + 1);
            let word = kind.trim_end_matches(['"', '`', ' ']);
            return format!(
                "{}{word} of {length} bytes{}",
                &message[..start],
                &message[end.max(start)..]
            );
        }
    }
    message.to_owned()
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
