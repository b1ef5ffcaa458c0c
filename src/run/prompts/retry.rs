use crate::chess::RejectionClass;
use crate::run::prompts::Template;
use crate::run::prompts::reasons::reason;

/// The answer before this attempt, which was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry<'a> {
    /// Why it was no move.
    pub class: RejectionClass,
    /// The text that was judged.
    pub extracted: &'a str,
    /// Which attempt of the turn is asked for now, from 2.
    pub attempt: u64,
}

impl Retry<'_> {
    /// Fills a text that says so, of a protocol with that many attempts.
    pub(in crate::run::prompts) fn told(&self, template: &Template, attempts: u64) -> String {
        template.fill(&[
            ("reason", &reason(self.class, self.extracted)),
            ("attempt", &self.attempt.to_string()),
            ("attempts", &attempts.to_string()),
        ])
    }
}
