//! What a run file says of a model behind a server.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::event::{
    Assistance, AssistanceKind, ModelIdentity, Name, NamedValue, PromptIdentity, SystemRegistered,
};
use crate::run::chat::{ApiKey, Endpoint};
use crate::run::file::{RunFileError, wrong};
use crate::run::prompts::{Window, set_digest};

/// A model that plays: who it is, where it is asked, and how.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelPart {
    /// A name for people, unique in the ledger.
    pub name: Name,
    /// The provider route, in a word that stands for it in the ledger.
    pub route: String,
    /// Where the server is, up to `/chat/completions`.
    #[schemars(extend("pattern" = "^https?://[^@]*$"))]
    pub base_url: String,
    /// The model, as requests name it.
    pub model: String,
    /// The environment variable that holds the key. The key itself stands nowhere.
    pub api_key_env: Option<String>,
    /// The thinking setting, as requests name it.
    pub reasoning_effort: Option<String>,
    /// Further members of every request, such as `temperature` and `max_tokens`.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    /// Whether answers are asked for piece by piece; they are.
    #[serde(default = "yes")]
    pub stream: bool,
    /// Whether a move may be submitted by the protocol's tool, where it has one.
    #[serde(default = "yes")]
    pub tools: bool,
    /// Tokens of the context window, request and answer together.
    #[serde(default = "usual_window")]
    pub context_window: u64,
    /// Tokens that are kept free for the answer.
    #[serde(default = "usual_output")]
    pub output_tokens: u64,
    /// Requests a minute at most, over all games.
    #[schemars(extend("minimum" = 1))]
    pub requests_per_minute: Option<u32>,
    /// Whether every request has a `grammar` (GBNF, as llama.cpp reads it) that
    /// only lets legal moves through; the system is assisted then, and labelled so.
    #[serde(default)]
    pub legal_mask: bool,
    /// The help of the run's oracle, where there is one.
    #[serde(skip)]
    pub oracle: Option<Assistance>,
}

/// Parameters as an identity has them.
pub(crate) fn named_values(parameters: &BTreeMap<String, Value>) -> Vec<NamedValue> {
    let values = parameters.iter().map(|(name, value)| NamedValue {
        name: name.clone(),
        value: match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        },
    });
    values.collect()
}

pub(crate) const fn yes() -> bool {
    true
}

pub(crate) const fn usual_window() -> u64 {
    128_000
}

pub(crate) const fn usual_output() -> u64 {
    8_192
}

/// Members of a request that the runner itself writes.
const OURS: [&str; 8] = [
    "grammar",
    "messages",
    "model",
    "n",
    "reasoning_effort",
    "stream",
    "stream_options",
    "tools",
];

impl ModelPart {
    pub(crate) fn check(&self) -> Result<(), RunFileError> {
        let of_this = |found: &str| format!("{found} for {}", self.name);
        let is_web = ["http://", "https://"]
            .iter()
            .any(|scheme| self.base_url.starts_with(scheme));
        if !is_web {
            let expected = "a `base_url` that begins with http:// or https://";
            return Err(wrong(expected, of_this(&self.base_url)));
        }
        if self.base_url.contains('@') {
            let expected = "a `base_url` without a name or password in it";
            return Err(wrong(expected, of_this("one with @")));
        }
        for (field, text) in [("route", &self.route), ("model", &self.model)] {
            if text.trim().is_empty() {
                return Err(wrong(format!("some text in `{field}`"), of_this("none")));
            }
        }
        if let Some(name) = OURS
            .iter()
            .find(|name| self.parameters.contains_key(**name))
        {
            let expected = "no parameter that the runner writes itself";
            return Err(wrong(expected, of_this(&format!("`{name}`"))));
        }
        if self.context_window <= self.output_tokens {
            let expected = "a `context_window` above `output_tokens`";
            return Err(wrong(expected, of_this(&self.context_window.to_string())));
        }
        if self.legal_mask && self.oracle.is_some() {
            let expected = "one kind of help for a system: an [oracle] or a `legal_mask`";
            return Err(wrong(expected, of_this("both")));
        }
        if self.requests_per_minute == Some(0) {
            return Err(wrong("`requests_per_minute` above 0", of_this("0")));
        }
        Ok(())
    }

    /// Who it is in the ledger: with what is sent to it, and how it is asked.
    pub(crate) fn system(&self, prompts: &[PromptIdentity]) -> SystemRegistered {
        let mut parameters = named_values(&self.parameters);
        let yes_or_no = |is| if is { "yes" } else { "no" }.to_owned();
        for (name, value) in [
            ("runner.context_window", self.context_window.to_string()),
            ("runner.output_tokens", self.output_tokens.to_string()),
            ("runner.stream", yes_or_no(self.stream)),
            ("runner.tools", yes_or_no(self.tools)),
        ] {
            let name = name.to_owned();
            parameters.push(NamedValue { name, value });
        }
        parameters.sort();
        SystemRegistered {
            assistance: self.oracle.unwrap_or(Assistance {
                candidate_count: None,
                kind: if self.legal_mask {
                    AssistanceKind::LegalMask
                } else {
                    AssistanceKind::None
                },
                ranks_visible: None,
                scores_visible: None,
            }),
            baseline: None,
            engine: None,
            model: Some(ModelIdentity {
                parameters,
                program: None,
                prompt: Some(set_digest(prompts)),
                reasoning_effort: self.reasoning_effort.clone(),
                requested_model: self.model.clone(),
                route: self.route.clone(),
            }),
            name: self.name.clone(),
        }
    }

    /// How it is asked, with its key where it has one.
    pub(crate) fn endpoint(&self, key: Option<ApiKey>) -> Endpoint {
        Endpoint {
            base_url: self.base_url.clone(),
            key,
            model: self.model.clone(),
            reasoning_effort: self.reasoning_effort.clone(),
            parameters: self.parameters.clone(),
            streams: self.stream,
            // A grammar is of the text, and a tool call is none.
            has_tools: self.tools && !self.legal_mask,
            masks_illegal: self.legal_mask,
            window: Window {
                tokens: self.context_window,
                output: self.output_tokens,
            },
            per_minute: self.requests_per_minute,
        }
    }
}
