use serde::Deserialize;
use serde_json::{Number, Value};

use crate::canonical::{Count, Money, Total};
use crate::event::{CallFailure, SubCall, Tokens};
use crate::run::player::Answered;
use crate::run::program::passed::{Passed, scrubbed, scrubbed_text};
use crate::run::prompts::{Message, Role, ToolCall};
use crate::run::uci::quoted;

/// What a program said, read and cleaned.
#[derive(Debug)]
pub(crate) enum Reply {
    /// An answer.
    Answer(Box<Answered>),
    /// That it has none.
    Failure(Failure),
}

/// Why there is no answer, in the program's words or in ours.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) class: CallFailure,
    pub(crate) detail: String,
    pub(crate) retry_after_ms: Option<u64>,
}

impl Failure {
    pub(crate) fn protocol(detail: impl Into<String>) -> Self {
        Self {
            class: CallFailure::Protocol,
            detail: detail.into(),
            retry_after_ms: None,
        }
    }
}

/// More requests for one move than any program needs to tell of.
const CALLS_MAX: usize = 32;

/// The reply of a program. Members that are not here are passed over.
#[derive(Deserialize)]
struct Form {
    text: Option<String>,
    #[serde(default)]
    tool_calls: Vec<ToolForm>,
    #[serde(default)]
    reasoning_details: Vec<Value>,
    usage: Option<Usage>,
    overhead: Option<Usage>,
    cost_usd: Option<Cost>,
    model: Option<String>,
    request_id: Option<String>,
    finish_reason: Option<String>,
    #[serde(default)]
    calls: Vec<CallForm>,
    error: Option<ErrorForm>,
}

#[derive(Deserialize)]
struct ToolForm {
    #[serde(default)]
    id: String,
    name: String,
    /// As text, or as it is.
    arguments: Value,
}

