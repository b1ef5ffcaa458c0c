//! Private bodies: sealed under a key of their game before they touch the
//! disk, and erased with it. Nothing else in a ledger can be erased.
//!
//! ```text
//! private/.gitignore        keeps the folder out of git, wherever it stands
//! private/since             the size of the ledger when this store was made
//! private/<unit>/key        32 random bytes, and 8 by which damage is seen
//! private/<unit>/<sha256>   one sealed body
//! private/packs/<number>    many sealed bodies, of any unit, see the file `pack.rs`
//! private/eras/<sha256>     the seed of a rating era that goes on
//! private/people/key        the key of the commitments to accounts
//! ```
//!
//! The last two hold no bodies: a seed is revealed when its era is closed, and
//! its file goes; the key of accounts stays as long as people play.
//!
//! The names of the files of a unit say what is needed to erase it: every file in
//! its folder goes, and what packs hold of it is overwritten. A killed process leaves files whose names begin
//! with `making-` there, never anywhere else.

mod accounts;
mod body;
mod erase;
mod erasing;
mod key;
mod pack;
mod packs;
mod roll;
mod sealed;
mod sealer;
mod seeds;
mod states;
mod store;

pub use accounts::AccountKey;
pub use body::{
    BodyFault, BodyState, Due, SeenBody, open_body, open_packed, opening_key, see_body,
};
pub use erase::{Erased, erase};
pub use erasing::Erasing;
pub use key::{KeySource, SystemKeys};
pub use packs::{PackWriter, PackedBodies, Packs};
pub use roll::PrivateRoll;
pub use sealer::{SealedBody, Sealer};
pub use seeds::{SeedFault, forget_seed, keep_seed, new_seed, open_seed, seed_path, stray_seeds};
pub use states::PrivateCounts;
pub(crate) use states::check_private;
pub use store::{PrivateStore, private_path};
