use std::fmt;

use zeroize::Zeroizing;

/// An environment variable that a program is to see. Its value is shown nowhere,
/// and forgotten when it is dropped.
#[derive(Clone)]
pub struct Passed {
    name: String,
    value: Zeroizing<String>,
}

/// A value shorter than this would be found everywhere, and is no secret.
const SECRET_BYTES: usize = 8;

impl Passed {
    /// Takes a variable in.
    pub fn new(name: String, value: String) -> Self {
        Self {
            name,
            value: Zeroizing::new(value),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn value(&self) -> &str {
        &self.value
    }

    /// Returns the bytes without the value: a program may repeat what it has seen.
    fn scrubbed(&self, bytes: &[u8]) -> Vec<u8> {
        let value = self.value.trim().as_bytes();
        let mut clean = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(at) = (SECRET_BYTES <= value.len())
            .then(|| memchr::memmem::find(rest, value))
            .flatten()
        {
            clean.extend_from_slice(&rest[..at]);
            clean.extend_from_slice(b"[the value of ");
            clean.extend_from_slice(self.name.as_bytes());
            clean.push(b']');
            rest = &rest[at + value.len()..];
        }
        clean.extend_from_slice(rest);
        clean
    }
}

impl fmt::Debug for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Passed({})", self.name)
    }
}

/// Returns the bytes without the values of these variables. A value that holds
/// another one goes first, so that no half of it is left.
pub(crate) fn scrubbed(passed: &[Passed], bytes: &[u8]) -> Vec<u8> {
    let mut longest_first: Vec<_> = passed.iter().collect();
    longest_first.sort_by_key(|one| std::cmp::Reverse(one.value.trim().len()));
    let mut clean = bytes.to_vec();
    for one in longest_first {
        clean = one.scrubbed(&clean);
    }
    clean
}

/// Returns the text without the values of these variables.
pub(crate) fn scrubbed_text(passed: &[Passed], text: &str) -> String {
    String::from_utf8_lossy(&scrubbed(passed, text.as_bytes())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_out_wherever_they_stand_and_never_shown() {
        let passed = [
            Passed::new("SHORT".to_owned(), "1".to_owned()),
            Passed::new("PART".to_owned(), "not-a-real".to_owned()),
            Passed::new("KEY".to_owned(), "not-a-real-key\n".to_owned()),
        ];
        assert_eq!(
            scrubbed_text(&passed, "1 not-a-real-key, not-a-real."),
            "1 [the value of KEY], [the value of PART]."
        );
        assert_eq!(format!("{:?}", passed[2]), "Passed(KEY)");
    }
}