#[derive(Clone, Copy, Deserialize)]
struct Usage {
    prompt: Option<Count>,
    cached: Option<Count>,
    completion: Option<Count>,
    reasoning: Option<Count>,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Cost {
    Text(String),
    Number(Number),
}

#[derive(Deserialize)]
struct CallForm {
    role: String,
    model: Option<String>,
    request_id: Option<String>,
    usage: Option<Usage>,
    overhead: Option<Usage>,
    cost_usd: Option<Cost>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ErrorForm {
    Words(String),
    Kind {
        class: Option<String>,
        message: Option<String>,
        retry_after_ms: Option<u64>,
    },
}

/// Reads what a program wrote. The values of what it was passed are gone from all
/// that is returned, and from `raw`, which gets the reply as it is kept.
pub(crate) fn read(output: &[u8], passed: &[Passed], raw: &mut Vec<u8>) -> Reply {
    match parse(output, passed, raw) {
        Ok(form) => taken(form),
        Err(failure) => Reply::Failure(failure),
    }
}

/// Returns the message of a reply that was kept, and what was counted in its
/// request. Nothing where it cannot be read, which no reply that counted is.
pub(crate) fn message_of(raw: &[u8]) -> Option<(Message, Option<u64>)> {
    match read(raw, &[], &mut Vec::new()) {
        Reply::Answer(answered) => Some((answered.message?, answered.prompt_tokens)),
        Reply::Failure(_) => None,
    }
}

fn parse(output: &[u8], passed: &[Passed], raw: &mut Vec<u8>) -> Result<Form, Failure> {
    let value: Result<Value, _> = serde_json::from_slice(output);
    let mut value = value.map_err(|error| {
        *raw = scrubbed(passed, output);
        let start = String::from_utf8_lossy(raw);
        let start = start.trim();
        let found = if start.is_empty() {
            "nothing".to_owned()
        } else {
            format!("({error}) {}", quoted(start))
        };
        Failure::protocol(format!("a reply in JSON was expected, found {found}"))
    })?;
    // In JSON a value can be spelled in many ways: texts are cleaned as they read.
    clean(&mut value, passed);
    *raw = value.to_string().into_bytes();
    let form = Form::deserialize(value);
    form.map_err(|error| {
        let said = quoted(&error.to_string());
        Failure::protocol(format!("the reply is not in its form: {said}"))
    })
}

fn clean(value: &mut Value, passed: &[Passed]) {
    match value {
        Value::String(text) => *text = scrubbed_text(passed, text),
        Value::Array(values) => values.iter_mut().for_each(|value| clean(value, passed)),
        Value::Object(members) => {
            let dirty = std::mem::take(members);
            for (name, mut value) in dirty {
                clean(&mut value, passed);
                members.insert(scrubbed_text(passed, &name), value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn taken(form: Form) -> Reply {
    if let Some(error) = form.error {
        return Reply::Failure(failure(error));
    }
    match answered(form) {
        Ok(answered) => Reply::Answer(Box::new(answered)),
        Err(failure) => Reply::Failure(failure),
    }
}

fn failure(error: ErrorForm) -> Failure {
    let (class, message, retry_after_ms) = match error {
        ErrorForm::Words(message) => (None, Some(message), None),
        ErrorForm::Kind {
            class,
            message,
            retry_after_ms,
        } => (class, message, retry_after_ms),
    };
    let class = match class.as_deref() {
        Some("usage_limit") => CallFailure::UsageLimit,
        Some("rate_limited") => CallFailure::RateLimited,
        Some("moderation") => CallFailure::Moderation,
        _ => CallFailure::ErrorAnswer,
    };
    let said = message.unwrap_or_else(|| "no message".to_owned());
    Failure {
        class,
        detail: format!("the program says it failed: {}", quoted(&said)),
        retry_after_ms,
    }
}

fn answered(form: Form) -> Result<Answered, Failure> {
    if form.text.is_none() && form.tool_calls.is_empty() {
        return Err(Failure::protocol("a reply without `text` or `error`"));
    }
    if CALLS_MAX < form.calls.len() {
        return Err(Failure::protocol(format!(
            "a reply with {} `calls`; {CALLS_MAX} at most are taken",
            form.calls.len()
        )));
    }
    let finish_reason = form.finish_reason.as_deref();
    if finish_reason == Some("content_filter") {
        return Err(Failure {
            class: CallFailure::Moderation,
            ..Failure::protocol("the provider's filter ended the answer")
        });
    }
    let is_cut_off = matches!(finish_reason, Some("length" | "max_tokens"));
    let is_refusal = finish_reason == Some("refusal");
    let calls = form.calls.into_iter().map(sub_call);
    let calls = calls.collect::<Result<Vec<_>, Failure>>()?;
    let cost_usd = match form.cost_usd {
        Some(cost) => Some(money(&cost)?),
        None => sum(&calls),
    };
    let tokens = form.usage.map(Usage::tokens);
    let text = form.text.unwrap_or_default();
    let message = Message {
        tool_calls: form.tool_calls.into_iter().map(ToolForm::call).collect(),
        items: form
            .reasoning_details
            .iter()
            .map(Value::to_string)
            .collect(),
        // Reasoning that is not sent back takes no room.
        tokens: tokens.and_then(|tokens| {
            let all = tokens.completion?.get();
            Some(all.saturating_sub(tokens.reasoning.map_or(0, Count::get)))
        }),
        ..Message::new(Role::Assistant, text.clone())
    };
    let word = |text: Option<String>| text.map(|text| quoted(&text));
    Ok(Answered {
        text,
        message: Some(message),
        is_refusal,
        is_cut_off,
        prompt_tokens: tokens.and_then(|tokens| tokens.prompt).map(Count::get),
        tokens,
        overhead: form.overhead.map(Usage::tokens),
        calls,
        cost_usd,
        finish_reason: word(form.finish_reason),
        request_id: word(form.request_id),
        returned_model: word(form.model),
        ..Answered::default()
    })
}

fn sub_call(form: CallForm) -> Result<SubCall, Failure> {
    Ok(SubCall {
        cost_usd: form.cost_usd.map(|cost| money(&cost)).transpose()?,
        model: form.model.map(|text| quoted(&text)),
        overhead: form.overhead.map(Usage::tokens),
        request_id: form.request_id.map(|text| quoted(&text)),
        role: quoted(&form.role),
        tokens: form.usage.map(Usage::tokens),
    })
}

/// What the calls cost together, where each of them says what it cost.
fn sum(calls: &[SubCall]) -> Option<Money> {
    let costs: Option<Vec<_>> = calls.iter().map(|call| call.cost_usd).collect();
    let mut total = Total::default();
    for cost in costs.filter(|costs| !costs.is_empty())? {
        total += cost.into();
    }
    total.to_string().parse().ok()
}

/// Reads a cost: a text or a number of dollars, zero or more.
fn money(cost: &Cost) -> Result<Money, Failure> {
    let text = match cost {
        Cost::Text(text) => text.trim().to_owned(),
        Cost::Number(number) => number.as_f64().map_or_else(String::new, plain),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = match whole.trim_start_matches('0') {
        "" if text.starts_with('0') => "0",
        whole => whole,
    };
    let spelled = match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    };
    let money = spelled.parse::<Money>().ok();
    money.filter(|money| !money.is_negative()).ok_or_else(|| {
        Failure::protocol(format!(
            "a `cost_usd` of zero or more dollars, at most 18 digits behind the point, was expected, found {}",
            quoted(&text)
        ))
    })
}

/// The shortest text of a number, or the nearest with 18 digits behind the point.
fn plain(number: f64) -> String {
    let shortest = format!("{number}");
    let digits = shortest
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len());
    if digits <= 18 {
        shortest
    } else {
        format!("{number:.18}")
    }
}

impl Usage {
    const fn tokens(self) -> Tokens {
        Tokens {
            cached: self.cached,
            completion: self.completion,
            prompt: self.prompt,
            reasoning: self.reasoning,
        }
    }
}

impl ToolForm {
    fn call(self) -> ToolCall {
        ToolCall {
            id: self.id,
            name: self.name,
            arguments: match self.arguments {
                Value::String(text) => text,
                other => other.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(json: &str) -> Option<String> {
        let cost: Cost = serde_json::from_str(json).unwrap();
        money(&cost).ok().map(|money| money.to_string())
    }

    #[test]
    fn a_cost_is_read_as_text_or_number_and_never_below_zero() {
        for (json, expected) in [
            ("0.01", Some("0.01")),
            ("\"0.010\"", Some("0.01")),
            ("\"00.5\"", Some("0.5")),
            ("0", Some("0")),
            ("\"0.000\"", Some("0")),
            ("1e-7", Some("0.0000001")),
            ("1.2345678901234567e-5", Some("0.000012345678901235")),
            ("12", Some("12")),
            ("-0.01", None),
            ("\"free\"", None),
            ("\"\"", None),
            ("1e12", None),
        ] {
            assert_eq!(cost(json).as_deref(), expected, "{json}");
        }
    }

    fn read_text(text: &str) -> Reply {
        read(text.as_bytes(), &[], &mut Vec::new())
    }

    #[test]
    fn what_is_no_reply_is_told_by_what_is_wrong_with_it() {
        for (text, said) in [
            ("", "found nothing"),
            ("e2e4", "found (expected value at line 1 column 1) e2e4"),
            ("{}", "without `text` or `error`"),
            (
                "{\"text\": 3}",
                "not in its form: invalid type: integer `3`",
            ),
            (
                "{\"text\": \"e2e4\", \"usage\": {\"prompt\": -1}}",
                "not in its form",
            ),
            ("{\"text\": \"\", \"calls\": [{}]}", "missing field `role`"),
        ] {
            let Reply::Failure(failure) = read_text(text) else {
                panic!("{text}")
            };
            assert_eq!(failure.class, CallFailure::Protocol, "{text}");
            assert!(failure.detail.contains(said), "{text}: {}", failure.detail);
        }
    }

    #[test]
    fn the_whole_costs_what_it_says_or_what_all_its_parts_say() {
        let whole = |text: &str| match read_text(text) {
            Reply::Answer(answered) => answered.cost_usd.map(|cost| cost.to_string()),
            Reply::Failure(failure) => panic!("{failure:?}"),
        };
        let calls = r#"[{"role":"a","cost_usd":0.1},{"role":"b","cost_usd":"0.02"}]"#;
        let some = r#"[{"role":"a","cost_usd":0.1},{"role":"b"}]"#;
        let said =
            |own: &str, calls: &str| whole(&format!("{{\"text\":\"\",{own}\"calls\":{calls}}}"));
        assert_eq!(said("\"cost_usd\":0.5,", calls).as_deref(), Some("0.5"));
        assert_eq!(said("", calls).as_deref(), Some("0.12"));
        assert_eq!(said("", some), None);
        assert_eq!(said("", "[]"), None);
    }

    #[test]
    fn a_value_is_found_however_json_spells_it() {
        let passed = [Passed::new("KEY".to_owned(), "not/a/real-key".to_owned())];
        let output = br#"{"text":"not\/a\/real-key \u006eot/a/real-key","model":"not/a/real-key"}"#;
        let mut raw = Vec::new();
        let Reply::Answer(answered) = read(output, &passed, &mut raw) else {
            panic!("an answer")
        };
        assert_eq!(answered.text, "[the value of KEY] [the value of KEY]");
        assert_eq!(
            answered.returned_model.as_deref(),
            Some("[the value of KEY]")
        );
        assert!(!String::from_utf8(raw).unwrap().contains("real-key"));
    }
}
