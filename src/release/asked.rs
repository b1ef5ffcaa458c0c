use std::fmt;

use crate::board::Format;
use crate::manifest::GeneratorRef;
use crate::projection::{Era, Projection, Source};
use crate::release::{GenerateError, Generator};

/// An argument of a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Whether it may be left out.
    pub is_optional: bool,
}

impl Argument {
    /// One that has to be given.
    pub(crate) const fn required(name: &'static str) -> Self {
        Self {
            name,
            is_optional: false,
        }
    }

    /// One that may be left out.
    pub(crate) const fn optional(name: &'static str) -> Self {
        Self {
            name,
            is_optional: true,
        }
    }
}

/// The name; in brackets where it may be left out.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_optional {
            f.pad(&format!("[{}]", self.name))
        } else {
            f.pad(self.name)
        }
    }
}

/// What a generator is asked to make, with arguments that it takes.
pub(crate) struct Asked<'a> {
    pub(crate) projection: &'a Projection,
    pub(crate) source: &'a Source,
    reference: &'a GeneratorRef,
    format: &'static str,
}

impl<'a> Asked<'a> {
    /// Holds the arguments against those that the generator takes.
    ///
    /// # Errors
    ///
    /// When one is missing, unknown or out of order, or there is no such format.
    pub(crate) fn of(
        generator: &Generator,
        reference: &'a GeneratorRef,
        projection: &'a Projection,
        source: &'a Source,
    ) -> Result<Self, GenerateError> {
        let mut given = reference.arguments.iter().peekable();
        let mut are_known = true;
        for argument in generator.arguments {
            let is_given = given.next_if(|given| given.name == argument.name).is_some();
            are_known &= is_given || argument.is_optional;
        }
        let wanted = given.next_if(|given| given.name == "format");
        are_known &= given.next().is_none();
        let mut formats = generator.formats();
        let format = match (wanted, generator.formats) {
            (Some(wanted), _) => formats.find(|known| *known == wanted.value),
            (None, [(only, _)]) => Some(*only),
            (None, _) => None,
        };
        let known = format.filter(|_| are_known);
        let format = known.ok_or_else(|| refusal(generator, reference))?;
        Ok(Self {
            projection,
            source,
            reference,
            format,
        })
    }

    /// The value of an argument; nothing where it was left out.
    pub(crate) fn value(&self, name: &str) -> Option<&'a str> {
        self.reference.argument(name)
    }

    /// The cohort that is asked for. A generator that reads it takes it.
    pub(crate) fn cohort(&self) -> &'a str {
        self.value("cohort").unwrap_or_default()
    }

    /// The era that is asked for.
    ///
    /// # Errors
    ///
    /// When there is none with this name.
    pub(crate) fn era(&self) -> Result<&'a Era, GenerateError> {
        let wanted = self.value("era").unwrap_or_default();
        self.projection.eras.named(wanted).ok_or_else(|| {
            let eras = self.projection.eras.iter();
            let names: Vec<_> = eras.map(|era| era.started.name.as_str()).collect();
            GenerateError::NoEra {
                wanted: wanted.to_owned(),
                size: self.source.size,
                there: match names.as_slice() {
                    [] => "none".to_owned(),
                    names => names.join(", "),
                },
            }
        })
    }

    /// The word for the format.
    pub(crate) const fn format_name(&self) -> &'static str {
        self.format
    }

    /// The format of a board.
    ///
    /// # Errors
    ///
    /// When boards have no such format, which no generator of one declares.
    pub(crate) fn format(&self) -> Result<Format, GenerateError> {
        self.format
            .parse::<Format>()
            .map_err(|error| GenerateError::Arguments {
                expected: error.to_string(),
                found: self.format.to_owned(),
            })
    }
}

fn refusal(generator: &Generator, reference: &GeneratorRef) -> GenerateError {
    let arguments = reference.arguments.iter();
    let names: Vec<_> = arguments
        .map(|argument| format!("{}={:?}", argument.name, argument.value))
        .collect();
    let formats: Vec<_> = generator.formats().collect();
    GenerateError::Arguments {
        expected: format!(
            "{}, in this order, the format one of {}",
            generator.arguments_in_words(),
            formats.join(", ")
        ),
        found: match names.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        },
    }
}
