use std::fmt;

use serde::Serialize;

use crate::digest::Digest;

/// Where in the evidence something stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The column in the line, counted in bytes from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The id of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Digest>,
    /// The file, relative to the folder under examination.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in the file, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The byte in the file, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

impl Place {
    /// A whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Self {
            file: Some(crate::finding::visible(&file.into())),
            ..Self::default()
        }
    }

    /// An event whose file is not known or does not matter.
    pub fn event(id: Digest) -> Self {
        Self {
            event: Some(id),
            ..Self::default()
        }
    }

    /// The same place, at this line (counted from 1).
    #[must_use]
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The same place, at this column (counted in bytes from 1).
    #[must_use]
    pub fn column(mut self, column: u64) -> Self {
        self.column = Some(column);
        self
    }

    /// The same place, at this byte (counted from 0).
    #[must_use]
    pub fn offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// The same place, with the event that stands there.
    #[must_use]
    pub fn with_event(mut self, id: Digest) -> Self {
        self.event = Some(id);
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = false;
        if let Some(file) = &self.file {
            write!(f, "{file}")?;
            written = true;
        }
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
            written = true;
        }
        if let Some(offset) = self.offset {
            write!(f, "{}byte {offset}", if written { " " } else { "" })?;
            written = true;
        }
        if let Some(event) = &self.event {
            write!(f, "{}event {event}", if written { " " } else { "" })?;
            written = true;
        }
        if !written {
            f.write_str("the evidence as a whole")?;
        }
        Ok(())
    }
}
