use std::sync::Arc;

use crate::run::prompts::{Message, Role};

/// The conversation of one player of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    system: Arc<Message>,
    turns: Vec<Turn>,
    measured: Option<Measured>,
}

/// What was said about one move of the player: states, replies, rejections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    // Every request sends all that was said before: nothing of it is copied.
    messages: Vec<Arc<Message>>,
}

/// What a provider counted in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Measured {
    /// How many messages it had, the system prompt among them.
    messages: usize,
    tokens: u64,
}

/// The room that a conversation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Tokens of the context window, request and answer together.
    pub tokens: u64,
    /// Tokens that are kept free for the answer.
    pub output: u64,
}

/// A conversation that fits its window, as far as it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pruned {
    /// What is left of it.
    pub conversation: Conversation,
    /// How many turns were removed, oldest first.
    pub removed: usize,
    /// Whether what is left leaves the answer the room that it needs.
    pub is_roomy: bool,
}

impl Window {
    /// The share of the window, in percent, from which request and answer
    /// together are near the limit.
    pub const NEAR_PERCENT: u64 = 90;
    /// The share of the window, in percent, that a pruned conversation has.
    pub const TARGET_PERCENT: u64 = 40;

    /// Whether the limit nears, with the room that the answer needs.
    const fn is_near(self, tokens: u64) -> bool {
        percent(self.tokens, Self::NEAR_PERCENT) < tokens.saturating_add(self.output)
    }

    /// The tokens that a pruned conversation may have.
    fn target(self) -> u64 {
        let room = self.tokens.saturating_sub(self.output);
        percent(self.tokens, Self::TARGET_PERCENT).min(room)
    }
}

const fn percent(tokens: u64, percent: u64) -> u64 {
    // Windows are far from the end of the range.
    tokens.saturating_mul(percent) / 100
}

impl Turn {
    /// Its messages, in order.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().map(|message| &**message)
    }

    fn size(&self) -> u64 {
        self.messages()
            .map(Message::size)
            .fold(0, u64::saturating_add)
    }
}

impl Conversation {
    /// A conversation of which only the system prompt is said.
    pub fn new(system: impl Into<String>) -> Self {
        Self {
            system: Arc::new(Message::new(Role::System, system)),
            turns: Vec::new(),
            measured: None,
        }
    }

    /// Begins a turn, in which this is asked.
    pub fn begin(&mut self, state: impl Into<String>) {
        let messages = vec![Arc::new(Message::new(Role::User, state))];
        self.turns.push(Turn { messages });
    }

    /// Takes in a reply. `prompt` is what the provider counted in the request
    /// that it replies to, where it says so.
    pub fn reply(&mut self, reply: Message, prompt: Option<u64>) {
        let messages = self.messages().count();
        if let Some(tokens) = prompt {
            self.measured = Some(Measured { messages, tokens });
        }
        self.say(reply);
    }

    /// Says what became of the last reply: to every tool call in it an answer.
    /// Returns whether there was one, and so somebody was told.
    pub fn conclude(&mut self, text: &str) -> bool {
        let last = self.turns.last().and_then(|turn| turn.messages.last());
        let calls = last.map_or_else(Vec::new, |last| last.tool_calls.clone());
        let has_calls = !calls.is_empty();
        for call in calls {
            let answer = Message {
                answers: Some(call.id),
                ..Message::new(Role::Tool, text)
            };
            self.say(answer);
        }
        has_calls
    }

    /// Asks again in the same turn.
    pub fn ask_again(&mut self, text: impl Into<String>) {
        self.say(Message::new(Role::User, text));
    }

    fn say(&mut self, message: Message) {
        let message = Arc::new(message);
        match self.turns.last_mut() {
            Some(turn) => turn.messages.push(message),
            None => self.turns.push(Turn {
                messages: vec![message],
            }),
        }
    }

