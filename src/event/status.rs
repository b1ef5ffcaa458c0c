//! What becomes of a system after its registration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::kinds::{Fact, Meaningless, NOT_BLANK, check_reason};
use crate::event::{EventId, Reference};

macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Why, in words.
            #[schemars(extend("pattern" = NOT_BLANK))]
            pub reason: String,
            /// The system: any registration of the identity that is meant.
            pub system: EventId,
        }

        impl Fact for $name {
            fn references(&self) -> Vec<Reference<'_>> {
                vec![Reference::new("system", &self.system, &["system.registered"])]
            }

            fn check_meaning(&self) -> Result<(), Meaningless> {
                check_reason(&self.reason)
            }
        }
    )*};
}

statuses! {
    /// `system.paused`: it keeps its rank position and plays no games. An outage,
    /// too: games that are due wait.
    SystemPaused
    /// `system.resumed`: it plays again.
    SystemResumed
    /// `system.withdrawn`: it leaves the first batch of games for good. It and its
    /// games leave the calculation of the first ratings, and no record.
    SystemWithdrawn
    /// `system.retired`: it leaves scheduling, new challenges by people, and the
    /// active board. What it played stands.
    SystemRetired
    /// `system.restored`: it comes back with the rating and the status it had.
    SystemRestored
}
