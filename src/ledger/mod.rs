//! The append-only list of events on disk.
//!
//! Lines in segments of 4,096, a durable two-slot head that says how far they
//! were acknowledged, and an untrusted index of segment roots that must add up
//! to the head. Whatever the head covers was synced before it; whatever stands
//! behind it was never acknowledged. So *torn* and *rotten* are told apart by
//! position, not by guessing.
//!
//! One [`Writer`] at a time appends whole batches. Readers take the prefix that
//! the head names and see it whole. Nothing here changes or removes a line;
//! private bodies, which no line holds, can be erased with their key.
//!
//! What leaves it for others to check, signed checkpoints, proofs and tiles, is
//! in the formats of C2SP: see `c2sp`.
//!
//! The room does its input and output through [`Storage`], so that a simulator
//! can stand in for the disk. It knows lines, not what they mean together.

mod batch;
mod blob;
mod c2sp;
mod checkpoint;
mod checkpoints;
mod create;
mod description;
mod disk;
mod door;
mod error;
mod files;
mod filesystem;
mod head;
mod history;
mod ids;
mod keep;
mod known;
mod layout;
mod lines;
mod open_ids;
mod prefix;
mod private;
mod quarantine;
mod recovery;
mod secret_file;
mod segment_index;
mod segments;
mod shared;
mod spine;
mod spool;
mod storage;
mod tail;
mod verify;
mod waivers;
mod writer;

pub use blob::{BLOB_BYTES_MAX, BlobError, blob_path, put_blob, read_blob};
pub use c2sp::{
    Answer, Begin, ConsistencyProof, ExportError, InclusionProof, Judgement, KeyKind, Memory,
    NotAWitnessKey, Note, NoteFault, NoteRefusal, NoteSignature, ParseVerifierKeyError, Policy,
    PolicyFault, PolicyRefusal, Prover, Signed, SigningKey, SigningKeyError, Status, VerifierKey,
    Witness, bundle_path, export_tiles, read_signatures, sign_checkpoint, tile_path,
};
pub use checkpoint::{Checkpoint, SignedCheckpoint};
pub use checkpoints::{add_signatures, all_checkpoints, issue_checkpoint, stored_checkpoint};
pub use create::{create, create_in};
pub use description::{Description, FORMAT};
pub use disk::Disk;
pub use door::{Door, Refusal};
pub use error::LedgerError;
pub use head::{HEAD_BYTES, Head, Slot, Slots};
pub use known::Known;
pub use layout::{Layout, SEGMENT_LINES, quarantine_path};
pub use prefix::{Prefix, ReadError, ResumeError};
pub use private::{
    AccountKey, BodyFault, BodyState, Due, Erased, Erasing, KeySource, PackWriter, PackedBodies,
    Packs, PrivateCounts, PrivateRoll, PrivateStore, SealedBody, Sealer, SeedFault, SeenBody,
    SystemKeys, erase, forget_seed, keep_seed, new_seed, open_body, open_packed, open_seed,
    opening_key, private_path, see_body, seed_path, stray_seeds,
};
pub use secret_file::write_secret;
pub use shared::SharedWriter;
pub use spool::{Spool, SpoolError};
pub use storage::{Entry, FolderLock, Mode, Storage, StorageFile};
pub use verify::{Verification, verify, verify_and_scan, verify_hashes};
pub use waivers::Waivers;
pub use writer::{Receipt, Recoveries, Writer};
