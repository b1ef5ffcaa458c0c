use serde::{Deserialize, Serialize};

use crate::canonical::{self, Fault};
use crate::event::Origin;

/// The format that this program reads and writes.
pub const FORMAT: &str = "scoresheet-ledger-1";

/// LEDGER.json: what sort of ledger this is. Written once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The format of the folder.
    pub format: String,
    /// The origin, as `ledger.opened` says it.
    pub origin: Origin,
}

impl Description {
    /// Describes a ledger of today's format.
    pub fn new(origin: Origin) -> Self {
        Self {
            format: FORMAT.to_owned(),
            origin,
        }
    }

    /// Returns the file: one canonical line.
    pub fn file(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut line = canonical::write(self)?;
        line.push('\n');
        Ok(line.into_bytes())
    }

    /// Reads the file.
    ///
    /// # Errors
    ///
    /// When it is not exactly one canonical line of a format that this program knows.
    pub fn parse(file: &[u8]) -> Result<Self, Fault> {
        let line = file
            .strip_suffix(b"\n")
            .ok_or_else(|| Fault::new(1, "one line with its newline", "no final newline"))?;
        let description: Self = canonical::parse(line)?;
        if description.format == FORMAT {
            Ok(description)
        } else {
            Err(Fault::new(
                1,
                format!("the format {FORMAT}"),
                "another format",
            ))
        }
    }
}
