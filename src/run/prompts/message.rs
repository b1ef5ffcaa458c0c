/// Who says a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The rules of the conversation.
    System,
    /// Whoever asks for moves.
    User,
    /// The model.
    Assistant,
    /// The answer to a tool call.
    Tool,
}

impl Role {
    /// The word for it in chat completions.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// A tool call of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The id that its answer names.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them: JSON, unless it went wrong.
    pub arguments: String,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said. A message of nothing but tool calls has none.
    pub text: String,
    /// The tools that the model called.
    pub tool_calls: Vec<ToolCall>,
    /// The id of the tool call that this answers.
    pub answers: Option<String>,
    /// The items of reasoning or context that the provider returned with it, each
    /// as its JSON text, in their order. They are sent back as they came.
    pub items: Vec<String>,
    /// Tokens as the provider reported them. Absent: it did not.
    pub tokens: Option<u64>,
}

impl Message {
    /// A message of plain text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            text: text.into(),
            tool_calls: Vec::new(),
            answers: None,
            items: Vec::new(),
            tokens: None,
        }
    }

    /// The tokens of the message: as reported, else by the rule that a message
    /// is 4 tokens and one for every 2 bytes of UTF-8 that are sent with it,
    /// rounded up. Chess notation takes about that much; prose takes less.
    pub fn size(&self) -> u64 {
        if let Some(tokens) = self.tokens {
            return tokens;
        }
        let calls = self.tool_calls.iter();
        let calls = calls.map(|call| call.id.len() + call.name.len() + call.arguments.len());
        let items = self.items.iter().map(String::len);
        let answers = self.answers.as_ref().map_or(0, String::len);
        let bytes = self.text.len() + answers + calls.chain(items).sum::<usize>();
        u64::try_from(bytes).map_or(u64::MAX, |bytes| 4 + bytes.div_ceil(2))
    }
}
