use std::fmt;
use std::num::NonZero;

use crate::event::{Event, LineFault, Verified, What};
use crate::finding::visible;
use crate::ledger::Waivers;
use crate::secret::redacted_excerpt;

/// So few lines are not worth a thread.
const SHARE: usize = 64;

/// The way into the ledger for lines from elsewhere: all of them or none.
///
/// An immutable ledger cannot take a secret back, so none gets in. What an
/// earlier event waives is none.
#[derive(Clone, Debug, Default)]
pub struct Door {
    waivers: Waivers,
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

impl Door {
    /// Takes in what events waive that are in the ledger, or on their way into it.
    pub(crate) fn learn(&mut self, events: &[Verified<Event>]) {
        for event in events {
            self.waivers.take(event);
        }
    }

    /// Takes in what else is waived.
    pub(crate) fn recall(&mut self, waivers: Waivers) {
        self.waivers.extend(waivers);
    }

    /// Returns the events on the lines of an input. A waiver among them holds
    /// for the lines behind it.
    ///
    /// # Errors
    ///
    /// The first line that is none, or that holds a secret.
    pub fn take(&self, input: &[u8]) -> Result<Vec<Verified<Event>>, Refusal> {
        if input.is_empty() {
            return Err(Refusal::Empty);
        }
        let text = input.strip_suffix(b"\n").unwrap_or(input);
        let mut lines: Vec<&[u8]> = Vec::new();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text) {
            lines.push(&text[start..end]);
            start = end + 1;
        }
        lines.push(&text[start..]);
        match self.take_at_once(&lines) {
            Some(taken) => taken,
            None => self.take_in_turn(&lines),
        }
    }

    /// Takes the lines on all cores, or nothing where one of them speaks of others.
    fn take_at_once(&self, lines: &[&[u8]]) -> Option<Result<Vec<Verified<Event>>, Refusal>> {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        let share = lines.len().div_ceil(threads).max(SHARE);
        let take = |first: usize, lines: &[&[u8]]| -> Result<Vec<_>, Refusal> {
            // Room for all at once: growing would copy each event twice.
            let mut taken = Vec::with_capacity(lines.len());
            for (number, line) in (first..).zip(lines) {
                taken.push(take_line(&self.waivers, number, line)?);
            }
            Ok(taken)
        };
        let taken = if lines.len() <= share {
            take(1, lines)
        } else {
            std::thread::scope(|scope| {
                let shares = lines.chunks(share).enumerate();
                let workers = shares.map(|(number, lines)| {
                    let first = number * share + 1;
                    let work = move || take(first, lines);
                    let thread = std::thread::Builder::new().spawn_scoped(scope, work);
                    (thread, first, lines)
                });
                let workers: Vec<_> = workers.collect();
                let mut events = Vec::with_capacity(lines.len());
                for (thread, first, lines) in workers {
                    let taken = match thread {
                        Ok(thread) => thread
                            .join()
                            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                        // Where the system starts no more threads, this one does the work.
                        Err(_) => take(first, lines),
                    };
                    events.extend(taken?);
                }
                Ok(events)
            })
        };
        match &taken {
            Err(Refusal::Secret { .. }) => None,
            Ok(events) if events.iter().any(is_waiver) => None,
            Ok(_) | Err(_) => Some(taken),
        }
    }

    fn take_in_turn(&self, lines: &[&[u8]]) -> Result<Vec<Verified<Event>>, Refusal> {
        let mut waivers = self.waivers.clone();
        (1..)
            .zip(lines)
            .map(|(number, line)| {
                let event = take_line(&waivers, number, line)?;
                if is_waiver(&event) {
                    // Nothing speaks for the words of a waiver itself.
                    refuse_secret(&Waivers::default(), number, line)?;
                    waivers.take(&event);
                }
                Ok(event)
            })
            .collect()
    }
}

fn is_waiver(event: &Verified<Event>) -> bool {
    matches!(event.what, What::WaiverRecorded(_))
}

fn take_line(waivers: &Waivers, number: usize, line: &[u8]) -> Result<Verified<Event>, Refusal> {
    refuse_secret(waivers, number, line)?;
    Verified::parse(line).or_else(|fault| {
        // Escapes may have hidden it from the first look.
        let canonical = fault.canonical.as_deref().unwrap_or_default();
        refuse_secret(waivers, number, canonical.as_bytes())?;
        Err(Refusal::Fault {
            line: number,
            fault,
        })
    })
}

fn refuse_secret(waivers: &Waivers, line: usize, text: &[u8]) -> Result<(), Refusal> {
    match waivers.standing(text).first() {
        None => Ok(()),
        Some(hit) => Err(Refusal::Secret {
            line,
            column: hit.start + 1,
            rule: hit.rule,
            excerpt: redacted_excerpt(text, hit),
        }),
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
                "line {line}, column {column}: expected no credential, found {rule}: {excerpt}; nothing was appended\na ledger never forgets: remove it from the input, and revoke it if it was real; if it is none, say so first: scoresheet waive FILE --line {line} --reason TEXT"
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
        let hex = token
            .bytes()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .concat();
        let percent = token
            .bytes()
            .map(|byte| format!("%{byte:02x}"))
            .collect::<Vec<_>>()
            .concat();
        let elsewhere = line("x").replacen("{\"at\"", &format!("{{\"{token}\":1,\"at\""), 1);
        for input in [token.as_str(), &escaped, &hex, &percent]
            .map(line)
            .into_iter()
            .chain([elsewhere])
        {
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
