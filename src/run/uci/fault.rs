use std::fmt;
use std::process::ExitStatus;

use crate::finding::visible;
use crate::run::uci::lines::MAX_LINE_BYTES;
use crate::secret::Scanner;

/// What was going on when an engine failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// From `uci` to `uciok`.
    Handshake,
    /// From `isready` to `readyok`.
    Ready,
    /// From `position` to `bestmove`.
    Search,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Handshake => "the handshake",
            Self::Ready => "`isready`",
            Self::Search => "the search",
        })
    }
}

/// Why an engine gave no answer. Never a chess result.
///
/// Texts that the engine wrote are cut to 200 bytes and shown with their
/// control characters escaped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineFault {
    /// The operating system did not start the program.
    #[error("the engine was not started: {reason}")]
    NotStarted {
        /// What the operating system said.
        reason: String,
    },
    /// The process ended by itself.
    #[error("the engine ended during {during}: {status}")]
    Exited {
        /// Exit code or signal.
        status: ExitStatus,
        /// What it should have answered.
        during: Step,
    },
    /// The engine lives but did not answer in time. It was killed.
    #[error("no answer to {during} within {waited_ms} ms")]
    Deadline {
        /// How long it was waited for, in milliseconds; the steps before the
        /// one that failed included.
        waited_ms: u64,
        /// What it should have answered.
        during: Step,
    },
    /// The engine wrote a line that is longer than any line has to be.
    #[error("a line of more than {MAX_LINE_BYTES} bytes during {during}")]
    LineTooLong {
        /// What it should have answered.
        during: Step,
    },
    /// The engine closed its input or output and lives on.
    #[error("the engine closed its input or output during {during}")]
    PipeBroken {
        /// What it should have answered.
        during: Step,
    },
    /// An option is to be set that the engine does not have.
    #[error("the engine has no option `{name}`")]
    UnknownOption {
        /// The option as configured.
        name: String,
    },
    /// An option is to be set to a value that the engine does not take. Most
    /// engines would pass over it without a word.
    #[error("option `{name}` takes {range}, not `{value}`")]
    OptionOutOfRange {
        /// The option as configured.
        name: String,
        /// The value as configured.
        value: String,
        /// What the engine declares to take.
        range: String,
    },
    /// The caller's text would not arrive as the one line that it should be.
    /// Nothing was sent and the engine can still be asked.
    #[error("`{text}` is no text for one UCI line")]
    Unsendable {
        /// The text.
        text: String,
    },
}

impl EngineFault {
    /// Returns the class of the fault, as it stands in the ledger:
    /// `not_started` (never ready to play as configured), `exited` (died),
    /// `deadline` (alive and silent), `protocol` (alive and not speaking UCI).
    pub const fn class(&self) -> &'static str {
        match self {
            Self::NotStarted { .. }
            | Self::UnknownOption { .. }
            | Self::OptionOutOfRange { .. } => "not_started",
            Self::Exited { .. } => "exited",
            Self::Deadline { .. } => "deadline",
            Self::LineTooLong { .. } | Self::PipeBroken { .. } | Self::Unsendable { .. } => {
                "protocol"
            }
        }
    }
}

/// Returns foreign text as it may be shown and kept: escaped, at most 200 bytes.
///
/// A credential is never cut in two, because half of one no longer looks like
/// one: the text is longer then, so that whoever keeps it sees what it is.
pub(crate) fn quoted(text: &str) -> String {
    let shown = visible(text);
    let mut end = shown.floor_char_boundary(200);
    if end < shown.len() {
        for hit in Scanner::shared().scan(shown.as_bytes()) {
            if (hit.start..hit.end).contains(&end) {
                end = shown.ceil_char_boundary(hit.end);
            }
        }
    }
    shown[..end].to_owned()
}

/// Returns the text when it arrives as part of one line.
///
/// # Errors
///
/// [`EngineFault::Unsendable`] for text with control characters: a newline
/// would make the rest of it a command.
pub(crate) fn sendable(text: &str) -> Result<&str, EngineFault> {
    if text.chars().any(char::is_control) {
        return Err(EngineFault::Unsendable { text: quoted(text) });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_escaped() {
        assert_eq!(quoted("a\rb"), "a\\u{d}b");
        assert_eq!(quoted(&"♞".repeat(100)), "♞".repeat(66));
    }

    #[test]
    fn a_credential_is_never_cut_in_two() {
        let key = ["gsk", "_", &"aB3dE5gH7k".repeat(4)].concat();
        for before in 150..=210 {
            let text = format!("{} {key} and more", "x".repeat(before));
            let shown = quoted(&text);
            assert_eq!(shown.contains("gsk"), shown.contains(&key), "{before}");
        }
    }

    #[test]
    fn text_with_a_newline_is_not_sendable() {
        assert!(sendable("e2e4\nquit").is_err());
        assert_eq!(sendable("e2e4"), Ok("e2e4"));
    }
}
