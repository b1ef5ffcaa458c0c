use serde_json::{Value, json};

use crate::canonical::{Count, Money};
use crate::event::{CallFailure, Tokens};
use crate::run::chat::ApiKey;
use crate::run::chat::failure::Trouble;
use crate::run::chat::request::Sent;
use crate::run::prompts::{Message, Role, ToolCall};

/// What a server said, whether it came at once or in pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Completion {
    pub(crate) id: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) finish_reason: Option<String>,
    pub(crate) text: String,
    pub(crate) refusal: Option<String>,
    pub(crate) tool_calls: Vec<ToolCall>,
    /// Items of reasoning, each as JSON text.
    pub(crate) items: Vec<String>,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) cost_usd: Option<Money>,
    /// Whether there was a choice in it.
    pub(crate) has_choice: bool,
}

impl Completion {
    /// Reads an answer that came at once.
    pub(crate) fn parse(body: &[u8]) -> Result<Self, Trouble> {
        let value: Value = serde_json::from_slice(body).map_err(|error| {
            let start = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
            let start = crate::finding::visible(&start);
            Trouble::new(
                CallFailure::Protocol,
                format!("an answer that is no JSON ({error}): {start}"),
            )
        })?;
        let mut completion = Self::default();
        completion.take(&value, "message")?;
        if completion.has_choice {
            Ok(completion)
        } else {
            Err(Trouble::new(
                CallFailure::ErrorAnswer,
                "an answer without a choice in it",
            ))
        }
    }

    /// Takes in a whole answer, or a piece of one; `part` is where the message or
    /// its piece stands.
    pub(crate) fn take(&mut self, value: &Value, part: &str) -> Result<(), Trouble> {
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            return Err(Trouble::of_error(error));
        }
        keep(&mut self.id, value, "id");
        keep(&mut self.model, value, "model");
        if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
            self.tokens = tokens(usage);
            self.cost_usd = cost(usage);
        }
        let choices = value.get("choices").and_then(Value::as_array);
        let Some(choice) = choices.and_then(|choices| choices.first()) else {
            return Ok(());
        };
        self.has_choice = true;
        if let Some(error) = choice.get("error").filter(|error| !error.is_null()) {
            return Err(Trouble::of_error(error));
        }
        keep(&mut self.finish_reason, choice, "finish_reason");
        if let Some(message) = choice.get(part) {
            self.take_message(message);
        }
        Ok(())
    }

    fn take_message(&mut self, message: &Value) {
        match message.get("content") {
            Some(Value::String(text)) => self.text.push_str(text),
            Some(Value::Array(parts)) => {
                let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
                self.text.extend(texts);
            }
            _ => {}
        }
        if let Some(Value::String(refusal)) = message.get("refusal") {
            self.refusal.get_or_insert_default().push_str(refusal);
        }
        if let Some(Value::Array(items)) = message.get("reasoning_details") {
            self.items.extend(items.iter().map(Value::to_string));
        }
        if let Some(Value::Array(calls)) = message.get("tool_calls") {
            for (place, call) in calls.iter().enumerate() {
                self.take_tool_call(place, call);
            }
        }
    }

    /// A piece of a tool call names which one it belongs to.
    fn take_tool_call(&mut self, place: usize, call: &Value) {
        /// More calls in one answer than any that means one move.
        const CALLS_MAX: usize = 64;
        let index = call.get("index").and_then(Value::as_u64);
        let index = index.map_or(place, |index| usize::try_from(index).unwrap_or(usize::MAX));
        if CALLS_MAX <= index {
            return;
        }
        while self.tool_calls.len() <= index {
            self.tool_calls.push(ToolCall {
                id: String::new(),
                name: String::new(),
                arguments: String::new(),
            });
        }
        let Some(whole) = self.tool_calls.get_mut(index) else {
            return;
        };
        let text = |value: Option<&Value>| match value {
            Some(Value::String(text)) => text.clone(),
            // Some send the arguments as an object.
            Some(object @ Value::Object(_)) => object.to_string(),
            _ => String::new(),
        };
        if whole.id.is_empty() {
            whole.id = text(call.get("id"));
        }
        let function = call.get("function");
        let member = |name: &str| text(function.and_then(|function| function.get(name)));
        if whole.name.is_empty() {
            whole.name = member("name");
        }
        whole.arguments.push_str(&member("arguments"));
    }

    /// Takes the key out of whatever a server said, now that it is put together.
    /// Returns whether it stood anywhere.
    pub(crate) fn scrub(&mut self, key: &ApiKey) -> bool {
        let heads = [&mut self.id, &mut self.model, &mut self.finish_reason];
        let heads = heads.into_iter().chain([&mut self.refusal]).flatten();
        let calls = self.tool_calls.iter_mut();
        let calls = calls.flat_map(|call| [&mut call.id, &mut call.name, &mut call.arguments]);
        let texts = heads
            .chain(calls)
            .chain(&mut self.items)
            .chain([&mut self.text]);
        // Every one of them, not up to the first.
        texts.fold(false, |is_there, text| key.scrub(text) | is_there)
    }

    /// The same answer as one that came at once, for where what came cannot be kept.
    pub(crate) fn as_body(&self) -> Vec<u8> {
        let message = self.message();
        let mut body = json!({
            "choices": [{ "finish_reason": self.finish_reason, "message": Sent::of(&message) }],
            "id": self.id,
            "model": self.model,
        });
        if let Some(tokens) = self.tokens {
            let mut usage = json!({
                "completion_tokens": tokens.completion, "prompt_tokens": tokens.prompt,
            });
            let details = [
                ("prompt_tokens_details", "cached_tokens", tokens.cached),
                (
                    "completion_tokens_details",
                    "reasoning_tokens",
                    tokens.reasoning,
                ),
            ];
            for (of, name, count) in details {
                if let Some(count) = count {
                    usage[of] = json!({ name: count });
                }
            }
            body["usage"] = usage;
        }
        if let Some(cost) = self.cost_usd {
            body["usage"]["cost"] = json!(cost.to_string());
        }
        body.to_string().into_bytes()
    }

    /// Whether the length limit ended it.
    pub(crate) fn is_cut_off(&self) -> bool {
        let reason = self.finish_reason.as_deref();
        matches!(reason, Some("length" | "max_tokens" | "model_length"))
    }

    /// Whether the provider's filter ended it: no answer of the model's.
    pub(crate) fn is_filtered(&self) -> bool {
        self.finish_reason.as_deref() == Some("content_filter")
    }

    /// The message, as it is sent back in a conversation.
    pub(crate) fn message(&self) -> Message {
        let tokens = self.tokens.and_then(|tokens| tokens.completion);
        let reasoning = self.tokens.and_then(|tokens| tokens.reasoning);
        let text = match &self.refusal {
            Some(refusal) if self.text.is_empty() => refusal.clone(),
            _ => self.text.clone(),
        };
        Message {
            tool_calls: self.tool_calls.clone(),
            items: self.items.clone(),
            // Reasoning that is not sent back takes no room.
            tokens: tokens.map(|all| {
                let dropped = if self.items.is_empty() {
                    reasoning
                } else {
                    None
                };
                all.get().saturating_sub(dropped.map_or(0, Count::get))
            }),
            ..Message::new(Role::Assistant, text)
        }
    }
}

