//! Releases that were published.

use serde::{Deserialize, Serialize};

use crate::event::{EventId, ReleasePublished};
use crate::projection::Projection;

/// A release that was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// The id of its event.
    pub id: EventId,
    /// The position of its event.
    pub index: u64,
    /// What was published.
    pub published: ReleasePublished,
}

impl Projection {
    pub(crate) fn publish(&mut self, id: EventId, index: u64, published: &ReleasePublished) {
        self.published.push(Published {
            id,
            index,
            published: published.clone(),
        });
    }
}
