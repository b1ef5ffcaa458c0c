use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::event::CallFailure;
use crate::finding::visible;
use crate::run::cassette::{Asked, Head, Tape, Whose};
use crate::run::file::Deadlines;
use crate::run::player::{Answered, Failed, Player, Reply, Request, Took};
use crate::run::program::ProgramSpec;
use crate::run::program::document::document;
use crate::run::program::passed::{scrubbed, scrubbed_text};
use crate::run::program::process::{End, Outcome, REPLY_MAX, run};
use crate::run::program::reply::{self, Failure};
use crate::secret::Scanner;

/// A program in its seat.
pub(crate) struct ProgramPlayer {
    spec: Arc<ProgramSpec>,
    deadlines: Deadlines,
    tape: Tape,
}

impl ProgramPlayer {
    pub(crate) const fn new(spec: Arc<ProgramSpec>, deadlines: Deadlines, tape: Tape) -> Self {
        Self {
            spec,
            deadlines,
            tape,
        }
    }

    /// What came of it, and what is kept of what it wrote.
    fn read(&self, outcome: &Outcome) -> (Result<Answered, Failure>, Vec<u8>) {
        let kept = || scrubbed(&self.spec.passed, &outcome.output);
        let failed = |class, detail: String| {
            let failure = Failure {
                class,
                ..Failure::protocol(detail)
            };
            (Err(failure), kept())
        };
        match &outcome.end {
            End::NotStarted(error) => failed(
                CallFailure::NotStarted,
                format!("the program was not started: {error}"),
            ),
            End::Late => {
                let ms = self.deadlines.answer_ms;
                let said = self.last_words(outcome);
                failed(
                    CallFailure::Timeout,
                    format!("no reply within {ms} ms{said}"),
                )
            }
            End::TooMuch => failed(
                CallFailure::Protocol,
                format!("a reply of more than {REPLY_MAX} bytes"),
            ),
            End::Open => failed(
                CallFailure::Protocol,
                "the program ended, and something that it started keeps its output open".to_owned(),
            ),
            End::Exited(status) if status.success() => {
                let mut raw = Vec::new();
                match reply::read(&outcome.output, &self.spec.passed, &mut raw) {
                    reply::Reply::Answer(answered) => (Ok(*answered), raw),
                    reply::Reply::Failure(failure) => (Err(failure), raw),
                }
            }
            End::Exited(status) => {
                let said = self.last_words(outcome);
                failed(
                    CallFailure::Exited,
                    format!("the program ended with {status}{said}"),
                )
            }
        }
    }

    /// The last that it said on standard error, so that it can be shown and kept.
    fn last_words(&self, outcome: &Outcome) -> String {
        /// How much of it is told.
        const TOLD: usize = 300;
        let said = String::from_utf8_lossy(&outcome.last_words);
        let said = scrubbed_text(&self.spec.passed, &said);
        // Before it is cut: half a credential no longer looks like one.
        let said = Scanner::shared().redacted(said.trim());
        let said = visible(&said);
        let from = said.ceil_char_boundary(said.len().saturating_sub(TOLD));
        match &said[from..] {
            "" => String::new(),
            told if from == 0 => format!(": {told}"),
            told => format!(": ...{told}"),
        }
    }
}

impl Player for ProgramPlayer {
    fn ask(&mut self, request: &Request) -> Reply {
        let document = document(&self.spec, request);
        let asked = || {
            let name = self.spec.program.file_name().unwrap_or_default();
            Asked::program(&name.to_string_lossy(), &self.spec.system, &document)
        };
        let live = || (self.start(document.clone()), Head::default());
        let again = |raw: &[u8], _: Option<&str>| answer_in(raw);
        self.tape.ask(Whose::of(request), asked, live, &again)
    }
}

/// Reads a reply that was kept.
fn answer_in(raw: &[u8]) -> Option<Answered> {
    match reply::read(raw, &[], &mut Vec::new()) {
        reply::Reply::Answer(answered) => Some(Answered {
            raw: raw.to_vec(),
            ..*answered
        }),
        reply::Reply::Failure(_) => None,
    }
}

impl ProgramPlayer {
    fn start(&self, document: Vec<u8>) -> Reply {
        let asked = Instant::now();
        let queue = self.spec.pace.wait();
        let deadline = Duration::from_millis(self.deadlines.answer_ms);
        let outcome = run(&self.spec, document, deadline);
        let time = Took {
            queue: (!queue.is_zero()).then_some(queue),
            ..Took::since(asked)
        };
        match self.read(&outcome) {
            (Ok(answered), raw) => Reply::Answered(Box::new(Answered {
                time,
                raw,
                ..answered
            })),
            (Err(failure), raw) => Reply::Failed(Box::new(Failed {
                class: failure.class,
                detail: failure.detail,
                retry_after_ms: failure.retry_after_ms,
                time,
                raw,
                ..Failed::default()
            })),
        }
    }
}
