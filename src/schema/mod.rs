//! JSON Schemas, and what in a document violates them.
//!
//! The files of `schemas/` are embedded and compiled once. A check returns
//! every violation, in document order, and says of a value only what sort it
//! is: a document under examination may hold a secret where none belongs.
//!
//! A schema knows shapes. That a line is canonical, that references lead
//! somewhere and that a position is one is found elsewhere. This is the only
//! room that names `jsonschema`, and no schema can make it read a file or a
//! network.

mod violation;

use std::sync::OnceLock;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;
pub use violation::{Violation, Violations, pointer_shown};

macro_rules! schemas {
    ($($name:literal)*) => {
        /// The names of all schemas.
        pub const NAMES: &[&str] = &[$($name,)*];

        static SCHEMAS: [Schema; NAMES.len()] = [
            $(Schema {
                name: $name,
                text: include_str!(concat!("../../schemas/", $name, ".json")),
                compiled: OnceLock::new(),
            },)*
        ];
    };
}

// A new kind begins with an empty file: the test of the files fills it when it
// blesses, and the next build embeds it.
schemas! {
    "account.observed.v1"
    "anchor.registered.v1"
    "benchmark_submission.schema"
    "billing.corrected.v1"
    "call.answered.v1"
    "call.failed.v1"
    "call.sent.v1"
    "calls.imported.v1"
    "cell.answered.v1"
    "claim.recorded.v1"
    "claim.reviewed.v1"
    "cohort.frozen.v1"
    "correction.recorded.v1"
    "cost.looked_up.v1"
    "dataset.registered.v1"
    "decision.recorded.v1"
    "deviation.recorded.v1"
    "draw.made.v1"
    "era.closed.v1"
    "era.started.v1"
    "expense.recorded.v1"
    "game.aborted.v1"
    "game.finished.v1"
    "game.imported.v1"
    "game.skipped.v1"
    "game.started.v1"
    "import.finished.v1"
    "import.started.v1"
    "ledger.opened.v1"
    "move.accepted.v1"
    "move.rejected.v1"
    "player.registered.v1"
    "position.measured.v1"
    "positions.registered.v1"
    "preregistration.committed.v1"
    "price.recorded.v1"
    "private.erased.v1"
    "protocol.published.v1"
    "publication"
    "puzzle.answered.v1"
    "recovery.recorded.v1"
    "release.published.v1"
    "run-file-1"
    "schedule.committed.v1"
    "secrets-report-1"
    "sharing.changed.v1"
    "system.paused.v1"
    "system.registered.v1"
    "system.restored.v1"
    "system.resumed.v1"
    "system.retired.v1"
    "system.withdrawn.v1"
    "tablebase.probed.v1"
    "waiver.recorded.v1"
    "worker.started.v1"
    "worker.stopped.v1"
}

/// As many violations of one document are put in order.
const FOUND_MAX: usize = 2000;

struct Schema {
    name: &'static str,
    text: &'static str,
    compiled: OnceLock<Result<Compiled, String>>,
}

struct Compiled {
    schema: Value,
    validator: Validator,
}

/// No document can be checked against this schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schema `{name}` cannot be used: {fault}")]
pub struct SchemaError {
    /// The name that was asked for.
    pub name: String,
    /// Why not.
    pub fault: String,
}

/// Returns every place in which a document departs from the schema of this
/// name: in the order of the document, one for each cause.
///
/// # Errors
///
/// When there is no such schema, or it is none.
pub fn check(name: &str, document: &Value) -> Result<Violations, SchemaError> {
    let compiled = SCHEMAS
        .iter()
        .find(|schema| schema.name == name)
        .ok_or_else(|| "there is none".to_owned())
        .and_then(Schema::compiled);
    let Compiled { schema, validator } = compiled.map_err(|fault| SchemaError {
        name: name.to_owned(),
        fault,
    })?;
    let mut found = Vec::new();
    let mut hidden = 0;
    for error in validator.iter_errors(document) {
        // What is wrong a million times is not kept a million times.
        let room = FOUND_MAX.saturating_sub(found.len());
        let (of_error, more) = Violation::all_of(&error, schema, room);
        found.extend(of_error);
        hidden += more;
    }
    Ok(Violations::new(name, found, hidden))
}

/// Returns the schema of this name as its file has it; nothing where there is none.
pub fn text(name: &str) -> Option<&'static str> {
    let mut schemas = SCHEMAS.iter();
    schemas
        .find(|schema| schema.name == name)
        .map(|schema| schema.text)
}

/// Returns the name and the text of every schema, in the order of names.
pub fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCHEMAS.iter().map(|schema| (schema.name, schema.text))
}

impl Schema {
    fn compiled(&'static self) -> Result<&'static Compiled, String> {
        let compiled = self.compiled.get_or_init(|| {
            let schema: Value = serde_json::from_str(self.text).map_err(|e| e.to_string())?;
            let validator = jsonschema::options()
                .with_draft(Draft::Draft202012)
                .with_pattern_options(PatternOptions::regex())
                .should_validate_formats(true)
                .should_ignore_unknown_formats(false)
                .offline()
                .build(&schema)
                .map_err(|error| error.to_string())?;
            Ok(Compiled { schema, validator })
        });
        compiled.as_ref().map_err(Clone::clone)
    }
}
