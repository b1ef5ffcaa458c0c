use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::event::document_schema_file;
use crate::run::engine_part::OptionValue;
use crate::run::file::RunFile;
use crate::run::ladder_file::LadderFile;
use crate::run::position_file::PositionFile;
use crate::run::puzzle_file::PuzzleFile;

/// The name of the schema of run files. Its number is raised when a run file that
/// was one no longer is.
pub const RUN_FILE_SCHEMA: &str = "run-file-1";

/// Returns the JSON Schema (draft 2020-12) of run files of every sort, as a file for
/// editors.
///
/// It is derived from the types that run files are read into. What it refuses is
/// refused when the file is read; what types cannot say only the reader finds.
pub fn run_file_schema() -> String {
    document_schema_file::<AnyRunFile>("Run file of scoresheet, version 1")
}

/// A run file of any sort.
struct AnyRunFile;

impl JsonSchema for AnyRunFile {
    fn schema_name() -> Cow<'static, str> {
        "AnyRunFile".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "What scoresheet run is to do: `cohort` begins a set of games of its own, `era` goes on with a ladder, `puzzles` asks models the puzzles of a dataset, `positions` asks everybody the positions of a list.",
            "oneOf": [
                generator.subschema_for::<RunFile>(),
                generator.subschema_for::<LadderFile>(),
                generator.subschema_for::<PuzzleFile>(),
                generator.subschema_for::<PositionFile>(),
            ],
        })
    }
}

impl JsonSchema for OptionValue {
    fn schema_name() -> Cow<'static, str> {
        "OptionValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The value of a UCI option: a text, a whole number, or true or false.",
            "type": ["string", "integer", "boolean"],
        })
    }
}
