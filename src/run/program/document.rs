use serde_json::{Map, Value, json};

use crate::run::chat::Sent;
use crate::run::player::Request;
use crate::run::program::ProgramSpec;
use crate::run::prompts::Chessbench;

/// What the form of a request is called. It is raised when a member changes its
/// meaning or goes.
const FORMAT: &str = "scoresheet-program@1";

/// Returns what a program reads: one JSON document on one line.
pub(crate) fn document(spec: &ProgramSpec, request: &Request) -> Vec<u8> {
    let variant = if request.is_chess960 {
        "chess960"
    } else {
        "standard"
    };
    let mut members = Map::new();
    let mut say = |name: &str, value: Value| members.insert(name.to_owned(), value);
    say("format", json!(FORMAT));
    say("model", json!(spec.model));
    let unit = json!(request.game.to_string());
    match &request.place {
        Some(place) => {
            say("dataset", unit);
            say("position", json!(place.id));
        }
        None => {
            say("game", unit);
        }
    }
    say("attempt", json!(request.attempt));
    say("color", json!(request.position.side_to_move().to_string()));
    say("fen", json!(request.position.fen().to_string()));
    say("moves", json!(request.moves));
    say("variant", json!(variant));
    if let Some(start) = &request.fen {
        say("start", json!(start));
    }
    if let Some(effort) = &spec.reasoning_effort {
        say("reasoning_effort", json!(effort));
    }
    if !spec.parameters.is_empty() {
        say("parameters", json!(spec.parameters));
    }
    if let Some(prompt) = &request.prompt {
        let messages = prompt.messages.iter();
        // What came as JSON was read before, and can be again.
        let messages =
            messages.map(|message| serde_json::to_value(Sent::of(message)).unwrap_or_default());
        say("messages", messages.collect());
        if prompt.offers_tool && spec.has_tools {
            // The definition is ours, and a test reads it.
            let tool: Value = serde_json::from_str(Chessbench::tool()).unwrap_or_default();
            say("tools", json!([tool]));
        }
    }
    let mut bytes = Value::Object(members).to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}
