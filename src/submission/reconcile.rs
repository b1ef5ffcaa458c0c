//! What a submission says beside what its raw events give.

use serde_json::Value;

use crate::canonical::Outline;
use crate::event::EvidenceStatus;
use crate::finding::{Code, Finding};
use crate::submission::reading::QUESTION;
use crate::submission::{Derived, Marked, Reading, Submission};

/// Returns every place in which a submission says other than its raw events.
pub fn reconcile(reading: &Reading, submission: &Submission, derived: &Derived) -> Vec<Marked> {
    let said = reading.outline.as_ref().map_or(Value::Null, Outline::value);
    let mut beside = Beside {
        reading,
        marked: Vec::new(),
    };
    beside.compare("", &derived.document, &said);
    beside.endpoint(submission, derived);
    beside.status(submission, derived);
    beside.marked
}

struct Beside<'a> {
    reading: &'a Reading,
    marked: Vec<Marked>,
}

impl Beside<'_> {
    fn say(&mut self, pointer: &str, expected: &str, found: String) {
        let expected = format!("{pointer}: {expected}");
        let marked = self.reading.mark(pointer, |place| {
            Finding::new(code_of(pointer), place, expected, found)
        });
        self.marked.push(marked);
    }

    fn compare(&mut self, pointer: &str, known: &Value, said: &Value) {
        match (known, said) {
            // The status may be lower than what the events bear, and a track of
            // games may be one of architectures.
            _ if matches!(pointer, "/evidence_status" | "/protocol/track") => {}
            (Value::String(text), _) if text.starts_with(QUESTION) => {}
            (Value::Object(known), Value::Object(said)) => {
                for (key, known) in known {
                    let said = said.get(key).unwrap_or(&Value::Null);
                    self.compare(&format!("{pointer}/{key}"), known, said);
                }
            }
            (Value::Array(known), Value::Array(said)) if known.len() == said.len() => {
                for (at, (known, said)) in known.iter().zip(said).enumerate() {
                    self.compare(&format!("{pointer}/{at}"), known, said);
                }
            }
            _ if known == said => {}
            _ => self.say(pointer, &shown(known), shown(said)),
        }
    }

    /// The endpoint is one that was promised.
    fn endpoint(&mut self, submission: &Submission, derived: &Derived) {
        let endpoint = submission.results.primary.endpoint.as_str();
        let promised = &derived.endpoints;
        if 1 < promised.len() && !promised.iter().any(|one| one == endpoint) {
            let expected = format!(
                "an endpoint that was preregistered: {}",
                promised.join("; ")
            );
            self.say("/results/primary/endpoint", &expected, "another".to_owned());
        }
    }

    fn status(&mut self, submission: &Submission, derived: &Derived) {
        let (claimed, bearing) = (submission.evidence_status, &derived.bearing);
        if claimed <= bearing.status {
            return;
        }
        // What is missing for provisional evidence is the promise; what else is
        // missing says why it is not confirmatory.
        let reasons = bearing.reasons.iter();
        let most = if claimed == EvidenceStatus::Confirmatory {
            usize::MAX
        } else {
            1
        };
        let reasons: Vec<_> = reasons.take(most).map(String::as_str).collect();
        let expected = format!(
            "at most `{}`: {}",
            bearing.status.as_str(),
            reasons.join("; ")
        );
        let found = format!("`{}`", claimed.as_str());
        self.say("/evidence_status", &expected, found);
    }
}

/// The code of a difference in a part of the document.
fn code_of(pointer: &str) -> Code {
    let is_in = |part: &str| pointer.starts_with(part);
    if is_in("/evidence_status") {
        Code::SubmissionStatus
    } else if is_in("/system/observation_window") {
        Code::SubmissionWindow
    } else if is_in("/results/units") || is_in("/results/coverage") {
        Code::SubmissionCounts
    } else if is_in("/results") {
        Code::SubmissionResult
    } else if is_in("/resources") {
        Code::SubmissionResources
    } else if is_in("/evidence") {
        Code::SubmissionEvidence
    } else {
        Code::SubmissionIdentity
    }
}

/// A value as a message shows it.
fn shown(value: &Value) -> String {
    const LONGEST: usize = 120;
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if LONGEST < text.len() => format!("a string of {} bytes", text.len()),
        Value::String(text) => format!("`{text}`"),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}