fn keep(into: &mut Option<String>, value: &Value, name: &str) {
    if let Some(Value::String(text)) = value.get(name)
        && !text.is_empty()
    {
        *into = Some(text.clone());
    }
}

fn tokens(usage: &Value) -> Option<Tokens> {
    let count = |value: Option<&Value>| value?.as_u64().map(Count::saturating);
    let detail = |of: &str, name: &str| count(usage.get(of).and_then(|of| of.get(name)));
    let tokens = Tokens {
        cached: detail("prompt_tokens_details", "cached_tokens")
            .or_else(|| count(usage.get("prompt_cache_hit_tokens"))),
        completion: count(usage.get("completion_tokens")),
        prompt: count(usage.get("prompt_tokens")),
        reasoning: detail("completion_tokens_details", "reasoning_tokens"),
    };
    let parts = [
        tokens.cached,
        tokens.completion,
        tokens.prompt,
        tokens.reasoning,
    ];
    parts.iter().any(Option::is_some).then_some(tokens)
}

/// What the provider says the call cost, in US dollars.
fn cost(usage: &Value) -> Option<Money> {
    amount_of(usage.get("cost")?)
}

/// An amount as providers write it: a number, or a text of one.
pub(crate) fn amount_of(value: &Value) -> Option<Money> {
    let text = match value {
        // Not in powers of ten, however small it is.
        Value::Number(number) => format!("{}", number.as_f64()?),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    let money: Money = text.parse().ok()?;
    (!money.is_negative()).then_some(money)
}
