use std::fmt;

use crate::finding::visible;

/// Why a file is none of vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorsFault {
    /// In which section, where it is in one.
    pub section: Option<&'static str>,
    /// In which case: its id in quotes, or its number in the section, from 1.
    pub case: Option<String>,
    /// The path to the part from there: `games[2].opp_rd`, counted from 0.
    pub field: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl VectorsFault {
    pub(crate) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            expected: expected.into(),
            found: found.into(),
            ..Self::default()
        }
    }

    /// The same fault of the part that holds this one under the key or number.
    pub(crate) fn inside(self, step: impl fmt::Display) -> Self {
        let field = match self.field.as_str() {
            "" => step.to_string(),
            below if below.starts_with('[') => format!("{step}{below}"),
            below => format!("{step}.{below}"),
        };
        Self { field, ..self }
    }
}

impl fmt::Display for VectorsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let section = self.section.map(|section| format!("section {section}"));
        let case = self.case.as_ref().map(|case| format!("case {case}"));
        let field = (!self.field.is_empty()).then(|| format!("field {}", self.field));
        let place: Vec<_> = [section, case, field].into_iter().flatten().collect();
        if !place.is_empty() {
            // A place may hold a name.
            write!(f, "{}: ", visible(&place.join(", ")))?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for VectorsFault {}
