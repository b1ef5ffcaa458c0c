use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Digest as _;

/// A SHA-256 digest (FIPS 180-4). Its text form is 64 lowercase hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

/// The order of the bytes, and of the hex digits. Maps by digest are everywhere,
/// and nearly always the first eight bytes decide.
impl Ord for Digest {
    fn cmp(&self, other: &Self) -> Ordering {
        let head = |digest: &Self| digest.0.first_chunk().map(|head| u64::from_be_bytes(*head));
        let by_head = head(self).cmp(&head(other));
        by_head.then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Digest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Digest {
    /// Returns the digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// Wraps 32 bytes that are already a digest.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The text form.
    pub fn hex(&self) -> Hex {
        let mut text = [[0_u8; 2]; 32];
        for (pair, byte) in text.iter_mut().zip(&self.0) {
            *pair = PAIRS[usize::from(*byte)];
        }
        Hex(text)
    }

    /// The first twelve hex digits: enough for a person to tell digests apart,
    /// never enough to identify content.
    pub fn short(&self) -> String {
        let mut hex = self.to_string();
        hex.truncate(12);
        hex
    }
}

/// A running SHA-256 over bytes that arrive in pieces.
#[derive(Clone, Default)]
pub struct Hasher(sha2::Sha256);

impl Hasher {
    /// Starts over nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of everything taken in.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// The two hex digits of every byte.
const PAIRS: [[u8; 2]; 256] = {
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [HEX[byte >> 4], HEX[byte & 15]];
        byte += 1;
    }
    pairs
};

/// The text of a digest, for whoever needs many of them and owns none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hex([[u8; 2]; 32]);

impl Hex {
    /// The 64 lowercase hex digits.
    pub fn as_str(&self) -> &str {
        // Hex digits are ASCII.
        std::str::from_utf8(self.0.as_flattened()).unwrap_or_default()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.hex().as_str())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The text is not 64 lowercase hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lowercase hex digits")]
pub struct ParseDigestError;

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        let text = text.as_bytes();
        if text.len() != 64 {
            return Err(ParseDigestError);
        }
        let mut bytes = [0_u8; 32];
        // Every line names a few digests: what is no digit is noted on the way
        // and looked at once.
        let mut seen = 0;
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let (high, low) = (NIBBLES[usize::from(pair[0])], NIBBLES[usize::from(pair[1])]);
            *byte = high << 4 | low & 15;
            seen |= high | low;
        }
        if seen & NO_DIGIT == 0 {
            Ok(Self(bytes))
        } else {
            Err(ParseDigestError)
        }
    }
}

/// Stands in [`NIBBLES`] for a byte that is no lowercase hex digit.
const NO_DIGIT: u8 = 0x80;

/// What each byte is worth as a hex digit.
const NIBBLES: [u8; 256] = {
    let mut nibbles = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        nibbles[HEX[value as usize] as usize] = value;
        value += 1;
    }
    nibbles
};

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.hex().as_str())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Digest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("64 lowercase hex digits")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Digest, E> {
                text.parse()
                    .map_err(|_| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

impl schemars::JsonSchema for Digest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "A SHA-256 digest: 64 lowercase hex digits."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_of_abc_is_the_fips_180_vector() {
        let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), hex);
        assert_eq!(hex.parse(), Ok(Digest::of(b"abc")));
    }

    #[test]
    fn uppercase_short_and_non_hex_texts_are_no_digests() {
        let hex = Digest::of(b"abc").to_string();
        assert!(hex.to_uppercase().parse::<Digest>().is_err());
        assert!(hex[1..].parse::<Digest>().is_err());
        assert!(hex.replace('a', "g").parse::<Digest>().is_err());
    }

    #[test]
    fn digests_are_in_the_order_of_their_texts() {
        let of = |number: u32| Digest::of(&number.to_be_bytes());
        // The last ones differ in one byte only, each in another.
        let near = (0..32).map(|place| {
            let mut bytes = *of(0).as_bytes();
            bytes[place] ^= 1;
            Digest::new(bytes)
        });
        let digests: Vec<_> = (0..40).map(of).chain(near).collect();
        for one in &digests {
            for other in &digests {
                assert_eq!(one.cmp(other), one.to_string().cmp(&other.to_string()));
            }
        }
    }

    #[test]
    fn hashing_in_pieces_equals_hashing_at_once() {
        let mut hasher = Hasher::new();
        hasher.update(b"a");
        hasher.update(b"");
        hasher.update(b"bc");
        assert_eq!(hasher.finish(), Digest::of(b"abc"));
    }
}