    /// The turns that are left, in order.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Every message that is sent, in order, the system prompt first.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.shared().map(|message| &**message)
    }

    /// The same, to be held beside the conversation.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Arc<Message>> {
        let turns = self.turns.iter().flat_map(|turn| turn.messages.iter());
        std::iter::once(&self.system).chain(turns)
    }

    /// The tokens of all messages. Where a provider counted an earlier request,
    /// its number stands for the messages of that request; [`Message::size`]
    /// for the others.
    pub fn size(&self) -> u64 {
        let (counted, tokens) = self.measured.map_or((0, 0), |m| (m.messages, m.tokens));
        let later = self.messages().skip(counted).map(Message::size);
        later.fold(tokens, u64::saturating_add)
    }

    /// Returns the conversation as it is to be sent.
    ///
    /// It stays whole until it nears the limit of its window with the room that
    /// the answer needs. Then whole turns are removed, oldest first, until it
    /// has at most 40 % of the window or nothing but the current turn. The
    /// system prompt and the current turn stay, and nothing is put in the place
    /// of what was removed.
    #[must_use]
    pub fn pruned(&self, window: Window) -> Pruned {
        let mut conversation = self.clone();
        let (removed, is_roomy) = conversation.prune(window);
        Pruned {
            conversation,
            removed,
            is_roomy,
        }
    }

    /// Prunes it as [`pruned`](Self::pruned) does. Returns how many turns were
    /// removed, and whether the answer has its room.
    pub(crate) fn prune(&mut self, window: Window) -> (usize, bool) {
        let mut size = self.size();
        let mut removed = 0;
        if window.is_near(size) {
            let old = self.turns.split_last().map_or(&[][..], |(_, old)| old);
            for turn in old {
                if size <= window.target() {
                    break;
                }
                size = size.saturating_sub(turn.size());
                removed += 1;
            }
        }
        if 0 < removed {
            drop(self.turns.drain(..removed));
            // What was counted is not what is left.
            self.measured = None;
        }
        (removed, size.saturating_add(window.output) <= window.tokens)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn talk(turns: &[(usize, Option<u64>)]) -> Conversation {
        let mut talk = Conversation::new("rules");
        for (number, (bytes, tokens)) in turns.iter().enumerate() {
            talk.begin(format!("{number} {}", "x".repeat(*bytes)));
            let reply = Message {
                tokens: *tokens,
                ..Message::new(Role::Assistant, "e2e4")
            };
            talk.reply(reply, None);
        }
        talk.begin("now");
        talk
    }

    #[test]
    fn whole_turns_go_at_the_limit_and_not_before() {
        // 7 for the rules, 106 a turn, 6 for the current one.
        let talk = talk(&[(196, Some(2)); 8]);
        assert_eq!(talk.size(), 7 + 8 * (4 + 99 + 2) + 6);
        let size = talk.size();
        let window = |tokens| Window { tokens, output: 47 };
        // 900 of 1,000 with the answer: not near. One token less of room: near.
        assert_eq!(size + 47, 900);
        assert_eq!(talk.pruned(window(1000)).removed, 0);
        let pruned = talk.pruned(window(999));
        assert!(pruned.is_roomy);
        // The fewest turns after which at most 399 tokens are left.
        assert_eq!(pruned.removed, 5);
        assert_eq!(pruned.conversation.size(), size - 5 * 105);
        let kept: Vec<_> = pruned.conversation.messages().collect();
        let all: Vec<_> = talk.messages().collect();
        assert_eq!(kept[0], all[0]);
        assert_eq!(kept[1..], all[11..]);
        // No room at all: the rules and the current turn stay, and it is said.
        let none = talk.pruned(Window {
            tokens: 40,
            output: 30,
        });
        assert_eq!((none.removed, none.is_roomy), (8, false));
        assert_eq!(none.conversation.messages().count(), 2);
    }

    #[test]
    fn what_a_provider_counted_stands_for_what_was_sent() {
        let mut talk = Conversation::new("rules");
        talk.begin("state");
        let reply = Message {
            tokens: Some(30),
            ..Message::new(Role::Assistant, "e2e4")
        };
        talk.reply(reply, Some(1000));
        talk.begin("four");
        assert_eq!(talk.size(), 1000 + 30 + 6);
    }

    #[test]
    fn every_tool_call_gets_its_answer() {
        let mut talk = Conversation::new("rules");
        talk.begin("state");
        let call = |id: &str| crate::run::prompts::ToolCall {
            id: id.to_owned(),
            name: "submit_move".to_owned(),
            arguments: "{}".to_owned(),
        };
        let reply = Message {
            tool_calls: vec![call("a"), call("b")],
            ..Message::new(Role::Assistant, "")
        };
        talk.reply(reply, None);
        assert!(talk.conclude("no"));
        let answers: Vec<_> = talk
            .messages()
            .filter_map(|m| m.answers.as_deref())
            .collect();
        assert_eq!(answers, ["a", "b"]);
        assert!(!talk.conclude("again"));
    }

    proptest! {
        #[test]
        fn pruning_takes_old_turns_alone_and_as_few_as_it_may(
            turns in prop::collection::vec((0_usize..400, prop::option::of(0_u64..300)), 0..12),
            tokens in 1_u64..3000,
            output in 0_u64..1500,
        ) {
            let talk = talk(&turns);
            let window = Window { tokens, output };
            let pruned = talk.pruned(window);
            let left = pruned.conversation.turns();
            prop_assert_eq!(left, &talk.turns()[pruned.removed..]);
            prop_assert_eq!(pruned.conversation.messages().next(), talk.messages().next());
            prop_assert_eq!(left.last(), talk.turns().last());
            let size = pruned.conversation.size();
            prop_assert_eq!(pruned.is_roomy, size + output <= tokens);
            if 0 < pruned.removed {
                prop_assert!(tokens * 90 / 100 < talk.size() + output);
                let target = (tokens * 40 / 100).min(tokens.saturating_sub(output));
                prop_assert!(left.len() == 1 || size <= target);
                let last = talk.turns()[pruned.removed - 1].size();
                prop_assert!(target < size + last);
            }
        }
    }
}
