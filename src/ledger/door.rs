use std::fmt;
use std::num::NonZero;

use crate::event::{Event, LineFault, Verified};
use crate::finding::visible;
use crate::secret::{Scanner, redacted_excerpt};

/// So few lines are not worth a thread.
const SHARE: usize = 64;

/// The way into the ledger for lines from elsewhere: all of them or none.
///
/// An immutable ledger cannot take a secret back, so none gets in.
pub struct Door {
    scanner: &'static Scanner,
}

/// Why an input was refused, whole, for its first bad line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has no line.
    Empty,
    /// A line is not one event in canonical form.
    Fault {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// A line holds something that looks like a credential.
    Secret {
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
        /// The rule that speaks.
        rule: &'static str,
        /// What may be shown of it.
        excerpt: String,
    },
}

impl Default for Door {
    fn default() -> Self {
        Self {
            scanner: Scanner::shared(),
        }
    }
}

impl Door {
    /// Returns the events on the lines of an input.
    ///
    /// # Errors
    ///
    /// The first line that is none, or that holds a secret.
    pub fn take(&self, input: &[u8]) -> Result<Vec<Verified<Event>>, Refusal> {
        if input.is_empty() {
            return Err(Refusal::Empty);
        }
        let text = input.strip_suffix(b"\n").unwrap_or(input);
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        let share = lines.len().div_ceil(threads).max(SHARE);
        if lines.len() <= share {
            return self.take_lines(1, &lines);
        }
        std::thread::scope(|scope| {
            let shares = lines.chunks(share).enumerate();
            let workers = shares.map(|(number, lines)| {
                scope.spawn(move || self.take_lines(number * share + 1, lines))
            });
            let workers: Vec<_> = workers.collect();
            let mut events = Vec::with_capacity(lines.len());
            for worker in workers {
                let taken = worker.join();
                events.extend(taken.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(events)
        })
    }

    /// Returns the events on these lines, of which the first has this number.
    fn take_lines(&self, first: usize, lines: &[&[u8]]) -> Result<Vec<Verified<Event>>, Refusal> {
        (first..)
            .zip(lines)
            .map(|(number, line)| self.take_line(number, line))
            .collect()
    }

    fn take_line(&self, number: usize, line: &[u8]) -> Result<Verified<Event>, Refusal> {
        self.refuse_secret(number, line)?;
        Verified::parse(line).or_else(|fault| {
            // Escapes may have hidden it from the first look.
            let canonical = fault.canonical.as_deref().unwrap_or_default();
            self.refuse_secret(number, canonical.as_bytes())?;
            Err(Refusal::Fault {
                line: number,
                fault,
            })
        })
    }

    fn refuse_secret(&self, line: usize, text: &[u8]) -> Result<(), Refusal> {
        match self.scanner.scan(text).first() {
            None => Ok(()),
            Some(hit) => Err(Refusal::Secret {
                line,
                column: hit.start + 1,
                rule: hit.rule,
                excerpt: redacted_excerpt(text, hit),
            }),
        }
    }
}

impl Refusal {
    /// The same refusal of an input that stands behind so many lines.
    pub(crate) fn behind(mut self, lines: usize) -> Self {
        match &mut self {
            Self::Empty => {}
            Self::Fault { line, .. } | Self::Secret { line, .. } => *line += lines,
        }
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the input has no lines; nothing was appended"),
            Self::Fault { line, fault } => {
                write!(
                    f,
                    "line {line}, column {}: expected {}, found {}; nothing was appended",
                    fault.column,
                    visible(&fault.expected),
                    visible(&fault.found),
                )?;
                match &fault.canonical {
                    Some(canonical) => write!(
                        f,
                        "\nthe content is right; the line in canonical form is:\n{canonical}"
                    ),
                    None => Ok(()),
                }
            }
            Self::Secret {
                line,
                column,
                rule,
                excerpt,
            } => write!(
                f,
                "line {line}, column {column}: expected no credential, found {rule}: {excerpt}; nothing was appended\na ledger never forgets: remove it from the input, and revoke it if it was real"
            ),
        }
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(note: &str) -> String {
        format!(
            r#"{{"at":"2026-11-29T12:00:00.000Z","by":"me","kind":"expense.recorded","v":1,"what":{{"amount_usd":"1","category":"other","note":"{note}"}}}}"#
        )
    }

    #[test]
    fn a_secret_is_refused_and_never_shown_however_it_is_spelled() {
        let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
        let escaped = token.replacen('g', "\\u0067", 1);
        let elsewhere = line("x").replacen("{\"at\"", &format!("{{\"{token}\":1,\"at\""), 1);
        for input in [line(&token), line(&escaped), elsewhere] {
            let refusal = Door::default().take(input.as_bytes()).unwrap_err();
            assert!(matches!(refusal, Refusal::Secret { .. }), "{refusal}");
            assert!(!refusal.to_string().contains(&token[4..]), "{refusal}");
        }
    }

    #[test]
    fn of_many_lines_on_many_threads_the_first_bad_one_is_named() {
        let lines: Vec<_> = (0..1000).map(|n| line(&n.to_string())).collect();
        let taken = Door::default().take(lines.join("\n").as_bytes()).unwrap();
        assert!(taken.iter().map(Verified::line).eq(&lines));
        for bad in [vec![0], vec![999], vec![63, 64], vec![400, 900]] {
            let mut lines = lines.clone();
            for bad in &bad {
                lines[*bad].push('x');
            }
            match Door::default().take(lines.join("\n").as_bytes()) {
                Err(Refusal::Fault { line, .. }) => assert_eq!(line, bad[0] + 1),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn the_first_bad_line_refuses_the_whole_input() {
        let input = format!("{}\n{}\nnonsense\n", line("a"), line("b"));
        match Door::default().take(input.as_bytes()) {
            Err(Refusal::Fault { line, .. }) => assert_eq!(line, 3),
            other => panic!("{other:?}"),
        }
        let input = format!("{}\n{}\n", line("a"), line("b"));
        assert_eq!(Door::default().take(input.as_bytes()).unwrap().len(), 2);
        assert_eq!(Door::default().take(b""), Err(Refusal::Empty));
    }
}
