use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The largest integer that every JSON reader holds exactly (RFC 7493): 2^53-1.
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// An integer from 0 to 2^53-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Count(u64);

impl Count {
    /// Nothing, counted. Not the same as absent.
    pub const ZERO: Self = Self(0);

    /// One.
    pub const ONE: Self = Self(1);

    /// Returns the count, or the largest one for anything beyond 2^53-1.
    pub fn saturating(n: impl TryInto<u64>) -> Self {
        Self(n.try_into().unwrap_or(u64::MAX).min(MAX_SAFE_INTEGER))
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// The number is outside what every JSON reader holds exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found one outside")]
pub struct UnsafeIntegerError {
    /// Which integers are in.
    pub expected: &'static str,
}

const COUNT: &str = "an integer from 0 to 2^53-1";
const INTEGER: &str = "an integer within plus or minus 2^53-1";

impl TryFrom<u64> for Count {
    type Error = UnsafeIntegerError;

    fn try_from(n: u64) -> Result<Self, Self::Error> {
        if n <= MAX_SAFE_INTEGER {
            Ok(Self(n))
        } else {
            Err(UnsafeIntegerError { expected: COUNT })
        }
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CountVisitor;
        impl Visitor<'_> for CountVisitor {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(COUNT)
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Count, E> {
                n.try_into().map_err(E::custom)
            }
        }
        deserializer.deserialize_u64(CountVisitor)
    }
}

impl From<u32> for Count {
    fn from(n: u32) -> Self {
        Self(n.into())
    }
}

impl From<Count> for u64 {
    fn from(n: Count) -> Self {
        n.0
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl JsonSchema for Count {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_SAFE_INTEGER,
            "description": "An integer from 0 to 2^53-1."
        })
    }
}

/// An integer within plus or minus 2^53-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Integer(i64);

impl Integer {
    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Integer {
    type Error = UnsafeIntegerError;

    fn try_from(n: i64) -> Result<Self, Self::Error> {
        if n.unsigned_abs() <= MAX_SAFE_INTEGER {
            Ok(Self(n))
        } else {
            Err(UnsafeIntegerError { expected: INTEGER })
        }
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IntegerVisitor;
        impl Visitor<'_> for IntegerVisitor {
            type Value = Integer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(INTEGER)
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Integer, E> {
                i64::try_from(n)
                    .map_err(|_| UnsafeIntegerError { expected: INTEGER })
                    .and_then(Integer::try_from)
                    .map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Integer, E> {
                n.try_into().map_err(E::custom)
            }
        }
        deserializer.deserialize_i64(IntegerVisitor)
    }
}

impl From<i32> for Integer {
    fn from(n: i32) -> Self {
        Self(n.into())
    }
}

impl From<Integer> for i64 {
    fn from(n: Integer) -> Self {
        n.0
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl JsonSchema for Integer {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Integer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "minimum": -(MAX_SAFE_INTEGER.cast_signed()),
            "maximum": MAX_SAFE_INTEGER,
            "description": "An integer within plus or minus 2^53-1."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_beyond_the_safe_range_floats_and_other_spellings_are_refused() {
        assert_eq!(
            serde_json::from_str::<Count>("9007199254740991")
                .unwrap()
                .get(),
            MAX_SAFE_INTEGER
        );
        for text in [
            "9007199254740992",
            "-1",
            "1.0",
            "1e2",
            "01",
            "-0",
            "\"1\"",
            "null",
        ] {
            assert!(serde_json::from_str::<Count>(text).is_err(), "{text}");
        }
        assert_eq!(
            serde_json::from_str::<Integer>("-9007199254740991")
                .unwrap()
                .get(),
            -9_007_199_254_740_991
        );
        for text in ["9007199254740992", "-9007199254740992", "0.5"] {
            assert!(serde_json::from_str::<Integer>(text).is_err(), "{text}");
        }
    }
}
