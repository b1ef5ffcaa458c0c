use serde_json::Value;

use crate::event::Name;
use crate::run::chat;
use crate::run::model_part::ModelPart;
use crate::run::player::Prompt;
use crate::run::player_part::PlayerPart;
use crate::run::program_part::ProgramPart;
use crate::run::prompts::{Chessbench, Window};

/// Somebody in a run file who is sent prompts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Talker<'f> {
    /// A model, behind a server.
    Model(&'f ModelPart),
    /// A program that is started for each request.
    Program(&'f ProgramPart),
}

/// A request as it would leave: what is said in it, and what comes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstRequest {
    /// The messages in their order: who says each, and its text.
    pub messages: Vec<(String, String)>,
    /// The name of the tool that a move may be submitted with.
    pub tool: Option<String>,
    /// The grammar that only lets legal moves through.
    pub grammar: Option<String>,
}

/// Parameters that bound an answer, in tokens.
const BOUNDS: [&str; 2] = ["max_completion_tokens", "max_tokens"];

impl<'f> Talker<'f> {
    /// Those of these players who are sent prompts.
    pub(crate) fn among(players: &[PlayerPart<'f>]) -> Vec<Self> {
        let talkers = players.iter().filter_map(|player| match player {
            PlayerPart::Model(part) => Some(Self::Model(part)),
            PlayerPart::Program(part) => Some(Self::Program(part)),
            PlayerPart::Engine(_) | PlayerPart::Random(_) | PlayerPart::Scripted(_) => None,
        });
        talkers.collect()
    }

    pub(crate) fn name(self) -> &'f str {
        self.registered_name().as_str()
    }

    /// The name that it registers under.
    pub(crate) const fn registered_name(self) -> &'f Name {
        match self {
            Self::Model(part) => &part.name,
            Self::Program(part) => &part.name,
        }
    }

    /// The model that is asked, and its route: what prices are saved for.
    pub(crate) fn priced_as(self) -> (&'f str, &'f str) {
        match self {
            Self::Model(part) => (&part.model, &part.route),
            Self::Program(part) => (&part.model, &part.route),
        }
    }

    pub(crate) const fn window(self) -> Window {
        match self {
            Self::Model(part) => Window {
                tokens: part.context_window,
                output: part.output_tokens,
            },
            Self::Program(part) => part.window(),
        }
    }

    /// The most tokens that an answer has, where a parameter says so.
    pub(crate) fn answer_max(self) -> Option<u64> {
        let parameters = match self {
            Self::Model(part) => &part.parameters,
            Self::Program(part) => &part.parameters,
        };
        let mut bounds = BOUNDS.iter();
        bounds.find_map(|name| parameters.get(*name).and_then(Value::as_u64))
    }

    /// The request with this prompt, as the player would be sent it.
    pub(crate) fn request(self, prompt: &Prompt) -> FirstRequest {
        let messages = prompt.messages.iter();
        let messages = messages.map(|one| (one.role.as_str().to_owned(), one.text.clone()));
        let messages = messages.collect();
        match self {
            Self::Model(part) => {
                let set = chat::settings(&part.endpoint(None), prompt);
                let has_tools = set.contains_key("tools");
                let grammar = set.get("grammar").and_then(Value::as_str);
                FirstRequest {
                    messages,
                    tool: has_tools.then(|| Chessbench::TOOL_NAME.to_owned()),
                    grammar: grammar.map(str::to_owned),
                }
            }
            Self::Program(part) => FirstRequest {
                messages,
                tool: (part.tools && prompt.offers_tool).then(|| Chessbench::TOOL_NAME.to_owned()),
                grammar: None,
            },
        }
    }
}

impl FirstRequest {
    /// The characters that are sent: messages, and the definition of the tool.
    pub fn n_characters(&self) -> u64 {
        let tool = self.tool.as_ref().map(|_| Chessbench::tool());
        let texts = self.messages.iter().map(|(_, text)| text.as_str());
        let texts = texts.chain(tool);
        let counts = texts.map(|text| u64::try_from(text.chars().count()).unwrap_or(u64::MAX));
        counts.fold(0, u64::saturating_add)
    }
}
