use std::io::{BufReader, Read as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::Response;

use crate::canonical::{Count, Money};
use crate::event::CallFailure;
use crate::finding::visible;
use crate::run::cassette::{Asked, Head, Tape, Whose};
use crate::run::chat::Endpoint;
use crate::run::chat::completion::{Completion, amount_of};
use crate::run::chat::failure::Trouble;
use crate::run::chat::request::{Written, body};
use crate::run::chat::stream::{ANSWER_MAX, Streamed, is_stream, read};
use crate::run::file::Deadlines;
use crate::run::pace::Pace;
use crate::run::player::{Answered, Failed, Player, Prompt, Reply, Request, Took};
use crate::run::prompts::{Message, Role};

/// What all games of one model share: connections, and the pace of requests.
#[derive(Clone, Debug)]
pub struct Client {
    endpoint: Arc<Endpoint>,
    agent: Agent,
    pace: Arc<Pace>,
}

impl Client {
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        let config = Agent::config_builder()
            // What a status means is read here.
            .http_status_as_error(false)
            .max_redirects(0)
            .max_idle_connections(256)
            .max_idle_connections_per_host(256)
            .user_agent(concat!("scoresheet/", env!("CARGO_PKG_VERSION")))
            .build();
        Self {
            pace: Arc::new(Pace::per_minute(endpoint.per_minute)),
            endpoint: Arc::new(endpoint),
            agent: Agent::new_with_config(config),
        }
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Looks whether the server answers and knows the model; with `ask` whether the
    /// model answers.
    pub(crate) fn look(&self, ask: bool, patience: Duration) -> Result<String, String> {
        let endpoint = &self.endpoint;
        if ask {
            let prompt = Prompt {
                messages: vec![Arc::new(Message::new(
                    Role::User,
                    "Answer with the word yes.",
                ))],
                offers_tool: false,
                tag: None,
                legal: Vec::new(),
            };
            let body = body(endpoint, &prompt);
            let (mut head, mut raw) = (Head::default(), Vec::new());
            let answer = self.complete(&body, patience, &mut head, &mut raw);
            let answer = answer.map_err(|trouble| trouble.detail)?.completion;
            let text: String = answer.text.chars().take(40).collect();
            let model = answer.model.unwrap_or_else(|| endpoint.model.clone());
            return Ok(format!("{model} answers: {}", visible(&text)));
        }
        let body = self.get("models", patience)?;
        let listed = serde_json::from_slice::<serde_json::Value>(&body).ok();
        let listed = listed.and_then(|list| list.get("data")?.as_array().cloned());
        let Some(listed) = listed else {
            return Ok("the server answers, and lists no models".to_owned());
        };
        let ids = listed.iter().filter_map(|model| model.get("id")?.as_str());
        let ids: Vec<_> = ids.collect();
        match ids.as_slice() {
            ids if ids.contains(&endpoint.model.as_str()) => {
                Ok(format!("the server answers, and has {}", endpoint.model))
            }
            // One that runs a single model answers to any name.
            [only] => {
                let only = self.clean_text(only);
                Ok(format!("the server answers, and runs {}", visible(&only)))
            }
            _ => {
                let model = &endpoint.model;
                Err(format!("the server answers, and does not list {model}"))
            }
        }
    }

    /// Asks what a request cost, by its id, as OpenRouter has it.
    pub(crate) fn cost_of(&self, request_id: &str, patience: Duration) -> Result<Money, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        if !request_id.bytes().all(is_plain) {
            return Err("an id of a request that stands in no address".to_owned());
        }
        let body = self.get(&format!("generation?id={request_id}"), patience)?;
        let said = serde_json::from_slice::<serde_json::Value>(&body).ok();
        let cost = said
            .as_ref()
            .and_then(|said| said.pointer("/data/total_cost"));
        let cost = cost.and_then(amount_of);
        cost.ok_or_else(|| "the server says no `total_cost`".to_owned())
    }

    /// What stands at an address beside the completions.
    fn get(&self, path: &str, patience: Duration) -> Result<Vec<u8>, String> {
        let url = format!("{}/{path}", self.endpoint.base_url.trim_end_matches('/'));
        let mut request = self.agent.get(url);
        if let Some(key) = &self.endpoint.key {
            request = request.header("authorization", format!("Bearer {}", key.as_str()));
        }
        let request = request.config().timeout_global(Some(patience)).build();
        let mut response = request.call().map_err(|error| self.unsent(&error).detail)?;
        let body = self
            .read_all(&mut response)
            .map_err(|trouble| trouble.detail)?;
        let status = response.status();
        if status.is_success() {
            Ok(body)
        } else {
            Err(Trouble::of_status(status.as_u16(), None, &body).detail)
        }
    }

    fn clean(&self, bytes: &[u8]) -> Vec<u8> {
        match &self.endpoint.key {
            Some(key) => key.scrubbed(bytes),
            None => bytes.to_vec(),
        }
    }

    /// Where requests go.
    fn url(&self) -> String {
        let base = self.endpoint.base_url.trim_end_matches('/');
        format!("{base}/chat/completions")
    }

    fn clean_text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.clean(text.as_bytes())).into_owned()
    }

    /// Sends a request, and reads what comes back into `head` and `raw`. Our key is in
    /// none of it, however it was written and in however many pieces it came.
    fn complete(
        &self,
        body: &str,
        deadline: Duration,
        head: &mut Head,
        raw: &mut Vec<u8>,
    ) -> Result<Streamed, Trouble> {
        let outcome = self.exchange(body, deadline, head, raw);
        let Some(key) = &self.endpoint.key else {
            return outcome;
        };
        let is_hidden = key.is_hidden_in(raw);
        match outcome {
            Ok(mut streamed) => {
                if streamed.completion.scrub(key) | is_hidden {
                    *raw = streamed.completion.as_body();
                    head.content_type = Some("application/json".to_owned());
                }
                Ok(streamed)
            }
            Err(mut trouble) => {
                if key.scrub(&mut trouble.detail) | is_hidden {
                    raw.clear();
                }
                Err(trouble)
            }
        }
    }

    fn exchange(
        &self,
        body: &str,
        deadline: Duration,
        head: &mut Head,
        raw: &mut Vec<u8>,
    ) -> Result<Streamed, Trouble> {
        let asked = Instant::now();
        let mut request = self
            .agent
            .post(self.url())
            .header("content-type", "application/json");
        if let Some(key) = &self.endpoint.key {
            request = request.header("authorization", format!("Bearer {}", key.as_str()));
        }
        let request = request.config().timeout_global(Some(deadline)).build();
        let response = request.send(body.as_bytes());
        let mut response = response.map_err(|error| self.unsent(&error))?;
        head.status = Some(response.status().as_u16());
        let kind = response.headers().get("content-type");
        let kind = kind.and_then(|kind| kind.to_str().ok());
        let is_stream = is_stream(kind);
        head.content_type = kind.map(|kind| self.clean_text(kind));
        if !response.status().is_success() {
            let text = self.read_all(&mut response).unwrap_or_default();
            let status = response.status().as_u16();
            let retry_after = response.headers().get("retry-after");
            let retry_after = retry_after.and_then(|value| value.to_str().ok());
            let trouble = Trouble::of_status(status, retry_after, &text);
            *raw = text;
            return Err(trouble);
        }
        if is_stream {
            let reader = BufReader::new(response.body_mut().as_reader());
            return read(reader, asked, &|bytes| self.clean(bytes), raw);
        }
        *raw = self.read_all(&mut response)?;
        Ok(Streamed {
            completion: Completion::parse(raw)?,
            first: None,
        })
    }

    fn read_all(&self, response: &mut Response<ureq::Body>) -> Result<Vec<u8>, Trouble> {
        let mut bytes = Vec::new();
        let mut reader = response.body_mut().as_reader().take(ANSWER_MAX);
        match reader.read_to_end(&mut bytes) {
            Ok(_) => Ok(self.clean(&bytes)),
            Err(error) => {
                let timed_out = error.kind() == std::io::ErrorKind::TimedOut;
                let class = if timed_out {
                    CallFailure::Timeout
                } else {
                    CallFailure::BrokenStream
                };
                Err(Trouble::new(
                    class,
                    format!("the answer broke off: {error}"),
                ))
            }
        }
    }

    /// Why no status came.
    fn unsent(&self, error: &ureq::Error) -> Trouble {
        let class = match error {
            ureq::Error::Timeout(_) => CallFailure::Timeout,
            ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                CallFailure::Timeout
            }
            ureq::Error::Protocol(_) => CallFailure::Protocol,
            _ => CallFailure::Unreachable,
        };
        let said = self.clean_text(&error.to_string());
        Trouble::new(class, format!("no answer: {}", visible(&said)))
    }
}

