//! How a code is written.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::finding::Code;

const _: () = assert!(Code::ALL.len() < 256, "codes are listed on one page");

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
