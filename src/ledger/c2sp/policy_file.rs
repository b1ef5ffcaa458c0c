//! Reading a policy file.

use std::collections::BTreeSet;

use crate::ledger::c2sp::note::shown;
use crate::ledger::c2sp::policy::{Member, Quorum, Rule};
use crate::ledger::c2sp::verifier_key::hex;
use crate::ledger::{KeyKind, Policy, VerifierKey};

/// The most logs, witnesses and groups each; the specification asks for 32.
const ENTRIES_MAX: usize = 1024;

/// The file is no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the policy: {what}")]
pub struct PolicyFault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl Policy {
    /// Reads a policy file.
    ///
    /// # Errors
    ///
    /// The first line that is not as it must be.
    pub fn parse(file: &[u8]) -> Result<Self, PolicyFault> {
        let mut reader = Reader::default();
        let Some(text) = file.strip_suffix(b"\n") else {
            let line = file.split(|byte| *byte == b'\n').count();
            return Err(fault(line, "expected a newline at the end of the file"));
        };
        let mut n_lines = 0;
        for (line, bytes) in (1..).zip(text.split(|byte| *byte == b'\n')) {
            n_lines = line;
            reader.take(bytes).map_err(|what| fault(line, what))?;
        }
        let quorum = reader
            .quorum
            .ok_or_else(|| fault(n_lines, "expected a line `quorum NAME` or `quorum none`"))?;
        Ok(Self {
            logs: reader.logs,
            members: reader.members,
            quorum,
        })
    }
}

fn fault(line: usize, what: impl Into<String>) -> PolicyFault {
    let what = what.into();
    PolicyFault { line, what }
}

/// What was read of a policy so far.
#[derive(Default)]
struct Reader {
    logs: Vec<VerifierKey>,
    members: Vec<Member>,
    /// Members that some group has.
    grouped: BTreeSet<usize>,
    quorum: Option<Quorum>,
}

impl Reader {
    fn take(&mut self, line: &[u8]) -> Result<(), String> {
        let is_allowed = |byte: &u8| *byte == b'\t' || b' ' <= *byte && *byte != 0x7f;
        if !line.iter().all(is_allowed) {
            return Err("expected no control character but tab and newline".to_owned());
        }
        let words = line.split(|byte| matches!(byte, b' ' | b'\t'));
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => Ok(()),
            [first, ..] if first.starts_with(b"#") => Ok(()),
            [b"log", key] | [b"log", key, _] => self.take_log(key),
            [b"witness", name, key] | [b"witness", name, key, _] => self.take_witness(name, key),
            [b"group", name, least, members @ ..] => self.take_group(name, least, members),
            [b"quorum", name] => self.take_quorum(name),
            [word, ..] => Err(format!(
                "expected `log KEY [URL]`, `witness NAME KEY [URL]`, `group NAME all|any|K NAME...` or `quorum NAME`, found {} and {} more words",
                text(word),
                words.len() - 1
            )),
        }
    }

    fn take_log(&mut self, key: &[u8]) -> Result<(), String> {
        let key = parse_key(key)?;
        refuse_twice(&key, self.logs.iter())?;
        self.refuse_confusion(&key)?;
        self.logs.push(key);
        check_count(self.logs.len(), "logs")
    }

    fn take_witness(&mut self, name: &[u8], key: &[u8]) -> Result<(), String> {
        let key = parse_key(key)?;
        if key.kind() != KeyKind::Cosignature {
            return Err("expected a key of the type 0x04: a witness cosigns".to_owned());
        }
        refuse_twice(&key, self.witnesses())?;
        self.refuse_confusion(&key)?;
        self.define(name, Rule::Key(key))
    }

    fn take_group(&mut self, name: &[u8], least: &[u8], names: &[&[u8]]) -> Result<(), String> {
        let mut of = Vec::new();
        for name in names {
            let member = self.find(name)?;
            if !self.grouped.insert(member) {
                let name = text(name);
                return Err(format!(
                    "{name} is a member already; it may count only once"
                ));
            }
            of.push(member);
        }
        let least = match least {
            b"all" => of.len(),
            b"any" => 1,
            number => parse_threshold(number).ok_or_else(|| {
                let found = text(number);
                format!("expected `all`, `any` or a number of members, found {found}")
            })?,
        };
        if of.is_empty() || !(1..=of.len()).contains(&least) {
            let n = of.len();
            return Err(format!(
                "expected 1 to {n} of {n} members, at least one of them"
            ));
        }
        self.define(name, Rule::Threshold { least, of })
    }

    fn take_quorum(&mut self, name: &[u8]) -> Result<(), String> {
        if self.quorum.is_some() {
            return Err("expected one quorum, found another".to_owned());
        }
        self.quorum = Some(match name {
            b"none" => Quorum::Nobody,
            name => Quorum::Member(self.find(name)?),
        });
        Ok(())
    }

    fn define(&mut self, name: &[u8], rule: Rule) -> Result<(), String> {
        if name == b"none" {
            return Err("`none` is no name: it says that no witness must sign".to_owned());
        }
        if self.members.iter().any(|member| member.name == name) {
            return Err(format!("{} is defined already", text(name)));
        }
        let name = name.to_vec();
        self.members.push(Member { name, rule });
        check_count(self.members.len(), "witnesses and groups")
    }

    fn find(&self, name: &[u8]) -> Result<usize, String> {
        let found = self.members.iter().position(|member| member.name == name);
        found.ok_or_else(|| format!("{} is not defined on a line before", text(name)))
    }

    fn witnesses(&self) -> impl Iterator<Item = &VerifierKey> {
        self.members.iter().filter_map(|member| match &member.rule {
            Rule::Key(key) => Some(key),
            Rule::Threshold { .. } => None,
        })
    }

    /// Two keys that a signature line cannot tell apart would refuse each
    /// other's signatures.
    fn refuse_confusion(&self, key: &VerifierKey) -> Result<(), String> {
        let mut others = self.logs.iter().chain(self.witnesses());
        let is_same = |other: &VerifierKey| {
            other.name() == key.name() && other.key_id() == key.key_id() && other != key
        };
        if others.any(is_same) {
            return Err(format!(
                "another key has the name {} and the id {} too",
                text(key.name().as_bytes()),
                hex(key.key_id())
            ));
        }
        Ok(())
    }
}

fn parse_key(key: &[u8]) -> Result<VerifierKey, String> {
    let key = std::str::from_utf8(key).map_err(|_| "expected a key in UTF-8".to_owned())?;
    key.parse()
        .map_err(|error: crate::ledger::ParseVerifierKeyError| error.to_string())
}

/// The same public key under another name or type is the same key.
fn refuse_twice<'k>(
    key: &VerifierKey,
    mut others: impl Iterator<Item = &'k VerifierKey>,
) -> Result<(), String> {
    if others.any(|other| other.public_key() == key.public_key()) {
        return Err("the public key is named already, maybe under another name".to_owned());
    }
    Ok(())
}

fn parse_threshold(text: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(text).ok()?;
    let number: usize = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

fn check_count(n: usize, what: &str) -> Result<(), String> {
    if n <= ENTRIES_MAX {
        Ok(())
    } else {
        Err(format!("expected at most {ENTRIES_MAX} {what}"))
    }
}

fn text(word: &[u8]) -> String {
    shown(&String::from_utf8_lossy(word))
}
