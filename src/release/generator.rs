use crate::board::{BoardError, ComparisonError, PositionBoardError, PuzzleBoardError};
use crate::canonical::Count;
use crate::event::Name;
use crate::manifest::{GeneratorRef, Mode, State};
use crate::measure::NotFinite;
use crate::projection::{GamesPgnError, Projection, Source};
use crate::release::asked::{Argument, Asked};
use crate::release::specification::argument;
use crate::release::usual::Usual;
use crate::release::{ARTIFACTS_FOLDER, ArtifactSpec, GENERATORS};

/// Something that makes artifacts from a projection.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    /// Its name.
    pub name: &'static str,
    /// Raised when its output changes.
    pub version: u64,
    /// What it makes, in a sentence.
    pub what: &'static str,
    /// What its artifacts are for.
    pub role: &'static str,
    /// What it is asked about, in order. After these comes `format`.
    pub arguments: &'static [Argument],
    /// The formats that it makes and the endings of their files.
    pub(crate) formats: &'static [(&'static str, &'static str)],
    /// Of what a release usually has its artifacts.
    pub(crate) usual: Usual,
    pub(crate) make: Make,
}

pub(crate) type Make = fn(&Asked<'_>) -> Result<Vec<u8>, GenerateError>;

/// Why an artifact cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GenerateError {
    /// No generator has this name and version.
    #[error("there is no generator {0}")]
    Unknown(String),
    /// Its arguments are not the ones it takes.
    #[error("the generator takes {expected}, not {found}")]
    Arguments {
        /// What it takes.
        expected: String,
        /// What it got.
        found: String,
    },
    /// No era has this name.
    #[error("no era named {wanted} before event {size}; there is: {there}")]
    NoEra {
        /// What was asked for.
        wanted: String,
        /// The prefix that was looked at.
        size: u64,
        /// The eras there are.
        there: String,
    },
    /// The board cannot be made.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Two systems cannot be compared.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// The board of puzzles cannot be made.
    #[error(transparent)]
    Puzzles(#[from] PuzzleBoardError),
    /// The board of positions cannot be made.
    #[error(transparent)]
    Positions(#[from] PositionBoardError),
    /// The games cannot be written.
    #[error(transparent)]
    Games(#[from] GamesPgnError),
    /// A number is none.
    #[error(transparent)]
    Number(#[from] NotFinite),
}

/// Returns the bytes that a generator makes of a prefix.
///
/// # Errors
///
/// When there is no such generator, version or argument, or the prefix does
/// not hold what it needs.
pub fn generate(
    generator: &GeneratorRef,
    projection: &Projection,
    source: &Source,
) -> Result<Vec<u8>, GenerateError> {
    let known = GENERATORS.iter().find(|known| {
        known.name == generator.name.as_str() && known.version == generator.version.get()
    });
    let known = known.ok_or_else(|| {
        GenerateError::Unknown(format!("{}@{}", generator.name, generator.version))
    })?;
    let asked = Asked::of(known, generator, projection, source)?;
    (known.make)(&asked)
}

impl Generator {
    /// The names of its formats, in order.
    pub fn formats(&self) -> impl Iterator<Item = &'static str> {
        self.formats.iter().map(|(format, _)| *format)
    }

    /// Its arguments for people, `format` last: `era, format`. In brackets
    /// stands what may be left out.
    pub fn arguments_in_words(&self) -> String {
        let mut words: Vec<_> = self.arguments.iter().map(ToString::to_string).collect();
        words.push(match self.formats {
            [_] => "[format]".to_owned(),
            _ => "format".to_owned(),
        });
        words.join(", ")
    }

    /// Whether a later version of it is there.
    pub fn is_superseded(&self) -> bool {
        let mut others = GENERATORS.iter();
        others.any(|other| other.name == self.name && self.version < other.version)
    }

    /// The artifacts that it usually makes for a release of this cohort, one a
    /// format: none where the cohort is of another kind.
    pub(crate) fn usual(&self, cohort: &Name, projection: &Projection) -> Vec<ArtifactSpec> {
        let about = self.usual.of(cohort, projection);
        about.map_or_else(Vec::new, |(name, value)| {
            let state = match name {
                "cohort" => State::Frozen,
                _ => State::Generated,
            };
            self.artifacts(Some((name, value)), state)
        })
    }

    /// The artifacts that it usually makes of the whole prefix, whatever the
    /// cohorts of a release are.
    pub(crate) fn usual_of_prefix(&self) -> Vec<ArtifactSpec> {
        if self.usual == Usual::Prefix && !self.is_superseded() {
            self.artifacts(None, State::Generated)
        } else {
            Vec::new()
        }
    }

    /// One artifact a format.
    fn artifacts(&self, about: Option<(&str, &str)>, state: State) -> Vec<ArtifactSpec> {
        // The name of a generator is a name.
        let Ok(name) = self.name.parse::<Name>() else {
            return Vec::new();
        };
        if self.is_superseded() {
            return Vec::new();
        }
        let folder = about.map_or("all", |(_, value)| value);
        let artifact = |(format, ending): &(&str, &str)| {
            let about = about.map(|(name, value)| argument(name, value));
            let format = argument("format", format);
            ArtifactSpec {
                generator: Some(GeneratorRef {
                    arguments: about.into_iter().chain([format]).collect(),
                    name: name.clone(),
                    version: Count::saturating(self.version),
                }),
                inputs: Vec::new(),
                path: format!("{ARTIFACTS_FOLDER}/{folder}/{}.{ending}", self.stem()),
                required_in: Some(Mode::Draft),
                role: self.role.to_owned(),
                sha256: None,
                state,
            }
        };
        self.formats.iter().map(artifact).collect()
    }

    /// The name without the format that it ends in.
    fn stem(&self) -> &str {
        let ending = self.formats.first().map_or("", |(_, ending)| *ending);
        let suffix = self.name.strip_suffix(ending);
        suffix
            .and_then(|stem| stem.strip_suffix('-'))
            .unwrap_or(self.name)
    }
}
