use std::collections::BTreeSet;
use std::ops::Range;

use crate::canonical::{self, Fault, Outline};
use crate::finding::{Code, Finding, Place, counted};
use crate::schema::{self, SchemaError, Violation, Violations};
use crate::secret::Scanner;
use crate::submission::{Marked, Page, SUBMISSION_SCHEMA, Submission};

/// The longest document, in bytes.
pub const DOCUMENT_BYTES_MAX: u64 = 8 << 20;

/// The most values in a document: a hundred thousand artifacts would fit.
const VALUES_MAX: usize = 400_000;

/// So much of a text that is none is shown behind the fault, in bytes.
const LINE_SHOWN: usize = 200;

/// What a text begins with that is no answer yet.
pub(crate) const QUESTION: &str = "? ";

/// A document as far as it can be read, and all that is wrong with its form.
pub struct Reading {
    /// The text.
    pub page: Page,
    /// Where its parts stand, where it is JSON.
    pub outline: Option<Outline>,
    /// The submission, where it has the form of one and no question is open.
    pub submission: Option<Submission>,
    /// What is wrong with the form.
    pub marked: Vec<Marked>,
}

impl Reading {
    /// Reads a document.
    ///
    /// # Errors
    ///
    /// When the schema cannot be used.
    pub fn of(file: &str, bytes: &[u8]) -> Result<Self, SchemaError> {
        let text = match decode(bytes) {
            Ok(text) => text,
            Err(fault) => {
                // Up to the fault nothing is replaced, and so places are those of the file.
                let shown = &bytes[..bytes.len().min(offset(&fault) + LINE_SHOWN)];
                let page = Page::new(file, String::from_utf8_lossy(shown).into_owned());
                let marked = page.mark_at(offset(&fault), |place| unreadable(place, &fault));
                return Ok(Self::unread(page, vec![marked]));
            }
        };
        let page = Page::new(file, text.to_owned());
        let mut marked = secrets(&page);
        let outline = match Outline::parse(text, VALUES_MAX) {
            Ok(outline) => outline,
            Err(fault) => {
                marked.push(page.mark_at(offset(&fault), |place| unreadable(place, &fault)));
                return Ok(Self::unread(page, marked));
            }
        };
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        let (faults, n_more) = outline.faults();
        for fault in faults {
            let at = offset(fault);
            taken.insert(at);
            marked.push(page.mark(at..token_end(text, at), |place| unreadable(place, fault)));
        }
        if 0 < n_more {
            let more = format!("{} more of the same", counted(n_more, "place"));
            let fault = Fault::new(1, "what no two readers would read differently", more);
            marked.push(beside(unreadable(page.whole(), &fault)));
        }
        let open = questions(&page, &outline, &mut marked);
        taken.extend(open);
        let violations = schema::check(SUBMISSION_SCHEMA, &outline.value())?;
        let misspelt = misspelt(&violations);
        for violation in &violations.shown {
            let span = span_of(&outline, violation);
            // One finding for one cause.
            let is_of_taken = taken.contains(&span.start) && violation.unexpected_key.is_none();
            let is_meant = |key: &str| misspelt.contains(&(violation.pointer.as_str(), key));
            if is_of_taken || violation.missing_key().is_some_and(is_meant) {
                continue;
            }
            marked.push(page.mark(span, |place| {
                let finding = violations.finding(violation, place);
                match violation.near() {
                    Some(word) => finding.with_remedy(format!("write `{word}`")),
                    None => finding,
                }
            }));
        }
        marked.extend(violations.hidden(&page.whole()).map(beside));
        let mut submission = None;
        if violations.is_empty() && marked.iter().all(|one| !one.finding.is_blocker()) {
            // What the schema lets pass is a submission, but for days that are none.
            match outline.read() {
                Ok(read) => submission = Some(read),
                Err(fault) => {
                    let at = offset(&fault);
                    let span = at..token_end(text, at);
                    marked.push(page.mark(span, |place| unfit(place, &fault)));
                }
            }
        }
        Ok(Self {
            page,
            outline: Some(outline),
            submission,
            marked,
        })
    }

    const fn unread(page: Page, marked: Vec<Marked>) -> Self {
        Self {
            page,
            outline: None,
            submission: None,
            marked,
        }
    }

    /// Returns a finding about the part that a JSON Pointer leads to.
    pub(crate) fn mark(&self, pointer: &str, finding: impl FnOnce(Place) -> Finding) -> Marked {
        match &self.outline {
            Some(outline) => self.page.mark(outline.span(pointer), finding),
            None => beside(finding(self.page.whole())),
        }
    }
}

/// A finding about no part of the text.
pub(crate) const fn beside(finding: Finding) -> Marked {
    Marked {
        finding,
        span: None,
    }
}