/// A model in its seat.
pub(crate) struct ChatPlayer {
    client: Client,
    deadlines: Deadlines,
    tape: Tape,
    written: Written,
}

impl ChatPlayer {
    pub(crate) fn new(client: Client, deadlines: Deadlines, tape: Tape) -> Self {
        Self {
            client,
            deadlines,
            tape,
            written: Written::default(),
        }
    }
}

impl Player for ChatPlayer {
    fn ask(&mut self, request: &Request) -> Reply {
        let Some(prompt) = &request.prompt else {
            return Reply::Failed(Box::new(Failed {
                class: CallFailure::NotStarted,
                detail: "the protocol has no prompt for a model".to_owned(),
                ..Failed::default()
            }));
        };
        let body = self.written.body(&self.client.endpoint, prompt);
        let asked = || Asked::post(&self.client.url(), &body);
        self.tape
            .ask(Whose::of(request), asked, || self.send(&body), &answer_in)
    }
}

impl ChatPlayer {
    /// Asks the server, once it is our turn.
    fn send(&self, body: &str) -> (Reply, Head) {
        let asked = Instant::now();
        let queue = self.client.pace.wait();
        let took = |first: Option<Duration>| Took {
            first_token: first,
            queue: (!queue.is_zero()).then_some(queue),
            total: asked.elapsed(),
        };
        let deadline = Duration::from_millis(self.deadlines.answer_ms);
        let (mut head, mut raw) = (Head::default(), Vec::new());
        let completed = self.client.complete(body, deadline, &mut head, &mut raw);
        let reply = match completed {
            Ok(Streamed { completion, .. }) if completion.is_filtered() => {
                Reply::Failed(Box::new(Failed {
                    class: CallFailure::Moderation,
                    detail: "the provider's filter ended the answer".to_owned(),
                    http_status: Some(200),
                    time: took(None),
                    raw,
                    ..Failed::default()
                }))
            }
            Ok(Streamed { completion, first }) => {
                Reply::Answered(Box::new(answered(completion, took(first), raw)))
            }
            Err(trouble) => Reply::Failed(Box::new(Failed {
                class: trouble.class,
                detail: trouble.detail,
                http_status: trouble.http_status,
                retry_after_ms: trouble.retry_after_ms,
                time: took(None),
                raw,
                is_replayed: false,
            })),
        };
        (reply, head)
    }
}

/// Reads an answer that was kept.
fn answer_in(raw: &[u8], content_type: Option<&str>) -> Option<Answered> {
    let completion = if is_stream(content_type) {
        let as_it_is = |line: &[u8]| line.to_vec();
        read(raw, Instant::now(), &as_it_is, &mut Vec::new())
            .ok()?
            .completion
    } else {
        Completion::parse(raw).ok()?
    };
    Some(answered(completion, Took::default(), raw.to_vec()))
}

fn answered(completion: Completion, time: Took, raw: Vec<u8>) -> Answered {
    Answered {
        message: Some(completion.message()),
        text: completion.text.clone(),
        is_refusal: completion.refusal.is_some(),
        is_cut_off: completion.is_cut_off(),
        prompt_tokens: completion
            .tokens
            .and_then(|tokens| tokens.prompt)
            .map(Count::get),
        tokens: completion.tokens,
        cost_usd: completion.cost_usd,
        finish_reason: completion.finish_reason,
        request_id: completion.id,
        returned_model: completion.model,
        time,
        raw,
        ..Answered::default()
    }
}
