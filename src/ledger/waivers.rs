use std::collections::BTreeSet;

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::{Event, Name, What};
use crate::secret::{Hit, Scanner};

/// The places in documents that look like a credential and are none, as events
/// say.
#[derive(Clone, Debug, Default)]
pub struct Waivers(BTreeSet<Waived>);

/// One document, one place in it, one rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waived {
    sha256: Digest,
    start: Count,
    end: Count,
    rule: Name,
}

impl Waivers {
    /// How many places are waived.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Takes in the next event.
    pub fn take(&mut self, event: &Event) {
        if let What::WaiverRecorded(waiver) = &event.what {
            self.0.insert(Waived {
                sha256: waiver.sha256,
                start: waiver.start,
                end: waiver.end,
                rule: waiver.rule.clone(),
            });
        }
    }

    /// Takes in what else is waived.
    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns what looks like a credential in a document, but for what is
    /// waived: the very digest, the very bytes, the very rule.
    pub fn standing(&self, document: &[u8]) -> Vec<Hit> {
        let mut hits = Scanner::shared().scan(document);
        if !hits.is_empty() && !self.0.is_empty() {
            let sha256 = Digest::of(document);
            // What was not looked at, nobody can answer for.
            hits.retain(|hit| hit.is_unscanned() || !self.covers(&sha256, hit));
        }
        hits
    }

    fn covers(&self, sha256: &Digest, hit: &Hit) -> bool {
        self.0.iter().any(|waived| {
            waived.sha256 == *sha256
                && waived.start == Count::saturating(hit.start)
                && waived.end == Count::saturating(hit.end)
                && waived.rule.as_str() == hit.rule
        })
    }
}
