use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::canonical::Day;
use crate::cli::error::CliError;
use crate::cli::files::{NOTE_BYTES_MAX, read_input};
use crate::cli::screen::counted;
use crate::digest::Root;
use crate::event::{Event, Verified};
use crate::ledger::{Checkpoint, Disk, Prefix, SignedCheckpoint, all_checkpoints};

/// Which prefix of the ledger is meant, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct At {
    text: String,
    form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Size(u64),
    Day(Day),
    /// The root of a checkpoint that the ledger has stored.
    Root(Root),
    /// A checkpoint that somebody kept.
    File(PathBuf),
}

/// Where a prefix ends, as meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Behind so many events, of which there are as many.
    Size(u64),
    /// Before the first event that is later than this day.
    Day(Day),
}

impl FromStr for At {
    type Err = String;

    /// What a text means does not depend on what stands in the folder: digits
    /// are a size, a day is a day, and whatever has no such form is a file.
    fn from_str(text: &str) -> Result<Self, String> {
        let form = if let Ok(root) = text.parse::<Root>() {
            Form::Root(root)
        } else if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let size = text.parse();
            Form::Size(size.map_err(|_| "no ledger has so many events".to_owned())?)
        } else if let Ok(day) = text.parse::<Day>() {
            Form::Day(day)
        } else if looks_like_a_day(text) {
            return Err(format!(
                "there is no such day; a file of that name is ./{text}"
            ));
        } else if text.is_empty() {
            return Err(format!("expected {FORMS}"));
        } else {
            Form::File(text.into())
        };
        Ok(Self {
            text: text.to_owned(),
            form,
        })
    }
}

/// What may be typed.
const FORMS: &str = "the number of events, a day such as 2026-11-29, the root of a stored checkpoint (64 hex digits), or the file of a checkpoint";

fn looks_like_a_day(text: &str) -> bool {
    let form = b"dddd-dd-dd";
    let fits = |(byte, mark): (u8, &u8)| match mark {
        b'd' => byte.is_ascii_digit(),
        _ => byte == *mark,
    };
    text.len() == form.len() && text.bytes().zip(form).all(fits)
}

impl At {
    /// Returns where the prefix ends. Only a day takes a look at the events.
    pub(crate) fn end(&self, prefix: &Prefix<'_>, disk: &Disk) -> Result<End, CliError> {
        let checkpoint = match &self.form {
            Form::Day(day) => {
                self.is_no_file_of(None)?;
                return Ok(End::Day(*day));
            }
            Form::Size(size) => {
                if prefix.size() < *size {
                    return Err(self.refused(&format!(
                        "the ledger has {}, not {size}",
                        counted(prefix.size(), "event")
                    )));
                }
                self.is_no_file_of(Some(*size))?;
                return Ok(End::Size(*size));
            }
            Form::Root(root) => {
                let stored = self.stored(root, prefix, disk)?;
                self.is_no_file_of(Some(stored.size))?;
                stored
            }
            Form::File(path) => self.kept(path, prefix)?,
        };
        let found = prefix.root_at(checkpoint.size)?;
        if found == checkpoint.root {
            return Ok(End::Size(checkpoint.size));
        }
        Err(CliError::Evidence(format!(
            "--at {}: the checkpoint says that the first {} have the root {}, but here they have {found}: this ledger did not grow out of that one",
            self.text,
            counted(checkpoint.size, "event"),
            checkpoint.root
        )))
    }

    /// Returns how many events the prefix has.
    pub(crate) fn size(&self, disk: &Disk) -> Result<u64, CliError> {
        let prefix = Prefix::open(disk)?;
        let end = self.end(&prefix, disk)?;
        match end {
            End::Size(size) => Ok(size),
            End::Day(_) => Ok(read(&prefix, end, |_, _| ())?.0),
        }
    }

    /// The stored checkpoint with this root.
    fn stored(
        &self,
        root: &Root,
        prefix: &Prefix<'_>,
        disk: &Disk,
    ) -> Result<Checkpoint, CliError> {
        let stored = all_checkpoints(disk, &prefix.description().origin)?;
        let mut stored = stored.iter().map(SignedCheckpoint::checkpoint);
        let sizes: Vec<_> = stored
            .clone()
            .map(|stored| stored.size.to_string())
            .collect();
        let found = stored.find(|stored| stored.root == *root);
        found.cloned().ok_or_else(|| match sizes.as_slice() {
            [] => self.refused("the ledger has no stored checkpoint"),
            _ => self.refused(&format!(
                "no stored checkpoint has this root; there are those of size {}",
                sizes.join(", ")
            )),
        })
    }

