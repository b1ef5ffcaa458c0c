use serde_json::{Value, json};

use crate::event::Name;
use crate::submission::derived::question;
use crate::submission::reading::QUESTION;
use crate::submission::{Derived, Track};

/// What of a submission does not come from the ledger.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The files that are released, as the document lists them.
    pub artifacts: Vec<Value>,
    /// The program that ran the system, as the document has it.
    pub code: Value,
    /// The name.
    pub id: Name,
    /// The track.
    pub track: Track,
}

impl Draft {
    /// Returns the document that is begun: what the ledger gives with the rest, and
    /// questions.
    pub fn document(self, derived: Derived) -> Value {
        let mut document = derived.document;
        let artifacts = if self.artifacts.is_empty() {
            question("Which files are released? A list of entries with path, role and sha256.")
        } else {
            self.artifacts.into()
        };
        document["artifacts"] = artifacts;
        document["code"] = self.code;
        document["protocol"]["track"] = json!(self.track);
        document["submission_id"] = json!(self.id);
        if self.track == Track::Architecture {
            document["baseline"] = json!({
                "amount": question("How much of it may both use? A number."),
                "matched_on": question("What may both use equally much of? calls_per_move, nodes_per_move, time_ms_per_move or tokens_per_move."),
                "submission_id": question("Which submission is the baseline? Its name."),
            });
        }
        document
    }

    /// Returns a question in the place of a value.
    pub fn question(text: &str) -> Value {
        question(text)
    }

    /// Returns the question that each file has.
    pub fn role_question() -> Value {
        question("What is the file for? A text.")
    }

    /// How many questions of a document are open.
    pub fn n_questions(document: &Value) -> usize {
        match document {
            Value::String(text) => usize::from(text.starts_with(QUESTION)),
            Value::Array(items) => items.iter().map(Self::n_questions).sum(),
            Value::Object(members) => members.values().map(Self::n_questions).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }
}
