use std::io::BufReader;
use std::time::Instant;

use crate::canonical::Count;
use crate::run::chat::completion::Completion;
use crate::run::chat::stream;
use crate::run::prompts::Message;

/// Returns the message of an answer that was kept, and what the provider counted
/// in its request: as it came, at once or in pieces. Nothing where it cannot be read, which no answer that counted is.
pub(crate) fn message_of(raw: &[u8]) -> Option<(Message, Option<u64>)> {
    let completion = if let Ok(completion) = Completion::parse(raw) {
        completion
    } else {
        let as_it_is = |line: &[u8]| line.to_vec();
        let reader = BufReader::new(raw);
        let streamed = stream::read(reader, Instant::now(), &as_it_is, &mut Vec::new());
        streamed.ok()?.completion
    };
    let prompt = completion.tokens.and_then(|tokens| tokens.prompt);
    Some((completion.message(), prompt.map(Count::get)))
}
