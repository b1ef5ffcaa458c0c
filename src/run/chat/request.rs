use serde_json::{Map, Value, json};

use crate::run::chat::Endpoint;
use crate::run::player::Prompt;
use crate::run::prompts::{Chessbench, Message, Role};

/// Returns the body of a request for the next message.
pub(crate) fn body(endpoint: &Endpoint, prompt: &Prompt) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(endpoint.model));
    let messages: Vec<_> = prompt.messages.iter().map(message).collect();
    body.insert("messages".to_owned(), Value::Array(messages));
    if prompt.offers_tool && endpoint.has_tools {
        // The definition is ours, and a test reads it.
        let tool: Value = serde_json::from_str(Chessbench::tool()).unwrap_or_default();
        body.insert("tools".to_owned(), json!([tool]));
    }
    if endpoint.masks_illegal && !prompt.legal.is_empty() {
        body.insert("grammar".to_owned(), json!(grammar(prompt)));
    }
    if let Some(effort) = &endpoint.reasoning_effort {
        body.insert("reasoning_effort".to_owned(), json!(effort));
    }
    body.insert("stream".to_owned(), json!(endpoint.streams));
    if endpoint.streams {
        let options = json!({ "include_usage": true });
        body.insert("stream_options".to_owned(), options);
    }
    for (name, value) in &endpoint.parameters {
        body.insert(name.clone(), value.clone());
    }
    Value::Object(body)
}

/// Returns a grammar (GBNF) of the legal moves, in the tag that they are answered in.
fn grammar(prompt: &Prompt) -> String {
    let moves = prompt.legal.iter();
    let moves: Vec<_> = moves.map(|uci| format!("\"{uci}\"")).collect();
    let moves = moves.join(" | ");
    match prompt.tag {
        Some(tag) => format!("root ::= \"<{tag}>\" ({moves}) \"</{tag}>\""),
        None => format!("root ::= {moves}"),
    }
}

/// Returns a message as chat completions have it.
pub(crate) fn message(message: &Message) -> Value {
    let mut object = Map::new();
    object.insert("role".to_owned(), json!(message.role.as_str()));
    let is_silent = message.text.is_empty() && !message.tool_calls.is_empty();
    let text = (!is_silent).then_some(&message.text);
    object.insert("content".to_owned(), json!(text));
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|call| {
            json!({
                "function": { "arguments": call.arguments, "name": call.name },
                "id": call.id, "type": "function",
            })
        });
        object.insert("tool_calls".to_owned(), calls.collect());
    }
    if let (Role::Tool, Some(answers)) = (message.role, &message.answers) {
        object.insert("tool_call_id".to_owned(), json!(answers));
    }
    if !message.items.is_empty() {
        let items = message.items.iter();
        // Each is the text of what came as JSON.
        let items = items.filter_map(|item| serde_json::from_str::<Value>(item).ok());
        object.insert("reasoning_details".to_owned(), items.collect());
    }
    Value::Object(object)
}
