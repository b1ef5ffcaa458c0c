use crate::digest::empty_root;
use crate::ledger::{
    ConsistencyProof, KeyKind, LedgerError, Memory, NoteRefusal, Policy, SigningKey,
};

/// One who signs what grew out of what he signed before, and nothing else
/// (C2SP tlog-witness).
pub struct Witness<'a> {
    policy: &'a Policy,
    key: &'a SigningKey,
    memory: Memory<'a>,
}

/// What a witness answers: an HTTP status and a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: Status,
    /// The body: cosignature lines, a size, or what was wrong in words.
    pub body: String,
}

/// The statuses of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Cosigned.
    Ok,
    /// The body is no request, or shrinks the log.
    BadRequest,
    /// No key that is trusted for this log has signed, or one did not.
    Forbidden,
    /// The log is not known.
    NotFound,
    /// The old size is not the one that was signed last; the body is that one.
    OtherSize,
    /// The size is the one that was signed last, and the root is not.
    OtherRoot,
    /// The proof does not verify.
    Unprocessable,
}

impl Status {
    /// The number and name of HTTP.
    pub const fn line(self) -> &'static str {
        match self {
            Self::Ok => "200 OK",
            Self::BadRequest => "400 Bad Request",
            Self::Forbidden => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::OtherSize | Self::OtherRoot => "409 Conflict",
            Self::Unprocessable => "422 Unprocessable Entity",
        }
    }

    /// The number of HTTP.
    pub const fn code(self) -> u16 {
        match self {
            Self::Ok => 200,
            Self::BadRequest => 400,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::OtherSize | Self::OtherRoot => 409,
            Self::Unprocessable => 422,
        }
    }

    /// The media type of the body.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::OtherSize => "text/x.tlog.size",
            _ => "text/plain; charset=utf-8",
        }
    }
}

/// The key is not one that cosigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key signs for a log; a witness needs one of its own: scoresheet key new --witness")]
pub struct NotAWitnessKey;

impl<'a> Witness<'a> {
    /// Returns the witness that trusts the logs of this policy.
    ///
    /// # Errors
    ///
    /// When the key is not one that cosigns.
    pub fn new(
        policy: &'a Policy,
        key: &'a SigningKey,
        memory: Memory<'a>,
    ) -> Result<Self, NotAWitnessKey> {
        if key.kind() != KeyKind::Cosignature {
            return Err(NotAWitnessKey);
        }
        Ok(Self {
            policy,
            key,
            memory,
        })
    }

    /// Answers the body of an add-checkpoint request at this time, in seconds
    /// since 1970. What is signed is durable before this returns.
    ///
    /// # Errors
    ///
    /// When the memory cannot be written; nothing is signed then.
    pub fn answer(&mut self, body: &[u8], unix_seconds: u64) -> Result<Answer, LedgerError> {
        let request = match self.consider(body) {
            Ok(request) => request,
            Err(refusal) => return Ok(refusal),
        };
        self.memory.remember(request.checkpoint.checkpoint())?;
        let text = request.checkpoint.note().text();
        let signature = self.key.sign(text, unix_seconds);
        Ok(Answer {
            status: Status::Ok,
            body: format!("{signature}\n"),
        })
    }

    /// Checks a request in the order of the specification.
    fn consider(&self, body: &[u8]) -> Result<ConsistencyProof, Answer> {
        let refuse = |status, why: &str| {
            let body = format!("{why}\n");
            Answer { status, body }
        };
        let request = ConsistencyProof::parse(body)
            .map_err(|fault| refuse(Status::BadRequest, &fault.to_string()))?;
        let checkpoint = request.checkpoint.checkpoint();
        let keys = self.policy.keys_of_log(checkpoint.origin.as_str());
        if keys.is_empty() {
            return Err(refuse(Status::NotFound, "this log is not known here"));
        }
        if let Err(refusal) = request.checkpoint.note().verify(&keys) {
            let why = match refusal {
                NoteRefusal::Unknown => "no key that is trusted for this log has signed",
                NoteRefusal::Wrong { .. } => "a signature of the log does not verify",
            };
            return Err(refuse(Status::Forbidden, why));
        }
        if checkpoint.size < request.old {
            let why = "the old size is larger than the checkpoint";
            return Err(refuse(Status::BadRequest, why));
        }
        let latest = self.memory.latest(&checkpoint.origin);
        let (size, root) = latest.unwrap_or_else(|| (0, empty_root()));
        if request.old != size {
            return Err(refuse(Status::OtherSize, &size.to_string()));
        }
        if checkpoint.size == size && checkpoint.root != root {
            let why = "another root was signed at this size";
            return Err(refuse(Status::OtherRoot, why));
        }
        match request.verify(&root) {
            Ok(()) => Ok(request),
            Err(fault) => Err(refuse(Status::Unprocessable, &fault.to_string())),
        }
    }
}
