//! What a run file says of a program that is started for each request.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::canonical::Count;
use crate::event::{
    Assistance, AssistanceKind, FileIdentity, ModelIdentity, Name, NamedValue, ProgramIdentity,
    PromptIdentity, SystemRegistered,
};
use crate::run::file::{RunFileError, wrong};
use crate::run::model_part::{named_values, usual_output, usual_window, yes};
use crate::run::prompts::{Window, set_digest};
use crate::run::registry::without_folders;
use crate::run::uci::EngineFile;

/// A program that plays: a command that reads a request and writes a reply, and
/// the model that it says it asks.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramPart {
    /// A name for people, unique in the ledger.
    pub name: Name,
    /// The command; without a slash it is looked for on the path.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// The names of environment variables that it sees. Their values stand nowhere.
    #[serde(default)]
    pub pass_env: Vec<String>,
    /// The provider route, in a word that stands for it in the ledger.
    pub route: String,
    /// The model, or the models of a system of several, in the words of the ledger.
    pub model: String,
    /// The thinking setting, which the request names.
    pub reasoning_effort: Option<String>,
    /// Further settings, which the request names.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    /// Whether the request has the protocol's tool, where there is one.
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
    /// Help in choosing a move that a bare model would not get.
    pub assistance: Option<AssistanceKind>,
    /// The help of the run's oracle, where there is one.
    #[serde(skip)]
    pub oracle: Option<Assistance>,
}

impl ProgramPart {
    pub(crate) fn check(&self) -> Result<(), RunFileError> {
        let of_this = |found: &str| format!("{found} for {}", self.name);
        let needed = [
            ("command", &self.command),
            ("route", &self.route),
            ("model", &self.model),
        ];
        for (field, text) in needed {
            if text.trim().is_empty() {
                return Err(wrong(format!("some text in `{field}`"), of_this("none")));
            }
        }
        if self.assistance.is_some() && self.oracle.is_some() {
            let expected = "one kind of help for a system: an [oracle] or `assistance`";
            return Err(wrong(expected, of_this("both")));
        }
        for (number, variable) in self.pass_env.iter().enumerate() {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if variable.is_empty() || !variable.bytes().all(is_name) {
                let expected = "names of environment variables in `pass_env`, no values";
                return Err(wrong(expected, of_this("something else")));
            }
            if self.pass_env[..number].contains(variable) {
                let found = of_this(&format!("{variable} twice"));
                return Err(wrong("each variable of `pass_env` once", found));
            }
        }
        if self.context_window <= self.output_tokens {
            let expected = "a `context_window` above `output_tokens`";
            return Err(wrong(expected, of_this(&self.context_window.to_string())));
        }
        if self.requests_per_minute == Some(0) {
            return Err(wrong("`requests_per_minute` above 0", of_this("0")));
        }
        Ok(())
    }

    /// The room that a conversation has.
    pub(crate) const fn window(&self) -> Window {
        Window {
            tokens: self.context_window,
            output: self.output_tokens,
        }
    }

    /// Who it is in the ledger: a model, and the program that stands before it.
    pub(crate) fn system(
        &self,
        prompts: &[PromptIdentity],
        files: &[EngineFile],
    ) -> SystemRegistered {
        let mut parameters = named_values(&self.parameters);
        let tools = if self.tools { "yes" } else { "no" }.to_owned();
        for (name, value) in [
            ("runner.context_window", self.context_window.to_string()),
            ("runner.output_tokens", self.output_tokens.to_string()),
            ("runner.tools", tools),
        ] {
            let name = name.to_owned();
            parameters.push(NamedValue { name, value });
        }
        parameters.sort();
        let files = files.iter().map(|file| FileIdentity {
            bytes: Count::saturating(file.bytes),
            name: file.path.clone(),
            sha256: file.sha256,
        });
        let arguments = self.args.iter();
        let program = ProgramIdentity {
            arguments: arguments.map(|text| without_folders(text)).collect(),
            environment: self.pass_env.clone(),
            files: files.collect(),
        };
        SystemRegistered {
            assistance: self.oracle.unwrap_or(Assistance {
                candidate_count: None,
                kind: self.assistance.unwrap_or(AssistanceKind::None),
                ranks_visible: None,
                scores_visible: None,
            }),
            baseline: None,
            engine: None,
            model: Some(ModelIdentity {
                parameters,
                program: Some(program),
                prompt: (!prompts.is_empty()).then(|| set_digest(prompts)),
                reasoning_effort: self.reasoning_effort.clone(),
                requested_model: self.model.clone(),
                route: self.route.clone(),
            }),
            name: self.name.clone(),
        }
    }
}