/// The text, or why it is none.
fn decode(bytes: &[u8]) -> Result<&str, Fault> {
    let bytes_max = usize::try_from(DOCUMENT_BYTES_MAX).unwrap_or(usize::MAX);
    if bytes_max < bytes.len() {
        let expected = format!("a document of at most {bytes_max} bytes");
        return Err(Fault::new(1, expected, format!("{} bytes", bytes.len())));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        let expected = "a document that begins with its first brace";
        let found = "a byte-order mark, which some editors of Windows write";
        return Err(Fault::new(1, expected, found));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Fault::new(1, "UTF-8", "UTF-16"));
    }
    canonical::utf8(bytes)
}

fn unreadable(place: Place, fault: &Fault) -> Finding {
    let code = Code::SubmissionUnreadable;
    let finding = Finding::new(code, place, fault.expected.as_str(), fault.found.as_str());
    let remedy = match fault.expected.as_str() {
        "each key once in an object" => "take one of the two out",
        "an integer" => "write a whole number; an amount of money is a text such as \"0.5\"",
        "a key in double quotes" | "a JSON value" | "`,` or `}`" | "`,` or `]`" => {
            "JSON has a comma between two entries and none behind the last, only double quotes, and no comments"
        }
        _ => return finding,
    };
    finding.with_remedy(remedy)
}

fn unfit(place: Place, fault: &Fault) -> Finding {
    let code = Code::SchemaViolation;
    Finding::new(code, place, fault.expected.as_str(), fault.found.as_str())
}

/// The byte of a fault, from 0.
fn offset(fault: &Fault) -> usize {
    usize::try_from(fault.column.saturating_sub(1)).unwrap_or(usize::MAX)
}

/// Where the number or string that begins at a byte ends.
fn token_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let length = match rest.strip_prefix('"') {
        Some(inside) => inside.find('"').map_or(rest.len(), |end| end + 2),
        None => rest
            .find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | ':'))
            .unwrap_or(rest.len()),
    };
    at + length.max(1).min(rest.len())
}

/// The bytes that depart from the schema: a key that has no business there, the
/// bracket of an object that lacks one, or a value.
fn span_of(outline: &Outline, violation: &Violation) -> Range<usize> {
    let pointer = &violation.pointer;
    match &violation.unexpected_key {
        Some(key) => outline.key_span(pointer, key),
        None => outline.span(pointer),
    }
}

/// The keys that are most likely meant by others, each with the pointer of its object.
fn misspelt(violations: &Violations) -> BTreeSet<(&str, &str)> {
    let unexpected = violations.shown.iter();
    let unexpected = unexpected.filter(|violation| violation.unexpected_key.is_some());
    unexpected
        .filter_map(|violation| Some((violation.pointer.as_str(), violation.near()?)))
        .collect()
}

/// Marks questions that are open, and returns where they begin.
fn questions(page: &Page, outline: &Outline, marked: &mut Vec<Marked>) -> Vec<usize> {
    let mut open = Vec::new();
    for (pointer, text) in outline.strings() {
        let Some(question) = text.strip_prefix(QUESTION) else {
            continue;
        };
        let span = outline.span(&pointer);
        open.push(span.start);
        if marked.len() < QUESTIONS_SHOWN {
            marked.push(page.mark(span, |place| {
                let expected = format!("{}: an answer", schema::pointer_shown(&pointer));
                let short: String = question.chars().take(150).collect();
                let remedy = format!("put the answer in its place: {short}");
                let found = "a question that is still open";
                Finding::new(Code::SubmissionOpen, place, expected, found).with_remedy(remedy)
            }));
        }
    }
    let hidden = open.len().saturating_sub(QUESTIONS_SHOWN);
    if 0 < hidden {
        let found = format!("{} more", counted(hidden, "question"));
        let whole = page.whole();
        marked.push(beside(Finding::new(
            Code::SubmissionOpen,
            whole,
            "answers",
            found,
        )));
    }
    open
}

/// So many open questions are listed.
const QUESTIONS_SHOWN: usize = 200;

/// What looks like a credential in the text.
fn secrets(page: &Page) -> Vec<Marked> {
    let hits = Scanner::shared().scan(page.text().as_bytes());
    let findings = Scanner::findings_of(&hits, &page.whole(), page.text().as_bytes());
    let found = hits.iter().zip(findings).take(QUESTIONS_SHOWN);
    found
        .map(|(hit, finding)| {
            if hit.is_unscanned() {
                return beside(finding);
            }
            // A credential can stand in the middle of characters that hide it.
            let start = page.text().floor_char_boundary(hit.start);
            let end = page.text().ceil_char_boundary(hit.end);
            page.mark(start..end, |place| Finding { place, ..finding })
        })
        .collect()
}
