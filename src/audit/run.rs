use serde::Deserialize;

use crate::audit::Evidence;
use crate::canonical::Count;
use crate::digest::Digest;
use crate::manifest::AuditRun;
use crate::schema;
use crate::secret::Scanner;

/// Returns who looks, and in which copy of a ledger; without a ledger nothing is
/// withheld.
pub fn facts(evidence: Option<&Evidence>) -> AuditRun {
    let withheld = evidence.map_or(0, |evidence| evidence.verification.private.withheld);
    let line = |(name, text): (&str, &str)| format!("{}  {name}\n", Digest::of(text.as_bytes()));
    let schemas: String = schema::texts().map(line).collect();
    AuditRun {
        bodies_withheld: Count::saturating(withheld),
        lock: Digest::of(include_bytes!("../../Cargo.lock")),
        program: concat!("scoresheet ", env!("CARGO_PKG_VERSION")).to_owned(),
        rules: Digest::of(Scanner::rules_file().as_bytes()),
        schemas: Digest::of(schemas.as_bytes()),
    }
}

/// Returns the facts that stand in the file of an audit, where it has any.
pub(crate) fn facts_of(file: &[u8]) -> Option<AuditRun> {
    #[derive(Deserialize)]
    struct Part {
        run: Option<AuditRun>,
    }
    let part: Part = serde_json::from_slice(file).ok()?;
    part.run
}
