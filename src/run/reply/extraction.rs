use serde::Deserialize;

use crate::chess::{UciMove, condensed};
use crate::run::prompts::ToolCall;

/// A reply of a model, as far as its answer is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reply<'a> {
    /// The text.
    pub text: &'a str,
    /// The tools that were called.
    pub tool_calls: &'a [ToolCall],
    /// Whether the provider says that the model declined.
    pub is_refusal: bool,
    /// Whether the provider says that the length limit ended it.
    pub is_cut_off: bool,
}

/// In what form a protocol accepts a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// A call of this tool with the move in this argument; else the move alone,
    /// or a JSON object with it in a member of that name.
    Submitted {
        /// The tool.
        tool: &'static str,
        /// The argument.
        argument: &'static str,
    },
    /// The move alone inside the last tag of this name.
    Tag(&'static str),
}

/// The longest text without a space that is extracted as it is, in bytes. Every
/// move in every notation is shorter.
const WORD_MAX: usize = 16;

impl AnswerForm {
    /// The words for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Submitted { .. } => "tool call, bare UCI or move JSON",
            Self::Tag(_) => "last tag",
        }
    }

    /// Returns the text that a reply is judged on; nothing where the reply was
    /// cut off inside a tag, so that the answer is not in it.
    pub(in crate::run::reply) fn extract(self, reply: &Reply<'_>) -> Option<String> {
        match self {
            Self::Submitted { tool, argument } => Some(submitted(reply, tool, argument)),
            Self::Tag(name) => tagged(reply, name),
        }
    }
}

fn submitted(reply: &Reply<'_>, tool: &str, argument: &str) -> String {
    let text = reply.text.trim();
    let alone = text.parse::<UciMove>().map(|uci| uci.to_string()).ok();
    let in_text = alone.or_else(|| member(text, argument));
    if reply.tool_calls.is_empty() {
        return in_text.unwrap_or_else(|| tidy(text));
    }
    let calls = reply.tool_calls.iter().map(|call| {
        let is_known = call.name == tool;
        let submitted = is_known
            .then(|| member(&call.arguments, argument))
            .flatten();
        // There was something, and it was no move that was submitted.
        submitted.unwrap_or_else(|| unasked(&call.arguments))
    });
    // Beside a tool call a text is a remark, unless it is another answer.
    let mut answers: Vec<String> = Vec::new();
    for answer in calls.chain(in_text) {
        if !answers.contains(&answer) {
            answers.push(answer);
        }
    }
    answers.join(" ")
}

/// Returns the one member of that name of a JSON object, where it is a text.
fn member(text: &str, name: &str) -> Option<String> {
    let object: Members = serde_json::from_str(text).ok()?;
    let mut named = object.0.into_iter().filter(|(member, _)| member == name);
    match (named.next(), named.next()) {
        (Some((_, serde_json::Value::String(answer))), None) => Some(tidy(answer.trim())),
        _ => None,
    }
}

/// The members of a JSON object in their order, also those that have one name.
struct Members(Vec<(String, serde_json::Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

fn tagged(reply: &Reply<'_>, name: &str) -> Option<String> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let text = reply.text;
    let closed = text.rfind(&close);
    let last = closed.and_then(|end| {
        let (before, after) = (&text[..end], &text[end..]);
        let start = before.rfind(&open)? + open.len();
        Some((&before[start..], after))
    });
    let rest = last.map_or(text, |(_, after)| after);
    if reply.is_cut_off && rest.contains(&open) {
        return None;
    }
    Some(match last {
        Some((answer, _)) => tidy(answer.trim()),
        None => unasked(text),
    })
}

/// Returns a short text as it is, and of a longer one what could be moves.
fn tidy(text: &str) -> String {
    if text.len() <= WORD_MAX && !text.contains(char::is_whitespace) {
        text.to_owned()
    } else {
        condensed(text)
    }
}

/// Returns what could be moves in a text that is in no accepted form: it is never
/// a move alone.
fn unasked(text: &str) -> String {
    let words = condensed(text);
    if words.is_empty() || words.contains("...") {
        words
    } else {
        format!("{words} ...")
    }
}
