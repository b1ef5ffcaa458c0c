//! The versions of the rules. A release stands under those that passed it: its
//! event pins the manifest of its audit, and that names them.

use crate::audit::audit_path;
use crate::manifest::Mode;
use crate::projection::Projection;
use crate::tree::Tree;

/// The largest manifest of an audit, in bytes.
pub(crate) const MANIFEST_BYTES_MAX: u64 = 1 << 28;

/// A version of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Auditor {
    /// Without the rules on claims and endpoints.
    V1,
    /// With them.
    V2,
    /// And with the rule on cells that were played again.
    V3,
}

impl Auditor {
    /// What audits go by.
    pub const NEWEST: Self = Self::V3;

    /// The name of the auditor and the version of its rules.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "scoresheet-audit@1",
            Self::V2 => "scoresheet-audit@2",
            Self::V3 => "scoresheet-audit@3",
        }
    }

    /// The rules that the newest release was passed by: those that the manifest
    /// of its audit names, where that is the file which its event pins. Else the
    /// newest ones.
    pub fn of_release(whole: &Projection, tree: &Tree) -> Self {
        let named = || {
            let newest = whole.published.last()?;
            let path = audit_path(Mode::Publication).parse().ok()?;
            let read = tree.read(&path, MANIFEST_BYTES_MAX).ok()?;
            if *read.digest() != newest.published.audit {
                return None;
            }
            let manifest: serde_json::Value = serde_json::from_slice(read.bytes()).ok()?;
            let name = manifest.get("auditor")?.as_str()?.to_owned();
            [Self::V1, Self::V2, Self::V3]
                .into_iter()
                .find(|one| one.as_str() == name)
        };
        named().unwrap_or(Self::NEWEST)
    }
}
