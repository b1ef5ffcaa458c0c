use std::io::{self, IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use serde::Serialize;

use crate::cli::error::CliError;
use crate::event::{Event, Verified};
pub(crate) use crate::finding::counted;
use crate::finding::{Finding, Severity, visible};
use crate::secret::Scanner;

/// Standard output and standard error.
///
/// Colors are left out where the stream is no terminal or `NO_COLOR` is set.
pub(crate) struct Screen<'a> {
    out: Box<dyn io::Write + 'a>,
    has_colors: bool,
    failed: Option<io::Error>,
}

impl<'a> Screen<'a> {
    /// Standard output itself.
    pub(crate) fn new() -> Self {
        Self {
            // Colors are taken out again where the stream shows none.
            out: Box::new(anstream::stdout()),
            has_colors: true,
            failed: None,
        }
    }

    /// Something in place of standard output; it gets no colors.
    pub(crate) fn into(out: &'a mut dyn io::Write) -> Self {
        Self {
            out: Box::new(out),
            has_colors: false,
            failed: None,
        }
    }

    /// Writes bytes to standard output, as they are.
    pub(crate) fn data(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
        }
    }

    /// Writes a line to standard output. Names and texts come from strangers:
    /// what looks like a credential is shown as such and never as it is.
    pub(crate) fn line(&mut self, text: &str) {
        let text = Scanner::shared().redacted(text);
        self.data(format!("{text}\n").as_bytes());
    }

    /// Writes a value as a JSON document.
    pub(crate) fn document(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(value);
        self.line(&text.map_err(|error| CliError::Input(error.to_string()))?);
        Ok(())
    }

    /// Writes the line of an event, as it is or is going to be in the ledger.
    pub(crate) fn event(&mut self, event: &Verified<Event>) {
        self.data(format!("{}\n", event.line()).as_bytes());
    }

    /// Writes findings to standard output, the gravest kind counted last.
    pub(crate) fn findings(&mut self, findings: &[Finding]) {
        const SHOWN: usize = 50;
        for finding in findings.iter().take(SHOWN) {
            let text = finding.to_string();
            let word = finding.severity().as_str();
            match text.strip_prefix(word).filter(|_| self.has_colors) {
                Some(rest) => self.line(&format!("{}{rest}", colored(finding.severity()))),
                None => self.line(&text),
            }
        }
        if SHOWN < findings.len() {
            self.line(&format!(
                "and {} more; see --format json",
                findings.len() - SHOWN
            ));
        }
    }

    /// Lets a person see what was written so far.
    pub(crate) fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
    }

    /// Reports whether everything could be written.
    pub(crate) fn finish(mut self) -> Result<(), CliError> {
        match self.failed {
            None => self.out.flush(),
            Some(error) => Err(error),
        }
        .map_err(CliError::io("write to standard output"))
    }
}

/// The word for a severity, in its color.
fn colored(severity: Severity) -> String {
    let color = match severity {
        Severity::Note => "36",
        Severity::Warning => "33",
        Severity::Blocker => "31",
    };
    format!("\u{1b}[1;{color}m{severity}\u{1b}[0m")
}

/// Writes an error to standard error. Whoever worded it, no credential is in it.
pub(crate) fn complain(text: &str) {
    // Where nobody can be told, nothing more can be done.
    let text = Scanner::shared().redacted(text);
    let lines: Vec<_> = text.split('\n').map(visible).collect();
    let text = lines.join("\n");
    drop(writeln!(
        anstream::stderr(),
        "\u{1b}[1;31merror\u{1b}[0m: {text}"
    ));
}

/// Writes what is worth knowing to standard error, without any credential.
pub(crate) fn hint(text: &str) {
    let text = Scanner::shared().redacted(text);
    drop(writeln!(anstream::stderr(), "{text}"));
}

/// A bar on standard error for long work; hidden where that is no terminal,
/// or a dumb one.
pub(crate) fn progress_bar(what: &'static str) -> ProgressBar {
    progress_bar_of(what, "events")
}

/// Whether the terminal cannot go back in a line.
#[expect(
    clippy::disallowed_methods,
    reason = "only the environment says what terminal it is"
)]
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The same for work that is done on something else than events.
pub(crate) fn progress_bar_of(what: &'static str, things: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
    if !io::stderr().is_terminal() || is_dumb() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = format!("{{msg}} {{wide_bar}} {{human_pos}} of {{human_len}} {things} {{eta}}");
    if let Ok(style) = ProgressStyle::with_template(&style) {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar
}