    /// The checkpoint in a file, which must be one of this ledger.
    fn kept(&self, path: &Path, prefix: &Prefix<'_>) -> Result<Checkpoint, CliError> {
        let file = read_input(path, NOTE_BYTES_MAX)
            .map_err(|error| self.refused(&format!("{error}; expected {FORMS}")))?;
        let kept = SignedCheckpoint::parse(&file)
            .map_err(|fault| self.refused(&format!("the file is no checkpoint: {fault}")))?;
        let kept = kept.checkpoint();
        let origin = &prefix.description().origin;
        if kept.origin != *origin {
            return Err(self.refused(&format!(
                "the checkpoint is one of {}, but this ledger is {origin}",
                kept.origin
            )));
        }
        if prefix.size() < kept.size {
            return Err(self.refused(&format!(
                "the checkpoint is of {}, but this ledger has {}: it is an older copy, or lost some",
                counted(kept.size, "event"),
                prefix.size()
            )));
        }
        Ok(kept.clone())
    }

    /// A text that also names a file with a checkpoint of another size has two
    /// meanings, and nobody guesses which one is meant.
    fn is_no_file_of(&self, size: Option<u64>) -> Result<(), CliError> {
        let path = Path::new(&self.text);
        if !path.is_file() {
            return Ok(());
        }
        let file = read_input(path, NOTE_BYTES_MAX).ok();
        let kept = file.and_then(|file| SignedCheckpoint::parse(&file).ok());
        match kept.map(|kept| kept.checkpoint().size) {
            Some(other) if Some(other) != size => Err(self.refused(&format!(
                "this has two meanings: a file of that name holds a checkpoint of {}; ./{} means the file, and in another folder there is no such file",
                counted(other, "event"),
                self.text
            ))),
            Some(_) | None => Ok(()),
        }
    }

    fn refused(&self, why: &str) -> CliError {
        CliError::Input(format!("--at {}: {why}", self.text))
    }
}

/// Hands the events of a prefix over, and returns how many they are and their
/// root.
pub(crate) fn read(
    prefix: &Prefix<'_>,
    end: End,
    each: impl FnMut(u64, Verified<Event>),
) -> Result<(u64, Root), CliError> {
    let day = match end {
        End::Size(size) => return Ok((size, prefix.read(size, each)?)),
        End::Day(day) => day,
    };
    let (size, root) = prefix.read_until(day.last(), each)?;
    if size == 0 {
        let mut first = None;
        prefix.read(prefix.size().min(1), |_, event| first = Some(event.at))?;
        let first = first.map_or_else(|| "not there yet".to_owned(), |at| format!("of {at}"));
        return Err(CliError::Input(format!(
            "--at {day}: on that day the ledger had no event; its first is {first}"
        )));
    }
    Ok((size, root))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Result<Form, String> {
        text.parse().map(|at: At| at.form)
    }

    #[test]
    fn the_form_of_a_text_says_what_it_means() {
        assert_eq!(form("0"), Ok(Form::Size(0)));
        assert_eq!(form("20261129"), Ok(Form::Size(20_261_129)));
        assert_eq!(
            form("2026-11-29"),
            Ok(Form::Day("2026-11-29".parse().unwrap()))
        );
        let digits = "1".repeat(64);
        let hex = "0a".repeat(32);
        for root in [&digits, &hex] {
            assert_eq!(form(root), Ok(Form::Root(root.parse().unwrap())));
        }
        for file in [
            "checkpoints/120",
            "./120",
            "./2026-11-29",
            "-",
            "-1",
            "1e3",
            "0A",
            &hex[1..],
            "2026-11",
        ] {
            assert_eq!(form(file), Ok(Form::File(file.into())), "{file}");
        }
        for wrong in ["", "2026-02-30", "9999-99-99", "99999999999999999999"] {
            assert!(form(wrong).is_err(), "{wrong}");
        }
    }
}
