use std::collections::BTreeSet;

use crate::finding::{Code, Finding, Place};
use crate::ledger::{Note, NoteRefusal, NoteSignature, Signed, SignedCheckpoint, VerifierKey};

/// Whom a reader trusts: keys of logs and witnesses, and how many witnesses
/// must have signed (C2SP tlog-policy).
///
/// ```text
/// log example.org/log+…
/// witness W1 witness.example+…
/// witness W2 witness.example.net+…
/// group both all W1 W2
/// quorum both
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub(crate) logs: Vec<VerifierKey>,
    /// Witnesses and groups, in the order of definition.
    pub(crate) members: Vec<Member>,
    pub(crate) quorum: Quorum,
}

/// A name that a group may list, or the quorum be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// As bytes: a name is not text.
    pub(crate) name: Vec<u8>,
    pub(crate) rule: Rule,
}

/// Who must have witnessed a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quorum {
    /// No one: `none`.
    Nobody,
    /// This member.
    Member(usize),
}

/// When a member has witnessed a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// When this key has cosigned.
    Key(VerifierKey),
    /// When at least so many of these members have witnessed.
    Threshold { least: usize, of: Vec<usize> },
}

/// Why a checkpoint does not satisfy a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyRefusal {
    /// The policy names no key for this log.
    #[error("the policy names no log {origin}")]
    UnknownLog {
        /// The origin of the checkpoint.
        origin: String,
    },
    /// A signature by a key of the policy does not verify.
    #[error("the signature by {key} does not verify")]
    Wrong {
        /// The name of the key.
        key: String,
    },
    /// The log has not signed.
    #[error("no key that the policy names for the log {origin} has signed")]
    Unsigned {
        /// The origin of the checkpoint.
        origin: String,
    },
    /// Too few witnesses have signed.
    #[error("the quorum {quorum} is not met: {n_signed} of the witnesses of the policy signed")]
    Quorum {
        /// The name of the quorum.
        quorum: String,
        /// How many witnesses signed.
        n_signed: usize,
    },
}

impl PolicyRefusal {
    /// Returns the finding that a checkpoint at this place does not satisfy a policy.
    pub fn finding(&self, place: Place) -> Finding {
        let code = match self {
            Self::Wrong { .. } => Code::SignatureRefused,
            Self::UnknownLog { .. } | Self::Unsigned { .. } | Self::Quorum { .. } => {
                Code::PolicyUnmet
            }
        };
        let expected = "a checkpoint that is signed as the policy demands";
        Finding::new(code, place, expected, self.to_string())
    }
}

/// A checkpoint that satisfies a policy, and by whose signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement<'p> {
    /// The signatures of the log.
    pub logs: Vec<Signed<'p>>,
    /// The signatures of witnesses.
    pub witnesses: Vec<Signed<'p>>,
    /// The quorum that is met; nothing where the policy asks for none.
    pub quorum: Option<String>,
}

impl Policy {
    /// Picks those of these signatures below a checkpoint that are by a witness
    /// of the policy or by its log.
    ///
    /// # Errors
    ///
    /// When one of them does not verify: below the checkpoint it would spoil all
    /// the others.
    pub fn pick(
        &self,
        checkpoint: &SignedCheckpoint,
        signatures: &[NoteSignature],
    ) -> Result<Vec<NoteSignature>, PolicyRefusal> {
        let of_log = self.keys_of_log(checkpoint.checkpoint().origin.as_str());
        let keys: Vec<_> = of_log.into_iter().chain(self.keys_of_witnesses()).collect();
        let is_known = |signature: &&NoteSignature| keys.iter().any(|key| key.is_of(signature));
        let known: Vec<_> = signatures.iter().filter(is_known).cloned().collect();
        let note = Note::new(checkpoint.note().text().to_owned(), known.clone());
        match note.verify(&keys) {
            Err(NoteRefusal::Wrong { key }) => Err(PolicyRefusal::Wrong { key }),
            Ok(_) | Err(NoteRefusal::Unknown) => Ok(known),
        }
    }

    /// The keys that the policy names for this log.
    pub fn keys_of_log(&self, origin: &str) -> Vec<&VerifierKey> {
        let logs = self.logs.iter();
        logs.filter(|key| key.name() == origin).collect()
    }

    fn keys_of_witnesses(&self) -> impl Iterator<Item = &VerifierKey> {
        self.members.iter().filter_map(|member| match &member.rule {
            Rule::Key(key) => Some(key),
            Rule::Threshold { .. } => None,
        })
    }

    /// Checks every signature by a key of the policy, and that log and
    /// witnesses have signed as it demands.
    ///
    /// # Errors
    ///
    /// Why the checkpoint is not to be believed.
    pub fn judge(&self, checkpoint: &SignedCheckpoint) -> Result<Judgement<'_>, PolicyRefusal> {
        let origin = checkpoint.checkpoint().origin.as_str();
        let of_log = self.keys_of_log(origin);
        if of_log.is_empty() {
            let origin = origin.to_owned();
            return Err(PolicyRefusal::UnknownLog { origin });
        }
        // Keys of other logs count for nothing here, but must not be lied about.
        let keys: Vec<_> = self.logs.iter().chain(self.keys_of_witnesses()).collect();
        let signed = match checkpoint.note().verify(&keys) {
            Ok(signed) => signed,
            Err(NoteRefusal::Unknown) => Vec::new(),
            Err(NoteRefusal::Wrong { key }) => return Err(PolicyRefusal::Wrong { key }),
        };
        let by = |keys: &[&VerifierKey]| -> Vec<Signed<'_>> {
            let signed = signed.iter().filter(|signed| keys.contains(&signed.by));
            signed.copied().collect()
        };
        let logs = by(&of_log);
        if logs.is_empty() {
            let origin = origin.to_owned();
            return Err(PolicyRefusal::Unsigned { origin });
        }
        let witnesses = by(&self.keys_of_witnesses().collect::<Vec<_>>());
        let judgement = Judgement {
            logs,
            quorum: match self.quorum {
                Quorum::Nobody => None,
                Quorum::Member(quorum) => Some(self.name_of(quorum)),
            },
            witnesses,
        };
        match self.quorum {
            Quorum::Member(quorum) if !self.has_witnessed(quorum, &judgement.witnesses) => {
                let signers: BTreeSet<_> = judgement.witnesses.iter().map(key_of).collect();
                Err(PolicyRefusal::Quorum {
                    quorum: self.name_of(quorum),
                    n_signed: signers.len(),
                })
            }
            _ => Ok(judgement),
        }
    }

    fn has_witnessed(&self, member: usize, signed: &[Signed<'_>]) -> bool {
        match self.members.get(member).map(|member| &member.rule) {
            Some(Rule::Key(key)) => signed.iter().any(|signed| signed.by == key),
            // Members stand before the group, so this ends.
            Some(Rule::Threshold { least, of }) => {
                let have = of.iter().filter(|of| self.has_witnessed(**of, signed));
                *least <= have.count()
            }
            None => false,
        }
    }

    fn name_of(&self, member: usize) -> String {
        let member = self.members.get(member);
        let name = member.map_or(&b"none"[..], |member| &member.name);
        crate::finding::visible(&String::from_utf8_lossy(name))
    }
}

fn key_of(signed: &Signed<'_>) -> [u8; 32] {
    signed.by.public_key()
}
