//! The texts of C2SP (`c2sp.org`), to the byte: what leaves a ledger so that
//! others can check it without the ledger, and with programs of their own.
//!
//! | file | specification |
//! |---|---|
//! | `note`, `verifier_key`, `signing_key` | signed-note |
//! | `cosignature` | tlog-cosignature, Ed25519 |
//! | `inclusion` | tlog-proof |
//! | `consistency`, `witness` | tlog-witness, add-checkpoint |
//! | `policy`, `policy_file` | tlog-policy |
//! | `tiles` | tlog-tiles |
//!
//! Checkpoints themselves (tlog-checkpoint) are in `checkpoint.rs` of this room.
//! Signatures are Ed25519 (RFC 8032), always verified strictly.

mod consistency;
mod cosignature;
mod inclusion;
mod memory;
pub(crate) mod note;
mod policy;
mod policy_file;
mod prover;
mod signing;
mod signing_key;
pub(crate) mod spelling;
mod tiles;
mod verifier_key;
mod witness;

pub use consistency::ConsistencyProof;
pub use inclusion::InclusionProof;
pub use memory::{Begin, Memory};
pub use note::{Note, NoteFault, NoteRefusal, NoteSignature, read_signatures};
pub use policy::{Judgement, Policy, PolicyRefusal};
pub use policy_file::PolicyFault;
pub use prover::Prover;
pub use signing::sign_checkpoint;
pub use signing_key::{SigningKey, SigningKeyError};
pub use tiles::{ExportError, bundle_path, export_tiles, tile_path};
pub use verifier_key::{KeyKind, ParseVerifierKeyError, Signed, VerifierKey};
pub use witness::{Answer, NotAWitnessKey, Status, Witness};
