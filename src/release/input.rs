use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::{Digest, Root};
use crate::event::CheckpointRef;
use crate::manifest::FileDigest;

/// Something that an artifact is made from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The first event, from 0; ledger ranges have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Count>,
    /// What it is, which says what else it has.
    pub kind: InputKind,
    /// Where the file stands, relative to the project; manifests and files have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The root over the events before `to`; ledger ranges have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<Root>,
    /// The digest of the file; manifests and files have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
    /// The number of events before the end; ledger ranges have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Count>,
}

/// The kinds of inputs.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// Events of the ledger.
    Ledger,
    /// The manifest of a frozen cohort.
    Manifest,
    /// Any other file of the project.
    File,
}

impl Input {
    /// The events before a checkpoint.
    pub fn prefix(checkpoint: &CheckpointRef) -> Self {
        Self {
            from: Some(0_u32.into()),
            kind: InputKind::Ledger,
            path: None,
            root: Some(checkpoint.root),
            sha256: None,
            to: Some(checkpoint.size),
        }
    }

    /// The manifest of a frozen cohort.
    pub fn manifest(file: FileDigest) -> Self {
        Self {
            from: None,
            kind: InputKind::Manifest,
            path: Some(file.path),
            root: None,
            sha256: Some(file.sha256),
            to: None,
        }
    }

    /// Whether it has what its kind has, and nothing else.
    pub fn is_whole(&self) -> bool {
        let of_range = [self.from.is_some(), self.root.is_some(), self.to.is_some()];
        let of_file = [self.path.is_some(), self.sha256.is_some()];
        match self.kind {
            InputKind::Ledger => of_range == [true; 3] && of_file == [false; 2],
            InputKind::Manifest | InputKind::File => of_range == [false; 3] && of_file == [true; 2],
        }
    }

    /// What it is, in words that tell it from others.
    pub fn in_words(&self) -> String {
        let path = self.path.as_deref().unwrap_or("without a path");
        let sha256 = self.sha256.map(|it| format!(" with digest {it}"));
        let sha256 = sha256.unwrap_or_default();
        match (self.kind, self.from, self.to, self.root) {
            (InputKind::Ledger, Some(from), Some(to), Some(root)) => {
                format!("events {from} to {to} with root {root}")
            }
            (InputKind::Ledger, ..) => "events of the ledger".to_owned(),
            (InputKind::Manifest, ..) => format!("manifest {path}{sha256}"),
            (InputKind::File, ..) => format!("file {path}{sha256}"),
        }
    }
}
