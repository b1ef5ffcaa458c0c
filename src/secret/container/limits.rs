use std::io::Read;

/// So many containers may stand in one another.
pub(super) const DEPTH_MAX: usize = 8;
/// So many members are looked at in a file.
const MEMBERS_MAX: usize = 10_000;
/// So many bytes may come out of a file.
const BYTES_MAX: usize = 256 << 20;
/// So many times its size may come out of a file, and a mebibyte in any case.
const RATIO_MAX: usize = 200;
const BYTES_FREE: usize = 1 << 20;

/// What may still come out of a file.
pub(super) struct Limits {
    members: usize,
    bytes: usize,
}

impl Limits {
    /// The limits for a file of so many bytes.
    pub(super) fn new(n_bytes: usize) -> Self {
        let by_ratio = n_bytes.saturating_mul(RATIO_MAX).saturating_add(BYTES_FREE);
        Self {
            members: MEMBERS_MAX,
            bytes: by_ratio.min(BYTES_MAX),
        }
    }

    /// Takes one more member; `false` where there were too many.
    pub(super) fn take_member(&mut self) -> bool {
        let left = self.members.checked_sub(1);
        self.members = left.unwrap_or(0);
        left.is_some()
    }

    /// Copies the bytes of a member.
    pub(super) fn copy(&mut self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        match self.bytes.checked_sub(bytes.len()) {
            Some(left) => {
                self.bytes = left;
                Ok(bytes.to_vec())
            }
            None => Err(Self::exceeded()),
        }
    }

    /// Reads to the end of what a decoder gives.
    pub(super) fn read(&mut self, source: impl Read, what: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let limit = u64::try_from(self.bytes).unwrap_or(u64::MAX);
        let read = source.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        let left = self.bytes.checked_sub(bytes.len());
        self.bytes = left.unwrap_or(0);
        match (left, read) {
            (None, _) => Err(Self::exceeded()),
            (_, Err(_)) => Err(format!("{what} that is broken or cut off")),
            (Some(_), Ok(_)) => Ok(bytes),
        }
    }

    fn exceeded() -> String {
        format!(
            "more than comes out of one file: {RATIO_MAX} times its size, or {} MiB",
            BYTES_MAX >> 20
        )
    }

    /// What is said where there are too many members.
    pub(super) fn too_many() -> String {
        format!("more than {MEMBERS_MAX} members")
    }
}
