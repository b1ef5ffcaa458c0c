use crate::event::{CheckpointRef, Name};
use crate::manifest::{CohortManifest, FileDigest, GeneratorRef};
use crate::projection::Projection;
use crate::release::{Input, MANIFESTS_FOLDER};

/// What a generator rests on, as its arguments say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing<'a> {
    /// One cohort.
    Cohort(&'a str),
    /// One rating era.
    Era(&'a str),
    /// One dataset.
    Dataset(&'a str),
    /// Every event of the prefix.
    Prefix,
}

impl<'a> Footing<'a> {
    /// Returns what a generator rests on.
    pub fn of(generator: &'a GeneratorRef) -> Self {
        if let Some(cohort) = generator.argument("cohort") {
            Self::Cohort(cohort)
        } else if let Some(era) = generator.argument("era") {
            Self::Era(era)
        } else if let Some(dataset) = generator.argument("dataset") {
            Self::Dataset(dataset)
        } else {
            Self::Prefix
        }
    }

    /// Returns why nothing of it is settled in this prefix, or nothing where no
    /// later event changes it: a frozen cohort of the release, a closed era, a
    /// registered dataset.
    pub fn unsettled(self, cohorts: &[Name], prefix: &Projection) -> Option<String> {
        match self {
            Self::Cohort(name) => {
                let is_declared = cohorts.iter().any(|cohort| cohort.as_str() == name);
                let is_frozen = is_declared && self.freeze(prefix).is_some();
                (!is_frozen).then(|| format!("cohort {name}, which the release does not freeze"))
            }
            Self::Era(name) => {
                let is_closed = prefix.eras.named(name).is_some_and(|era| era.is_closed);
                (!is_closed).then(|| format!("era {name}, which is not closed"))
            }
            Self::Dataset(name) => {
                let is_there = prefix.puzzles.dataset_named(name).is_some();
                (!is_there).then(|| format!("dataset {name}, which is not registered"))
            }
            Self::Prefix => Some("every event of the prefix".to_owned()),
        }
    }

    /// Returns the inputs of what a generator makes of this prefix: its events,
    /// and the manifest of the frozen cohort that it rests on.
    pub fn inputs(self, checkpoint: &CheckpointRef, prefix: &Projection) -> Vec<Input> {
        let mut inputs = vec![Input::prefix(checkpoint)];
        inputs.extend(self.freeze(prefix).map(Input::manifest));
        inputs
    }

    /// The manifest of the newest freeze of the cohort that it rests on.
    fn freeze(self, prefix: &Projection) -> Option<FileDigest> {
        let Self::Cohort(name) = self else {
            return None;
        };
        let mut freezes = prefix.frozen.iter().rev();
        let newest = freezes.find(|freeze| freeze.frozen.cohort.as_str() == name)?;
        let frozen = &newest.frozen;
        let file = CohortManifest::file_name(&frozen.cohort, &frozen.manifest);
        Some(FileDigest {
            path: format!("{MANIFESTS_FOLDER}/{file}"),
            sha256: frozen.manifest,
        })
    }
}
