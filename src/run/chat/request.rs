use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::run::chat::Endpoint;
use crate::run::player::Prompt;
use crate::run::prompts::{Chessbench, Message, Role};

/// A request for the next message.
#[derive(Serialize)]
struct Body<'a> {
    messages: Vec<&'a RawValue>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Returns the body of a request for the next message, as JSON.
pub(crate) fn body(endpoint: &Endpoint, prompt: &Prompt) -> String {
    Written::default().body(endpoint, prompt)
}

/// The messages of the last request, as they were written: a conversation sends them
/// all again each time.
#[derive(Default)]
pub(crate) struct Written(Vec<(Arc<Message>, Box<RawValue>)>);

impl Written {
    /// Returns the body of a request for the next message, as JSON.
    pub(crate) fn body(&mut self, endpoint: &Endpoint, prompt: &Prompt) -> String {
        let mut before = std::mem::take(&mut self.0).into_iter();
        for message in &prompt.messages {
            // Messages go and come, and keep their order.
            let known = before.as_slice().iter();
            let place = known
                .map(|(one, _)| one)
                .position(|one| Arc::ptr_eq(one, message));
            let written = match place.and_then(|place| before.nth(place)) {
                Some((_, written)) => written,
                // Texts, and what was JSON before, are always JSON.
                None => to_raw_value(&Sent::of(message)).unwrap_or_default(),
            };
            self.0.push((Arc::clone(message), written));
        }
        let body = Body {
            messages: self.0.iter().map(|(_, written)| &**written).collect(),
            rest: settings(endpoint, prompt),
        };
        serde_json::to_string(&body).unwrap_or_default()
    }
}

/// Whatever is not said but set. Parameters bear other names than what is ours.
pub(crate) fn settings(endpoint: &Endpoint, prompt: &Prompt) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(endpoint.model));
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
    body
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

/// A message as chat completions have it.
#[derive(Serialize)]
pub(crate) struct Sent<'a> {
    content: Option<&'a str>,
    /// What came as JSON goes back as it came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasoning_details: Vec<&'a RawValue>,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<SentCall<'a>>,
}

/// A tool call in a message.
#[derive(Serialize)]
struct SentCall<'a> {
    #[serde(serialize_with = "function")]
    function: (&'a str, &'a str),
    id: &'a str,
    r#type: &'static str,
}

fn function<S: Serializer>(of: &(&str, &str), serializer: S) -> Result<S::Ok, S::Error> {
    json!({ "arguments": of.1, "name": of.0 }).serialize(serializer)
}

impl<'a> Sent<'a> {
    /// What is sent of a message.
    pub(crate) fn of(message: &'a Message) -> Self {
        let calls = message.tool_calls.iter();
        let calls = calls.map(|call| SentCall {
            function: (&call.name, &call.arguments),
            id: &call.id,
            r#type: "function",
        });
        let items = message.items.iter();
        let is_silent = message.text.is_empty() && !message.tool_calls.is_empty();
        let answers = message.answers.as_deref();
        Self {
            content: (!is_silent).then_some(&message.text),
            reasoning_details: items
                .filter_map(|item| serde_json::from_str(item).ok())
                .collect(),
            role: message.role.as_str(),
            tool_call_id: answers.filter(|_| message.role == Role::Tool),
            tool_calls: calls.collect(),
        }
    }
}
