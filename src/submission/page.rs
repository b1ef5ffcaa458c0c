use std::ops::Range;

use crate::finding::{Finding, Place};

/// A text under examination, by lines.
pub struct Page {
    file: String,
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

/// A finding, with the part of the text that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// What is wrong.
    pub finding: Finding,
    /// The bytes that are wrong. Absent: it is about no part of the text.
    pub span: Option<Range<usize>>,
}

impl Page {
    /// Returns the page of a text, named as a file.
    pub fn new(file: &str, text: String) -> Self {
        let breaks = text.bytes().enumerate();
        let breaks = breaks.filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1));
        Self {
            file: file.to_owned(),
            lines: lines.collect(),
            text,
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file as a place.
    pub fn whole(&self) -> Place {
        Place::file(&self.file)
    }

    /// The place of a byte.
    pub fn place(&self, at: usize) -> Place {
        let line = self.line_of(at);
        let column = at - self.lines.get(line).copied().unwrap_or_default();
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX).saturating_add(1);
        self.whole().line(count(line)).column(count(column))
    }

    /// Returns the line that a byte stands in, without its end: where it is in bytes.
    pub fn line(&self, at: usize) -> Range<usize> {
        let line = self.line_of(at);
        let from = self.lines.get(line).copied().unwrap_or_default();
        let until = self.lines.get(line + 1).map(|next| next - 1);
        from..until.unwrap_or(self.text.len())
    }

    fn line_of(&self, at: usize) -> usize {
        self.lines.partition_point(|begin| *begin <= at) - 1
    }

    /// Returns a finding made of the place of these bytes. Of an object or a list,
    /// the bracket that opens it is enough.
    pub(crate) fn mark(
        &self,
        span: Range<usize>,
        finding: impl FnOnce(Place) -> Finding,
    ) -> Marked {
        let is_opened = self.text[span.start..].starts_with(['{', '[']);
        let end = if is_opened { span.start + 1 } else { span.end };
        Marked {
            finding: finding(self.place(span.start)),
            span: Some(span.start..end),
        }
    }

    /// The same about the one character that a byte begins.
    pub(crate) fn mark_at(&self, at: usize, finding: impl FnOnce(Place) -> Finding) -> Marked {
        let at = self.text.floor_char_boundary(at);
        let end = self.text[at..]
            .chars()
            .next()
            .map_or(at, |c| at + c.len_utf8());
        self.mark(at..end, finding)
    }
}
