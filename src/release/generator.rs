use crate::board::{BoardError, Format, placement, render};
use crate::canonical::Count;
use crate::event::Name;
use crate::manifest::{GeneratorRef, Mode, State};
use crate::measure::NotFinite;
use crate::projection::{GameChoice, GamesPgnError, Projection, Source, games_pgn};
use crate::release::specification::argument;
use crate::release::{ARTIFACTS_FOLDER, ArtifactSpec, games, reliability};

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
    /// The formats that it makes and the endings of their files.
    formats: &'static [(&'static str, &'static str)],
    make: Make,
}

type Make = fn(&Projection, &Source, &str, &str) -> Result<Vec<u8>, GenerateError>;

/// Every generator there is. Each takes the arguments `cohort` and `format`.
pub const GENERATORS: &[Generator] = &[
    Generator {
        name: "board-placement",
        version: 1,
        what: "The placement board of a cohort.",
        role: "board",
        formats: &[("csv", "csv"), ("json", "json"), ("markdown", "md")],
        make: make_board,
    },
    Generator {
        name: "games-csv",
        version: 1,
        what: "The index of a cohort's games, one line each, aborted ones too.",
        role: "game index",
        formats: &[("csv", "csv")],
        make: |projection, _, cohort, _| games::csv(projection, cohort),
    },
    Generator {
        name: "games-pgn",
        version: 1,
        what: "A cohort's games as PGN; each move names its event.",
        role: "games",
        formats: &[("pgn", "pgn")],
        make: make_pgn,
    },
    Generator {
        name: "reliability-csv",
        version: 1,
        what: "Calls, failures by class, rejected answers and forfeits of each system of a cohort.",
        role: "reliability table",
        formats: &[("csv", "csv")],
        make: |projection, _, cohort, _| reliability::csv(projection, cohort),
    },
];

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
    /// The board cannot be made.
    #[error(transparent)]
    Board(#[from] BoardError),
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
    let names: Vec<_> = generator
        .arguments
        .iter()
        .map(|argument| argument.name.as_str())
        .collect();
    let format = generator.argument("format").unwrap_or_default();
    let is_known = known.formats.iter().any(|(known, _)| *known == format);
    match (names.as_slice(), generator.argument("cohort")) {
        (["cohort", "format"], Some(cohort)) if is_known => {
            (known.make)(projection, source, cohort, format)
        }
        _ => Err(GenerateError::Arguments {
            expected: format!(
                "cohort and format, in this order, the format one of {}",
                known.formats_in_words()
            ),
            found: format!("{} with format {format:?}", names.join(", ")),
        }),
    }
}

impl Generator {
    fn formats_in_words(&self) -> String {
        let formats: Vec<_> = self.formats.iter().map(|(format, _)| *format).collect();
        formats.join(", ")
    }

    /// The artifacts that it usually makes of a cohort: one a format.
    pub(crate) fn usual(&self, cohort: &Name) -> Vec<ArtifactSpec> {
        // The name of a generator is a name.
        let Ok(name) = self.name.parse::<Name>() else {
            return Vec::new();
        };
        let artifact = |(format, ending): &(&str, &str)| ArtifactSpec {
            generator: Some(GeneratorRef {
                arguments: vec![
                    argument("cohort", cohort.as_str()),
                    argument("format", format),
                ],
                name: name.clone(),
                version: Count::saturating(self.version),
            }),
            inputs: Vec::new(),
            path: format!("{ARTIFACTS_FOLDER}/{cohort}/{}.{ending}", self.stem()),
            required_in: Some(Mode::Draft),
            role: self.role.to_owned(),
            sha256: None,
            state: State::Frozen,
        };
        self.formats.iter().map(artifact).collect()
    }

    /// The name without the format that it ends in.
    fn stem(&self) -> &str {
        let (_, ending) = self.formats[0];
        let suffix = self.name.strip_suffix(ending);
        suffix
            .and_then(|stem| stem.strip_suffix('-'))
            .unwrap_or(self.name)
    }
}

fn make_pgn(
    projection: &Projection,
    source: &Source,
    cohort: &str,
    _: &str,
) -> Result<Vec<u8>, GenerateError> {
    let choice = GameChoice {
        cohort: Some(cohort),
        ..GameChoice::default()
    };
    Ok(games_pgn(projection, source, &choice)?.into_bytes())
}

fn make_board(
    projection: &Projection,
    source: &Source,
    cohort: &str,
    format: &str,
) -> Result<Vec<u8>, GenerateError> {
    let board = placement(projection, cohort, source.clone())?;
    let format = format
        .parse::<Format>()
        .map_err(|error| GenerateError::Arguments {
            expected: error.to_string(),
            found: format.to_owned(),
        })?;
    Ok(render(&board, format)?)
}
